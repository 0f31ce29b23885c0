"""Units as products of powers, so that a formula's unit can be worked out and compared with the declared one."""

from __future__ import annotations

import re
from dataclasses import dataclass

SYMBOLS = frozenset(
    ("byte", "second", "hour", "day", "FLOP", "USD", "token", "parameter", "value", "GPU", "node", "sequence", "step")
)


@dataclass(frozen=True)
class Unit:
    """A product of powers of base symbols, for example byte/GPU; no symbols at all is a pure number."""

    powers: tuple[tuple[str, int], ...] = ()

    def __mul__(self, other: Unit) -> Unit:
        return _unit(_added(dict(self.powers), other, 1))

    def __truediv__(self, other: Unit) -> Unit:
        return _unit(_added(dict(self.powers), other, -1))

    def __pow__(self, exponent: int) -> Unit:
        return _unit({symbol: power * exponent for symbol, power in self.powers})

    def __str__(self) -> str:
        above = [_power(symbol, power) for symbol, power in self.powers if power > 0]
        below = [_power(symbol, -power) for symbol, power in self.powers if power < 0]
        return "/".join(["*".join(above) or "1", *below])


@dataclass(frozen=True)
class Kind:
    """What a value is when it is not a number with a unit: text, or a truth."""

    name: str

    def __str__(self) -> str:
        return self.name


PURE = Unit()
TEXT = Kind("text")
TRUTH = Kind("truth")


def unit(text: str) -> Unit | Kind:
    """The unit that `text` names: "byte/GPU", "FLOP/second/GPU", "1", or "text".

    Raises ValueError for a symbol that is not in SYMBOLS.
    """
    if text == TEXT.name:
        return TEXT
    above, *below = text.split("/")
    powers = _counted(above, 1, {})
    for part in below:
        powers = _counted(part, -1, powers)
    return _unit(powers)


def _counted(product: str, sign: int, powers: dict[str, int]) -> dict[str, int]:
    for factor in product.split("*"):
        match = re.fullmatch(r"(1)|([A-Za-z]+)(?:\^(\d))?", factor)
        if not match or (match[2] and match[2] not in SYMBOLS):
            raise ValueError(f"unknown unit {factor!r}; known are {', '.join(sorted(SYMBOLS))}")
        if match[2]:
            powers = {**powers, match[2]: powers.get(match[2], 0) + sign * int(match[3] or 1)}
    return powers


def _added(powers: dict[str, int], other: Unit, sign: int) -> dict[str, int]:
    for symbol, power in other.powers:
        powers[symbol] = powers.get(symbol, 0) + sign * power
    return powers


def _unit(powers: dict[str, int]) -> Unit:
    return Unit(tuple(sorted((symbol, power) for symbol, power in powers.items() if power)))


def _power(symbol: str, power: int) -> str:
    return symbol if power == 1 else f"{symbol}^{power}"
