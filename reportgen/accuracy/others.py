"""Rows of frameworks without a profile of their own: DeepSpeed with Megatron, InternEvo, and any not known."""

from __future__ import annotations

from typing import Any

from reportgen.accuracy.cells import Row
from reportgen.accuracy.layout import layout
from reportgen.accuracy.recompute_words import recompute_inputs
from reportgen.accuracy.setup import Setup, stage_said
from reportgen.accuracy.shape import shape_of
from reportgen.accuracy.sharding_words import sharding_of
from reportgen.accuracy.state_words import optimizer_of, precision_of

# DeepSpeed, runtime/bf16_optimizer.py (fp32_groups_gradients_flat); its fp16 optimizer without ZeRO is assumed alike.
IN_16_BITS, IN_FP32 = 2, 4


def megatron_deepspeed(row: Row) -> Setup:
    """Megatron-DeepSpeed as BigScience ran it: GPT layers with biases, dropout off, no sequence parallelism."""
    return _setup(
        row,
        "megatron-lm",
        {
            "kernel_profile": "fused",
            "flash_attention": "on" if "flash" in row.text("attn") else "off",
            "sequence_parallel": "off",
            "mlp_kind": "gated" if row.text("swiglu") == "yes" else "plain",
            "norm_bias": "yes",
            "qkv_bias": "yes",
            "attention_output_bias": "yes",
            "mlp_bias": "yes",
            "gradient_bytes_per_parameter": gradient_bytes(row),
            "vocabulary_multiple": 128 * row.count("tp"),
        },
    )


def gradient_bytes(row: Row) -> int:
    """Bytes of gradients: DeepSpeed's bf16 optimizer and its plain fp16 one hold fp32 ones beside the 16-bit ones."""
    both = "bf16" in row.text("precision").casefold() or sharding_of(row.text("sharding")).zero_stage == 0
    return IN_16_BITS + IN_FP32 if both else IN_16_BITS


def internevo(row: Row) -> Setup:
    """InternEvo: bf16 weights and gradients, ZeRO within a group, Megatron's split of sequences."""
    return _setup(row, "deepspeed", {"kernel_profile": "fused norms"})


def deepspeed(row: Row) -> Setup:
    """DeepSpeed with Hugging Face layers."""
    return _setup(row, "deepspeed", {"kernel_profile": "eager"})


def unknown(row: Row) -> Setup:
    """A framework that nobody has described: the textbook's terms alone."""
    return _setup(row, "textbook", {})


def _setup(row: Row, framework: str, special: dict[str, Any]) -> Setup:
    inputs: dict[str, Any] = {
        **shape_of(row),
        **layout(row, sharding_of(row.text("sharding"))),
        "framework": framework,
        **recompute_inputs(row.text("recompute")),
        **special,
        **precision_of(row),
        **optimizer_of(row),
    }
    return Setup(inputs, stage_said(row, "fullest"), framework)
