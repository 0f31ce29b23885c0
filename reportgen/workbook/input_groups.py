"""How the inputs of a long section are grouped for readers, in the order in which they are read.

An input that no group names stands in the section's last group, so that a new one is never lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

FURTHER = "further"
GROUPS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "model": {
        "size": (
            "layer_count",
            "hidden_size",
            "head_count",
            "kv_head_count",
            "head_size",
            "value_head_size",
            "ffn_size",
            "mlp_kind",
            "further_parameters",
            "rule_parameters_override",
        ),
        "vocabulary and embedding": (
            "vocabulary_size",
            "vocabulary_multiple",
            "embedding_tying",
            "embedding_norm",
            "learned_positions",
            "head_bias",
        ),
        "norms and biases": (
            "norms_per_layer",
            "norm_bias",
            "qk_norm",
            "qkv_bias",
            "attention_output_bias",
            "mlp_bias",
        ),
        "latent attention": ("query_latent_size", "key_value_latent_size", "rotary_head_size"),
        "experts": (
            "expert_count",
            "experts_per_token",
            "expert_ffn_size",
            "shared_ffn_size",
            "router_bias",
            "expert_bias",
            "shared_expert_gate",
        ),
    },
    "run": {
        "batch and tokens": ("sequence_length", "micro_batch_size", "global_batch_size", "training_tokens"),
        "layout": (
            "gpu_count",
            "tensor_parallel",
            "sequence_parallel",
            "context_parallel",
            "pipeline_stages",
            "virtual_stages",
            "schedule",
            "stage_split",
            "host_pace",
            "expert_parallel",
            "expert_tensor_parallel",
            "expert_load_factor",
        ),
        "sharding": ("zero_stage", "shard_group_size", "gathered_layers", "gathered_bytes_per_parameter"),
        "precision and optimizer": (
            "weight_bytes_per_parameter",
            "gradient_bytes_per_parameter",
            "master_bytes_per_parameter",
            "optimizer",
            "compute_copy_bytes_per_parameter",
        ),
        "what is trained": (
            "tuning",
            "adapter_rank",
            "adapter_targets",
            "quantised_bytes_per_parameter",
            "unquantised_bytes_per_parameter",
        ),
        "recomputation": (
            "recompute",
            "recompute_interval",
            "recompute_group_layers",
            "recompute_norms",
            "recompute_mlp_activation",
            "recompute_latent",
            "recompute_experts",
        ),
        "kernels and framework": ("kernel_profile", "framework", "flash_attention", "gathered_inputs"),
        "loss": ("loss_head", "loss_chunks"),
        "offload": ("optimizer_offload",),
    },
}


def grouped(section: str, names: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The titles of a section's groups, each with those of the names that are in it; none is empty."""
    groups = GROUPS.get(section)
    if groups is None:
        yield section, names
        return
    named = {name for group in groups.values() for name in group}
    further = tuple(name for name in names if name not in named)
    for title, group in (*groups.items(), (FURTHER, further)):
        found = tuple(name for name in group if name in names)
        if found:
            yield f"{section}: {title}", found
