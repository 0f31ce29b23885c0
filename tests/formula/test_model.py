"""Definitions put together: order, readers, and every way in which they do not fit, in full words."""

from __future__ import annotations

import types
from typing import Any

import pytest

from reportgen.formula.functions import count_where, total
from reportgen.formula.model import ModelError, assemble
from reportgen.formula.quantity import Check, Input, Quantity, check
from tests.formula import small_model as small
from tests.formula.small_model import STAGE, declared, model_of, small_model

ONE_GPU = small.gpu_count


def test_quantities_are_in_the_order_of_computing() -> None:
    names = [entry.name for entry in small_model().order]
    assert sorted(names) == ["kept_share", "peak_bytes", "peak_stage", "stage_gpu_bytes", "total_bytes"]
    assert names.index("kept_share") < names.index("stage_gpu_bytes") < names.index("peak_bytes")
    assert names.index("peak_bytes") < names.index("peak_stage")


def test_readers_are_the_quantities_that_read_a_name() -> None:
    readers = small_model().readers
    assert readers["stage_index"] == ("peak_stage", "stage_gpu_bytes")
    assert readers["peak_stage"] == ()


def test_needed_for_follows_parameters_and_the_count_of_rows() -> None:
    assert small_model().needed_for(["peak_bytes"]) == {
        "peak_bytes",
        "stage_gpu_bytes",
        "stage_bytes",
        "kept_share",
        "gpu_count",
        "stage_index",
        "stage_count",
        "share_override",
        "rule_share",
    }


def test_the_columns_of_an_axis_begin_with_its_index() -> None:
    assert small_model().columns(STAGE) == ("stage_index", "stage_bytes", "stage_gpu_bytes")


def test_the_title_of_a_module_is_what_stands_before_the_colon() -> None:
    assert list(small_model().titles.values()) == ["A small model"]


def _message(*entries: Input | Quantity | Check) -> str:
    with pytest.raises(ModelError) as caught:
        model_of(*entries)
    return str(caught.value)


@declared("GPU")
def first_count(second_count: Any) -> Any:
    """First."""
    return second_count


@declared("GPU")
def second_count(third_count: Any) -> Any:
    """Second."""
    return third_count


@declared("GPU")
def third_count(first_count: Any) -> Any:
    """Third."""
    return first_count


def test_a_circle_is_refused_when_the_model_is_put_together() -> None:
    assert _message(first_count, second_count, third_count) == (
        "quantities read each other in a circle: first_count -> third_count -> second_count -> first_count"
    )


def test_an_unknown_name_is_refused() -> None:
    assert _message(first_count) == "first_count: second_count is not declared anywhere"


def test_a_name_declared_twice_is_refused() -> None:
    assert _message(ONE_GPU, ONE_GPU, ONE_GPU) == "gpu_count is declared 3 times"


@declared("byte")
def any_stage_bytes(stage_bytes: Any) -> Any:
    """A column read as a scalar."""
    return stage_bytes


def test_a_column_read_as_one_value_is_refused() -> None:
    assert _message(small.stage_count, small.stage_bytes, any_stage_bytes) == (
        "any_stage_bytes: stage_bytes is a column of stage, and is read as one value; reduce it"
    )


@declared("GPU")
def all_gpus(gpu_count: Any) -> Any:
    """A scalar read as a column."""
    return total(gpu_count)


def test_one_value_read_as_a_column_is_refused() -> None:
    assert _message(ONE_GPU, all_gpus) == "all_gpus: gpu_count is one value, and is read as a column"


@declared("1", STAGE)
def equal_stages(stage_bytes: Any) -> Any:
    """A column read both ways."""
    return count_where(stage_bytes, stage_bytes)


def test_a_column_read_both_ways_is_refused() -> None:
    assert _message(small.stage_count, small.stage_bytes, equal_stages) == (
        "equal_stages: stage_bytes is read as a column and as one value; read the value through a quantity of its own"
    )


@check("fault", remedy="None.")
def known_gpus(unknown_count: Any, stage_bytes: Any) -> Any:
    """A check of what there is not."""
    return unknown_count == stage_bytes


def test_all_faults_are_told_at_once_those_of_checks_too() -> None:
    assert _message(small.stage_count, small.stage_bytes, first_count, known_gpus) == (
        "first_count: second_count is not declared anywhere\n"
        "known_gpus: unknown_count is not declared anywhere\n"
        "known_gpus: stage_bytes is a column of stage, and is read as one value; reduce it"
    )


def test_a_module_declares_its_names_and_its_capital_lists() -> None:
    assert assemble([small], [STAGE]).by_name.keys() == small_model().by_name.keys()


def test_a_quantity_that_a_module_imports_is_not_declared_by_it() -> None:
    importing = types.ModuleType("another_module")
    vars(importing).update(kept_share=small.kept_share, GPUS=(ONE_GPU,))
    assert list(assemble([importing], [STAGE]).by_name) == ["gpu_count"]
