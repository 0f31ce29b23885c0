"""Valid scalar configurations at random: one model of layers, laid out over GPUs in ways that divide."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import reportgen

BASE = Path(__file__).parents[2] / "scenarios" / "llama3-70b-8k.yaml"
POWERS = (1, 2, 4, 8)


def configurations(count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """All inputs of so many valid scenarios; columns are the same in all of them."""
    generator = random.Random(seed)  # noqa: S311 - the same in every run, nothing secret
    scenario = reportgen.load(BASE)
    for _ in range(count):
        yield scenario.with_inputs(**_changes(generator)).live_inputs()


def _changes(generator: random.Random) -> dict[str, Any]:
    chosen = generator.choice
    tensor, pipeline, context = chosen(POWERS), chosen((1, 2, 3, 4, 5, 8, 16)), chosen((1, 2, 4))
    data, micro_batch, virtual = chosen((1, 2, 4, 16)), chosen(POWERS), chosen((1, 1, 2, 4))
    chunks = pipeline * virtual
    return {
        "tensor_parallel": tensor,
        "pipeline_stages": pipeline,
        "context_parallel": context,
        "gpu_count": tensor * pipeline * context * data,
        "micro_batch_size": micro_batch,
        "global_batch_size": data * micro_batch * pipeline * chosen((1, 2, 8)),
        "virtual_stages": virtual,
        "layer_count": chunks * chosen((1, 2, 4)) if virtual > 1 else generator.randint(chunks, 120),
        "head_count": chosen((32, 64)),
        "kv_head_count": chosen((8, 16)),
        "embedding_tying": chosen(("tied", "untied")),
        "mlp_kind": chosen(("gated", "plain")),
        "qk_norm": chosen(("none", "per head", "full")),
        "pattern_period": 4,
        "pattern_layer_count": chosen((0, 1, 3)),
        "leading_layer_count": chosen((0, 1, 2)),
        "leading_layer_kind": chosen(("dense", "local")),
        "zero_stage": chosen((0, 1, 2, 3)),
        "recompute": chosen(("none", "selective", "full")),
        "flash_attention": chosen(("on", "off")),
        "sequence_parallel": chosen(("on", "off")),
        "sequence_length": chosen((4096, 8192, 32768)),
        "optimizer": chosen(("adamw", "adamw 8-bit", "lion", "sgd with momentum")),
        "accelerator_memory_override": chosen(("as catalogue", 80e9)),
        "flops_convention": chosen(("6N", "6N + 12Lhs", "causal attention with head")),
        "flops_utilization": chosen((0.3, 0.42)),
        "price_override": chosen(("as listed", 2.49)),
    }
