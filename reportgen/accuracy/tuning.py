"""Rows of fine-tuning tools (transformers, litgpt, torchtune): adapters or all weights, eager layers."""

from __future__ import annotations

import re
from typing import Any

from reportgen.accuracy.cells import NotEstimatedError, Row, as_whole
from reportgen.accuracy.layout import layout
from reportgen.accuracy.recompute_words import recompute_inputs
from reportgen.accuracy.setup import Setup, defaults, stage_said, with_framework
from reportgen.accuracy.shape import shape_of
from reportgen.accuracy.sharding_words import Sharded, sharding_of
from reportgen.accuracy.state_words import optimizer_of, precision_of

RANK = re.compile(r"(?:lora\s*)?\br(?:ank)?\s*=\s*(\d+)", re.IGNORECASE)
# Ranks that the tools take where nothing is said: Qwen's finetune.py lora_r 64, litgpt's finetune/lora.py 8.
RANKS = {"transformers": 64, "litgpt": 8, "torchtune": 8}
# Half a byte each, and an fp32 constant per 64 weights (bitsandbytes' nf4), or an fp16 scale and a 4-bit zero per 128.
NF4_BYTES = 0.5 + 4 / 64
GPTQ_BYTES = 0.5 + 2.5 / 128
# Embedding and head trained whole beside adapters (PEFT, modules_to_save): a copy 2, its gradient 2, fp32 moments 8.
TRAINED_END_BYTES = 12
# Logits, the copy shifted by a token, log-probabilities and their gradient, all in 16 bits.
LOGITS_IN_16_BITS = 8
# bf16 logits whole, and of one chunk in eight its fp32 copy, log-probabilities and their gradient.
LOGITS_IN_CHUNKS = 2 + 12 / 8
ZERO_OF_GRADIENTS = 2
WEIGHT_BYTES = 2  # in bf16; lightning.fabric strategies/fsdp.py, _load_raw_module_state gathers all weights first
# DeepSpeed's ZeRO stage 2 (stage_1_and_2.py): fp32 masters of what is trained, and two buckets of 16-bit gradients that
# are filled in turns, as large as Qwen's finetune/ds_config_zero2.json has them. Its Q-LoRA script runs so on one GPU.
BUCKET_BYTES = 2 * 200_000_000 * 2
MASTER_BYTES = 4
QUANTISED = ("qlora", "q-lora", "nf4", "int4", "4-bit", "4bit", "gptq")
UNSHARDED = Sharded(0, None, is_known=True)
ADAPTED = ("lora", "adapter", "peft")


def tuning(row: Row) -> Setup:
    """A fine-tuning run as the estimator sees it; raises NotEstimatedError for layers split over GPUs."""
    if row.count("tp") * row.count("pp") > 1:
        raise NotEstimatedError("no such layout: this tool splits no layers, so that tp and pp have to be 1")
    method = method_of(row)
    sharding = row.text("sharding")
    sharded = UNSHARDED if "full-parameter" in sharding and method != "full" else sharding_of(sharding)
    zero_stage = sharded.zero_stage
    shape = shape_of(row)
    inputs: dict[str, Any] = {
        **shape,
        **layout(row, sharded),
        **_state(row, method),
        **_loss(row, zero_stage),
        "framework": "transformers",
        "kernel_profile": "eager",
        **recompute_inputs(row.text("recompute")),
        "tuning": method,
        "adapter_rank": rank_of(row),
    }
    ends = 2 * shape["vocabulary_size"] * shape["hidden_size"]
    trained_ends = TRAINED_END_BYTES * ends if method != "full" and "(emb)" in row.text("name").casefold() else 0
    return Setup(
        inputs,
        stage_said(row, "fullest"),
        "transformers",
        beside=trained_ends + (BUCKET_BYTES if is_by_stage_two(row, method) else 0),
        loading_bytes_per_parameter=_loading(row, inputs) if zero_stage > ZERO_OF_GRADIENTS else 0,
    )


def is_by_stage_two(row: Row, method: str) -> bool:
    """Whether DeepSpeed's ZeRO stage 2 trains: as the row says, or as a 4-bit base in groups (GPTQ) needs fp16."""
    said = row.text("sharding").casefold()
    if "deepspeed" in said:
        return method != "full" and sharding_of(said).zero_stage == ZERO_OF_GRADIENTS
    return method == "qlora" and "gptq" in row.text("precision").casefold()


def _loading(row: Row, inputs: dict[str, Any]) -> float:
    """Bytes per parameter while litgpt loads weights into a sharded model: whole ones on each GPU beside the shards."""
    if "litgpt" not in row.text("framework").casefold():
        return 0
    return WEIGHT_BYTES * (1 + 1 / float(inputs["gpu_count"]))


def _loss(row: Row, zero_stage: int) -> dict[str, Any]:
    """Logits in 16 bits, or those of torchtune, which copies one chunk of eight to fp32 (CEWithChunkedOutputLoss)."""
    if stays_in_16_bits(row, zero_stage):
        return with_framework("framework_logit_column", "transformers", LOGITS_IN_16_BITS)
    if "torchtune" not in row.text("framework").casefold():
        return {}
    return with_framework("framework_logit_column", "transformers", LOGITS_IN_CHUNKS)


def stays_in_16_bits(row: Row, zero_stage: int) -> bool:
    """Whether the loss is computed in 16 bits: DeepSpeed's own fp16, or its ZeRO stage 3, does without autocast."""
    words = row.text("precision").casefold()
    sharded = zero_stage > ZERO_OF_GRADIENTS and "deepspeed" in row.text("sharding").casefold()
    return sharded or ("fp16" in words and "bf16" not in words)


def method_of(row: Row) -> str:
    """What is trained: all weights, adapters, or adapters beside 4-bit weights."""
    words = " ".join(row.text(name) for name in ("name", "optimizer", "precision", "notes", "recompute")).casefold()
    if not any(word in words for word in ADAPTED):
        return "full"
    return "qlora" if any(word in words for word in QUANTISED) else "lora"


def rank_of(row: Row) -> int:
    """The rank that the row states, or its tool's default."""
    found = RANK.search(row.text("notes"))
    rank = as_whole(found.group(1)) if found else RANKS.get(row.text("framework").casefold(), 16)
    if rank < 1:
        raise NotEstimatedError("the rank of the adapters is 0")
    return rank


def quantised_bytes(words: str) -> float:
    """Bytes of a frozen 4-bit weight: with its constants quantised too, in plain blocks, or in groups (GPTQ)."""
    if "gptq" in words or "int4" in words:
        return GPTQ_BYTES
    return (
        NF4_BYTES
        if "nf4" in words and "dq" not in words and "qlora" not in words
        else float(defaults()["quantised_bytes_per_parameter"])
    )


def _state(row: Row, method: str) -> dict[str, Any]:
    """Bytes per parameter: pure bf16, as torchtune trains, has no fp32 master and bf16 moments."""
    words = f"{row.text('precision')} {row.text('optimizer')}".casefold()
    pure = method != "full" or "true" in words or "torchtune" in row.text("framework").casefold()
    found: dict[str, Any] = {
        "master_bytes_per_parameter": 0 if pure and not is_by_stage_two(row, method) else MASTER_BYTES
    }
    if method == "qlora":
        found["quantised_bytes_per_parameter"] = quantised_bytes(words)
    if method == "full" and pure:
        found["optimizer"] = "adamw bf16"
    if any(said in f"{words} {row.text('notes')}".casefold() for said in ("bwd", "in backward")):
        found["gradient_bytes_per_parameter"] = 0  # each gradient is used and freed as it comes
    return {**found, **_full_precision(row, method), **optimizer_of(row)}


def _full_precision(row: Row, method: str) -> dict[str, Any]:
    """Bytes of fp32 training; frozen weights stay in the 16 bits that they are loaded in."""
    said = precision_of(row)
    return {**said, "optimizer": "adamw"} if method == "full" and "weight_bytes_per_parameter" in said else {}
