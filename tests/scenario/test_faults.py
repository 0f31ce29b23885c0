"""Checks that fail, told to a person: values with what they are, in words of the field, and what can be done."""

from __future__ import annotations

import re
from typing import Any

import pytest

import reportgen
from reportgen.errors import ScenarioError
from reportgen.formula.judge import judge
from reportgen.model import estimator
from reportgen.scenario.faults import told
from reportgen.scenario.scenario import Scenario
from tests.model.cases import Verdict, verdicts

DENSE = reportgen.load("scenarios/llama3-70b-8k.yaml")
EXPERTS = reportgen.load("scenarios/mixtral-8x7b.yaml")
FAILING = tuple(verdict for verdict in verdicts() if not verdict.holds)
CHECKS = {check.name: check for check in estimator().checks}
# What the formulas are called among us: stages cut into chunks, turns of the loss, ranks, sides, units of work.
INTERNAL = re.compile(r"\b(turns?|ranks|mixer|scan|mirror\w*|unit of|sums do not close|formula was changed)\b")
NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
DOUBLED = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)


def faults(scenario: Scenario, **changes: Any) -> list[str]:
    """Every fault of a scenario with these changes, as printed."""
    with pytest.raises(ScenarioError) as caught:
        scenario.with_inputs(**changes)
    return [str(fault) for fault in caught.value.faults]


def message(verdict: Verdict) -> str:
    """What is told of a check that fails for the values of a worked case."""
    return str(told(judge(CHECKS[verdict.check], verdict.given), lambda name: name))


@pytest.mark.parametrize("verdict", FAILING, ids=lambda verdict: verdict.check)
def test_a_failed_check_is_told_without_names_that_a_scenario_does_not_have(verdict: Verdict) -> None:
    said = message(verdict)
    settable = {*estimator().inputs, "data_parallel"}
    shown = {"framework_gradient_bytes", "deadline_gpus", "goal_interval_seconds"}  # printed with their values
    assert set(NAME.findall(said)) - settable - shown == set()


@pytest.mark.parametrize("verdict", FAILING, ids=lambda verdict: verdict.check)
def test_a_failed_check_is_told_in_words_of_the_field(verdict: Verdict) -> None:
    said = message(verdict)
    assert INTERNAL.findall(said) == []
    assert DOUBLED.findall(said) == []
    assert re.search(r"\bfound [^;]+ \(.+\); expected that .+; .+", said), said


def test_both_sides_of_a_comparison_say_what_they_are() -> None:
    assert faults(DENSE, pipeline_stages=64, virtual_stages=2, gpu_count=512, tensor_parallel=8)[0] == (
        "pipeline_stages: found 128 (pipeline stages × virtual stages) against 80 (layer count); expected that every "
        "pipeline stage, and every virtual stage of it, gets a layer; lower pipeline_stages or virtual_stages: "
        "together they ask for more layers than layer_count"
    )


def test_the_rows_of_a_column_are_told_together() -> None:
    assert faults(DENSE, stage_layers_override={0: 19}) == [
        "stage_layers_override: found 79 (layers of the stage, all stages together) against 80 (layer count); "
        "expected that the pipeline stages hold all layers of the model between them; make the "
        "stage_layers_override rows add up to layer_count"
    ]


def test_chunks_of_the_loss_without_tokens_are_told_as_such() -> None:
    assert faults(DENSE, loss_head="chunked", loss_chunks=8193) == [
        "loss_chunks: found 0 tokens (whole tokens in one of the chunks in which the loss is computed); expected that "
        "every chunk in which the loss is computed has at least one token; lower loss_chunks to at most the tokens "
        "of a micro-batch on one GPU"
    ]


@pytest.mark.parametrize("taken_off", [2e8, 1e9, 1e12])
def test_parameters_taken_off_leave_every_gpu_of_the_first_stage_some(taken_off: float) -> None:
    """The embedding, 128,256 x 8,192 over 8 GPUs, is 131.3 M on each, and what is taken off stands on each whole."""
    said = faults(DENSE, further_parameters=-taken_off)
    assert said[-1].startswith("further_parameters: found −")
    assert "expected that the embedding and what stands beside it have no negative number of parameters" in said[-1]


def test_as_much_may_be_taken_off_as_the_embedding_has_on_each_gpu() -> None:
    each = 128_256 * 8_192 // 8
    assert DENSE.with_inputs(further_parameters=-each).inputs["further_parameters"] == -each
    assert len(faults(DENSE, further_parameters=-each - 1)) == 1


def test_parameters_taken_off_leave_every_gpu_some_of_each_layer() -> None:
    """A layer of 855.7 M parameters, split over 8 GPUs, has less than 110 M on each."""
    said = faults(DENSE, kind_further_parameters={0: -1.2e8})
    assert len(said) == 1
    assert said[0].startswith("kind_further_parameters: found −")
    assert "expected that no layer has a negative number of parameters on any GPU" in said[0]
    assert DENSE.with_inputs(kind_further_parameters={0: -1e8}).inputs["kind_further_parameters"][0] == -(10**8)


def test_the_state_of_experts_is_split_into_whole_shares() -> None:
    """96 GPUs that shard together hold experts shared out over 64: one and a half sets of them."""
    layout: dict[str, Any] = {
        "tensor_parallel": 1,
        "pipeline_stages": 1,
        "expert_parallel": 64,
        "expert_count": 64,
        "gpu_count": 192,
        "global_batch_size": 192,
    }
    assert faults(EXPERTS, **layout, shard_group_size=96) == [
        "shard_group_size: found 0.5 (part of a share left over when the state of experts is split over the GPUs of a "
        "shard group that hold them); expected that the state of experts is split into a whole number of shares; make "
        "shard_group_size x tensor_parallel a multiple of expert_parallel x expert_tensor_parallel"
    ]
    assert reportgen.estimate(EXPERTS.with_inputs(**layout, shard_group_size=64))["expert_zero_shards"] == 1
    assert reportgen.estimate(EXPERTS.with_inputs(**layout, shard_group_size=192))["expert_zero_shards"] == 3


@pytest.mark.parametrize(
    ("changes", "most"),
    [
        ({}, 4),  # 8 experts, 2 for a token, over 8 GPUs: all tokens on one of them is 4 times the mean
        ({"expert_parallel": 2}, 2),
        ({"expert_parallel": 1}, 1),
        ({"experts_per_token": 8}, 1),
    ],
)
def test_experts_get_at_most_all_tokens(changes: dict[str, Any], most: float) -> None:
    assert EXPERTS.with_inputs(**changes, expert_load_factor=most).inputs["expert_load_factor"] == most
    said = faults(EXPERTS, **changes, expert_load_factor=most * 1.01)
    assert len(said) == 1
    assert f"against {most} (tokens of one GPU's experts relative to the mean if all tokens were sent there)" in said[0]
    assert "lower expert_load_factor to at most expert_parallel" in said[0]


def test_a_load_below_the_mean_is_below_the_range() -> None:
    assert faults(EXPERTS, expert_load_factor=0.9) == [
        "expert_load_factor: found 0.9; expected a number from 1 to 1,024; raise it to 1 or more"
    ]


def test_the_load_of_experts_is_of_no_weight_without_experts() -> None:
    assert DENSE.with_inputs(expert_load_factor=9).inputs["expert_load_factor"] == 9


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tensor_parallel": -1}, "found -1; expected a whole number from 1 to 1,024 (GPU); raise it to 1 or more"),
        (
            {"node_host_memory": 1e8},
            "found 100,000,000; expected a number from 1,000,000,000 to 1,000,000,000,000,000 (byte/node); "
            "raise it to 1,000,000,000 or more",
        ),
        ({"flops_utilization": 1.5}, "found 1.5; expected a number from 0.001 to 1; lower it to 1 or less"),
        ({"pipeline_stages": 2.5}, "found 2.5; expected a whole number from 1 to 64; round it to a whole number"),
    ],
)
def test_a_value_out_of_range_is_told_with_range_and_unit(changes: dict[str, Any], message: str) -> None:
    assert faults(DENSE, **changes) == [f"{next(iter(changes))}: {message}"]
