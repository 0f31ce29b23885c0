"""Parameters of one layer: every weight of each kind, by what splits it."""

from __future__ import annotations

from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER_KIND
from reportgen.model.references import DEEPSEEK_V2, MEGATRON_LM, SHAZEER_2017, SHAZEER_2020, VASWANI_2017

ATTENTION = VASWANI_2017.at("section 3.2.2")
LATENT = DEEPSEEK_V2.at("section 2.1")
ROUTED = SHAZEER_2017.at("section 2")
SPLIT = MEGATRON_LM.at("tensor parallelism")


@quantity("parameter", axis=LAYER_KIND, source=ATTENTION, counting=True)
def kind_plain_attention_parameters(
    kind_plain_share, hidden_size, kind_query_size, kind_key_size, kind_value_size, kind_output_size
):
    """Attention matrices of one layer, projected from the residual stream: query, key, value and output."""
    return kind_plain_share * hidden_size * (kind_query_size + kind_key_size + kind_value_size + kind_output_size)


@quantity("1", source=LATENT)
def query_source_size(query_latent_size, hidden_size):
    """Width that latent attention's queries are projected from: their latent, or the residual stream."""
    return query_latent_size if query_latent_size > 0 else hidden_size


@quantity("parameter", axis=LAYER_KIND, source=LATENT, counting=True)
def kind_latent_up_parameters(
    kind_latent_share,
    query_source_size,
    kind_query_size,
    key_value_latent_size,
    kind_unrotated_size,
    kind_output_size,
):
    """Latent attention's matrices of one layer up to the heads: queries, and keys and values."""
    return kind_latent_share * (
        query_source_size * kind_query_size + key_value_latent_size * (kind_unrotated_size + kind_output_size)
    )


@quantity("parameter", axis=LAYER_KIND, source=LATENT, counting=True)
def kind_latent_output_parameters(kind_latent_share, hidden_size, kind_output_size):
    """Latent attention's output matrix of one layer."""
    return kind_latent_share * hidden_size * kind_output_size


@quantity("parameter", axis=LAYER_KIND, source=LATENT, counting=True)
def kind_latent_down_parameters(
    kind_latent_share, hidden_size, query_latent_size, key_value_latent_size, rotary_head_size
):
    """Latent attention's matrices of one layer down to the latents and to the shared rotary key."""
    return kind_latent_share * hidden_size * (query_latent_size + key_value_latent_size + rotary_head_size)


@quantity("parameter", axis=LAYER_KIND, source=LATENT, counting=True)
def kind_latent_norm_parameters(kind_latent_share, query_latent_size, key_value_latent_size):
    """Norm weights on the latents of one layer."""
    return kind_latent_share * (query_latent_size + key_value_latent_size)


@quantity("parameter", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_attention_parameters(
    kind_plain_attention_parameters, kind_latent_up_parameters, kind_latent_output_parameters
):
    """Attention matrices of one layer that tensor parallelism splits by heads."""
    return kind_plain_attention_parameters + kind_latent_up_parameters + kind_latent_output_parameters


@quantity("1", source=SHAZEER_2020.at("section 2"))
def mlp_matrices(mlp_kind, gated_mlp_matrices, plain_mlp_matrices):
    """Matrices of one MLP."""
    return gated_mlp_matrices if mlp_kind == "gated" else plain_mlp_matrices


@quantity("parameter", axis=LAYER_KIND, source=SHAZEER_2020.at("section 2"), counting=True)
def kind_mlp_parameters(mlp_matrices, hidden_size, kind_dense_width):
    """MLP matrices of one layer that work on every token: the dense MLP, or the shared experts."""
    return mlp_matrices * hidden_size * kind_dense_width


@quantity("parameter", axis=LAYER_KIND, source=BY_DEFINITION, counting=True)
def kind_further_matrix_parameters(hidden_size, kind_further_width):
    """The kind's further matrices of one layer: gates, projections of a state space."""
    return hidden_size * kind_further_width


@quantity("parameter", axis=LAYER_KIND, source=ROUTED, counting=True)
def kind_router_matrix_parameters(kind_expert_share, hidden_size, expert_count):
    """The router's matrix of one layer."""
    return kind_expert_share * hidden_size * expert_count


@quantity("parameter", source=ROUTED, counting=True)
def expert_parameters(mlp_matrices, hidden_size, expert_ffn_size, expert_bias):
    """One routed expert: its matrices, and their biases where experts have them."""
    return mlp_matrices * hidden_size * expert_ffn_size + (
        (mlp_matrices - 1) * expert_ffn_size + hidden_size if expert_bias == "yes" else 0
    )


@quantity("parameter", axis=LAYER_KIND, source=ROUTED)
def kind_expert_parameters(kind_expert_share, expert_count, expert_parameters):
    """All routed experts of one layer."""
    return kind_expert_share * expert_count * expert_parameters


@quantity("parameter", axis=LAYER_KIND, source=ROUTED)
def kind_inactive_parameters(kind_expert_parameters, expert_count, experts_per_token):
    """Parameters of one layer's routed experts that do not work on a token."""
    return kind_expert_parameters * (expert_count - experts_per_token) / expert_count


@quantity("parameter", axis=LAYER_KIND, source=ROUTED, counting=True)
def kind_active_expert_parameters(kind_routed_width, mlp_matrices, hidden_size):
    """Matrices of the routed experts that work on one token."""
    return mlp_matrices * hidden_size * kind_routed_width


@quantity("parameter", axis=LAYER_KIND, source=SPLIT)
def kind_matrix_parameters(kind_attention_parameters, kind_mlp_parameters, kind_further_matrix_parameters):
    """Matrices of one layer that tensor parallelism splits, routed experts apart."""
    return kind_attention_parameters + kind_mlp_parameters + kind_further_matrix_parameters


@quantity("parameter", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_matmul_parameters(
    kind_matrix_parameters, kind_latent_down_parameters, kind_router_matrix_parameters, kind_active_expert_parameters
):
    """Parameters of one layer that take part in a token's matrix products."""
    return (
        kind_matrix_parameters
        + kind_latent_down_parameters
        + kind_router_matrix_parameters
        + kind_active_expert_parameters
    )


@quantity("parameter", axis=LAYER_KIND, source=MEGATRON_LM.at("column-parallel layers"), counting=True)
def kind_qkv_biases(qkv_bias, kind_plain_share, kind_query_size, kind_key_size, kind_value_size):
    """Biases of one layer on queries, keys and values."""
    return kind_plain_share * (kind_query_size + kind_key_size + kind_value_size) if qkv_bias == "yes" else 0


@quantity("parameter", axis=LAYER_KIND, source=MEGATRON_LM.at("column-parallel layers"), counting=True)
def kind_mlp_split_biases(mlp_bias, kind_dense_share, mlp_matrices, kind_ffn_size):
    """Biases of one layer on the matrices into the MLP."""
    return kind_dense_share * (mlp_matrices - 1) * kind_ffn_size if mlp_bias == "yes" else 0


@quantity("parameter", axis=LAYER_KIND, source=MEGATRON_LM.at("row-parallel layers"), counting=True)
def kind_replicated_biases(attention_output_bias, kind_plain_share, mlp_bias, kind_dense_share, hidden_size):
    """Biases of one layer that every tensor-parallel GPU holds: after attention and after the MLP."""
    return (kind_plain_share * hidden_size if attention_output_bias == "yes" else 0) + (
        kind_dense_share * hidden_size if mlp_bias == "yes" else 0
    )


@quantity("parameter", source=VASWANI_2017.at("section 3.1"), counting=True)
def norm_parameters(hidden_size, norm_bias):
    """One norm over the hidden width: a weight, and a bias where norms have one."""
    return hidden_size * (2 if norm_bias == "yes" else 1)


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_qk_norm_share(qk_norm, kind_plain_share):
    """1 where the kind's queries and keys are normalised, else 0."""
    return 0 if qk_norm == "none" else kind_plain_share


@quantity("parameter", axis=LAYER_KIND, source=BY_DEFINITION, counting=True)
def kind_qk_norm_parameters(kind_qk_norm_share, qk_norm, kind_head_size, kind_query_size, kind_key_size):
    """Norm weights on the queries and keys of one layer."""
    return kind_qk_norm_share * (2 * kind_head_size if qk_norm == "per head" else kind_query_size + kind_key_size)


@quantity("parameter", axis=LAYER_KIND, source=ROUTED, counting=True)
def kind_router_extra_parameters(kind_expert_share, router_bias, expert_count, shared_expert_gate, hidden_size):
    """What stands beside the router of one layer: its bias, and the gate of the shared experts."""
    return kind_expert_share * (
        (expert_count if router_bias == "yes" else 0) + (hidden_size if shared_expert_gate == "yes" else 0)
    )


@quantity("parameter", axis=LAYER_KIND, source=SPLIT)
def kind_small_parameters(
    kind_norm_count, norm_parameters, kind_qk_norm_parameters, kind_replicated_biases, kind_further_parameters
):
    """Small parameters of one layer on every tensor-parallel GPU: norms, biases, and what nothing else counts."""
    return (
        kind_norm_count * norm_parameters + kind_qk_norm_parameters + kind_replicated_biases + kind_further_parameters
    )


@quantity("parameter", axis=LAYER_KIND, source=SPLIT)
def kind_replicated_parameters(
    kind_small_parameters,
    kind_latent_down_parameters,
    kind_latent_norm_parameters,
    kind_router_matrix_parameters,
    kind_router_extra_parameters,
):
    """Parameters of one layer that every tensor-parallel GPU holds: small ones, latent projections, router."""
    return (
        kind_small_parameters
        + kind_latent_down_parameters
        + kind_latent_norm_parameters
        + kind_router_matrix_parameters
        + kind_router_extra_parameters
    )


@quantity("parameter", axis=LAYER_KIND, source=SPLIT)
def kind_split_parameters(kind_matrix_parameters, kind_qkv_biases, kind_mlp_split_biases):
    """Parameters of one layer that tensor parallelism splits, routed experts apart."""
    return kind_matrix_parameters + kind_qkv_biases + kind_mlp_split_biases


@quantity("parameter", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_parameters(kind_split_parameters, kind_replicated_parameters, kind_expert_parameters):
    """All parameters of one layer of the kind."""
    return kind_split_parameters + kind_replicated_parameters + kind_expert_parameters
