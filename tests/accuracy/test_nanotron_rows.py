"""Nanotron's rows: which of the two published groups a run is of, and what follows from that."""

from __future__ import annotations

import pytest

from reportgen.accuracy.nanotron import closed_at_tie, computing_seconds, nanotron
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


def test_host_of_a_quick_run_is_ahead_and_that_of_a_slow_one_is_not() -> None:
    # 128 tokens in two layers: 0.08 seconds a layer, which is next to no computing, are 800 tokens per second.
    assert (queue(tokens_per_s_per_gpu="801"), queue(tokens_per_s_per_gpu="799")) == (1024, 0)


def test_computing_is_six_operations_a_weight_and_token_at_a_usual_utilisation() -> None:
    # 67,108,864 weights of a layer without grouped heads, 4,096 tokens, 989 TFLOP/s at 40 %.
    assert computing_seconds({**ONE_BILLION, "kv_head_count": 32}, 4096) == pytest.approx(0.004169, rel=0.001)


def test_host_of_a_run_without_a_speed_is_not_ahead() -> None:
    assert queue() == 0


def test_runs_of_two_stages_were_made_again_and_hold_nothing_pending() -> None:
    assert queue(tokens_per_s_per_gpu="9999", pp="2") == 0


def test_earlier_code_closes_a_stage_that_weighs_exactly_its_share() -> None:
    first = [
        closed_at_tie(ONE_BILLION, stages).get("stage_layers_override", ("as rule",))[0] for stages in (1, 2, 4, 8)
    ]
    assert first == ["as rule", 10, 5, "as rule"]


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
