"""Values: each quantity's own Python over the rows that exist."""

from __future__ import annotations

from typing import Any

import pytest

from reportgen.formula.evaluate import EvaluationError, evaluate
from tests.formula.small_model import INPUTS, small_model

MODEL = small_model()


def _values(**changes: Any) -> dict[str, Any]:
    return evaluate(MODEL, {**INPUTS, **changes})


def test_scalars_are_numbers_and_columns_are_the_rows_that_exist() -> None:
    assert _values() == {
        "stage_count": 2,
        "gpu_count": 4,
        "stage_bytes": [8e9, 12e9],
        "share_override": "as rule",
        "sharding": "on",
        "rule_share": 0.5,
        "stage_index": [0, 1],
        "kept_share": 0.5,
        "stage_gpu_bytes": [1e9, 3e9],
        "peak_bytes": 3e9,
        "peak_stage": 1,
        "total_bytes": 1e10,
    }


def test_the_inputs_are_not_changed() -> None:
    inputs = dict(INPUTS)
    evaluate(MODEL, inputs)
    assert inputs == INPUTS


def test_an_override_overrides() -> None:
    assert _values(share_override=0.25)["stage_gpu_bytes"] == [0.5e9, 1.5e9]


def test_a_column_has_as_many_rows_as_the_count_says() -> None:
    assert _values(stage_count=4)["stage_gpu_bytes"] == [1e9, 3e9, 0, 0]


@pytest.mark.parametrize(("count", "rows"), [(0.5, [0]), (2.5, [0, 1, 2]), (9, [0, 1, 2, 3])])
def test_rows_exist_whose_number_is_below_the_count_as_in_the_workbook(count: float, rows: list[int]) -> None:
    assert _values(stage_count=count)["stage_index"] == rows


def test_no_row_exists_below_a_count_of_nothing() -> None:
    values = evaluate(MODEL, {**INPUTS, "stage_count": -1}, frozenset({"peak_bytes"}))
    assert (values["stage_gpu_bytes"], values["peak_bytes"]) == ([], 0)


def test_only_what_is_needed_is_computed() -> None:
    values = evaluate(MODEL, INPUTS, frozenset({"total_bytes"}))
    assert ("total_bytes" in values, "kept_share" in values, "peak_bytes" in values) == (True, True, False)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gpu_count": 0}, "stage_gpu_bytes has no value for these inputs: float division by zero"),
        (
            {"gpu_count": "4"},
            "stage_gpu_bytes has no value for these inputs: unsupported operand type(s) for /: 'float' and 'str'",
        ),
        (
            {"stage_bytes": (1e308, 1e308, 0, 0), "share_override": 9},
            "stage_gpu_bytes has no value for these inputs: a number beyond every float",
        ),
        ({"stage_count": 0}, "peak_stage has no value for these inputs: 0 is not among 0 rows"),
    ],
)
def test_a_quantity_without_a_value_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        _values(**changes)
    assert str(caught.value) == message
