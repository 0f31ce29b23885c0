"""The estimator's formulas against a second estimator that lists tensors and plays schedules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.model.brute_force import (
    Kind,
    Model,
    Run,
    all_stages,
    flops_per_token,
    gathered,
    layer_tensors,
    placed,
    state,
    whole_model,
)
from tests.model.cases import preset, values_of
from tests.model.draw import Drawn, Pattern, draw, model_inputs, run_inputs

SEEDS = range(60)


def interleaved_toy() -> Drawn:
    """Four layers on two stages of two chunks, all recomputed, all sharded; a plain MLP with every bias, tied."""
    kind, other = Kind("dense", 4, 4, 24), Kind("local", 4, 4, 24, 4)
    model = Model(
        kinds=(kind,) * 4,
        hidden=16,
        head_size=4,
        vocabulary=100,
        held_vocabulary=112,
        gated=False,
        tied=True,
        qkv_bias=True,
        output_bias=True,
        mlp_bias=True,
        norm_bias=True,
        positions=8,
    )
    run = Run(
        sequence=8,
        micro_batch=2,
        micro_batches=4,
        stages=2,
        chunks=2,
        copies=3,
        zero=3,
        gathered=2,
        recompute="full",
    )
    inputs = {**model_inputs(model, kind, other, Pattern(0, 1, 0)), **run_inputs(run)}
    return Drawn("interleaved toy", model, run, inputs)


def local_toy() -> Drawn:
    """Six layers, every third one local and of another width, on three stages of two GPUs."""
    kind, other = Kind("dense", 4, 2, 24), Kind("local", 2, 2, 40, 4)
    pattern = Pattern(0, 3, 1)
    model = Model(kinds=pattern.kinds(6, kind, other), hidden=16, head_size=4, vocabulary=100, held_vocabulary=112)
    run = Run(sequence=8, micro_batch=1, micro_batches=2, tensor=2, stages=3, copies=2, zero=1, gradient=4)
    inputs = {**model_inputs(model, kind, other, pattern), **run_inputs(run)}
    return Drawn("local toy", model, run, inputs)


DRAWN = [local_toy(), interleaved_toy(), *(draw(seed) for seed in SEEDS)]


def estimated(drawn: Drawn) -> Mapping[str, Any]:
    return values_of(preset("llama2-7b").with_inputs(**drawn.inputs))


def close(expected: list[float], found: list[float]) -> bool:
    return expected == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize("drawn", DRAWN, ids=lambda drawn: drawn.name)
def test_parameters_are_those_of_the_listed_tensors(drawn: Drawn) -> None:
    values = estimated(drawn)
    layers = [sum(tensor.size for tensor in layer_tensors(drawn.model, kind)) for kind in drawn.model.kinds]
    assert layers == values["layer_parameters"]
    assert whole_model(drawn.model) == values["model_parameters"]
    held = [sum(tensor.held(drawn.run) for tensor in stage.tensors) for stage in all_stages(drawn.model, drawn.run)]
    assert close(held, values["stage_gpu_parameters"])


@pytest.mark.parametrize("drawn", DRAWN, ids=lambda drawn: drawn.name)
def test_layers_stand_where_they_are_dealt(drawn: Drawn) -> None:
    values = estimated(drawn)
    layout = placed(len(drawn.model.kinds), drawn.run)
    stage_of = {layer: stage for stage, chunks in enumerate(layout) for chunk in chunks for layer in chunk}
    assert [stage_of[layer] for layer in range(len(stage_of))] == values["layer_stage"]
    assert [kind.name for kind in drawn.model.kinds] == values["layer_kind"]


@pytest.mark.parametrize("drawn", DRAWN, ids=lambda drawn: drawn.name)
def test_state_is_that_of_the_listed_tensors(drawn: Drawn) -> None:
    values = estimated(drawn)
    expected = [state(drawn.run, stage) for stage in all_stages(drawn.model, drawn.run)]
    parts = ("stage_weight_bytes", "stage_gradient_bytes", "stage_optimizer_bytes")
    for part, column in zip(parts, zip(*expected, strict=True), strict=True):
        assert close(list(column), values[part])
    assert close(gathered(drawn.model, drawn.run), values["stage_gathered_bytes"])


@pytest.mark.parametrize("drawn", DRAWN, ids=lambda drawn: drawn.name)
def test_micro_batches_in_flight_are_those_of_the_played_schedule(drawn: Drawn) -> None:
    expected = [stage.in_flight for stage in all_stages(drawn.model, drawn.run)]
    assert close(expected, estimated(drawn)["stage_in_flight"])


@pytest.mark.parametrize("drawn", DRAWN, ids=lambda drawn: drawn.name)
def test_activations_are_those_of_the_listed_tensors_in_the_played_schedule(drawn: Drawn) -> None:
    values = estimated(drawn)
    stages = all_stages(drawn.model, drawn.run)
    assert close([stage.most_held + stage.working for stage in stages], values["stage_activation_bytes"])
    assert close([stage.head for stage in stages], values["stage_head_bytes"])


@pytest.mark.parametrize("drawn", DRAWN, ids=lambda drawn: drawn.name)
def test_peak_and_worst_stage_are_the_greatest_of_all(drawn: Drawn) -> None:
    values = estimated(drawn)
    peaks = [
        sum(state(drawn.run, stage)) + stage.most_held + stage.working + stage.head + beside
        for stage, beside in zip(all_stages(drawn.model, drawn.run), gathered(drawn.model, drawn.run), strict=True)
    ]
    assert max(peaks) == pytest.approx(values["peak_memory_bytes"], rel=1e-12)
    assert peaks[values["worst_stage"]] == pytest.approx(max(peaks), rel=1e-12)


@pytest.mark.parametrize("drawn", DRAWN, ids=lambda drawn: drawn.name)
def test_flops_are_those_of_the_listed_matrices_and_counted_pairs(drawn: Drawn) -> None:
    values = estimated(drawn)
    names = {True: "causal_flops_per_token", False: "full_attention_flops_per_token"}
    for causal, name in names.items():
        assert flops_per_token(drawn.model, drawn.run, causal=causal) == pytest.approx(values[name], rel=1e-12)
