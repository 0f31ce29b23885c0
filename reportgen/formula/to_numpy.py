"""Model and arrays of inputs to arrays of values: thousands of configurations in one pass.

A scalar is an array of shape (configurations, 1); a column has shape (configurations, rows), with nan, or nothing
that equals a key, in rows that do not exist. Inputs that do not vary have one configuration and are spread.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy

from reportgen.formula.array_functions import ARRAY_FUNCTIONS, NO_ROW
from reportgen.formula.evaluate import plan
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
from reportgen.formula.interpret import COMPARISONS, OPERATORS
from reportgen.formula.model import Model
from reportgen.formula.quantity import Axis, Quantity
from reportgen.formula.units import TEXT

Array = Any
Arrays = dict[str, Array]
TAKES_WORDS = frozenset({"lookup", "count_where", "total_where", "is_number"})


def sweep(model: Model, inputs: Mapping[str, Any], only: frozenset[str] | None = None) -> Arrays:
    """All values, or those that `only` needs.

    A scalar input is one value or a sequence, one per configuration; a column input is the rows of all configurations.
    """
    arrays = {name: _array(model, name, value) for name, value in inputs.items()}
    arrays.update({constant.name: numpy.array([[constant.value]]) for constant in model.constants})
    masks: Arrays = {}
    with numpy.errstate(all="ignore"):
        for step in plan(model, only):
            quantity = cast(Quantity, model.by_name[step.name])
            _number_rows(model, arrays, masks)
            arrays[step.name] = _masked(quantity, to_numpy(quantity.expression, arrays), masks)
        _number_rows(model, arrays, masks)
    return arrays


def to_numpy(expression: Expression, arrays: Mapping[str, Array]) -> Array:
    """The value of an expression over arrays; both branches of a conditional are computed, one is taken."""
    return ARRAYS[type(expression)](expression, arrays)


def _array(model: Model, name: str, value: Any) -> Array:
    column = model.inputs[name].axis is not None
    listed = value if isinstance(value, list | tuple | numpy.ndarray) else [value]
    mixed = model.inputs[name].word is not None or model.inputs[name].unit == TEXT
    array = numpy.array(listed, dtype=object if mixed else float)
    return array[None, :] if column else array[:, None]


def _number_rows(model: Model, arrays: Arrays, masks: Arrays) -> None:
    """The index, and the mask of rows that exist, of each axis whose count has become known."""
    for axis in model.axes:
        if axis.name in masks or (axis.count and axis.count not in arrays):
            continue
        index = numpy.arange(axis.rows)[None, :]
        masks[axis.name] = index < arrays[axis.count] if axis.count else index >= 0
        arrays[axis.index] = numpy.where(masks[axis.name], index, numpy.nan)
        for name in (name for name, entry in model.inputs.items() if entry.axis == axis):
            arrays[name] = _blanked(arrays[name], masks, axis)


def _masked(quantity: Quantity, array: Array, masks: Arrays) -> Array:
    numeric = array if quantity.unit == TEXT else numpy.asarray(_numeric(array), dtype=float)
    return numeric if quantity.axis is None else _blanked(numeric, masks, quantity.axis)


def _blanked(array: Array, masks: Arrays, axis: Axis) -> Array:
    blank = NO_ROW if array.dtype.kind in "OU" else numpy.nan
    return numpy.where(masks[axis.name], array, blank)


def _choose(node: Choose, arrays: Mapping[str, Array]) -> Array:
    chosen = (to_numpy(part, arrays) for part in (node.condition, node.yes, node.no))
    return numpy.where(*chosen)


def _logic(node: Logic, arrays: Mapping[str, Array]) -> Array:
    combine = numpy.logical_and if node.operator == "and" else numpy.logical_or
    result = to_numpy(node.parts[0], arrays)
    for part in node.parts[1:]:
        result = combine(result, to_numpy(part, arrays))
    return result


def _numeric(array: Array) -> Array:
    """Numbers and words as numbers alone: a word becomes nan, and no branch that is taken has one."""
    if array.dtype != object:
        return array
    return numpy.vectorize(lambda value: value if not isinstance(value, str) else numpy.nan, otypes=[float])(array)


def _binary(node: Binary, arrays: Mapping[str, Array]) -> Array:
    left, right = (_numeric(to_numpy(part, arrays)) for part in (node.left, node.right))
    return OPERATORS[node.operator](left, right)


def _compare(node: Compare, arrays: Mapping[str, Array]) -> Array:
    left, right = (to_numpy(part, arrays) for part in (node.left, node.right))
    if node.operator not in ("==", "!="):
        left, right = _numeric(left), _numeric(right)
    return COMPARISONS[node.operator](left, right)


def _call(node: Call, arrays: Mapping[str, Array]) -> Array:
    """A call; all but the functions that look for a key, or ask whether it is a number, see words as nan."""
    arguments = [to_numpy(part, arrays) for part in node.arguments]
    if node.function not in TAKES_WORDS:
        arguments = [_numeric(argument) for argument in arguments]
    return ARRAY_FUNCTIONS[node.function](*arguments)


ARRAYS: dict[type[Expression], Callable[..., Array]] = {
    Number: lambda node, _: numpy.array([[node.value]]),
    Text: lambda node, _: numpy.array([[node.value]], dtype=object),
    Name: lambda node, arrays: arrays[node.name],
    Column: lambda node, arrays: arrays[node.name],
    Negate: lambda node, arrays: operator.neg(_numeric(to_numpy(node.operand, arrays))),
    Not: lambda node, arrays: numpy.logical_not(to_numpy(node.operand, arrays)),
    Binary: _binary,
    Compare: _compare,
    Logic: _logic,
    Choose: _choose,
    Call: _call,
}
