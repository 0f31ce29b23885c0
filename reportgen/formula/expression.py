"""The expressions that a quantity may be: a small closed tree which every reader walks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A number as written."""

    value: float | int


@dataclass(frozen=True)
class Text:
    """A text as written."""

    value: str


@dataclass(frozen=True)
class Name:
    """A quantity read as one value: a scalar, or the cell of the same row."""

    name: str


@dataclass(frozen=True)
class Column:
    """A quantity read as a whole column, which only a reduction may do."""

    name: str


@dataclass(frozen=True)
class Negate:
    """The negative of a number."""

    operand: Expression


@dataclass(frozen=True)
class Binary:
    """`operator` is one of + - * / **."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Compare:
    """`operator` is one of == != < <= > >=."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Logic:
    """`operator` is "and" or "or"."""

    operator: str
    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Not:
    """The contrary of a condition."""

    operand: Expression


@dataclass(frozen=True)
class Choose:
    """`yes if condition else no`."""

    condition: Expression
    yes: Expression
    no: Expression


@dataclass(frozen=True)
class Call:
    """A call of one of the listed functions."""

    function: str
    arguments: tuple[Expression, ...]


Expression = Number | Text | Name | Column | Negate | Binary | Compare | Logic | Not | Choose | Call


def children(expression: Expression) -> tuple[Expression, ...]:
    """The parts an expression is made of, in reading order."""
    match expression:
        case Binary(_, left, right) | Compare(_, left, right):
            return (left, right)
        case Negate(operand) | Not(operand):
            return (operand,)
        case Logic(_, parts):
            return parts
        case Choose(condition, yes, no):
            return (condition, yes, no)
        case Call(_, arguments):
            return arguments
        case _:
            return ()


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and everything inside it, outermost first."""
    yield expression
    for child in children(expression):
        yield from walk(child)


def names(expression: Expression) -> tuple[str, ...]:
    """The quantities that an expression reads, each once, in reading order."""
    found = (node.name for node in walk(expression) if isinstance(node, Name | Column))
    return tuple(dict.fromkeys(found))


def nesting(expression: Expression) -> int:
    """How many conditionals stand inside one another."""
    inner = max((nesting(child) for child in children(expression)), default=0)
    return inner + isinstance(expression, Choose)
