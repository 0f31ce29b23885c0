"""What fills a GPU, taken apart: parts and terms are those of the model, and each sum is complete."""

from __future__ import annotations

import pytest

from reportgen import estimate, load
from reportgen.breakdown import BUFFERS, PEAK, buffer_terms, held_terms, of_stage, peak_parts, stage_terms
from reportgen.resources import scenarios_directory
from reportgen.result import Result


@pytest.fixture(params=["textbook", "megatron-lm", "nanotron", "torchtitan"])
def result(request: pytest.FixtureRequest) -> Result:
    scenario = load(scenarios_directory() / "llama3-70b-8k.yaml")
    return estimate(scenario.with_inputs(framework=request.param))


def test_the_peak_has_six_parts_of_which_the_buffers_are_one() -> None:
    assert len(peak_parts()) == 6
    assert BUFFERS in peak_parts()


def test_terms_take_the_place_of_the_buffers() -> None:
    assert [term for term in stage_terms() if term not in buffer_terms()] == [p for p in peak_parts() if p != BUFFERS]
    assert "stage_communication_bytes" not in buffer_terms()


def test_terms_of_every_stage_add_up_to_its_peak_and_its_buffers(result: Result) -> None:
    for stage in result["stage_index"]:
        assert sum(of_stage(result, name, stage) for name in stage_terms()) == pytest.approx(result[PEAK][stage])
        assert sum(of_stage(result, name, stage) for name in buffer_terms()) == pytest.approx(result[BUFFERS][stage])


def test_terms_that_are_zero_are_not_held(result: Result) -> None:
    assert all(held_terms(result).values())
