"""Outcomes of checks: both sides, whether they hold, and what to do."""

from __future__ import annotations

from typing import Any

import pytest

from reportgen.formula.evaluate import EvaluationError, evaluate
from reportgen.formula.judge import judge
from reportgen.formula.quantity import check
from tests.formula import small_model as small
from tests.formula.small_model import INPUTS, small_model


def test_an_outcome_has_both_sides_and_says_ok() -> None:
    outcome = judge(small.fits, evaluate(small_model(), INPUTS))
    assert (outcome.left, outcome.right, outcome.passed, outcome.verdict) == (3e9, 8e9, True, "OK")


def test_a_check_that_fails_says_what_to_do() -> None:
    outcome = judge(small.fits, {"peak_bytes": 9e9, "stage_gpu_bytes": [1e9, 3e9]})
    assert (outcome.passed, outcome.verdict) == (False, "Take more GPUs.")


@check("fault", remedy="Mend it.", tolerance=1e-9)
def sums_agree(left_sum: Any, right_sum: Any) -> Any:
    """The sums agree."""
    return left_sum == right_sum


@pytest.mark.parametrize(
    ("left", "right", "passed"),
    [
        (0.1 + 0.2, 0.3, True),
        (1e18, 1e18 * (1 + 0.9e-9), True),
        (1e18, 1e18 * (1 + 1.1e-9), False),
        (-1.0, 1.0, False),
        (0, 0, True),
        (0, 1e-300, False),
        ("a", "a", True),
        ("a", "b", False),
    ],
)
def test_equality_is_within_the_tolerance_of_the_greater_side(left: Any, right: Any, passed: bool) -> None:
    assert judge(sums_agree, {"left_sum": left, "right_sum": right}).passed == passed


@check("fault", remedy="Mend it.")
def names_agree(left_name: Any, right_name: Any) -> Any:
    """The names agree."""
    return left_name == right_name


def test_without_a_tolerance_sides_are_compared_as_they_are() -> None:
    assert judge(names_agree, {"left_name": 0.1 + 0.2, "right_name": 0.3}).passed is False


@check("fault", remedy="Mend it.")
def share_is_small(part_bytes: Any, whole_bytes: Any) -> Any:
    """The share is small."""
    return part_bytes / whole_bytes <= 1


def test_a_check_without_a_value_is_named() -> None:
    with pytest.raises(EvaluationError) as caught:
        judge(share_is_small, {"part_bytes": 1, "whole_bytes": 0})
    assert str(caught.value) == "share_is_small has no value for these inputs: division by zero"


@check("fault", remedy="Mend it.")
def names_are_the_same(first_name: Any, second_name: Any) -> Any:
    """The names are the same."""
    return first_name == second_name


def test_text_is_compared_without_case_as_a_spreadsheet_does() -> None:
    assert judge(names_are_the_same, {"first_name": "NVIDIA H100", "second_name": "nvidia h100"}).passed
    assert not judge(names_are_the_same, {"first_name": "NVIDIA H100", "second_name": "NVIDIA H200"}).passed
