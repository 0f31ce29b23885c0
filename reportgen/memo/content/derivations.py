"""Headline numbers derived on paper: in words, with the numbers in place, the result and its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from reportgen.formula.explain import derive, in_words, label, with_numbers
from reportgen.formula.expression import Call, Column, Expression, Name, children
from reportgen.formula.quantity import Quantity
from reportgen.memo.content.say import ROW, Teller
from reportgen.memo.content.training_time import CONVENTIONS
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Derivation, Printed, Section
from reportgen.model import estimator
from reportgen.result import Result

# Characters of no language that fence the place of a number in a formula's text.
OPEN, CLOSE = "\ue000", "\ue001"
FENCED = re.compile(f"{OPEN}(.*?){CLOSE}")
HEADLINES = (
    "stage_peak_bytes[worst]",
    "stage_activation_bytes[worst]",
    "stage_optimizer_bytes[worst]",
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
    derived = derive(estimator(), teller.result.values, name, row)
    return Derivation(
        label=_headed(derived.label),
        words=in_words(expression),
        numbers=_numbers(teller, expression, row),
        result=teller.say_closely(formula),
        source=derived.source,
    )


def _headed(words: str) -> str:
    return words[0].upper() + words[1:]


def _numbers(teller: Teller, expression: Expression, row: int | None) -> Sentence:
    """The formula with a named number for each quantity; a column that is reduced stays a word."""

    def fenced(part: Expression) -> str | None:
        if isinstance(part, Call) and any(isinstance(child, Column) for child in children(part)):
            return in_words(part)
        if isinstance(part, Column):
            return label(part.name)
        return f"{OPEN}{_with_row(part.name, row)}{CLOSE}" if isinstance(part, Name) else None

    pieces = FENCED.split(with_numbers(expression, fenced))
    said: list[str | Printed] = [
        teller.say_in_formula(piece) if index % 2 else piece for index, piece in enumerate(pieces)
    ]
    return tuple(piece for piece in said if piece)


def _with_row(name: str, row: int | None) -> str:
    return name if row is None or estimator().axis_of(name) is None else f"{name}[{row}]"
