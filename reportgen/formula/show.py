"""A value and its unit to the text that a person reads: scaled, rounded to four digits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from reportgen.formula.units import Kind, Unit, unit

DIGITS = 4
MINUS = "−"
TIMES = "×"
EXACT_BELOW = 1e9  # whole numbers are written out up to here
POWER_BELOW, POWER_FROM = 1e-3, 1e12  # outside of these a number is written as a power of ten
BINARY = 2.0**30
SHARES = ("_fraction", "_utilization")


class Step(NamedTuple):
    """One step of a scale: from what value on it is used, how much one is, and what one is called."""

    least: float
    size: float
    word: str


Scale = tuple[Step, ...]  # from the greatest


def _decimal(*words: tuple[float, str]) -> Scale:
    return tuple(Step(size, size, word) for size, word in words)


BYTES = _decimal((1e18, "EB"), (1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "bytes"))
FLOPS = _decimal((1e18, "EFLOP"), (1e15, "PFLOP"), (1e12, "TFLOP"), (1e9, "GFLOP"), (1e6, "MFLOP"), (1, "FLOP"))
DOLLARS = _decimal((1e12, "trillion USD"), (1e9, "billion USD"), (1e6, "million USD"), (1, "USD"))
TOKENS = _decimal((1e12, "T tokens"), (1e9, "B tokens"), (1e6, "M tokens"), (1, "tokens"))
PARAMETERS = _decimal((1e12, "T parameters"), (1e9, "B parameters"), (1e6, "M parameters"), (1, "parameters"))
SECONDS: Scale = (  # a unit of time is left for the next where two of those are reached
    Step(172_800, 86_400, "days"),
    Step(7200, 3600, "hours"),
    Step(120, 60, "minutes"),
    Step(1, 1, "s"),
    Step(1e-3, 1e-3, "ms"),
    Step(1e-6, 1e-6, "µs"),
)
SCALES = {"byte": BYTES, "FLOP": FLOPS, "USD": DOLLARS, "token": TOKENS, "parameter": PARAMETERS}
INVARIABLE = frozenset({"FLOP", "USD", "s", "ms", "µs"})
FLOP_TOO_MANY = 1e21  # beyond a thousand EFLOP, papers write powers of ten


@dataclass(frozen=True)
class Shown:
    """A number as printed and its unit; `beside` says the same in another unit, for memory of a GPU."""

    text: str
    unit: str = ""
    beside: str = ""

    def __str__(self) -> str:
        return f"{self.text} {self.unit}".rstrip()

    @property
    def full(self) -> str:
        """Both units: "85.52 GB (79.65 GiB)"."""
        return f"{self} ({self.beside})" if self.beside else str(self)


def show(value: Any, of: Unit | Kind | str, name: str = "") -> Shown:
    """A value in base units of `of`, as a person reads it, to four significant digits.

    `name` is the quantity's: a pure number that is a fraction by name is shown in per cent.
    """
    if isinstance(value, bool):
        return Shown("yes" if value else "no")
    if not isinstance(value, int | float):
        return Shown("–" if value is None else str(value))
    if not _is_finite(value):
        return Shown("no value")
    parsed = unit(of) if isinstance(of, str) else of
    powers = dict(parsed.powers) if isinstance(parsed, Unit) else {}
    if not powers and name.endswith(SHARES):
        return Shown(digits(value * 100), "%")
    return SPECIAL.get(str(parsed), _measured)(value, powers)


def show_in_formula(value: Any, of: Unit | Kind | str, name: str = "") -> Shown:
    """The same where the value stands in a formula: seconds stay seconds, so that a reader sees them cancel."""
    if str(of) == "second" and isinstance(value, int | float) and _is_finite(value) and abs(value) >= 1:
        return Shown(digits(value), "s")
    return show(value, of, name)


def digits(value: float) -> str:
    """A number with thousands separators: whole ones exact, others to four significant digits.

    Very great and very small ones are powers of ten: "4.233 × 10^23".
    """
    size, sign = abs(value), MINUS if value < 0 else ""
    if size < EXACT_BELOW and size == int(size):
        return f"{sign if size else ''}{int(size):,}"
    if not POWER_BELOW <= size < POWER_FROM:
        mantissa, exponent = f"{size:.{DIGITS - 1}e}".split("e")
        return f"{sign}{_trimmed(mantissa)} {TIMES} 10^{str(int(exponent)).replace('-', MINUS)}"
    rounded = rounded_to(size)
    decimals = max(0, DIGITS - 1 - math.floor(math.log10(rounded)))
    return sign + _trimmed(f"{rounded:,.{decimals}f}")


def rounded_to(value: float, count: int = DIGITS) -> float:
    """The value to so many significant digits."""
    return float(f"{value:.{count - 1}e}")


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond every float
        return False


def _scaled(value: float, scale: Scale) -> tuple[str, str]:
    """The number and the word of the first step that it reaches once it is rounded."""
    size = rounded_to(abs(value))
    reached = (step for step in scale if size >= step.least)
    whole = next(step for step in scale if step.size == 1)
    step = next(reached, scale[-1]) if size else whole
    text = digits(value / step.size)
    return text, _agreeing(text, step.word)


def _measured(value: float, powers: dict[str, int]) -> Shown:
    above = [symbol for symbol, power in powers.items() if power > 0]
    scale = SCALES.get(above[0]) if len(above) == 1 and powers[above[0]] == 1 else None
    if scale is None or (scale is FLOPS and abs(value) >= FLOP_TOO_MANY):
        text = digits(value)
        word = _agreeing(text, "*".join(_symbol(symbol, powers[symbol]) for symbol in above))
    else:
        text, word = _scaled(value, scale)
    return Shown(text, _over(word, powers))


def _symbol(symbol: str, power: int) -> str:
    return f"{symbol if symbol in INVARIABLE else symbol + 's'}{'' if power == 1 else f'^{power}'}"


def _agreeing(text: str, word: str) -> str:
    """The word for so many: "1 node", but "2 nodes" and "1 T tokens"."""
    single = text in ("1", f"{MINUS}1") and word not in INVARIABLE and " " not in word
    return word.removesuffix("s") if single else word


def _over(word: str, powers: dict[str, int]) -> str:
    """The word and what it is per: "GB/s per node"."""
    below = [(symbol, -power) for symbol, power in powers.items() if power < 0]
    rate = "".join("/s" for symbol, _ in below if symbol == "second")
    others = [f"{symbol}{'' if power == 1 else f'^{power}'}" for symbol, power in below if symbol != "second"]
    return " ".join([word + rate, *(f"per {other}" for other in others)]).strip()


def _gpu_memory(value: float, _: dict[str, int]) -> Shown:
    """Decimal, as state is counted, with the binary that memory is sold in beside it."""
    text, word = _scaled(value, BYTES)
    beside = f"{digits(value / BINARY)} GiB" if abs(value) >= BINARY / 10 else ""
    return Shown(text, word, beside)


def _seconds(value: float, _: dict[str, int]) -> Shown:
    return Shown(*_scaled(value, SECONDS))


def _token_price(value: float, _: dict[str, int]) -> Shown:
    return Shown(digits(value * 1e6), "USD per million tokens")


def _hour_price(value: float, _: dict[str, int]) -> Shown:
    return Shown(digits(value), "USD per GPU-hour")


def _gpu_hours(value: float, _: dict[str, int]) -> Shown:
    text = digits(value)
    return Shown(text, _agreeing(text, "GPU-hours"))


SPECIAL = {
    "byte/GPU": _gpu_memory,
    "second": _seconds,
    "USD/token": _token_price,
    "USD/GPU/hour": _hour_price,
    "GPU*hour": _gpu_hours,
}
