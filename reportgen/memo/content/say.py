"""Values to numbers as printed, each with the name under which the estimator has it.

A name is a formula over quantities, such as `stage_peak_bytes[0]` or `deadline_days - training_days`; after
a bar stands what was changed from the scenario, such as `training_days | gpu_count=1024` or `case=low`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from reportgen.formula.interpret import interpret
from reportgen.formula.parse import parse_text
from reportgen.formula.show import MINUS, SCALES, SECONDS, TIMES, Shown, digits, rounded_to, show, show_in_formula
from reportgen.memo.axis import UnitSystem, evenly_shown
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Printed
from reportgen.model import estimator
from reportgen.result import Result

PROSE_DIGITS = 3
EXACT_BELOW = 100_000
# Whatever is counted one by one is printed to the last one.
COUNTED = ("GPU", "node", "1", "sequence", "sequence/step")
ROW = re.compile(r"\b([a-z_]+)\[(\d+)\]")
NO_BREAK = "\u00a0"
WORDS_OF_SCALES = {"T ": "trillion ", "B ": "billion ", "M ": "million "}
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
POWER = re.compile(rf"(\S+) {TIMES} 10\^(\S+)")
SHORT_SPAN_DAYS = 2
PLURALS = frozenset({"days", "hours", "minutes", "bytes", "tokens", "parameters", "GPU-hours", "steps"})
# All sizes of units that a number may be shown in: of scales, per cent, and a price per million tokens.
SIZES = (*{step.size for scale in (*SCALES.values(), SECONDS) for step in scale}, 0.01, 1e-6)


@dataclass(frozen=True)
class Teller:
    """A result that says its numbers; `condition` is what it changed from the scenario, if anything."""

    result: Result
    condition: str = ""
    units: Mapping[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", self.result.units)

    def value(self, formula: str) -> Any:
        """The value of a formula over quantities; KeyError or RefusedSyntax for one that is none."""
        if formula in self.result.values:
            return self.result[formula]
        return value_of(formula, self.result.values)

    def name(self, formula: str) -> str:
        """The name that goes with a printed number."""
        return f"{formula} | {self.condition}" if self.condition else formula

    def say(self, formula: str, unit: str = "") -> Printed:
        """A number with its unit, to three digits, or exactly where it is a count; a text as it is.

        `unit` is the unit in base units of a formula that is no single quantity.
        """
        value, of = self.value(formula), unit or self.unit(formula)
        return Printed(_joined(_in_prose(value, of, formula)), self.name(formula))

    def say_closely(self, formula: str) -> Printed:
        """The same with as many digits as `show` gives, for derivations."""
        return Printed(_joined(show(self.value(formula), self.unit(formula), formula)), self.name(formula))

    def say_in_formula(self, name: str) -> Printed:
        """The same where the number stands in a formula."""
        return Printed(_joined(show_in_formula(self.value(name), self.unit(name), name)), self.name(name))

    def unit(self, formula: str) -> str:
        """The base unit of a single quantity, or of a row of it; a row's number has none."""
        name = ROW.sub(r"\1", formula)
        return "1" if name in estimator().index_axes else self.units[name]

    def share(self, formula: str) -> Printed:
        """A fraction in per cent."""
        value = _rounded(self.value(formula) * 100)
        return Printed(_joined(Shown(show(value, "1").text, "%")), self.name(formula))

    def span(self, days: str) -> Printed:
        """A time given in days: in days, or in hours, minutes or seconds where it is short."""
        if abs(self.value(days)) >= SHORT_SPAN_DAYS:
            return self.say(days, "day")
        product = days if days in self.units else f"({days})"
        return self.say(f"{product} * seconds_per_day", "second")

    def headline(self, name: str) -> Printed:
        """A single quantity as its name asks: days as a span of time, a fraction in per cent, else as it is."""
        if name.endswith("_days"):
            return self.span(name)
        return self.share(name) if name.endswith("_fraction") else self.say(name)

    def count(self, formula: str, one: str, many: str = "") -> Sentence:
        """A number and what it counts: "1 stage", "4 stages"."""
        number = self.say(formula)
        return sentence(number, NO_BREAK, one if number.text == "1" else many or f"{one}s")

    def cell(self, formula: str) -> Printed:
        """A number alone, for a column that says its unit: exact where it is a count."""
        return Printed(show(self.value(formula), "1").text, self.name(formula))


def value_of(formula: str, values: Mapping[str, Any]) -> Any:
    """The value of a formula over quantities, whose columns take a row in brackets."""
    return interpret(parse_text(ROW.sub(_lookup, formula)), values)


def column(said: Sequence[tuple[Teller, str]], units: UnitSystem) -> tuple[str, tuple[Printed, ...]]:
    """Numbers to stand below each other: the unit that suits the largest, and the same decimals for all."""
    values = [teller.value(formula) for teller, formula in said]
    unit = units.suiting(max(abs(value) for value in values))
    texts = evenly_shown([value / unit.size for value in values])
    names = [teller.name(formula) for teller, formula in said]
    cells = (Printed(text, name) for text, name in zip(texts, names, strict=True))
    return unit.label, tuple(cells)


def _lookup(match: re.Match[str]) -> str:
    name, row = match.groups()
    axis = estimator().axis_of(name)
    return f"lookup({row}, {axis.index}, {name})" if axis else match[0]


def _in_prose(value: Any, of: str, name: str) -> Shown:
    """As `show` has it, rounded to three digits in the unit that it chose; counts and small whole numbers exactly."""
    shown = show(value, of, name)
    if not isinstance(value, int | float) or of in COUNTED or not _is_rounded(value):
        return shown
    size = _size_shown(value, shown)
    text = digits(rounded_to(value / size, PROSE_DIGITS))
    unit = shown.unit.removesuffix("s") if text == "1" and shown.unit in PLURALS else shown.unit
    return Shown(text, unit)


def _is_rounded(value: float) -> bool:
    return value != int(value) or abs(value) >= EXACT_BELOW


def _size_shown(value: float, shown: Shown) -> float:
    """How many base units one of the unit shown is, found by comparing both numbers."""
    power = POWER.fullmatch(shown.text)
    text = f"{power[1]}e{power[2]}" if power else shown.text
    number = float(text.replace(",", "").replace(MINUS, "-"))
    return min(SIZES, key=lambda size: abs(value / size - number))


def _rounded(value: float) -> float:
    return value if value == int(value) else rounded_to(value, PROSE_DIGITS)


def _joined(shown: Shown) -> str:
    """Number and unit on one line: million for M, powers of ten raised."""
    number = POWER.sub(_powered, shown.text)
    unit = shown.unit
    if unit == "GPU-hours" and number.count(",") > 1:
        return _joined(Shown(*_in_millions(number, unit)))
    for short, word in WORDS_OF_SCALES.items():
        unit = word + unit.removeprefix(short) if unit.startswith(short) else unit
    # The number stays with the first word of its unit; a text that is a name has no unit.
    number = number.replace(" ", NO_BREAK) if POWER.fullmatch(shown.text) else number
    return f"{number}{NO_BREAK}{unit}" if unit else number


def spoken(shown: Shown) -> str:
    """A number and its unit as they stand in a sentence."""
    return _joined(shown)


def _powered(match: re.Match[str]) -> str:
    """A great number with a raised exponent; a small one in full, as the typeface has no raised minus."""
    mantissa, exponent = match.groups()
    if exponent.startswith(MINUS):
        return f"{Decimal(mantissa).scaleb(-int(exponent.removeprefix(MINUS))):f}"
    return f"{mantissa} {TIMES} 10{exponent.translate(SUPERSCRIPTS)}"


def _in_millions(number: str, unit: str) -> tuple[str, str]:
    millions = float(number.replace(",", "")) / 1e6
    return show(millions, "1").text, f"M {unit}"
