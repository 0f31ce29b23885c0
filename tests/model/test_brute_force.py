"""The estimator's formulas against a second estimator that lists tensors and plays schedules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import product
from typing import Any

import pytest

from tests.model.brute_force import flops, memory, ranks, stages, tensors
from tests.model.brute_force.activations import activations
from tests.model.brute_force.given import Bytes, Kind, Layout, Model, Recompute, Run
from tests.model.brute_force.holding import elements
from tests.model.brute_force.play import play
from tests.model.brute_force.state import gathered, state
from tests.model.brute_force_inputs import Pattern
from tests.model.cases import preset, values_of
from tests.model.draw import ATTENTIONS, MLPS, OPTIMIZERS, PROFILES, Drawn, draw, drawn

COUNT = 150
SOAK_COUNT = 3000
PLAIN = Kind("dense", heads=4, kv_heads=4, head_size=4, ffn=24, norms=2)
MANY = 3
# Micro-batches that a stage of so many holds at its fullest, given many of them: the stages, and which one it is.
PUBLISHED_IN_FLIGHT: dict[str, Callable[[int, int], int]] = {
    "gpipe": lambda stages, _: MANY * stages,  # Huang et al. 2019, section 2.3
    "1f1b": lambda stages, stage: stages - stage,  # Narayanan et al. 2021, section 2.2
    "zero bubble": lambda stages, _: stages,  # Qi et al. 2023, ZB-H1: no more than the first stage of 1F1B
    "dualpipe": lambda stages, _: stages + 1,  # DeepSeek-V3, table 2
}
Compute = Callable[[Model, Run], Any]


def interleaved_toy() -> Drawn:
    """Four layers on two stages of two chunks, all recomputed, all sharded; a plain MLP with every bias, tied."""
    pattern = Pattern((PLAIN, Kind("local", 4, 4, 4, 24, 2, window=4), Kind("kind three", 4, 4, 4, 24, 2)))
    model = Model(
        kinds=pattern.kinds(4),
        hidden=16,
        value_head_size=None,
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
    layout = Layout(stages=2, chunks=2, copies=3, zero=3)
    run = Run(8, 2, 4, layout, Recompute("full"), gathered_layers=2)
    return drawn("interleaved toy", model, run, pattern)


def local_toy() -> Drawn:
    """Six layers, every third one local and of another width, on three stages of two GPUs."""
    local = Kind("local", heads=2, kv_heads=2, head_size=4, ffn=40, norms=2, window=4)
    pattern = Pattern((Kind("dense", 4, 2, 4, 24, 2), local, Kind("kind three", 4, 2, 4, 24, 2)), period=3, ending=1)
    model = Model(pattern.kinds(6), hidden=16, value_head_size=None, vocabulary=100, held_vocabulary=112)
    layout = Layout(tensor=2, stages=3, copies=2, expert_tensor=2, zero=1)
    return drawn("local toy", model, Run(8, 1, 2, layout, bytes=Bytes(gradient=4)), pattern)


def every_stage(compute: Callable[[Model, Run, int], Any]) -> Compute:
    return lambda model, run: [compute(model, run, stage) for stage in range(run.layout.stages)]


def states(part: str) -> Compute:
    return every_stage(lambda model, run, stage: getattr(state(model, run, stage), part))


def held(part: str) -> Compute:
    return every_stage(lambda model, run, stage: getattr(elements(model, run, stage), part))


def alive(part: str) -> Compute:
    return lambda model, run: [getattr(stage, part) for stage in activations(model, run)]


def sizes(model: Model, _: Run) -> list[int]:
    return [tensors.size(tensors.layer(model, kind)) for kind in model.kinds]


def idle(model: Model) -> int:
    layers = (tensors.size(tensors.layer(model, kind)) for kind in model.kinds)
    return sum(layers) - sum(tensors.size(tensors.at_work(model, kind)) for kind in model.kinds)


def trained(model: Model, run: Run) -> int:
    low_rank = sum(tensors.size(tensors.adapters(model, run, kind)) for kind in model.kinds)
    return tensors.whole(model) if run.tuning == "full" else low_rank


def stage_of_each_layer(model: Model, run: Run) -> list[int]:
    layout = stages.placed(model, run.layout)
    found = {layer: stage for stage, chunks in enumerate(layout) for chunk in chunks for layer in chunk}
    return [found[layer] for layer in range(len(found))]


def all_held(model: Model, run: Run) -> list[float]:
    each = (elements(model, run, stage) for stage in range(run.layout.stages))
    return [part.dense + part.experts + part.ends for part in each]


COMPARED: dict[str, Compute] = {
    "layer_kind": lambda model, _: [kind.name for kind in model.kinds],
    "layer_parameters": sizes,
    "model_parameters": lambda model, _: tensors.whole(model),
    "active_parameters": lambda model, _: tensors.whole(model) - idle(model),
    "trained_parameters": trained,
    "layer_stage": stage_of_each_layer,
    "zero_shards": lambda _, run: ranks.dense_shards(run.layout),
    "expert_zero_shards": lambda _, run: ranks.expert_shards(run.layout),
    "stage_layer_parameters": held("dense"),
    "stage_expert_parameters": held("experts"),
    "stage_end_parameters": held("ends"),
    "stage_adapter_parameters": held("adapters"),
    "stage_gpu_parameters": all_held,
    "stage_weight_bytes": states("weight"),
    "stage_gradient_bytes": states("gradient"),
    "stage_all_optimizer_bytes": states("updated"),
    "stage_optimizer_bytes": states("optimizer"),
    "stage_copy_bytes": states("copies"),
    "node_offloaded_bytes": memory.offloaded,
    "stage_gathered_bytes": every_stage(gathered),
    "stage_in_flight": alive("in_flight"),
    "stage_activation_bytes": alive("kept"),
    "stage_logit_bytes": alive("logits"),
    "stage_head_bytes": alive("head"),
    "stage_peak_bytes": memory.peaks,
    "peak_memory_bytes": lambda model, run: max(memory.peaks(model, run)),
    "full_attention_flops_per_token": lambda model, run: flops.per_token(model, run, causal=False),
    "causal_flops_per_token": lambda model, run: flops.per_token(model, run, causal=True),
    "hardware_flops_per_token": lambda model, run: (
        flops.per_token(model, run, causal=True) + flops.done_again(model, run)
    ),
}


@cache
def few() -> tuple[Drawn, ...]:
    return (local_toy(), interleaved_toy(), *(draw(seed) for seed in range(COUNT)))


@cache
def estimated_few() -> tuple[Mapping[str, Any], ...]:
    return tuple(estimated(each) for each in few())


def estimated(each: Drawn) -> Mapping[str, Any]:
    return values_of(preset("llama2-7b").with_inputs(**each.inputs))


def agree(expected: Any, found: Any) -> bool:
    """Whether both come to the same, but for binary rounding."""
    return bool(expected == (found if _is_text(found) else pytest.approx(found, rel=1e-12)))


def _is_text(found: Any) -> bool:
    return isinstance(found[0] if isinstance(found, list) else found, str)


def disagreements(name: str, pairs: Iterable[tuple[Drawn, Mapping[str, Any]]]) -> list[str]:
    """Configurations in which both come to different values, with these."""
    lines = []
    for each, values in pairs:
        expected = COMPARED[name](each.model, each.run)
        if not agree(expected, values[name]):
            lines.append(f"{each.name}: {name} is {values[name]}, by brute force {expected}")
    return lines


@pytest.mark.parametrize("name", COMPARED)
def test_both_estimators_come_to_the_same(name: str) -> None:
    assert disagreements(name, zip(few(), estimated_few(), strict=True)) == []


def test_worst_stage_is_the_fullest() -> None:
    for each, values in zip(few(), estimated_few(), strict=True):
        peaks = memory.peaks(each.model, each.run)
        assert peaks[values["worst_stage"]] == pytest.approx(max(peaks), rel=1e-12)


@pytest.mark.parametrize("stages", [2, 4, 6, 8])
@pytest.mark.parametrize("schedule", PUBLISHED_IN_FLIGHT)
def test_played_schedules_hold_as_many_micro_batches_as_published(schedule: str, stages: int) -> None:
    run = Run(8, 1, MANY * stages, Layout(stages=stages, schedule=schedule))
    found = [stage.most_passes for stage in play(run, [[1.0, 1.0]] * stages)]
    assert found == [PUBLISHED_IN_FLIGHT[schedule](stages, stage) for stage in range(stages)]


def test_every_option_is_drawn() -> None:
    runs, kinds = [each.run for each in few()], {kind for each in few() for kind in each.model.kinds}
    assert {run.layout.schedule for run in runs} == set(PUBLISHED_IN_FLIGHT)
    assert {run.layout.zero for run in runs} == {0, 1, 2, 3}
    assert {run.recompute.what for run in runs} == {"none", "selective", "operators", "full"}
    assert {run.profile for run in runs} == set(PROFILES)
    assert {run.tuning for run in runs} == {"full", "lora", "qlora"}
    assert {each.inputs["optimizer"] for each in few()} == set(OPTIMIZERS)
    assert {(kind.attention, kind.mlp) for kind in kinds} == set(product(ATTENTIONS, MLPS))


def test_layouts_that_are_easily_mistaken_are_drawn() -> None:
    each = [pair.run.layout for pair in few()]
    assert any(layout.expert_tensor != layout.tensor and layout.expert > 1 for layout in each)
    assert any(layout.group and 1 < ranks.expert_shards(layout) < ranks.dense_shards(layout) for layout in each)
    assert any(stages.head_stage(pair.model, pair.run.layout) < pair.run.layout.stages - 1 for pair in few())
    assert any(layout.stage_layers and layout.schedule == "dualpipe" for layout in each)
    assert any(layout.chunks > 2 for layout in each)


@pytest.mark.soak
def test_both_estimators_come_to_the_same_in_thousands_of_configurations() -> None:
    found = []
    for seed in range(COUNT, COUNT + SOAK_COUNT):
        pair = draw(seed)
        values = estimated(pair)
        found += [line for name in COMPARED for line in disagreements(name, [(pair, values)])]
    assert found == []
