"""What would make a run fit: cheapest first, and each one really fits."""

from __future__ import annotations

import pytest

import reportgen
from reportgen.remedies import fits, remedies

TOO_SMALL = reportgen.load("scenarios/llama3-70b-too-small.yaml")


def test_a_run_that_fits_needs_no_remedy() -> None:
    assert remedies(reportgen.estimate(reportgen.load("scenarios/llama3-70b-8k.yaml"))) == ()


def test_sharding_comes_before_machines() -> None:
    words = [remedy.words for remedy in remedies(reportgen.estimate(TOO_SMALL))]
    assert words[0] == "ZeRO stage 1"
    assert words == ["ZeRO stage 1", "pipeline stages 4", "pipeline stages 8"]


def test_every_remedy_fits_when_it_is_made() -> None:
    for remedy in remedies(reportgen.estimate(TOO_SMALL)):
        changed = reportgen.estimate(TOO_SMALL.with_inputs(**remedy.changes))
        assert fits(changed)
        assert changed["memory_headroom_bytes"] == remedy.headroom_bytes


@pytest.mark.parametrize("zero_stage", [0, 1])
@pytest.mark.parametrize("recompute", ["none", "selective", "full"])
@pytest.mark.parametrize("flash_attention", ["on", "off"])
def test_no_remedy_is_in_force_already(zero_stage: int, recompute: str, flash_attention: str) -> None:
    tight = TOO_SMALL.with_inputs(
        zero_stage=zero_stage,
        recompute=recompute,
        flash_attention=flash_attention,
        accelerator_memory_override=5 * 10**10,
    )
    for remedy in remedies(reportgen.estimate(tight)):
        assert all(tight.inputs[name] != value for name, value in remedy.changes.items())


def test_pairs_are_tried_where_no_single_change_is_enough() -> None:
    tight = TOO_SMALL.with_inputs(tensor_parallel=1, pipeline_stages=1, zero_stage=0)
    found = remedies(reportgen.estimate(tight))
    assert [len(remedy.changes) for remedy in found] == [2] * len(found)
    assert found[0].words == "ZeRO stage 2 with tensor parallel 8"


def test_a_run_that_nothing_saves_has_no_remedy() -> None:
    hopeless = TOO_SMALL.with_inputs(accelerator_memory_override=10**9)
    assert remedies(reportgen.estimate(hopeless)) == ()


@pytest.mark.parametrize("memory", [10**11, 10**12])
def test_fitting_keeps_the_reserve_free(memory: int) -> None:
    result = reportgen.estimate(TOO_SMALL.with_inputs(accelerator_memory_override=memory))
    assert fits(result) == (result["peak_memory_bytes"] <= 0.9 * memory)
