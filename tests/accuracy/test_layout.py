"""How a row's GPUs are laid out: what follows from its sizes, what contradicts them, and what is incomplete."""

from __future__ import annotations

import pytest

from reportgen.accuracy.cells import IncompleteError, NotEstimatedError
from reportgen.accuracy.layout import layout
from reportgen.accuracy.sharding_words import Sharded
from tests.accuracy.tables import row

NOT_SHARDED = Sharded(0, None, is_known=True)


def test_copies_are_the_gpus_shared_out_over_one_copys() -> None:
    placed = layout(row(tp="2", pp="3", cp="2", dp="", gpus="48", gbs="16"), NOT_SHARDED)
    assert (placed["gpu_count"], placed["global_batch_size"]) == (48, 16)
    assert layout(row(tp="2", pp="3", cp="2", dp="4"), NOT_SHARDED)["gpu_count"] == 48


def test_batch_that_nobody_states_fills_the_pipeline_twice_over() -> None:
    assert layout(row(mbs="2", pp="3", dp="4"), NOT_SHARDED)["global_batch_size"] == 2 * 2 * 3 * 4


def test_batch_is_that_of_the_accumulated_steps_where_notes_say_how_many() -> None:
    assert layout(row(mbs="2", dp="4", notes="grad_accum=8"), NOT_SHARDED)["global_batch_size"] == 2 * 4 * 8


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"tp": "3", "pp": "5", "cp": "1", "dp": "7", "gpus": "8"}, "gpus is 8, and tp x pp x cp x dp = 105"),
        ({"tp": "2", "pp": "2", "cp": "1", "dp": "", "gpus": "6"}, "6 gpus are no whole copies of tp x pp x cp = 4"),
        ({"tp": "2", "pp": "2", "cp": "2", "dp": "", "gpus": "4"}, "4 gpus are no whole copies of tp x pp x cp = 8"),
        ({"tp": "1", "pp": "1", "cp": "1", "dp": "4", "gpus": "8"}, "gpus is 8, and tp x pp x cp x dp = 4"),
    ],
)
def test_sizes_that_contradict_each_other_are_no_layout(cells: dict[str, str], reason: str) -> None:
    with pytest.raises(NotEstimatedError) as told:
        layout(row(**cells), NOT_SHARDED)
    assert str(told.value) == f"no such layout: {reason}"


def test_sizes_that_contradict_the_ones_of_blanks_are_incomplete() -> None:
    with pytest.raises(IncompleteError) as told:
        layout(row(tp="", pp="", dp="2", gpus="8"), NOT_SHARDED)
    assert str(told.value) == "incomplete: gpus is 8, and tp x pp x cp x dp = 2 with tp, pp, cp blank and read as 1"


@pytest.mark.parametrize("column", ["tp", "pp", "cp", "ep", "dp", "gpus", "seq", "mbs", "gbs"])
@pytest.mark.parametrize("words", ["0", "-2", "1.5", "two", "inf", "1e10"])
def test_size_that_is_no_whole_number_is_told(column: str, words: str) -> None:
    with pytest.raises(NotEstimatedError) as told:
        layout(row(**{column: words}), NOT_SHARDED)
    assert str(told.value) == f'{column} is "{words}"; expected a whole number from 1 to 1,000,000,000'


def test_batch_for_a_whole_part_of_the_copies_is_a_run_of_that_part() -> None:
    assert layout(row(dp="8", mbs="2", gbs="4"), NOT_SHARDED)["gpu_count"] == 2


def test_batch_for_no_whole_part_of_the_copies_is_left_to_the_checks() -> None:
    placed = layout(row(dp="8", mbs="2", gbs="12"), NOT_SHARDED)
    assert (placed["gpu_count"], placed["global_batch_size"]) == (8, 12)
