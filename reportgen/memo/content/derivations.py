"""Headline numbers derived on paper: in words, with the numbers in place, the result and its source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import cast

from reportgen.formula.explain import derive, in_words, label, with_numbers
from reportgen.formula.expression import Binary, Call, Column, Expression, Name, children
from reportgen.formula.quantity import Quantity
from reportgen.formula.show import MINUS
from reportgen.memo.axis import DECIMAL_BYTES, TIME
from reportgen.memo.content.say import NO_BREAK, ROW, Teller
from reportgen.memo.content.training_time import CONVENTIONS
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Derivation, Printed, Section
from reportgen.model import estimator
from reportgen.result import Result

# Characters of no language that fence the place of a number in a formula's text.
OPEN, CLOSE = "\ue000", "\ue001"
FENCED = re.compile(f"{OPEN}(.*?){CLOSE}")
# Units in which sums are printed evenly, and the decimals tried until the printed terms add up.
SUMMED = {"byte/GPU": DECIMAL_BYTES, "byte": DECIMAL_BYTES, "second": TIME}
DECIMALS = (2, 3, 4, 5)
HEADLINES = (
    "stage_peak_bytes[worst]",
    "stage_activation_bytes[worst]",
    "stage_all_optimizer_bytes[worst]",
    "memory_headroom_bytes",
    "convention",
    "compute_seconds",
    "training_days",
    "deadline_gpus_exact",
    "deadline_gpus",
    "checkpoint_bytes",
    "synchronous_stall_seconds",
    "gpu_hours",
    "gpu_cost_usd",
)


BY_CONVENTION = {convention: quantity for _, quantity, convention in CONVENTIONS}


def derivations(result: Result) -> Section:
    """The headline numbers, each with its formula."""
    teller = Teller(result)
    words = sentence(
        "Each formula stands in words, then with the numbers in place; the workbook computes the same live. What is of "
        "a stage is of the fullest, stage ", teller.say("worst_stage"), ".",
    )  # fmt: skip
    return Section("Derivations", (words,), derivations=tuple(_derivations(teller)))


def _derivations(teller: Teller) -> Iterator[Derivation]:
    for headline in HEADLINES:
        formula = headline.replace("[worst]", f"[{teller.value('worst_stage')}]")
        if headline == "convention":
            formula = BY_CONVENTION[teller.value("flops_convention")]
        yield derivation(teller, formula)


def derivation(teller: Teller, formula: str) -> Derivation:
    """How one quantity, or one row of it, comes about."""
    match = ROW.fullmatch(formula)
    name, row = (match[1], int(match[2])) if match else (formula, None)
    expression = cast("Quantity", estimator().by_name[name]).expression
    sum_of = added_up(teller, expression, formula, row)
    derived = derive(estimator(), teller.result.values, name, row)
    return Derivation(
        label=_headed(derived.label),
        words=in_words(expression),
        numbers=_numbers(teller, expression, row, sum_of),
        result=sum_of.get(formula) or teller.say_closely(formula),
        source=derived.source,
    )


def _headed(words: str) -> str:
    return words[0].upper() + words[1:]


def added_up(teller: Teller, expression: Expression, formula: str, row: int | None) -> dict[str, Printed]:
    """The terms of a plain sum or difference and what comes out, in one unit and with decimals that add up.

    Empty for a formula that is no plain sum.
    """
    signs = _signs(expression, 1)
    if not signs or len(signs) == 1:
        return {}
    terms = {_with_row(name, row): sign for name, sign in signs}
    system = SUMMED.get(teller.unit(formula))
    if system is None or len(terms) < len(signs):
        return {}
    values = {name: float(teller.value(name)) for name in (*terms, formula)}
    unit = system.suiting(max(map(abs, values.values())))
    decimals = next((count for count in DECIMALS if _closes(terms, values, formula, unit.size, count)), DECIMALS[1])
    return {name: _even(teller, name, value / unit.size, decimals, unit.label) for name, value in values.items()}


def _signs(expression: Expression, sign: int) -> list[tuple[str, int]]:
    """Every term of a plain sum with its sign; nothing for another formula."""
    if isinstance(expression, Name):
        return [(expression.name, sign)]
    if not isinstance(expression, Binary) or expression.operator not in ("+", "-"):
        return []
    left, right = _signs(expression.left, sign), _signs(expression.right, sign if expression.operator == "+" else -sign)
    return left + right if left and right else []


def _closes(terms: dict[str, int], values: dict[str, float], formula: str, size: float, decimals: int) -> bool:
    printed = {name: Decimal(f"{value / size:.{decimals}f}") for name, value in values.items()}
    return sum(sign * printed[name] for name, sign in terms.items()) == printed[formula]


def _even(teller: Teller, name: str, value: float, decimals: int, unit: str) -> Printed:
    text = f"{value:,.{decimals}f}".replace("-", MINUS)
    return Printed(f"{text}{NO_BREAK}{unit}", teller.name(name))


def _numbers(teller: Teller, expression: Expression, row: int | None, sum_of: Mapping[str, Printed]) -> Sentence:
    """The formula with a named number for each quantity; a column that is reduced stays a word."""

    def fenced(part: Expression) -> str | None:
        if isinstance(part, Call) and any(isinstance(child, Column) for child in children(part)):
            return in_words(part)
        if isinstance(part, Column):
            return label(part.name)
        return f"{OPEN}{_with_row(part.name, row)}{CLOSE}" if isinstance(part, Name) else None

    pieces = FENCED.split(with_numbers(expression, fenced))
    said: list[str | Printed] = [
        (sum_of.get(piece) or teller.say_in_formula(piece)) if index % 2 else piece
        for index, piece in enumerate(pieces)
    ]
    return tuple(piece for piece in said if piece)


def _with_row(name: str, row: int | None) -> str:
    return name if row is None or estimator().axis_of(name) is None else f"{name}[{row}]"
