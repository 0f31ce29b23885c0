"""Profiles: the chosen row of the table of kernel profiles, and what every profile keeps for the main kind of layer."""

from __future__ import annotations

from reportgen.formula.functions import lookup
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import PROFILE
from reportgen.model.references import KORTHIKANTI_2022, PYTORCH_AUTOGRAD

KEPT = PYTORCH_AUTOGRAD.at("each profile's layer")


@quantity("byte/token", source=BY_DEFINITION)
def norm_value_bytes(kernel_profile, profile_name, profile_norm_column):
    """Bytes per hidden value that one norm keeps."""
    return lookup(kernel_profile, profile_name, profile_norm_column)


@quantity("byte/token", source=BY_DEFINITION)
def query_value_bytes(kernel_profile, profile_name, profile_query_column):
    """Bytes per query value that attention keeps."""
    return lookup(kernel_profile, profile_name, profile_query_column)


@quantity("byte/token", source=BY_DEFINITION)
def key_value_bytes(kernel_profile, profile_name, profile_key_column):
    """Bytes per element of keys and values that attention keeps."""
    return lookup(kernel_profile, profile_name, profile_key_column)


@quantity("byte/token", source=BY_DEFINITION)
def output_value_bytes(kernel_profile, profile_name, profile_output_column):
    """Bytes per value of attention's output that is kept."""
    return lookup(kernel_profile, profile_name, profile_output_column)


@quantity("byte/token", source=BY_DEFINITION)
def head_statistic_bytes(flash_attention, kernel_profile, profile_name, profile_statistic_column):
    """Bytes per head of the log-sum-exp; none without FlashAttention."""
    return lookup(kernel_profile, profile_name, profile_statistic_column) if flash_attention == "on" else 0


@quantity("byte*sequence/token^2", source=BY_DEFINITION)
def score_value_bytes(flash_attention, kernel_profile, profile_name, profile_score_column):
    """Bytes per head and attended token of attention's scores; none with FlashAttention."""
    return 0 if flash_attention == "on" else lookup(kernel_profile, profile_name, profile_score_column)


@quantity("byte/token", source=BY_DEFINITION)
def repeated_value_bytes(flash_attention, kernel_profile, profile_name, profile_repeated_column):
    """Bytes per element of keys and values repeated for query heads; none with FlashAttention, which shares them."""
    return 0 if flash_attention == "on" else lookup(kernel_profile, profile_name, profile_repeated_column)


@quantity("byte/token", source=BY_DEFINITION)
def qk_norm_value_bytes(kernel_profile, profile_name, profile_qk_norm_column):
    """Bytes per normalised query and key value that is kept."""
    return lookup(kernel_profile, profile_name, profile_qk_norm_column)


@quantity("byte/token", axis=PROFILE, source=BY_DEFINITION)
def profile_mlp_bytes(mlp_kind, profile_gated_column, profile_plain_column):
    """Bytes per value of the MLP's width that each profile keeps for this model's kind of MLP."""
    return profile_gated_column if mlp_kind == "gated" else profile_plain_column


@quantity("byte/token", source=BY_DEFINITION)
def mlp_value_bytes(kernel_profile, profile_name, profile_mlp_bytes):
    """Bytes per value of the MLP's width that is kept."""
    return lookup(kernel_profile, profile_name, profile_mlp_bytes)


@quantity("byte/token", source=BY_DEFINITION)
def dropout_value_bytes(kernel_profile, profile_name, profile_dropout_column):
    """Bytes per hidden value of a layer's dropout masks."""
    return lookup(kernel_profile, profile_name, profile_dropout_column)


@quantity("byte/token", source=BY_DEFINITION)
def routed_value_bytes(kernel_profile, profile_name, profile_routed_hidden_column):
    """Bytes per hidden value and routed expert of a token that is kept."""
    return lookup(kernel_profile, profile_name, profile_routed_hidden_column)


@quantity("byte/token", source=BY_DEFINITION)
def router_value_bytes(kernel_profile, profile_name, profile_router_column):
    """Bytes per routed expert of a layer that the router keeps."""
    return lookup(kernel_profile, profile_name, profile_router_column)


@quantity("1", source=BY_DEFINITION)
def main_query_size(main_layer_kind, kind_name, kind_query_size):
    """Width of all query heads in the main kind of layer."""
    return lookup(main_layer_kind, kind_name, kind_query_size)


@quantity("1", source=BY_DEFINITION)
def main_key_size(main_layer_kind, kind_name, kind_key_size):
    """Width of all key heads in the main kind of layer."""
    return lookup(main_layer_kind, kind_name, kind_key_size)


@quantity("1", source=BY_DEFINITION)
def main_heads(main_layer_kind, kind_name, kind_heads):
    """Query heads of the main kind of layer."""
    return lookup(main_layer_kind, kind_name, kind_heads)


@quantity("byte/token", source=KEPT)
def main_norm_statistic_bytes(norms_per_layer, norm_statistics_kept, statistic_value_bytes):
    """Statistics that the norms of a layer keep per token."""
    return norms_per_layer * norm_statistics_kept * statistic_value_bytes


@quantity("byte/token", source=PYTORCH_AUTOGRAD.at("a norm in front of an addition"))
def main_unkept_output_bytes(norms_per_layer, activation_value_bytes):
    """Bytes per hidden value of norm outputs that nothing keeps: of norms in front of an addition."""
    return max(norms_per_layer - 2, 0) * activation_value_bytes


@quantity("byte/token", axis=PROFILE, source=KEPT)
def profile_norm_bytes(
    norms_per_layer,
    profile_norm_column,
    profile_dropout_column,
    main_unkept_output_bytes,
    hidden_size,
    main_norm_statistic_bytes,
):
    """What each profile keeps per token of a layer's norms and dropout masks."""
    return (
        norms_per_layer * profile_norm_column + profile_dropout_column - main_unkept_output_bytes
    ) * hidden_size + main_norm_statistic_bytes


@quantity("byte/token", axis=PROFILE, source=KEPT)
def profile_attention_bytes(
    profile_query_column,
    profile_output_column,
    main_query_size,
    profile_key_column,
    main_key_size,
    profile_statistic_column,
    main_heads,
):
    """What each profile keeps per token of a plain attention layer with FlashAttention."""
    return (
        (profile_query_column + profile_output_column) * main_query_size
        + 2 * profile_key_column * main_key_size
        + profile_statistic_column * main_heads
    )


@quantity("byte/token", axis=PROFILE, source=KORTHIKANTI_2022.at("equation 1, with each profile's own tensors"))
def profile_hidden_multiple(profile_norm_bytes, profile_attention_bytes, profile_mlp_bytes, ffn_size, hidden_size):
    """What each profile keeps per token and hidden value of a dense layer, to set beside the classic 34."""
    return (profile_norm_bytes + profile_attention_bytes + profile_mlp_bytes * ffn_size) / hidden_size
