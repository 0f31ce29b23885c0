"""What the buffers of the fullest stage are made of: each cause a row with its size, its formula and its reason."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.breakdown import held_terms, term_label
from reportgen.formula.explain import label, with_numbers
from reportgen.formula.expression import Call, Column, Expression
from reportgen.formula.quantity import Quantity
from reportgen.memo.axis import DECIMAL_BYTES
from reportgen.memo.content.parts import row_of
from reportgen.memo.content.say import Teller, column
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Column as Heading
from reportgen.memo.document import Row, Table
from reportgen.model import estimator

GIVEN = "as given"


def buffers(teller: Teller) -> Iterator[Table]:
    """The terms of the fullest stage's buffers that are not zero; a single one is told in a sentence."""
    names = tuple(held_terms(teller.result))
    if len(names) < 2:  # noqa: PLR2004 - a table of one row is none
        return
    unit, sizes = column([(teller, formula_of(teller, name)) for name in names], DECIMAL_BYTES)
    rows = tuple(
        Row((_headed(term_label(name)), size, term_formula(name), term_reason(name)))
        for name, size in zip(names, sizes, strict=True)
    )
    heads = (
        Heading("Term", align="left"),
        Heading("Size", unit),
        Heading("Formula", align="left"),
        Heading("What it is", align="left"),
    )
    yield Table("What the buffers of the fullest stage hold", heads, rows, look="terms")


def _headed(words: str) -> str:
    return words[:1].upper() + words[1:]


def kernels_and_framework(teller: Teller) -> Sentence:
    """Which kernel profile and which framework the figures are of, and what that means."""
    return sentence(
        "What is kept for the backward pass is that of the kernel profile “", teller.say("kernel_profile"),
        "”, ", _scores(teller), " FlashAttention; what is held beside it is that of the framework “",
        teller.say("framework"), "”", _beside(teller), ".",
    )  # fmt: skip


def _beside(teller: Teller) -> Sentence:
    """Where the terms are told: in the table of buffers, or here where there is one."""
    held = tuple(held_terms(teller.result))
    if len(held) != 1:
        return sentence(", term by term in the table of buffers" if held else ": nothing")
    reason = term_reason(held[0]).rstrip(".")
    return sentence(": ", teller.say(formula_of(teller, held[0])), ", the ", reason[:1].lower(), reason[1:])


def formula_of(teller: Teller, name: str) -> str:
    """The term as the fullest stage has it."""
    return name if estimator().axis_of(name) is None else row_of(teller, name)


def term_formula(name: str) -> str:
    """How the term comes about, in words; a figure of the framework's row is called by its column alone."""
    entry = estimator().by_name[name]
    return with_numbers(entry.expression, _figure) if isinstance(entry, Quantity) else GIVEN


def _figure(part: Expression) -> str | None:
    """A figure that is looked up, by the name of its column; None for any other part, which is spelled out."""
    if not isinstance(part, Call) or part.function != "lookup" or not isinstance(part.arguments[-1], Column):
        return None
    return label(part.arguments[-1].name.removesuffix("_column"))


def term_reason(name: str) -> str:
    """What the term is."""
    return estimator().by_name[name].description


def _scores(teller: Teller) -> str:
    return "with" if teller.value("flash_attention") == "on" else "without"
