"""Recomputation: what each option drops of a layer's activations, and what comes back while a layer is at work."""

from __future__ import annotations

from reportgen.formula.functions import largest, lookup, remainder
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER, LAYER_KIND
from reportgen.model.references import KORTHIKANTI_2022, MEGATRON_LM, TORCHTITAN

MODULES = MEGATRON_LM.at("recompute modules")
LAYERS = KORTHIKANTI_2022.at("section 5")
OPERATORS = TORCHTITAN.at("activation checkpointing, saved operators: every second matrix product and attention")


@quantity("byte/token", axis=LAYER_KIND, source=MODULES)
def kind_dropped_norm_bytes(recompute_norms, kind_norm_outputs, frozen_mlp_share, hidden_size, activation_value_bytes):
    """What is not kept per token of norms' outputs: all where recomputed, the second where a frozen MLP reads it."""
    return (
        (kind_norm_outputs if recompute_norms == "yes" else min(max(kind_norm_outputs - 1, 0), frozen_mlp_share))
        * hidden_size
        * activation_value_bytes
    )


@quantity("byte/token", axis=LAYER_KIND, source=MODULES)
def kind_dropped_product_bytes(recompute_mlp_activation, frozen_mlp_share, kind_dense_width, activation_value_bytes):
    """What is not kept per token of the MLP's activation function: its output, where recomputed or read frozen."""
    return kind_dense_width * activation_value_bytes * (1 if recompute_mlp_activation == "yes" else frozen_mlp_share)


@quantity("1", axis=LAYER_KIND, source=MEGATRON_LM.at("moe_layer.py, the whole layer is checkpointed"))
def kind_whole_experts_share(recompute_experts, kind_expert_share):
    """1 where the kind's router, routed and shared experts are computed again together, else 0."""
    return kind_expert_share if recompute_experts == "whole" else 0


@quantity("byte/token", axis=LAYER_KIND, source=MODULES)
def kind_dropped_mlp_bytes(kind_whole_experts_share, kind_mlp_bytes, kind_dropped_product_bytes):
    """What recomputation drops per token of the MLP that works on every token: all of it with experts, or an output."""
    return kind_mlp_bytes if kind_whole_experts_share == 1 else kind_dropped_product_bytes


@quantity("byte/token", axis=LAYER_KIND, source=MODULES)
def kind_dropped_sequence_bytes(
    kind_dropped_norm_bytes, kind_whole_experts_share, kind_router_bytes, kind_shared_gate_bytes
):
    """What recomputation drops per token of what sequence parallelism splits: norm outputs, router and gate."""
    return kind_dropped_norm_bytes + kind_whole_experts_share * (kind_router_bytes + kind_shared_gate_bytes)


@quantity("byte/token", axis=LAYER_KIND, source=MODULES)
def kind_latent_core_bytes(
    kind_latent_share, kind_query_size, kind_key_size, kind_value_size, activation_value_bytes, kind_up_bytes
):
    """What latent attention keeps per token of what it projects up: queries, keys and values."""
    return kind_latent_share * (
        (kind_query_size + kind_key_size + kind_value_size) * activation_value_bytes + kind_up_bytes
    )


@quantity("byte/token", axis=LAYER_KIND, source=MODULES)
def kind_dropped_latent_bytes(recompute_latent, kind_latent_core_bytes):
    """What recomputing latent attention's up-projections drops per token."""
    return kind_latent_core_bytes if recompute_latent == "yes" else 0


@quantity("byte/token", axis=LAYER_KIND, source=LAYERS)
def kind_dropped_score_bytes(recompute, kind_score_bytes):
    """What selective recomputation drops per token: the attention scores, which FlashAttention never stored."""
    return kind_score_bytes if recompute == "selective" else 0


@quantity("byte/token/GPU", axis=LAYER_KIND, source=MODULES)
def kind_routed_product_bytes(expert_load_factor, kind_routed_width, activation_value_bytes, tensor_parallel):
    """The output of the routed experts' activation function, per token on one GPU."""
    return expert_load_factor * kind_routed_width * activation_value_bytes / tensor_parallel


@quantity("1", source=MODULES)
def dropped_product_share(recompute_experts):
    """1 where routed experts drop the output of their activation function alone, else 0."""
    return 1 if recompute_experts == "activation" else 0


@quantity("byte/token/GPU", axis=LAYER_KIND, source=MODULES)
def kind_dropped_routed_bytes(recompute_experts, kind_routed_bytes, dropped_product_share, kind_routed_product_bytes):
    """What recomputing routed experts drops per token on one GPU: nothing, one output, or all of it."""
    return kind_routed_bytes if recompute_experts == "whole" else dropped_product_share * kind_routed_product_bytes


@quantity("byte/GPU", axis=LAYER_KIND, source=MODULES)
def kind_dropped_bytes(
    gpu_tokens,
    kind_dropped_sequence_bytes,
    sequence_shards,
    kind_dropped_mlp_bytes,
    kind_dropped_latent_bytes,
    kind_dropped_score_bytes,
    tensor_parallel,
    kind_dropped_routed_bytes,
):
    """What the recomputed modules of one layer drop on one GPU for one micro-batch."""
    return gpu_tokens * (
        kind_dropped_sequence_bytes / sequence_shards
        + (kind_dropped_mlp_bytes + kind_dropped_latent_bytes + kind_dropped_score_bytes) / tensor_parallel
        + kind_dropped_routed_bytes
    )


@quantity("byte/GPU", source=LAYERS)
def layer_input_bytes(gpu_tokens, hidden_size, activation_value_bytes, sequence_shards):
    """The input of one layer on one GPU, which full recomputation starts from."""
    return gpu_tokens * hidden_size * activation_value_bytes / sequence_shards


@quantity("byte/token/GPU", axis=LAYER_KIND, source=OPERATORS)
def kind_saved_product_bytes(
    kind_query_size,
    kind_output_size,
    kind_value_size,
    kind_dense_width,
    activation_value_bytes,
    kind_heads,
    head_statistic_bytes,
    tensor_parallel,
):
    """What operator recomputation keeps per token of split tensors: queries, values, one MLP tensor, attention."""
    return (
        (kind_query_size + kind_output_size + kind_value_size + kind_dense_width) * activation_value_bytes
        + kind_heads * head_statistic_bytes
    ) / tensor_parallel


@quantity("1", axis=LAYER_KIND, source=OPERATORS)
def kind_saved_wide_tensors(kind_dense_width, mlp_matrices):
    """Tensors as wide as the residual stream that operator recomputation keeps: the input, a gated MLP's output."""
    return mlp_matrices - 1 if kind_dense_width > 0 else 1


@quantity("byte/GPU", axis=LAYER_KIND, source=OPERATORS)
def kind_saved_operator_bytes(kind_saved_wide_tensors, layer_input_bytes, gpu_tokens, kind_saved_product_bytes):
    """What operator recomputation keeps of one layer on one GPU: wide tensors, and those that are split."""
    return kind_saved_wide_tensors * layer_input_bytes + gpu_tokens * kind_saved_product_bytes


@quantity("byte/GPU", axis=LAYER_KIND, source=LAYERS)
def kind_kept_bytes(recompute, kind_saved_operator_bytes, kind_activation_bytes, kind_dropped_bytes):
    """What one layer that is not recomputed whole keeps on one GPU for one micro-batch in flight."""
    return kind_saved_operator_bytes if recompute == "operators" else kind_activation_bytes - kind_dropped_bytes


@quantity("1", axis=LAYER, source=TORCHTITAN.at("activation checkpointing, every n-th layer"))
def layer_interval_place(layer_index, recompute_interval):
    """The layer's place among those of which the last is computed again, which is 0."""
    return remainder(layer_index + 1, recompute_interval)


@quantity("1", axis=LAYER, source=LAYERS)
def layer_recomputed_share(recompute, layer_interval_place):
    """1 where the whole layer is computed again, else 0."""
    return 1 if recompute == "full" and layer_interval_place == 0 else 0


@quantity("byte/GPU", axis=LAYER, source=LAYERS)
def layer_activation_bytes(
    layer_recomputed_share, layer_input_bytes, recompute_group_layers, layer_kind, kind_name, kind_kept_bytes
):
    """What the layer keeps on one GPU for one micro-batch in flight."""
    return (
        layer_input_bytes / recompute_group_layers
        if layer_recomputed_share == 1
        else lookup(layer_kind, kind_name, kind_kept_bytes)
    )


@quantity("byte/GPU", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_returning_bytes(kind_activation_bytes, kind_kept_bytes):
    """What comes back on one GPU while a layer that is not recomputed whole is at work."""
    return kind_activation_bytes - kind_kept_bytes


@quantity("byte/GPU", axis=LAYER, source=LAYERS)
def layer_working_bytes(
    layer_recomputed_share,
    recompute_group_layers,
    layer_kind,
    kind_name,
    kind_activation_bytes,
    kind_returning_bytes,
):
    """What comes back on one GPU while the layer is recomputed, with those it shares a kept input with."""
    return (
        recompute_group_layers * lookup(layer_kind, kind_name, kind_activation_bytes)
        if layer_recomputed_share == 1
        else lookup(layer_kind, kind_name, kind_returning_bytes)
    )


@quantity("byte/GPU", source=BY_DEFINITION)
def working_layer_bytes(layer_working_bytes):
    """The layer being recomputed, at its largest."""
    return largest(layer_working_bytes)
