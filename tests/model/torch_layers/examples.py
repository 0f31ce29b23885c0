"""Layers of known families: small ones for real tensors, and in their published sizes for the meta device."""

from __future__ import annotations

from dataclasses import replace

from tests.model.torch_layers.shape import Shape


def with_biases(shape: Shape) -> Shape:
    """The shape with LayerNorms and with every bias, as GPT has them."""
    return replace(shape, norm_bias="yes", qkv_bias="yes", attention_output_bias="yes", mlp_bias="yes")


SMALL = {
    "llama": Shape(),
    "qwen2, biases": Shape(qkv_bias="yes"),
    "qwen3, norms per head": Shape(qk_norm="per head"),
    "olmo, norms over all heads": Shape(qk_norm="full"),
    "heads wider than the model": Shape(head_size=48),
    "gpt": with_biases(Shape(kv_head_count=4, ffn_size=256, mlp_kind="plain")),
    "mixtral": Shape(kind_mlp="experts", expert_count=8, experts_per_token=2, expert_ffn_size=96),
    "qwen2 moe, gated shared experts": Shape(
        kind_mlp="experts",
        expert_count=8,
        experts_per_token=3,
        expert_ffn_size=48,
        shared_ffn_size=96,
        shared_expert_gate="yes",
    ),
    "deepseek, latent queries": Shape(
        kv_head_count=4,
        head_size=24,
        kind_attention="latent",
        value_head_size=16,
        rotary_head_size=8,
        query_latent_size=48,
        key_value_latent_size=32,
        kind_mlp="experts",
        expert_count=8,
        experts_per_token=3,
        expert_ffn_size=48,
        shared_ffn_size=96,
    ),
    "deepseek lite, queries at once": Shape(
        kv_head_count=4,
        head_size=24,
        kind_attention="latent",
        value_head_size=16,
        rotary_head_size=8,
        key_value_latent_size=32,
    ),
}

PUBLISHED = {
    "llama3-70b": Shape(8192, 64, 8, 128, 28672),
    "qwen3-8b": Shape(4096, 32, 8, 128, 12288, qk_norm="per head"),
    "gpt3-175b": with_biases(Shape(12288, 96, 96, 128, 49152, mlp_kind="plain")),
    "mixtral-8x7b": Shape(
        4096, 32, 8, 128, 14336, kind_mlp="experts", expert_count=8, experts_per_token=2, expert_ffn_size=14336
    ),
    "deepseek-v3": Shape(
        7168,
        128,
        128,
        192,
        18432,
        kind_attention="latent",
        value_head_size=128,
        rotary_head_size=64,
        query_latent_size=1536,
        key_value_latent_size=512,
        kind_mlp="experts",
        expert_count=256,
        experts_per_token=8,
        expert_ffn_size=2048,
        shared_ffn_size=2048,
    ),
    "deepseek-v2-lite, first layer": Shape(
        2048,
        16,
        16,
        192,
        10944,
        kind_attention="latent",
        value_head_size=128,
        rotary_head_size=64,
        key_value_latent_size=512,
    ),
}
