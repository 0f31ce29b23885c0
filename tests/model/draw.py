"""Small models and runs drawn at random from a seed, as brute force and as the estimator take them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Any

from tests.model.brute_force.given import Bytes, Experts, Kind, Latent, Layout, Model, Recompute, Run
from tests.model.brute_force_inputs import Pattern, kind_inputs, model_inputs, pattern_inputs, run_inputs

# Bytes of each optimizer's moments for layers, for embedding and head, and of a row's or a column's mean.
OPTIMIZERS = {
    "adamw": (8, 8, 0),
    "adamw 8-bit": (2, 2, 0),
    "adamw bf16": (4, 4, 0),
    "adamw fp8": (2, 2, 0),
    "lion": (4, 4, 0),
    "sgd with momentum": (4, 4, 0),
    "sgd": (0, 0, 0),
    "muon": (4, 8, 0),
    "adafactor": (0, 0, 4),
}
NAMES = ("dense", "local", "kind three")
ATTENTIONS = ("attention", "latent", "other", "none")
MLPS = ("dense", "experts", "none")
PROFILES = ("fused", "eager", "gpt-dropout", "fused norms", "gpt-gelu")


@dataclass(frozen=True)
class Drawn:
    """One configuration, twice: for brute force, and as inputs of the estimator."""

    name: str
    model: Model
    run: Run
    inputs: dict[str, Any]


def draw(seed: int) -> Drawn:
    """A configuration; the same for the same seed."""
    chance = Random(seed)  # noqa: S311  # configurations, not secrets
    layout = _layout(chance)
    experts = _experts(chance, layout)
    recompute = _recompute(chance)
    count = _layer_count(chance, layout, recompute)
    pattern = _pattern(chance, layout, recompute, count)
    model = _model(chance, layout, pattern.kinds(count), experts)
    layout = _expert_layout(chance, layout, model)
    if layout.chunks * recompute.interval * recompute.group == 1:
        layout = _stage_layers(chance, layout, model, pattern)
    optimizer = chance.choice(list(OPTIMIZERS))
    run = _run(chance, layout, recompute, optimizer, experts)
    return drawn(f"seed {seed}", model, run, pattern, optimizer)


def drawn(name: str, model: Model, run: Run, pattern: Pattern, optimizer: str = "adamw") -> Drawn:
    """The configuration in both forms."""
    inputs = {
        **pattern_inputs(pattern),
        **kind_inputs(pattern.described),
        **model_inputs(model),
        **run_inputs(run),
        "optimizer": optimizer,
    }
    return Drawn(name, model, run, inputs)


def _layout(chance: Random) -> Layout:
    schedule = chance.choice(["1f1b", "1f1b", "1f1b", "gpipe", "zero bubble", "dualpipe"])
    stages, chunks = chance.choice([(1, 1), (2, 1), (3, 1), (4, 1), (2, 2), (3, 2), (4, 3)])
    if schedule != "1f1b":
        stages, chunks = chance.choice([2, 4, 6] if schedule == "dualpipe" else [1, 2, 3, 4]), 1
    tensor = chance.choice([1, 2, 4])
    return Layout(
        tensor=tensor,
        sequence_parallel=chance.random() < 0.7,
        stages=stages,
        chunks=chunks,
        context=chance.choice([1, 2]),
        copies=chance.choice([1, 2, 3, 4]),
        expert_tensor=tensor,
        zero=chance.choice([0, 1, 2, 3]),
        schedule=schedule,
    )


def _experts(chance: Random, layout: Layout) -> Experts:
    shared = layout.tensor * chance.choice([0, 0, 2])
    return Experts(
        count=chance.choice([4, 8]),
        per_token=chance.choice([1, 2, 3]),
        ffn=chance.choice([4, 12]),
        shared_ffn=shared,
        router_bias=chance.random() < 0.3,
        bias=chance.random() < 0.3,
        shared_gate=shared > 0 and chance.random() < 0.5,
    )


def _expert_layout(chance: Random, layout: Layout, model: Model) -> Layout:
    """Sizes that divide the GPUs of a stage, and of a shard group that holds all experts or none twice."""
    experts = model.experts.count if any(kind.mlp == "experts" for kind in model.kinds) else 1
    gpus = layout.tensor * layout.replicas
    pairs = [
        (expert, tensor)
        for expert in (1, 2, 4, 8)
        for tensor in (1, 2, 4)
        if experts % expert == 0 and gpus % (expert * tensor) == 0
    ]
    expert, tensor = chance.choice(pairs)
    groups = [size for size in range(1, layout.replicas) if layout.replicas % size == 0]
    whole = [size for size in groups if _divides(expert * tensor, layout.tensor * size)]
    group = chance.choice(whole) if whole and chance.random() < 0.4 else None
    return replace(layout, expert=expert, expert_tensor=tensor, group=group)


def _divides(one: int, other: int) -> bool:
    return one % other == 0 or other % one == 0


def _recompute(chance: Random) -> Recompute:
    what = chance.choice(["none", "none", "selective", "operators", "full"])
    interval, group = chance.choice([(1, 1), (1, 2), (2, 1), (3, 1)]) if what == "full" else (1, 1)
    return Recompute(
        what=what,
        interval=interval,
        group=group,
        norms=chance.random() < 0.3,
        mlp_activation=chance.random() < 0.3,
        latent=chance.random() < 0.3,
        experts=chance.choice(["none", "none", "activation", "whole"]),
    )


def _layer_count(chance: Random, layout: Layout, recompute: Recompute) -> int:
    """Equal chunks, and whole groups of recomputed layers on every stage; any number where layers stand alone."""
    of_layers = recompute.interval * recompute.group
    if layout.chunks > 1 or of_layers > 1:
        return layout.stages * layout.chunks * of_layers * chance.choice([1, 2])
    return layout.stages + chance.randint(0, 7)


def _pattern(chance: Random, layout: Layout, recompute: Recompute, count: int) -> Pattern:
    """Kinds mix but where the estimator takes all as alike: in chunks, and in layers that are recomputed together."""
    kinds = tuple(_kind(chance, name, layout, recompute) for name in NAMES)
    described = (kinds[0], kinds[1], kinds[2])
    if layout.chunks > 1 or recompute.group > 1:
        return Pattern(described)
    period = chance.choice([1, 2, 3])
    leading = min(count, chance.choice([0, 0, 1, 2]))
    exception = chance.choice([None, None, chance.randrange(count)])
    return Pattern(described, leading, period, chance.randint(0, period), exception)


def _kind(chance: Random, name: str, layout: Layout, recompute: Recompute) -> Kind:
    attention, mlp = chance.choice(ATTENTIONS), chance.choice(MLPS)
    if recompute.what == "operators":
        # Which products are every second one is known of a layer with plain attention and a dense MLP, or either alone.
        attention, mlp = chance.choice([("attention", "dense"), ("attention", "none"), ("none", "dense")])
    kv_heads = layout.tensor * chance.choice([1, 2])
    return Kind(
        name,
        heads=kv_heads * (1 if attention == "latent" else chance.choice([1, 2, 3])),
        kv_heads=kv_heads,
        head_size=chance.choice([4, 6]),
        ffn=layout.tensor * chance.choice([3, 8]),
        norms=chance.choice([0, 1, 2, 4]),
        attention=attention,
        mlp=mlp,
        window=chance.choice([None, 2, 5, 100]),
        further_width=chance.choice([0, 0, 4]) if recompute.what != "operators" else 0,
        further_parameters=chance.choice([0, 7]),
    )


def _model(chance: Random, layout: Layout, kinds: tuple[Kind, ...], experts: Experts) -> Model:
    multiple = 4 * chance.choice([1, 4])
    vocabulary = chance.choice([31, 64, 400])
    return Model(
        kinds=kinds,
        hidden=chance.choice([8, 12]),
        value_head_size=chance.choice([None, 3]),
        vocabulary=vocabulary,
        held_vocabulary=-(-vocabulary // multiple) * multiple,
        latent=Latent(chance.choice([0, 6]), chance.choice([4, 5]), chance.choice([0, 2])),
        experts=experts,
        gated=chance.random() < 0.6,
        tied=chance.random() < 0.5,
        qkv_bias=chance.random() < 0.3,
        output_bias=chance.random() < 0.3,
        mlp_bias=chance.random() < 0.3,
        head_bias=layout.tensor == 1 and chance.random() < 0.3,
        norm_bias=chance.random() < 0.3,
        qk_norm=chance.choice(["none", "none", "per head", "full"]),
        positions=chance.choice([0, 5]),
        embedding_norm=chance.random() < 0.3,
        further_parameters=chance.choice([0, 11]),
    )


def _stage_layers(chance: Random, layout: Layout, model: Model, pattern: Pattern) -> Layout:
    """Stages cut evenly, by compute, or anyhow."""
    way = chance.choice(["even", "by compute", "anyhow"])
    if way == "by compute":
        first = pattern.described[0]
        matrices = 3 if model.gated else 2
        of_layer = (4 * first.heads * first.head_size + matrices * first.ffn) * model.hidden
        return replace(layout, split_costs=(of_layer, model.vocabulary * model.hidden))
    if way == "anyhow":
        return replace(layout, stage_layers=_parts(chance, len(model.kinds), layout.stages))
    return layout


def _parts(chance: Random, count: int, stages: int) -> tuple[int, ...]:
    """As many layers in as many stages, none of them empty."""
    cuts = [0, *sorted(chance.sample(range(1, count), stages - 1)), count]
    return tuple(end - start for start, end in pairwise(cuts))


def _micro_batches(chance: Random, layout: Layout) -> int:
    if layout.schedule == "dualpipe":
        return 2 * layout.stages + 2 * chance.choice([0, 1, 3])
    if layout.chunks > 1:
        return layout.stages * chance.choice([1, 2, 3])
    return chance.choice([1, 2, 3, 7])


def _bytes(chance: Random, optimizer: str) -> Bytes:
    moments, end_moments, factored = OPTIMIZERS[optimizer]
    return Bytes(
        weight=chance.choice([2, 4]),
        gradient=chance.choice([2, 4]),
        master=chance.choice([0, 4]),
        moments=moments,
        end_moments=end_moments,
        factored=factored,
        quantised=chance.choice([0.5, 0.75]),
        unquantised=chance.choice([None, 4]),
        copy=chance.choice([0, 0, 2]),
        gathered=chance.choice([None, 2]),
    )


def _run(chance: Random, layout: Layout, recompute: Recompute, optimizer: str, experts: Experts) -> Run:
    everything = min(layout.expert, experts.count / experts.per_token)  # on one GPU, relative to the mean
    return Run(
        sequence=chance.choice([8, 16, 24]),
        micro_batch=chance.choice([1, 2]),
        micro_batches=_micro_batches(chance, layout),
        layout=layout,
        recompute=recompute,
        bytes=_bytes(chance, optimizer),
        profile=chance.choice(PROFILES),
        flash=recompute.what == "operators" or chance.random() < 0.6,
        gathered_layers=chance.choice([1, 2]),
        gathered_copies=chance.choice([1, 2]),
        inputs_kept=chance.random() < 0.3,
        load=min(chance.choice([1, 1.5]), everything),
        loss_head=chance.choice(["vocabulary-parallel", "plain", "chunked", "fused"]),
        loss_chunks=2,
        tuning=chance.choice(["full", "full", "full", "lora", "qlora"]),
        rank=chance.choice([1, 3]),
        adapted=chance.choice(["attention", "all linear"]),
        offload=chance.random() < 0.2,
        node_gpus=chance.choice([4, 8]),
    )
