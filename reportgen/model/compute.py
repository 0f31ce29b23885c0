"""Compute: FLOPs per token by kind of layer, under the conventions in which utilisations are quoted."""

from __future__ import annotations

from reportgen.formula.functions import lookup, total
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER, LAYER_KIND
from reportgen.model.references import (
    CHOWDHERY_2022,
    KAPLAN_2020,
    KORTHIKANTI_2022,
    MEGATRON_LM,
    NARAYANAN_2021,
    TORCHTITAN,
)

CAUSAL = CHOWDHERY_2022.at("appendix B, with each token attending only to those before it")


@quantity("FLOP/parameter/token", source=KAPLAN_2020.at("section 2.1"))
def training_matmul_flops(forward_matmul_flops, training_passes, trained_share):
    """FLOPs per parameter and token of a training step: forward and twice backward, once where weights are frozen."""
    return forward_matmul_flops * (training_passes - (1 - trained_share))


@quantity("token/sequence", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_attended_tokens(kind_window, sequence_length):
    """The most tokens that a token attends to."""
    return sequence_length if kind_window == "whole sequence" else min(kind_window, sequence_length)


@quantity("token/sequence", axis=LAYER_KIND, source=CAUSAL)
def kind_causal_tokens(kind_attended_tokens, sequence_length):
    """Tokens that a token attends to on average, when it sees only those before it."""
    return kind_attended_tokens - kind_attended_tokens**2 / (2 * sequence_length)


@quantity("FLOP/token", axis=LAYER_KIND, source=KAPLAN_2020.at("section 2.1"))
def kind_matmul_flops(training_matmul_flops, kind_matmul_parameters):
    """Matrix-product FLOPs of one layer per token, forward and backward."""
    return training_matmul_flops * kind_matmul_parameters


@quantity("1", axis=LAYER_KIND, source=CHOWDHERY_2022.at("appendix B"))
def kind_score_width(kind_query_size, kind_output_size):
    """Mean width of queries, which meet keys, and of outputs, which scores weigh values into."""
    return (kind_query_size + kind_output_size) / 2


@quantity("FLOP/token", axis=LAYER_KIND, source=CHOWDHERY_2022.at("appendix B"))
def kind_full_attention_flops(forward_attention_flops, training_passes, kind_score_width, kind_attended_tokens):
    """Attention FLOPs of one layer per token, every score counted."""
    return forward_attention_flops * training_passes * kind_score_width * kind_attended_tokens


@quantity("FLOP/token", axis=LAYER_KIND, source=CAUSAL)
def kind_causal_attention_flops(forward_attention_flops, training_passes, kind_score_width, kind_causal_tokens):
    """Attention FLOPs of one layer per token, only the causal half counted."""
    return forward_attention_flops * training_passes * kind_score_width * kind_causal_tokens


@quantity("FLOP/token", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_full_flops(kind_matmul_flops, kind_full_attention_flops):
    """FLOPs of one layer per token with full attention, forward and backward."""
    return kind_matmul_flops + kind_full_attention_flops


@quantity("FLOP/token", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_causal_flops(kind_matmul_flops, kind_causal_attention_flops):
    """FLOPs of one layer per token with causal attention, forward and backward."""
    return kind_matmul_flops + kind_causal_attention_flops


@quantity("FLOP/token", axis=LAYER, source=BY_DEFINITION)
def layer_full_flops(layer_kind, kind_name, kind_full_flops):
    """FLOPs of the layer per token with full attention, forward and backward."""
    return lookup(layer_kind, kind_name, kind_full_flops)


@quantity("FLOP/token", axis=LAYER, source=BY_DEFINITION)
def layer_causal_flops(layer_kind, kind_name, kind_causal_flops):
    """FLOPs of the layer per token with causal attention, forward and backward."""
    return lookup(layer_kind, kind_name, kind_causal_flops)


@quantity("FLOP/token", source=NARAYANAN_2021.at("appendix"))
def head_flops_per_token(training_matmul_flops, embedding_parameters):
    """FLOPs of the output head per token; the input embedding is a look-up and counts none."""
    return training_matmul_flops * embedding_parameters


@quantity("FLOP/token", source=KAPLAN_2020.at("section 2.1"))
def six_n_flops_per_token(training_matmul_flops, active_parameters):
    """The rule 6N: six FLOPs per parameter and token, attention not counted."""
    return training_matmul_flops * active_parameters


@quantity("FLOP/token", source=CHOWDHERY_2022.at("appendix B"))
def rule_attention_flops_per_token(forward_attention_flops, training_passes, layer_count, hidden_size, sequence_length):
    """The rule 12Lhs for attention: every score of every layer, at the hidden width."""
    return forward_attention_flops * training_passes * layer_count * hidden_size * sequence_length


@quantity("FLOP/token", source=CHOWDHERY_2022.at("appendix B"))
def six_n_attention_flops_per_token(six_n_flops_per_token, rule_attention_flops_per_token):
    """The rule 6N + 12Lhs, as torchtitan, nanotron and llm-foundry count."""
    return six_n_flops_per_token + rule_attention_flops_per_token


@quantity("FLOP/token", source=NARAYANAN_2021.at("appendix"))
def full_attention_flops_per_token(layer_full_flops, head_flops_per_token):
    """Itemised FLOPs: layers with full attention, and the head."""
    return total(layer_full_flops) + head_flops_per_token


@quantity("FLOP/token", source=CAUSAL)
def causal_flops_per_token(layer_causal_flops, head_flops_per_token):
    """Itemised FLOPs: layers with causal attention, and the head."""
    return total(layer_causal_flops) + head_flops_per_token


@quantity("FLOP/token", source=BY_DEFINITION)
def rule_flops_per_token(flops_convention, six_n_flops_per_token, six_n_attention_flops_per_token):
    """What the rules of thumb count, with attention where the convention has it."""
    return six_n_flops_per_token if flops_convention == "6N" else six_n_attention_flops_per_token


@quantity("FLOP/token", source=BY_DEFINITION)
def itemised_flops_per_token(flops_convention, causal_flops_per_token, full_attention_flops_per_token):
    """What the itemised conventions count, causal or full."""
    return (
        causal_flops_per_token if flops_convention == "causal attention with head" else full_attention_flops_per_token
    )


@quantity("FLOP/token", source=BY_DEFINITION)
def model_flops_per_token(flops_convention, rule_flops_per_token, itemised_flops_per_token):
    """FLOPs per token that count as useful, under the stated convention."""
    return (
        rule_flops_per_token
        if flops_convention == "6N" or flops_convention == "6N + 12Lhs"
        else itemised_flops_per_token
    )


@quantity("FLOP/token", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_itemised_attention_flops(flops_convention, kind_causal_attention_flops, kind_full_attention_flops):
    """Attention FLOPs of one layer per token, causal or full as the convention has it."""
    return (
        kind_causal_attention_flops if flops_convention == "causal attention with head" else kind_full_attention_flops
    )


@quantity("FLOP/token", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_counted_attention_flops(flops_convention, kind_itemised_attention_flops):
    """Attention FLOPs of one layer per token that the convention counts; none under 6N."""
    return 0 if flops_convention == "6N" else kind_itemised_attention_flops


@quantity("FLOP/token", axis=LAYER_KIND, source=NARAYANAN_2021.at("appendix"))
def kind_forward_flops(forward_matmul_flops, kind_matmul_parameters, kind_counted_attention_flops, training_passes):
    """FLOPs of one layer's forward pass per token, attention as the convention counts it."""
    return forward_matmul_flops * kind_matmul_parameters + kind_counted_attention_flops / training_passes


@quantity("1", source=KORTHIKANTI_2022.at("section 5"))
def selective_attention_share(recompute):
    """1 where the attention core is computed again, else 0."""
    return 1 if recompute == "selective" else 0


@quantity("parameter", axis=LAYER_KIND, source=TORCHTITAN.at("every second matrix product"), counting=True)
def kind_unsaved_product_parameters(hidden_size, kind_key_size, kind_output_size, kind_dense_width):
    """Parameters of the products that operator recomputation does not save: keys, output, one of the MLP."""
    return hidden_size * (kind_key_size + kind_output_size + kind_dense_width)


@quantity("parameter", axis=LAYER_KIND, source=MEGATRON_LM.at("recompute modules"))
def kind_expert_layer_parameters(kind_router_matrix_parameters, kind_active_expert_parameters, kind_mlp_parameters):
    """Parameters of a layer with experts that work on one token: router, routed and shared experts."""
    return kind_router_matrix_parameters + kind_active_expert_parameters + kind_mlp_parameters


@quantity("parameter", axis=LAYER_KIND, source=MEGATRON_LM.at("recompute modules"))
def kind_recomputed_parameters(
    recompute_latent, kind_latent_up_parameters, kind_whole_experts_share, kind_expert_layer_parameters
):
    """Parameters of the matrix products that recomputed modules go through again."""
    return (
        kind_latent_up_parameters if recompute_latent == "yes" else 0
    ) + kind_whole_experts_share * kind_expert_layer_parameters


@quantity("parameter", axis=LAYER_KIND, source=TORCHTITAN.at("every second matrix product"))
def kind_repeated_parameters(
    recompute, kind_unsaved_product_parameters, kind_active_expert_parameters, kind_recomputed_parameters
):
    """Parameters of the products gone through again: those that operator recomputation does not save, or modules'."""
    return (
        kind_unsaved_product_parameters + kind_active_expert_parameters
        if recompute == "operators"
        else kind_recomputed_parameters
    )


@quantity("FLOP/token", axis=LAYER_KIND, source=NARAYANAN_2021.at("appendix"))
def kind_recomputed_flops(
    selective_attention_share,
    kind_counted_attention_flops,
    training_passes,
    forward_matmul_flops,
    kind_repeated_parameters,
):
    """FLOPs per token that a layer which is not recomputed whole computes again."""
    return (
        selective_attention_share * kind_counted_attention_flops / training_passes
        + forward_matmul_flops * kind_repeated_parameters
    )


@quantity("FLOP/token", axis=LAYER, source=BY_DEFINITION)
def layer_recomputed_flops(layer_recomputed_share, layer_kind, kind_name, kind_forward_flops, kind_recomputed_flops):
    """FLOPs per token that the layer computes again."""
    return (
        lookup(layer_kind, kind_name, kind_forward_flops)
        if layer_recomputed_share == 1
        else lookup(layer_kind, kind_name, kind_recomputed_flops)
    )


@quantity("FLOP/token", source=BY_DEFINITION)
def hardware_flops_per_token(model_flops_per_token, layer_recomputed_flops):
    """FLOPs per token that the hardware does: the useful ones and those computed again."""
    return model_flops_per_token + total(layer_recomputed_flops)
