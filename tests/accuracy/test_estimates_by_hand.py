"""Each framework's reading of the tiny model, in bytes that are worked out by hand from the formulas."""

from __future__ import annotations

import json

from reportgen.accuracy.predict import compare
from tests.accuracy.tables import row

LAYER = 4 * 64 * 64 + 3 * 64 * 256 + 2 * 64  # 65,664: attention, gated MLP, two norms
PARAMETERS = 2 * LAYER + 2 * 64 * 1000 + 64  # 259,392: layers, embedding and head, final norm
TOKENS = 128
CUBLAS = 2 * 32 * 2**20


def test_framework_that_nobody_has_described_takes_the_textbook() -> None:
    state = (2 + 2 + 4 + 8) * PARAMETERS
    layer = 2 * (2 + 2) * 64 + 2 * 4 + 4 * 64 + 4 * 64 + 4 * 4 + 6 * 256  # norms, q and output, k and v, heads, MLP
    head = 10 * 1000 + (2 + 2) * 64 + 4  # logits with two fp32 copies, final norm
    found = compare(row())
    assert found.estimated == state + TOKENS * (2 * layer + head) == 6_125_056
    assert found.profile == "textbook"


def test_nanotron_holds_fp32_gradients_buckets_backward_tensors_and_workspaces() -> None:
    state = (2 + 4 + 4 + 8) * PARAMETERS
    unrotated = 2 * (64 + 64)  # keys and values as projected, in one storage with the queries
    layer = 8 * 64 + 2 * 4 + 8 * 64 + unrotated + 4 * 4 + 8 * 256  # as above, and the activated gate
    head = 10 * 1000 + 4 * 64 + 4
    buckets = 2 * PARAMETERS
    backward = 8 * 256 * TOKENS
    expected = state + TOKENS * (2 * layer + head) + buckets + backward + CUBLAS
    assert compare(row(framework="nanotron", dp="2", sharding="ZeRO-0")).estimated == expected == 74730240


def test_megatron_is_measured_on_the_last_stage_with_a_padded_head_and_dropout_masks() -> None:
    layer = 4 * 64 * 64 + 3 * 64 + 64 + 2 * 64 * 256 + 256 + 64 + 2 * 2 * 64  # biases, two LayerNorms
    state = (2 + 4 + 4 + 8) * (layer + 64 * 1024 + 2 * 64)  # the head's copy padded to 1,024, final LayerNorm
    kept = 2 * (4 * 64 + 8) + 2 * 64 + 8 * 64 + 4 * 4 + 4 * 256
    head = 6 * 1024 + 4 * 64 + 8
    workspaces = CUBLAS + 32 * 2**20
    arguments = json.dumps({"position-embedding-type": "learned_absolute", "max-position-embeddings": 128})
    measured = row(
        framework="megatron", pp="2", hardware="H100", swiglu="", untied="", raw_args=arguments, sharding="none"
    )
    assert compare(measured).estimated == state + TOKENS * (kept + head) + workspaces == 103_847_808


def test_torchtitan_gathers_bf16_copies_of_two_layers_and_of_both_ends() -> None:
    state = (4 + 4 + 8) * PARAMETERS / 2
    layer = 2 * (8 * 64 + 4) + 8 * 64 + 4 * 4 + 8 * 256
    head = 14 * 1000 + 8 * 64 + 4
    gathered = 2 * 2 * (2 * LAYER + 2 * 64 * 1000 + 64)
    measured = row(framework="torchtitan", dp="2", sharding="FSDP2 full shard", recompute="none", precision="bf16")
    assert compare(measured).estimated == state + TOKENS * (2 * layer + head) + gathered + CUBLAS == 73_003_264


def test_adapters_hold_no_state_of_the_frozen_weights() -> None:
    split = 4 * 64 + 3 * 256  # the sides of heads and of the MLP
    stream = (4 + 3) * 64
    adapters = 2 * 2 * (split + stream)  # two layers, rank two
    state = 2 * PARAMETERS + (2 + 2 + 8) * adapters
    layer = 2 * (8 * 64 + 4) + 8 * 64 + 4 * 4 + 8 * 256
    head = 14 * 1000 + 8 * 64 + 4
    measured = row(framework="transformers", notes="LoRA r=2", recompute="none")
    assert compare(measured).estimated == state + TOKENS * (2 * layer + head) + CUBLAS


def test_tool_that_is_no_counter_of_the_framework_sees_the_context_too() -> None:
    seen, unseen = (compare(row(peak_kind=words)).estimated for words in ("nvidia-smi", "torch allocated"))
    assert seen - unseen == 2**30
