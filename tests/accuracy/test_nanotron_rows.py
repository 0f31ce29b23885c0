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


def test_host_is_ahead_unless_it_takes_two_milliseconds_a_rank_and_layer() -> None:
    # 128 tokens on two ranks in two layers: 4 ms beyond next to no computing are 8,000 tokens per second.
    assert [queue(tp="2", tokens_per_s_per_gpu=speed) for speed in ("8001", "7999")] == [1024, 0]


def test_host_is_ahead_of_a_gpu_that_computes_a_third_of_the_time() -> None:
    pace = Pace(seconds=0.03, computing=0.01, tensor_parallel=4, stages=2)
    assert (pace.is_host_ahead, replace(pace, computing=0.0099).is_host_ahead) == (True, False)


def test_host_is_ahead_of_a_gpu_that_waits_for_its_neighbours_but_not_in_a_run_slower_than_that() -> None:
    # 128 tokens in two layers: 0.08 seconds a layer, which is next to no computing, are 800 tokens per second.
    long = [queue(pp=stages, tokens_per_s_per_gpu=speed) for stages in ("2", "4") for speed in ("801", "799")]
    assert long == [0, 0, 1024, 0]


def test_computing_is_six_operations_a_weight_and_token_at_a_usual_utilisation() -> None:
    # 67,108,864 weights of a layer without grouped heads, 4,096 tokens, 989 TFLOP/s at 40 %.
    assert computing_seconds({**ONE_BILLION, "kv_head_count": 32}, 4096) == pytest.approx(0.004169, rel=0.001)


def test_host_of_a_run_without_a_speed_is_not_ahead() -> None:
    assert queue() == 0


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
