"""Model and inputs to values: each quantity's own Python, in order, over the rows that exist."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from math import ceil, isfinite
from typing import Any

from reportgen.formula.expression import Column, walk
from reportgen.formula.model import Model
from reportgen.formula.quantity import Axis, Quantity

Values = dict[str, Any]


class EvaluationError(Exception):
    """A quantity whose formula has no value for these inputs, such as a division by zero."""


@dataclass(frozen=True)
class Step:
    """One quantity ready to compute; `along` says which arguments run along its rows, `index` which column does."""

    name: str
    function: Callable[..., Any]
    parameters: tuple[str, ...]
    index: str | None
    along: tuple[bool, ...]


def evaluate(model: Model, inputs: Mapping[str, Any], only: frozenset[str] | None = None) -> Values:
    """All values: scalars as numbers or text, columns as lists of the rows that exist.

    `inputs` holds every input; a column input may hold more rows than exist. `only` limits the work to what those
    quantities need. Raises EvaluationError naming the quantity.
    """
    values: Values = {**inputs, **{constant.name: constant.value for constant in model.constants}}
    waiting = _number_rows(model, values, model.axes)
    for step in plan(model, only):
        values[step.name] = _compute(step, values)
        if any(axis.count == step.name for axis in waiting):
            waiting = _number_rows(model, values, waiting)
    return values


@cache
def plan(model: Model, only: frozenset[str] | None = None) -> tuple[Step, ...]:
    """The steps of a model, in order; kept, because a model is put together once and evaluated often."""
    wanted = model.needed_for(only) if only is not None else None
    return tuple(_step(model, entry) for entry in model.order if wanted is None or entry.name in wanted)


def _step(model: Model, quantity: Quantity) -> Step:
    columns = {node.name for node in walk(quantity.expression) if isinstance(node, Column)}
    along = tuple(
        name not in columns and model.axis_of(name) is not None and quantity.axis is not None
        for name in quantity.parameters
    )
    index = quantity.axis.index if quantity.axis else None
    return Step(quantity.name, quantity.function, quantity.parameters, index, along)


def _number_rows(model: Model, values: Values, axes: Sequence[Axis]) -> tuple[Axis, ...]:
    """Numbers the rows of each axis whose count is known, cuts its column inputs; returns the axes still waiting."""
    ready = [axis for axis in axes if axis.count is None or axis.count in values]
    for axis in ready:
        rows = min(axis.rows, max(0, ceil(values[axis.count]))) if axis.count else axis.rows
        values[axis.index] = list(range(rows))
        for name, entry in model.inputs.items():
            if entry.axis == axis:
                values[name] = list(values[name][:rows])
    return tuple(axis for axis in axes if axis not in ready)


def _compute(step: Step, values: Values) -> Any:
    arguments = [values[name] for name in step.parameters]
    try:
        if step.index is None:
            return _finite(step.function(*arguments))
        return _finite_rows(_over_rows(step, arguments, len(values[step.index])))
    except (ArithmeticError, ValueError, TypeError) as error:
        raise EvaluationError(f"{step.name} has no value for these inputs: {error}") from error


def _finite(value: Any) -> Any:
    """The value; raises OverflowError for infinity, which a spreadsheet does not know."""
    if not isinstance(value, str) and not isfinite(value):
        raise OverflowError("a number beyond every float")
    return value


def _finite_rows(column: list[Any]) -> list[Any]:
    try:
        certain = isfinite(sum(column))
    except TypeError:  # words among the rows
        certain = False
    return column if certain else [_finite(value) for value in column]


def _over_rows(step: Step, arguments: Sequence[Any], rows: int) -> list[Any]:
    spread = [
        argument if along else repeat(argument, rows) for argument, along in zip(arguments, step.along, strict=True)
    ]
    return list(map(step.function, *spread)) if spread else [step.function() for _ in range(rows)]
