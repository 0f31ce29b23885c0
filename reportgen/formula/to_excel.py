"""Expression to Excel formula, against a way of writing references: names, or cells of the same option's sheets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

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


class References(Protocol):
    """How a formula writes what it reads."""

    def value(self, name: str) -> str:
        """A scalar, or the cell of the same row of a column."""

    def column(self, name: str) -> str:
        """A whole column."""


# How tightly Excel binds: its unary minus binds tighter than its power, and its power associates to the left.
ATOM, POWER, PRODUCT, SUM, COMPARISON = 6, 4, 3, 2, 1
OPERATORS = {"+": ("+", SUM), "-": ("-", SUM), "*": ("*", PRODUCT), "/": ("/", PRODUCT), "**": ("^", POWER)}
COMPARISONS = {"==": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

Rendered = tuple[str, int]


def to_excel(expression: Expression, references: References) -> str:
    """The formula without its leading equals sign."""
    return _render(expression, references)[0]


def text_literal(value: str) -> str:
    """A text as a formula writes it, quotation marks doubled."""
    return '"' + value.replace('"', '""') + '"'


def _render(expression: Expression, references: References) -> Rendered:
    return RENDERERS[type(expression)](expression, references)


def _inside(expression: Expression, references: References, at_least: int) -> str:
    """The part, in brackets unless it binds at least so tightly."""
    text, binding = _render(expression, references)
    return text if binding >= at_least else f"({text})"


def _number(node: Number, _: References) -> Rendered:
    return repr(node.value).upper(), ATOM if node.value >= 0 else SUM


def _text(node: Text, _: References) -> Rendered:
    return text_literal(node.value), ATOM


def _name(node: Name, references: References) -> Rendered:
    return references.value(node.name), ATOM


def _column(node: Column, references: References) -> Rendered:
    return references.column(node.name), ATOM


def _negate(node: Negate, references: References) -> Rendered:
    """Ranked as a sum, so that it stands in brackets inside anything tighter: (-x)^2 and a*(-b).

    A product or quotient is negated in its first factor, and twice is not at all: IronCalc 0.9 reads c/(-(a/b)) as
    c/-a/b.
    """
    if isinstance(node.operand, Negate):
        return _render(node.operand.operand, references)
    if isinstance(node.operand, Binary) and node.operand.operator in "*/":
        return _binary(replace(node.operand, left=Negate(node.operand.left)), references)
    return f"-{_inside(node.operand, references, ATOM)}", SUM


def _binary(node: Binary, references: References) -> Rendered:
    sign, binding = OPERATORS[node.operator]
    left_binding = ATOM if sign == "^" else binding
    left = _inside(node.left, references, left_binding)
    return f"{left}{sign}{_inside(node.right, references, binding + 1)}", binding


def _compare(node: Compare, references: References) -> Rendered:
    left = _inside(node.left, references, COMPARISON + 1)
    right = _inside(node.right, references, COMPARISON + 1)
    return f"{left}{COMPARISONS[node.operator]}{right}", COMPARISON


def _logic(node: Logic, references: References) -> Rendered:
    parts = ",".join(to_excel(part, references) for part in node.parts)
    return f"{node.operator.upper()}({parts})", ATOM


def _not(node: Not, references: References) -> Rendered:
    return f"NOT({to_excel(node.operand, references)})", ATOM


def _choose(node: Choose, references: References) -> Rendered:
    parts = (node.condition, node.yes, node.no)
    return f"IF({','.join(to_excel(part, references) for part in parts)})", ATOM


def _call(node: Call, references: References) -> Rendered:
    """A function's template; a template that starts with a minus sign binds no tighter than one."""
    template = FUNCTIONS[node.function].excel
    concatenates = "&" in template
    parts = [_inside(part, references, SUM if concatenates else COMPARISON) for part in node.arguments]
    return template.format(*parts, all=",".join(parts)), SUM if template.startswith("-") else ATOM


RENDERERS: dict[type[Expression], Callable[..., Rendered]] = {
    Number: _number,
    Text: _text,
    Name: _name,
    Column: _column,
    Negate: _negate,
    Binary: _binary,
    Compare: _compare,
    Logic: _logic,
    Not: _not,
    Choose: _choose,
    Call: _call,
}
