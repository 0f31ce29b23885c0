"""The numpy reading of the functions a quantity may call, over arrays of many configurations.

A scalar has shape (configurations, 1), a column (configurations, rows). Where Python raises an error there is nan, or
for text nothing that equals a key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from reportgen.formula.functions import DECIMALS, EXACT, folded, is_number

Array = Any
NO_ROW = "–"


def _spread(values: Array) -> Array:
    """Rows of a column as a new last dimension: (configurations, 1, rows)."""
    return values[:, None, :]


class _Codes(dict[Any, int]):
    """A number for each cell, the same for texts that differ in case: numbers compare much quicker."""

    def __missing__(self, cell: Any) -> int:
        plain = folded(cell)
        self[cell] = self[plain] if plain != cell else len(self)
        return self[cell]

    def of(self, values: Array) -> Array:
        """The numbers of an array's cells."""
        flat = map(self.__getitem__, values.ravel().tolist())
        return numpy.fromiter(flat, dtype=int, count=values.size).reshape(values.shape)


def _matching(keys: Array, key: Array) -> Array:
    """Which rows equal each key: (configurations, keys, rows)."""
    if object in (keys.dtype, key.dtype):
        codes = _Codes()
        keys, key = codes.of(keys), codes.of(key)
    return _spread(keys) == key[:, :, None]


def _whole(limit: Array) -> Array:
    return numpy.where((limit == numpy.floor(limit)) & (numpy.abs(limit) < EXACT), limit, numpy.nan)


def _count_where(column: Array, key: Array) -> Array:
    return numpy.sum(_matching(column, key), axis=2)


def _count_below(column: Array, limit: Array) -> Array:
    whole = _whole(limit)
    count = numpy.sum(_spread(column) < whole[:, :, None], axis=2)
    return numpy.where(numpy.isnan(whole), numpy.nan, count)


def _total_where(column: Array, keys: Array, key: Array) -> Array:
    return numpy.nansum(numpy.where(_matching(keys, key), _spread(column), 0.0), axis=2)


def _total_up_to(column: Array, keys: Array, limit: Array) -> Array:
    whole = _whole(limit)
    total = numpy.nansum(numpy.where(_spread(keys) <= whole[:, :, None], _spread(column), 0.0), axis=2)
    return numpy.where(numpy.isnan(whole), numpy.nan, total)


def _lookup(key: Array, keys: Array, column: Array) -> Array:
    matching = _matching(keys, key)
    rows = numpy.argmax(matching, axis=2)
    width = max(len(rows), len(column))
    found = numpy.take_along_axis(
        numpy.broadcast_to(column, (width, column.shape[1])),
        numpy.broadcast_to(rows, (width, rows.shape[1])),
        axis=1,
    )
    return numpy.where(matching.any(axis=2), found, NO_ROW if found.dtype.kind in "OU" else numpy.nan)


def _is_number(value: Array) -> Array:
    if value.dtype != object:
        return numpy.isfinite(value)
    return numpy.vectorize(is_number, otypes=[bool])(value)


def _floor(value: Array) -> Array:
    return numpy.floor(numpy.round(value, DECIMALS))


def _remainder(value: Array, divisor: Array) -> Array:
    exact = ~numpy.isnan(_whole(divisor)) & (numpy.abs(value) < EXACT)
    return numpy.where(exact, numpy.mod(numpy.round(value, DECIMALS), divisor), numpy.nan)


def _extreme(reduce: Callable[..., Array], neutral: float) -> Callable[[Array], Array]:
    """Over the rows that exist; 0 where none does, as in a spreadsheet."""

    def reduced(column: Array) -> Array:
        exists = ~numpy.isnan(column)
        found = reduce(numpy.where(exists, column, neutral), axis=1, keepdims=True)
        return numpy.where(exists.any(axis=1, keepdims=True), found, 0.0)

    return reduced


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
    "total": lambda column: numpy.nansum(column, axis=1, keepdims=True),
    "largest": _extreme(numpy.max, -numpy.inf),
    "smallest": _extreme(numpy.min, numpy.inf),
    "count_where": _count_where,
    "count_below": _count_below,
    "total_where": _total_where,
    "total_up_to": _total_up_to,
    "lookup": _lookup,
}
