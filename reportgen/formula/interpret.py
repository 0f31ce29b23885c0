"""Expression and values to one value: the tree walked in Python, for parts of a formula that have no function."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from reportgen.formula.expression import (
    Binary,
    Call,
    Choose,
    Column,
    Compare,
    Expression,
    Logic,
    Name,
    Negate,
    Not,
    Number,
    Text,
)
from reportgen.formula.functions import FUNCTIONS

Known = Mapping[str, Any]

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def interpret(expression: Expression, values: Known) -> Any:
    """The value of an expression; conditionals and `and`/`or` stop as early as Python's do."""
    return INTERPRETERS[type(expression)](expression, values)


def _compare(node: Compare, values: Known) -> Any:
    return COMPARISONS[node.operator](interpret(node.left, values), interpret(node.right, values))


def _binary(node: Binary, values: Known) -> Any:
    """Raises OverflowError where a spreadsheet would, and Python would go on with infinity."""
    result = OPERATORS[node.operator](interpret(node.left, values), interpret(node.right, values))
    if math.isinf(result):
        raise OverflowError(f"{node.operator} gives a number beyond every float")
    return result


def _logic(node: Logic, values: Known) -> bool:
    decide = all if node.operator == "and" else any
    return decide(interpret(part, values) for part in node.parts)


def _choose(node: Choose, values: Known) -> Any:
    return interpret(node.yes if interpret(node.condition, values) else node.no, values)


def _call(node: Call, values: Known) -> Any:
    return FUNCTIONS[node.function].python(*(interpret(part, values) for part in node.arguments))


INTERPRETERS: dict[type[Expression], Callable[..., Any]] = {
    Number: lambda node, _: node.value,
    Text: lambda node, _: node.value,
    Name: lambda node, values: values[node.name],
    Column: lambda node, values: values[node.name],
    Negate: lambda node, values: -interpret(node.operand, values),
    Not: lambda node, values: not interpret(node.operand, values),
    Binary: _binary,
    Compare: _compare,
    Logic: _logic,
    Choose: _choose,
    Call: _call,
}
