"""The arguments of a Megatron-LM run, as a row's raw_args has them in JSON: by name, and as numbers."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

from reportgen.accuracy.cells import MOST, CellError, Row, whole_number

Arguments = dict[str, Any]
DROPOUT = 0.1  # Megatron-LM's own default of hidden-dropout and attention-dropout


def arguments_of(row: Row) -> Arguments:
    """The arguments by name; none where the row has none. Raises CellError for what is no JSON object."""
    words = row.text("raw_args")
    if not words:
        return {}
    try:
        found = json.loads(words)
    except (ValueError, RecursionError) as error:
        raise CellError("raw_args", words, "a JSON object of arguments") from error
    if not isinstance(found, dict):
        raise CellError("raw_args", words, "a JSON object of arguments")
    return found


def whole(arguments: Arguments, name: str, default: int) -> int:
    """A whole number among the arguments, 0 or more; `default` where it is not given."""
    found = number(arguments, name, default)
    if not 0 <= found <= MOST or found != int(found):
        raise _no_number(arguments, name, whole_number(0))
    return int(found)


def number(arguments: Arguments, name: str, default: float) -> float:
    """A finite number among the arguments; `default` where it is not given."""
    try:
        found = float(arguments.get(name, default))
    except (TypeError, ValueError, OverflowError) as error:
        raise _no_number(arguments, name, "a number") from error
    if not isfinite(found):
        raise _no_number(arguments, name, "a number")
    return found


def _no_number(arguments: Arguments, name: str, expected: str) -> CellError:
    return CellError(f"raw_args: {name}", str(arguments[name]), expected)


def is_positive(arguments: Arguments, name: str) -> bool:
    """Whether a dropout is above zero; it is where nothing is said."""
    return number(arguments, name, DROPOUT) > 0
