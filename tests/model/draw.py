"""Small models and runs drawn at random from a seed, as brute force and as the estimator take them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from tests.model.brute_force import Kind, Model, Run

YES_NO = {True: "yes", False: "no"}
OPTIMIZERS = {"adamw": 8, "adamw 8-bit": 2, "lion": 4, "sgd with momentum": 4}


@dataclass(frozen=True)
class Drawn:
    """One configuration, twice: for brute force, and as inputs of the estimator."""

    name: str
    model: Model
    run: Run
    inputs: dict[str, Any]


@dataclass(frozen=True)
class Pattern:
    """Leading layers of the second kind, then periods that end in some of the second kind."""

    leading: int
    period: int
    ending: int

    def kinds(self, count: int, main: Kind, other: Kind) -> tuple[Kind, ...]:
        block = [main] * (self.period - self.ending) + [other] * self.ending
        layers = (block * count)[:count]
        return tuple([other] * self.leading + layers[self.leading :])


def draw(seed: int) -> Drawn:
    """A configuration; the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311  # configurations, not secrets
    run, optimizer, master = _run(chance)
    pattern = _pattern(chance, run)
    count = _layer_count(chance, run)
    main = _kind(chance, "dense", run.tensor)
    other = _kind(chance, "local", run.tensor, window=chance.choice([2, 5, 100]))
    model = _model(chance, run, pattern.kinds(count, main, other))
    inputs = {
        **model_inputs(model, main, other, pattern),
        **run_inputs(run),
        "optimizer": optimizer,
        "master_bytes_per_parameter": master,
    }
    return Drawn(f"seed {seed}", model, run, inputs)


def _run(chance: random.Random) -> tuple[Run, str, int]:
    stages, chunks = chance.choice([(1, 1), (2, 1), (3, 1), (4, 1), (2, 2), (3, 2), (4, 3)])
    groups = chance.choice([1, 2, 3])
    optimizer, master = chance.choice(list(OPTIMIZERS)), chance.choice([0, 4])
    run = Run(
        sequence=chance.choice([8, 16, 24]),
        micro_batch=chance.choice([1, 2]),
        micro_batches=groups * stages if chunks > 1 else chance.choice([1, 2, 3, 7]),
        tensor=chance.choice([1, 2, 4]),
        sequence_parallel=chance.random() < 0.7,
        stages=stages,
        chunks=chunks,
        context=chance.choice([1, 2]),
        copies=chance.choice([1, 2, 3]),
        zero=chance.choice([0, 1, 2, 3]),
        gathered=chance.choice([1, 2]),
        recompute=chance.choice(["none", "selective", "full"]),
        flash=chance.random() < 0.6,
        weight=chance.choice([2, 4]),
        gradient=chance.choice([2, 4]),
        optimizer=OPTIMIZERS[optimizer] + master,
    )
    return run, optimizer, master


def _pattern(chance: random.Random, run: Run) -> Pattern:
    """Kinds mix only where the estimator is exact: it takes the largest layer of all, and the mean of the chunks."""
    if run.chunks > 1 or (run.stages > 1 and (run.recompute != "none" or run.zero == 3)):
        return Pattern(0, 1, 0)
    period = chance.choice([1, 2, 3])
    return Pattern(chance.choice([0, 0, 1, 2]), period, chance.randint(0, period))


def _layer_count(chance: random.Random, run: Run) -> int:
    if run.chunks > 1:
        return run.stages * run.chunks * chance.choice([1, 2])
    return run.stages + chance.randint(2, 7)


def _kind(chance: random.Random, name: str, tensor: int, window: int | None = None) -> Kind:
    kv_heads = tensor * chance.choice([1, 2])
    return Kind(name, kv_heads * chance.choice([1, 2, 3]), kv_heads, tensor * chance.choice([3, 8]), window)


def _model(chance: random.Random, run: Run, kinds: tuple[Kind, ...]) -> Model:
    multiple = 4 * chance.choice([1, 4])
    vocabulary = chance.choice([31, 64])
    return Model(
        kinds=kinds,
        hidden=chance.choice([8, 12]),
        head_size=chance.choice([2, 3]),
        vocabulary=vocabulary,
        held_vocabulary=-(-vocabulary // multiple) * multiple,
        gated=chance.random() < 0.5,
        tied=chance.random() < 0.5,
        qkv_bias=chance.random() < 0.3,
        output_bias=chance.random() < 0.3,
        mlp_bias=chance.random() < 0.3,
        head_bias=run.tensor == 1 and chance.random() < 0.3,
        norm_bias=chance.random() < 0.3,
        norms=chance.choice([1, 2, 4]),
        qk_norm=chance.choice(["none", "none", "per head", "full"]),
        positions=chance.choice([0, 5]),
        embedding_norm=chance.random() < 0.3,
    )


def model_inputs(model: Model, main: Kind, other: Kind, pattern: Pattern) -> dict[str, Any]:
    multiple = 16 if model.held_vocabulary % 16 == 0 else 4
    return {
        "layer_count": len(model.kinds),
        "hidden_size": model.hidden,
        "head_count": main.heads,
        "kv_head_count": main.kv_heads,
        "head_size": model.head_size,
        "ffn_size": main.ffn,
        "kind_head_override": {1: other.heads},
        "kind_kv_override": {1: other.kv_heads},
        "kind_ffn_override": {1: other.ffn},
        "kind_window": {1: other.window},
        "leading_layer_count": pattern.leading,
        "leading_layer_kind": "local",
        "pattern_period": pattern.period,
        "pattern_layer_count": pattern.ending,
        "pattern_layer_kind": "local",
        "vocabulary_size": model.vocabulary,
        "vocabulary_multiple": multiple,
        "mlp_kind": "gated" if model.gated else "plain",
        "embedding_tying": "tied" if model.tied else "untied",
        "qkv_bias": YES_NO[model.qkv_bias],
        "attention_output_bias": YES_NO[model.output_bias],
        "mlp_bias": YES_NO[model.mlp_bias],
        "head_bias": YES_NO[model.head_bias],
        "norm_bias": YES_NO[model.norm_bias],
        "norms_per_layer": model.norms,
        "qk_norm": model.qk_norm,
        "learned_positions": model.positions,
        "embedding_norm": YES_NO[model.embedding_norm],
    }


def run_inputs(run: Run) -> dict[str, Any]:
    return {
        "sequence_length": run.sequence,
        "micro_batch_size": run.micro_batch,
        "global_batch_size": run.micro_batch * run.micro_batches * run.copies,
        "gpu_count": run.tensor * run.stages * run.context * run.copies,
        "tensor_parallel": run.tensor,
        "sequence_parallel": "on" if run.sequence_parallel else "off",
        "pipeline_stages": run.stages,
        "virtual_stages": run.chunks,
        "context_parallel": run.context,
        "zero_stage": run.zero,
        "gathered_layers": run.gathered,
        "recompute": run.recompute,
        "flash_attention": "on" if run.flash else "off",
        "weight_bytes_per_parameter": run.weight,
        "gradient_bytes_per_parameter": run.gradient,
        "framework_bytes": 0,
    }
