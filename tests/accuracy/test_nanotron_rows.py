"""Nanotron's rows: which of the two published groups a run is of, and what follows from that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reportgen.accuracy.nanotron import closed_at_tie, nanotron
from reportgen.accuracy.nanotron_pace import Pace, computing_seconds
from reportgen.accuracy.predict import compare
from reportgen.accuracy.setup import defaults
from reportgen.model.inputs_frameworks import FRAMEWORK_NAMES
from tests.accuracy.tables import row

# Nanotron's 1B: a layer weighs 67,108,864, the head four times as much, 20 layers' worth in all.
ONE_BILLION = {
    "layer_count": 16,
    "hidden_size": 2048,
    "head_count": 32,
    "head_size": 64,
    "ffn_size": 8192,
    "vocabulary_size": 131072,
}


def queue(**cells: str) -> float:
    """Kernels by which the host of the run is taken to be ahead."""
    column = nanotron(row(framework="nanotron", **cells)).inputs.get("framework_queue_column")
    return float((column or defaults()["framework_queue_column"])[FRAMEWORK_NAMES.index("nanotron")])


PACE = Pace(seconds=0.05, computing=0.001, tensor_parallel=4, stages=4, layers=16, micro_batches=32)


def test_host_is_ahead_unless_it_takes_two_milliseconds_a_rank_and_layer() -> None:
    quick, slow = (replace(PACE, seconds=0.001 + seconds) for seconds in (0.0079, 0.0081))
    assert (quick.is_host_ahead, slow.is_host_ahead) == (True, False)


def test_host_is_ahead_of_a_gpu_that_computes_two_fifths_of_the_time_without_the_bubble() -> None:
    # 32 micro-batches in 4 stages take 35 turns: 0.035 s each are 0.032 s of work.
    slow = replace(PACE, seconds=0.035)
    assert (replace(slow, computing=0.0129).is_host_ahead, replace(slow, computing=0.0127).is_host_ahead) == (
        True,
        False,
    )


def test_gpu_does_not_fall_behind_in_a_step_of_one_turn_a_stage() -> None:
    busy = replace(PACE, seconds=0.035, computing=0.02)
    assert (busy.is_gpu_behind, replace(busy, micro_batches=4).is_gpu_behind) == (True, False)


def test_stages_that_poll_take_six_tenths_of_a_second_for_a_micro_batch() -> None:
    # 16 layers on 4 stages are 4 each: 0.15 s a layer beyond computing.
    assert [replace(PACE, seconds=0.001 + seconds).is_polled for seconds in (0.151, 0.149)] == [True, False]
    assert not replace(PACE, seconds=1, stages=1).is_polled


@pytest.mark.parametrize(
    ("cells", "pace", "queued"),
    [
        ({"tokens_per_s_per_gpu": "999999"}, "ahead", 1024),
        ({"tokens_per_s_per_gpu": "2000", "pp": "2"}, "behind", 1024),
        ({"tokens_per_s_per_gpu": "1", "pp": "2"}, "behind", 0),
    ],
)
def test_run_is_ahead_or_holds_a_warm_ups_buffers_or_polls_and_holds_none(
    cells: dict[str, str], pace: str, queued: float
) -> None:
    assert nanotron(row(framework="nanotron", **cells)).inputs["host_pace"] == pace
    assert queue(**cells) == queued


def test_computing_is_six_operations_a_weight_and_token_at_a_usual_utilisation() -> None:
    # 67,108,864 weights of a layer without grouped heads, 4,096 tokens, 989 TFLOP/s at 40 %.
    assert computing_seconds({**ONE_BILLION, "kv_head_count": 32}, 4096) == pytest.approx(0.004169, rel=0.001)


def test_host_of_a_run_without_a_speed_is_behind() -> None:
    assert nanotron(row(framework="nanotron")).inputs["host_pace"] == "behind"


def test_earlier_code_closes_a_stage_that_weighs_exactly_its_share() -> None:
    first = [
        closed_at_tie(ONE_BILLION, stages).get("stage_layers_override", ("as rule",))[0] for stages in (1, 2, 4, 8)
    ]
    assert first == ["as rule", 10, 5, "as rule"]


def test_stages_closed_at_a_tie_hold_all_layers_between_them() -> None:
    # Twenty layers' worth on four stages are five each; the head, worth four, stands with the sixteenth.
    closed = {
        stages: closed_at_tie(ONE_BILLION, stages)["stage_layers_override"][: stages + 1] for stages in (2, 4, 10)
    }
    assert closed == {2: (10, 6, "as rule"), 4: (5, 5, 5, 1, "as rule"), 10: (2,) * 8 + (0, 0, "as rule")}


def test_quick_run_holds_the_buffers_that_the_host_has_freed() -> None:
    # One forward pass of two layers frees four; a second micro-batch lets 1,024 launches at 20 a buffer pend.
    cells = {"framework": "nanotron", "tp": "2"}
    slow = compare(row(**cells)).estimated
    one, two = (compare(row(**cells, tokens_per_s_per_gpu="9999", gbs=count)).estimated for count in ("1", "2"))
    assert one - slow == 4 * 2 * 64 * 128
    assert two - slow == pytest.approx(51.2 * 2 * 64 * 128)


def test_measured_run_that_would_not_have_fitted_held_nothing_pending() -> None:
    big = {
        "framework": "nanotron",
        "hardware": "H100-80GB SXM",
        "layers": "32",
        "hidden": "4096",
        "heads": "32",
        "kv_heads": "32",
        "head_dim": "128",
        "ffn": "14336",
        "vocab": "131072",
        "seq": "4096",
        "tp": "32",
        "mbs": "32",
    }
    quick, slow = (compare(row(**big, tokens_per_s_per_gpu=speed)).estimated for speed in ("9999", "1"))
    assert quick == slow
