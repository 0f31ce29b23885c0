"""Expressions walked in Python, for parts of a formula that have no function of their own."""

from __future__ import annotations

from typing import Any

import pytest

from reportgen.formula.interpret import interpret
from reportgen.formula.parse import parse_text

KNOWN: dict[str, Any] = {"a": 6, "b": 3, "word": "on", "rows": [1, 2, 3], "vast": 1e200, "nought": 0}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-a ** 2", -36),
        ("(-a) ** 2", 36),
        ("a - (b - 1)", 4),
        ("a / b / 2", 1),
        ("a if word == 'on' else b", 6),
        ("not a > b", False),
        ("a > b and b > a", False),
        ("total(rows) + largest(rows)", 9),
        ("nought != 0 and a > b", False),
        ("1 / nought if nought != 0 else 0", 0),
    ],
)
def test_an_expression_comes_to(text: str, expected: Any) -> None:
    assert interpret(parse_text(text), KNOWN) == expected


@pytest.mark.parametrize("text", ["vast * vast", "vast ** 2", "vast * vast - vast * vast", "vast / (1 / vast)"])
def test_a_number_beyond_every_float_is_an_error_as_in_a_spreadsheet(text: str) -> None:
    with pytest.raises(OverflowError):
        interpret(parse_text(text), KNOWN)


def test_a_division_by_nothing_is_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        interpret(parse_text("a / nought"), KNOWN)
