"""What frameworks do by themselves so that a model splits: pad, copy heads, leave sequences and experts whole."""

from __future__ import annotations

from typing import Any

import pytest

from reportgen.accuracy.splitting import as_frameworks_split

# Eight GPUs hold two copies of a model that splits over four of them without more ado.
EVEN: dict[str, Any] = {
    "tensor_parallel": 4,
    "pipeline_stages": 1,
    "context_parallel": 1,
    "expert_parallel": 2,
    "gpu_count": 8,
    "kv_head_count": 8,
    "sequence_length": 128,
    "vocabulary_multiple": 4,
}


def changed(**inputs: Any) -> dict[str, Any]:
    """What becomes different of an even split with some inputs of its own."""
    given = {**EVEN, **inputs}
    return {name: value for name, value in as_frameworks_split(given).items() if given.get(name) != value}


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ({}, {}),
        ({"vocabulary_multiple": 128}, {}),
        ({"vocabulary_multiple": 3}, {"vocabulary_multiple": 12}),
        ({"kv_head_count": 2}, {"kv_head_count": 4}),
        ({"kv_head_count": 3}, {}),  # three heads do not share four GPUs: left to the check
        ({"kv_head_count": 6}, {}),
        ({"sequence_length": 130}, {"sequence_parallel": "off"}),
        ({"sequence_length": 130, "sequence_parallel": "on"}, {}),
        ({"expert_parallel": 8}, {"expert_tensor_parallel": 1}),
        ({"expert_parallel": 8, "expert_tensor_parallel": 4}, {}),
    ],
)
def test_frameworks_make_sizes_split(inputs: dict[str, Any], expected: dict[str, Any]) -> None:
    assert changed(**inputs) == expected


def test_vocabulary_that_nothing_is_said_of_is_padded_to_the_gpus() -> None:
    bare = {name: value for name, value in EVEN.items() if name != "vocabulary_multiple"}
    assert as_frameworks_split(bare)["vocabulary_multiple"] == 4
