"""The functions of the language, as Python runs them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from reportgen.formula import functions
from reportgen.formula.functions import (
    ceil,
    count_below,
    count_where,
    floor,
    is_number,
    largest,
    lookup,
    remainder,
    smallest,
    sqrt,
    total,
    total_up_to,
    total_where,
)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (floor(2.7), 2),
        (floor(-2.7), -3),
        (floor(2.9999999999), 3),
        (ceil(2.1), 3),
        (ceil(0.1 * 3 * 10), 3),
        (ceil(-0.5), 0),
        (remainder(7, 3), 1),
        (remainder(-7, 3), 2),
        (remainder(5.9999999999, 3), 0),
        (remainder(2.75, 1), 0.75),
        (sqrt(9), 3),
        (is_number(0), True),
        (is_number("as rule"), False),
        (total([1, 2.5]), 3.5),
        (total([]), 0),
        (largest([-2, -1]), -1),
        (largest([]), 0),
        (smallest([]), 0),
        (count_where(["dense", "MoE", "moe"], "Moe"), 2),
        (count_where([1, 2.0, 2], 2), 2),
        (count_below([1, 2, 3], 3), 2),
        (total_where([10, 20, 40], ["a", "b", "A"], "a"), 50),
        (total_where([10, 20, 40], [1.0, 2.0, 1.0], 1), 50),
        (total_up_to([10, 20, 40], [0.0, 1.0, 2.0], 1), 30),
        (lookup("B", ["a", "b", "B"], [1, 2, 3]), 2),
        (lookup(2, [1.0, 2.0], ["x", "y"]), "y"),
    ],
)
def test_a_function_gives(found: Any, expected: Any) -> None:
    assert found == expected


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: remainder(1, 0.3),
            "the remainder of 1 and 0.3: engines differ but for whole steps below 1e+15",
        ),
        (
            lambda: remainder(1e15, 7),
            "the remainder of 1000000000000000.0 and 7: engines differ but for whole steps below 1e+15",
        ),
        (lambda: count_below([1], 0.5), "the limit 0.5 is not a whole number below 1e+15"),
        (lambda: total_up_to([1], [1], 1e15), "the limit 1000000000000000.0 is not a whole number below 1e+15"),
        (lambda: lookup("c", ["a", "b"], [1, 2]), "'c' is not among 2 rows"),
    ],
)
def test_a_function_refuses(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()


def test_every_public_function_of_the_module_is_listed() -> None:
    listed = {entry.python for entry in functions.FUNCTIONS.values()}
    helpers = {functions.matching, functions.folded}
    defined = {
        value
        for name, value in vars(functions).items()
        if callable(value) and getattr(value, "__module__", "") == functions.__name__ and not name.startswith("_")
    }
    assert defined - helpers - {functions.Function} == listed - {min, max, abs}
