"""The numpy reading of the functions a quantity may call, over arrays of many configurations.

A scalar has shape (configurations, 1), a column (configurations, rows).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from reportgen.formula.functions import DECIMALS, is_number

Array = Any


def _spread(values: Array) -> Array:
    """Rows of a column as a new last dimension: (configurations, 1, rows)."""
    return values[:, None, :]


def _total_where(column: Array, keys: Array, key: Array) -> Array:
    return numpy.nansum(numpy.where(_spread(keys) == key[:, :, None], _spread(column), 0.0), axis=2)


def _total_up_to(column: Array, keys: Array, limit: Array) -> Array:
    return numpy.nansum(numpy.where(_spread(keys) <= limit[:, :, None], _spread(column), 0.0), axis=2)


def _lookup(key: Array, keys: Array, column: Array) -> Array:
    rows = numpy.argmax(_spread(keys) == key[:, :, None], axis=2)
    width = max(len(rows), len(column))
    return numpy.take_along_axis(
        numpy.broadcast_to(column, (width, column.shape[1])),
        numpy.broadcast_to(rows, (width, rows.shape[1])),
        axis=1,
    )


def _is_number(value: Array) -> Array:
    if value.dtype != object:
        return numpy.isfinite(value)
    return numpy.vectorize(is_number, otypes=[bool])(value)


def _floor(value: Array) -> Array:
    return numpy.floor(numpy.round(value, DECIMALS))


def _remainder(value: Array, divisor: Array) -> Array:
    return numpy.mod(numpy.round(value, DECIMALS), numpy.round(divisor, DECIMALS))


def _over_rows(reduce: Callable[..., Array]) -> Callable[[Array], Array]:
    return lambda column: reduce(column, axis=1, keepdims=True)


def _pairwise(combine: Callable[[Array, Array], Array]) -> Callable[..., Array]:
    def combined(first: Array, *others: Array) -> Array:
        for other in others:
            first = combine(first, other)
        return first

    return combined


ARRAY_FUNCTIONS: dict[str, Callable[..., Array]] = {
    "min": _pairwise(numpy.minimum),
    "max": _pairwise(numpy.maximum),
    "abs": numpy.abs,
    "floor": _floor,
    "ceil": lambda value: -_floor(-value),
    "remainder": _remainder,
    "sqrt": numpy.sqrt,
    "is_number": _is_number,
    "total": _over_rows(numpy.nansum),
    "largest": _over_rows(numpy.nanmax),
    "smallest": _over_rows(numpy.nanmin),
    "count_where": lambda column, key: numpy.sum(_spread(column) == key[:, :, None], axis=2),
    "count_below": lambda column, limit: numpy.sum(_spread(column) < limit[:, :, None], axis=2),
    "total_where": _total_where,
    "total_up_to": _total_up_to,
    "lookup": _lookup,
}
