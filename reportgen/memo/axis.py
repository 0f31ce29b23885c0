"""Axes of figures: ticks at steps of 1, 2 and 5, units that suit the values, numbers as they are printed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.formula.show import MINUS, rounded_to

SIGNIFICANT_DIGITS = 3
TICK_STEPS = (1, 2, 5, 10)


@dataclass(frozen=True)
class Unit:
    """A unit as printed and how many base units it holds."""

    label: str
    size: float


@dataclass(frozen=True)
class UnitSystem:
    """Units of one kind from small to large; the first is the base unit."""

    units: tuple[Unit, ...]

    def suiting(self, largest: float) -> Unit:
        """The largest unit of which the value holds at least one; the base unit for smaller values."""
        fitting = [unit for unit in self.units if unit.size <= largest]
        return fitting[-1] if fitting else self.units[0]


def _powers(base: int, labels: Sequence[str]) -> UnitSystem:
    return UnitSystem(tuple(Unit(label, float(base**power)) for power, label in enumerate(labels)))


DECIMAL_BYTES = _powers(1000, ("B", "kB", "MB", "GB", "TB", "PB", "EB"))
BINARY_BYTES = _powers(1024, ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"))
US_DOLLARS = _powers(1000, ("USD", "thousand USD", "million USD", "billion USD"))
DAYS = UnitSystem((Unit("days", 86400.0),))
TIME = UnitSystem((Unit("s", 1.0), Unit("minutes", 60.0), Unit("hours", 3600.0), Unit("days", 86400.0)))


@dataclass(frozen=True)
class Ticks:
    """Where an axis has its marks, in the unit shown, and the decimals that tell them apart."""

    values: tuple[float, ...]
    decimals: int

    @property
    def end(self) -> float:
        """The last mark, where the axis ends."""
        return self.values[-1]

    def label(self, value: float) -> str:
        """A mark as printed, with a comma between thousands."""
        return f"{value:,.{self.decimals}f}"


def ticks(largest: float, about: int = 5) -> Ticks:
    """About so many marks from 0 to the first step at or past `largest`, at 1, 2 or 5 times a power of ten.

    ValueError if `largest` is negative or not finite.
    """
    if not math.isfinite(largest) or largest < 0:
        raise ValueError(f"an axis from zero ends at a finite value of 0 or more, found {largest!r}")
    step = _step((largest or 1.0) / about)
    # A hair is taken off, so that 0.3 / 0.1 = 3.0000000000000004 does not open another interval.
    count = max(1, math.ceil((largest or 1.0) / step - 1e-9))
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return Ticks(tuple(round(index * step, decimals + 2) for index in range(count + 1)), decimals)


def shown(value: float, digits: int = SIGNIFICANT_DIGITS) -> str:
    """A value with so many significant digits, zeros at its end kept, never in exponent form."""
    if value == 0:
        return "0"
    rounded = rounded_to(value, digits)
    return _with_sign(rounded, max(0, digits - 1 - math.floor(math.log10(abs(rounded)))))


def evenly_shown(values: Sequence[float], digits: int = SIGNIFICANT_DIGITS) -> tuple[str, ...]:
    """Values to compare, with the decimals that suit the largest; one that would read 0 keeps one digit."""
    largest = max((abs(value) for value in values), default=0.0)
    decimals = len(shown(largest, digits).partition(".")[2])
    return tuple(_with_decimals(value, decimals, digits) for value in values)


def _with_decimals(value: float, decimals: int, digits: int) -> str:
    if decimals == 0:
        return shown(value, digits) if abs(value) >= 1 or value == 0 else shown(value, 1)
    vanishes = value != 0 and round(value, decimals) == 0
    return shown(value, 1) if vanishes else _with_sign(value, decimals)


def _with_sign(value: float, decimals: int) -> str:
    """Thousands separators and the minus sign of `show`, with decimals that line up in a column."""
    return f"{value:,.{decimals}f}".replace("-", MINUS)


def _step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in TICK_STEPS if step * power >= rough * (1 - 1e-9))
