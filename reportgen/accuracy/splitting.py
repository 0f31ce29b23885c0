"""What every framework does by itself so that a model splits over its GPUs, and no row says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def as_frameworks_split(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs with vocabulary, key and value heads, sequence and experts as the tensor-parallel GPUs split them."""
    return {
        **inputs,
        **_padded(inputs),
        **_copied_heads(inputs),
        **_unsplit_sequence(inputs),
        **_unsplit_experts(inputs),
    }


def _padded(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The vocabulary is padded until it splits."""
    multiple, shards = inputs.get("vocabulary_multiple", 1), inputs["tensor_parallel"]
    return {} if multiple % shards == 0 else {"vocabulary_multiple": multiple * shards}


def _copied_heads(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """GPUs beyond the key and value heads hold a copy of one each (Megatron Core, transformer/attention.py)."""
    heads, shards = inputs["kv_head_count"], inputs["tensor_parallel"]
    return {"kv_head_count": shards} if heads < shards and shards % heads == 0 else {}


def _unsplit_sequence(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """A sequence that does not split over the GPUs was not split, unless the row says that it was."""
    splits = inputs["sequence_length"] % (inputs["context_parallel"] * inputs["tensor_parallel"]) == 0
    return {} if splits or "sequence_parallel" in inputs else {"sequence_parallel": "off"}


def _unsplit_experts(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Experts that would not find GPUs enough if they were split were not, unless the row says that they were."""
    groups = inputs["pipeline_stages"] * inputs["expert_parallel"] * inputs["tensor_parallel"]
    fits = inputs["gpu_count"] % groups == 0
    return {} if fits or "expert_tensor_parallel" in inputs else {"expert_tensor_parallel": 1}
