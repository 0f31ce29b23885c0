"""What a model is made of: axes, inputs, constants, quantities and checks, each declared once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from reportgen.formula.expression import Compare, Expression
from reportgen.formula.parse import RefusedSyntax, parse_function, place
from reportgen.formula.sources import Origin
from reportgen.formula.units import Kind, Unit, unit

Value = float | int | str


@dataclass(frozen=True)
class Axis:
    """Rows that repeat: a name, how many there can be, and which quantity says how many there are.

    `index` names the column that numbers the rows from 0. `count` is None for a table of fixed length.
    `label` names the column that a person calls a row by, where numbers would mean nothing.
    """

    name: str
    table: str
    rows: int
    index: str
    count: str | None
    label: str | None = None


@dataclass(frozen=True)
class Input:
    """A value that a person gives: what it means, what it may be, and what it is when nobody says.

    `word` is the text an override holds while it overrides nothing ("as catalogue"). `choices_from` names the
    column that lists the choices. `default` None means that a scenario has to give it.
    An input on an axis is a column, and `default` is then the value of each row, or the rows themselves.
    """

    name: str
    unit: Unit | Kind
    kind: Literal["number", "whole", "choice", "text"]
    section: str
    description: str
    origin: Origin
    default: Value | tuple[Value, ...] | None = None
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    choices_from: str | None = None
    word: str | None = None
    axis: Axis | None = None


@dataclass(frozen=True)
class Constant:
    """A number of nature, arithmetic or convention that nobody edits."""

    name: str
    value: float | int
    unit: Unit | Kind
    description: str
    origin: Origin
    section: str = "constants"
    axis: None = None


@dataclass(frozen=True)
class Quantity:
    """A result, defined once; calling it computes one value from the values of its parameters."""

    name: str
    unit: Unit | Kind
    origin: Origin
    axis: Axis | None
    counting: bool
    description: str
    expression: Expression
    parameters: tuple[str, ...]
    function: Callable[..., Any]
    module: str

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """The value for these values of the parameters."""
        return self.function(*arguments, **named)


@dataclass(frozen=True)
class Check:
    """One comparison that ought to hold; `remedy` is said where it does not.

    A "fault" makes a scenario unusable; a "finding" is a result that a reader has to know.
    `tolerance` is relative to the greater side, and only for equality of computed figures.
    """

    name: str
    description: str
    comparison: Compare
    parameters: tuple[str, ...]
    function: Callable[..., Any]
    severity: Literal["fault", "finding"]
    remedy: str
    tolerance: float = 0.0


Entry = Input | Constant | Quantity


def number(
    name: str,
    unit_text: str,
    description: str,
    origin: Origin,
    *,
    section: str,
    default: Value | tuple[Value, ...] | None = None,
    between: tuple[float, float],
    whole: bool = False,
    word: str | None = None,
    axis: Axis | None = None,
) -> Input:
    """A numeric input with its bounds, both allowed."""
    return Input(
        name=name,
        unit=unit(unit_text),
        kind="whole" if whole else "number",
        section=section,
        description=description,
        origin=origin,
        default=default if default is not None else word,
        minimum=between[0],
        maximum=between[1],
        word=word,
        axis=axis,
    )


def choice(
    name: str,
    choices: tuple[str, ...],
    description: str,
    origin: Origin,
    *,
    section: str,
    default: str | tuple[str, ...] | None = None,
    choices_from: str | None = None,
    word: str | None = None,
    axis: Axis | None = None,
) -> Input:
    """An input that is one of a list, fixed or read from a column."""
    return Input(
        name=name,
        unit=unit("text"),
        kind="choice",
        section=section,
        description=description,
        origin=origin,
        default=default if default is not None else word,
        choices=choices,
        choices_from=choices_from,
        word=word,
        axis=axis,
    )


def words(
    name: str,
    description: str,
    origin: Origin,
    *,
    section: str,
    default: str | tuple[str, ...],
    axis: Axis | None = None,
) -> Input:
    """A name that a person makes up and formulas look up: letters, digits, spaces and hyphens."""
    return Input(
        name=name,
        unit=unit("text"),
        kind="text",
        section=section,
        description=description,
        origin=origin,
        default=default,
        axis=axis,
    )


def constant(name: str, value: float, unit_text: str, description: str, origin: Origin) -> Constant:
    """A named, sourced number."""
    return Constant(name, value, unit(unit_text), description, origin)


def quantity(
    unit_text: str, *, source: Origin, axis: Axis | None = None, counting: bool = False
) -> Callable[[Callable[..., Any]], Quantity]:
    """Declares the function below as a quantity.

    `unit_text` is its unit in base units, "byte/GPU" for example, or "text". `counting` says that the expression is
    a pure number and the unit only names what is counted.
    Raises RefusedSyntax at import for a body that not all readers can render.
    """

    def declare(function: Callable[..., Any]) -> Quantity:
        return Quantity(
            name=function.__name__,
            unit=unit(unit_text),
            origin=source,
            axis=axis,
            counting=counting,
            description=_first_sentence(function),
            expression=parse_function(function),
            parameters=_parameters(function),
            function=function,
            module=function.__module__,
        )

    return declare


def check(
    severity: Literal["fault", "finding"], *, remedy: str, tolerance: float = 0.0
) -> Callable[[Callable[..., Any]], Check]:
    """Declares the comparison below as a check; its docstring says what holds when all is well."""

    def declare(function: Callable[..., Any]) -> Check:
        comparison = _one_comparison(function, tolerance)
        return Check(
            name=function.__name__,
            description=_first_sentence(function),
            comparison=comparison,
            parameters=_parameters(function),
            function=function,
            severity=severity,
            remedy=remedy,
            tolerance=tolerance,
        )

    return declare


def _one_comparison(function: Callable[..., Any], tolerance: float) -> Compare:
    comparison = parse_function(function)
    where = f"{place(function)}: {function.__name__!r}"
    if not isinstance(comparison, Compare):
        raise RefusedSyntax(f"{where} is not one comparison; make its parts quantities of their own")
    if tolerance and comparison.operator != "==":
        raise RefusedSyntax(f"{where} compares with {comparison.operator} within a tolerance; leave the tolerance out")
    return comparison


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


def _first_sentence(function: Callable[..., Any]) -> str:
    return " ".join((inspect.getdoc(function) or "").split())
