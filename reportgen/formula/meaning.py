"""One side of a check, or a sentence, as part of what a person is told where the check does not hold."""

from __future__ import annotations

import re

from reportgen.formula.explain import in_words, label
from reportgen.formula.expression import Call, Expression, names
from reportgen.formula.model import Model
from reportgen.formula.quantity import Input

# How a check takes the rows of a column together.
ROWS_TAKEN = {"total": "all {} together", "largest": "the most of all {}", "smallest": "the least of all {}"}


def clause(sentence: str) -> str:
    """A sentence as part of a longer one: without its capital and its full stop."""
    first = sentence.split(maxsplit=1)[0]
    capitals = any(letter.isupper() for letter in first[1:])
    return (sentence if capitals else sentence[:1].lower() + sentence[1:]).rstrip(".")


def meaning(model: Model, expression: Expression) -> str:
    """What one side of a check is, in words of the field.

    An input by its name, a formula of several by theirs, and a result by the first part of its description.
    """
    read = [model.by_name[name] for name in names(expression)]
    if len(read) > 1:
        return in_words(expression)
    if isinstance(read[0], Input):
        return label(read[0].name)
    means = clause(re.split("[;:]", read[0].description)[0])
    axis = read[0].axis
    if not isinstance(expression, Call) or axis is None:
        return means
    return f"{means}, {ROWS_TAKEN[expression.function].format(label(axis.table))}"
