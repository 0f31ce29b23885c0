"""The functions a quantity may call: for each its Python, Excel, spoken and unit reading, as one table entry.

Its numpy reading stands in array_functions, so that a plain estimate does not import numpy.

The Python readings are the functions themselves, so that the body of a quantity runs as it stands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

DECIMALS = 9  # engines disagree about noise beyond this, and a ceiling decides how many nodes are bought
EXACT = 1e15  # every engine tells whole numbers apart up to here, and writes them out as text

Cell = Any


def floor(value: float) -> int:
    """The largest whole number not above `value`, after rounding to nine decimals."""
    return math.floor(round(value, DECIMALS))


def ceil(value: float) -> int:
    """The smallest whole number not below `value`, after rounding to nine decimals."""
    return math.ceil(round(value, DECIMALS))


def remainder(value: float, divisor: float) -> float:
    """What is left of `value`, rounded to nine decimals, after steps of a whole `divisor`.

    Raises ValueError for a fractional divisor, or a number too great for every engine to tell from its neighbours.
    """
    if divisor != int(divisor) or abs(value) >= EXACT or abs(divisor) >= EXACT:
        raise ValueError(f"the remainder of {value} and {divisor}: engines differ but for whole steps below {EXACT:g}")
    return round(value, DECIMALS) % int(divisor)


def sqrt(value: float) -> float:
    """The square root."""
    return math.sqrt(value)


def is_number(value: object) -> bool:
    """Whether a value is a number: a missing figure, or an override left at its word, is not."""
    return isinstance(value, int | float)


def total(column: Sequence[float]) -> float:
    """The sum of a column."""
    return sum(column)


def largest(column: Sequence[float]) -> float:
    """The greatest value of a column; 0 for an empty one, as in a spreadsheet."""
    return max(column, default=0)


def smallest(column: Sequence[float]) -> float:
    """The least value of a column; 0 for an empty one, as in a spreadsheet."""
    return min(column, default=0)


def count_where(column: Sequence[Cell], key: Cell) -> int:
    """How many rows of a column equal `key`."""
    return sum(matching(column, key))


def count_below(column: Sequence[float], limit: float) -> int:
    """How many rows of a column lie below `limit`, a whole number.

    Raises ValueError for another limit: spreadsheets turn it into text, each with digits of its own.
    """
    limit = _whole(limit)
    return sum(value < limit for value in column)


def total_where(column: Sequence[float], keys: Sequence[Cell], key: Cell) -> float:
    """The sum of the rows whose key equals `key`."""
    return sum(compress(column, matching(keys, key)))


def total_up_to(column: Sequence[float], keys: Sequence[float], limit: float) -> float:
    """The sum of the rows whose key is at most `limit`, a whole number.

    Raises ValueError for another limit, as count_below does.
    """
    limit = _whole(limit)
    return sum(compress(column, [found <= limit for found in keys]))


def lookup(key: Cell, keys: Sequence[Cell], column: Sequence[Cell]) -> Cell:
    """The value in the first row whose key equals `key`.

    Raises ValueError where no row does.
    """
    for row, found in enumerate(keys):
        if found == key or folded(found) == folded(key):
            return column[row]
    raise ValueError(f"{key!r} is not among {len(keys)} rows")


def matching(keys: Sequence[Cell], key: Cell) -> list[bool]:
    """Which rows equal `key`, as a spreadsheet compares."""
    if not isinstance(key, str):
        return [found == key for found in keys]
    wanted = folded(key)
    return [found == key or folded(found) == wanted for found in keys]


def folded(cell: Cell) -> Cell:
    """A cell as a spreadsheet compares it: text without regard to case."""
    return cell.lower() if isinstance(cell, str) else cell


def _whole(limit: float) -> int:
    if limit != int(limit) or abs(limit) >= EXACT:
        raise ValueError(f"the limit {limit} is not a whole number below {EXACT:g}")
    return int(limit)


@dataclass(frozen=True)
class Function:
    """One function in all its readings.

    `roles` has "value", "column" or "key" for each argument ("value" alone and `variadic`: any number of values). A key
    is a value that cannot fail: Excel counts the cells with an error where it should be one.
    `excel` and `words` are templates over the rendered arguments; `unit` says how the result's unit follows.
    `alike` are two arguments that are compared with each other and so need the same unit. `numeric` says that all
    arguments are numbers.
    """

    python: Callable[..., Any]
    roles: tuple[str, ...]
    excel: str
    words: str
    unit: str
    variadic: bool = False
    alike: tuple[int, int] | None = None
    numeric: bool = True


VALUE, COLUMN, KEY = "value", "column", "key"

FUNCTIONS: dict[str, Function] = {
    "min": Function(min, (VALUE,), "MIN({all})", "the least of {all}", "same", variadic=True),
    "max": Function(max, (VALUE,), "MAX({all})", "the greatest of {all}", "same", variadic=True),
    "abs": Function(abs, (VALUE,), "ABS({0})", "the size of {0}", "first"),
    "floor": Function(floor, (VALUE,), f"INT(ROUND({{0}},{DECIMALS}))", "{0} rounded down", "first"),
    "ceil": Function(
        ceil,
        (VALUE,),
        f"-INT(-ROUND({{0}},{DECIMALS}))",
        "{0} rounded up",
        "first",
    ),
    "remainder": Function(
        remainder,
        (VALUE, VALUE),
        f"MOD(ROUND({{0}},{DECIMALS}),ROUND({{1}},{DECIMALS}))",
        "what is left of {0} after whole steps of {1}",
        "first",
    ),
    "sqrt": Function(sqrt, (VALUE,), "SQRT({0})", "the square root of {0}", "root"),
    "is_number": Function(is_number, (VALUE,), "ISNUMBER({0})", "{0} is a number", "truth", numeric=False),
    "total": Function(total, (COLUMN,), "SUM({0})", "the sum of {0}", "first"),
    "largest": Function(largest, (COLUMN,), "MAX({0})", "the greatest of {0}", "first"),
    "smallest": Function(smallest, (COLUMN,), "MIN({0})", "the least of {0}", "first"),
    "count_where": Function(
        count_where,
        (COLUMN, KEY),
        "COUNTIF({0},{1})",
        "the number of rows where {0} is {1}",
        "count",
        alike=(0, 1),
        numeric=False,
    ),
    "count_below": Function(
        count_below,
        (COLUMN, KEY),
        'COUNTIF({0},"<"&{1})',
        "the number of rows where {0} is below {1}",
        "count",
        alike=(0, 1),
    ),
    "total_where": Function(
        total_where,
        (COLUMN, COLUMN, KEY),
        "SUMIF({1},{2},{0})",
        "the sum of {0} where {1} is {2}",
        "first",
        alike=(1, 2),
        numeric=False,
    ),
    "total_up_to": Function(
        total_up_to,
        (COLUMN, COLUMN, KEY),
        'SUMIF({1},"<="&{2},{0})',
        "the sum of {0} where {1} is at most {2}",
        "first",
        alike=(1, 2),
    ),
    "lookup": Function(
        lookup,
        (VALUE, COLUMN, COLUMN),
        "INDEX({2},MATCH({0},{1},0))",
        "{2} in the row where {1} is {0}",
        "last",
        alike=(0, 1),
        numeric=False,
    ),
}
