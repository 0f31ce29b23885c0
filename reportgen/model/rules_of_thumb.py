"""Rules of thumb: what planners compute by hand, beside the itemised figures and never instead of them."""

from __future__ import annotations

from reportgen.formula.functions import lookup, total
from reportgen.formula.quantity import number, quantity
from reportgen.formula.sources import Assumption, Definition
from reportgen.model.axes import LAYER
from reportgen.model.references import KORTHIKANTI_2022, RAJBHANDARI_2020

RULE = RAJBHANDARI_2020.at("section 3.1")
ROUGH = Definition("the rule of thumb that is being checked")

RULE_INPUTS = (
    number(
        "rule_parameters_override",
        "parameter",
        "A round parameter count for the rules of thumb, such as 7e9; the exact count unless given.",
        Assumption("rules of thumb are often quoted for round counts"),
        section="model",
        between=(1, 1e16),
        word="as counted",
    ),
)


@quantity("parameter", source=ROUGH)
def rule_parameters(rule_parameters_override, model_parameters):
    """Parameters that the rules of thumb take."""
    return model_parameters if rule_parameters_override == "as counted" else rule_parameters_override


@quantity("byte", source=RULE)
def classic_state_bytes(rule_parameters, classic_state_bytes_per_parameter):
    """State by the rule of 16 bytes per parameter, over all GPUs."""
    return rule_parameters * classic_state_bytes_per_parameter


@quantity("byte", source=RULE)
def classic_eight_bit_state_bytes(rule_parameters, classic_state_bytes_per_parameter, classic_eight_bit_saving):
    """State by the same rule with 8-bit moments."""
    return rule_parameters * (classic_state_bytes_per_parameter - classic_eight_bit_saving)


@quantity("byte/GPU", source=RULE)
def classic_gpu_state_bytes(classic_state_bytes, gpu_count):
    """State by the same rule on one GPU, fully sharded over all."""
    return classic_state_bytes / gpu_count


@quantity("byte", source=RULE)
def serving_weight_bytes(rule_parameters, weight_bytes_per_parameter):
    """Weights alone, as a server would hold them at the training precision."""
    return rule_parameters * weight_bytes_per_parameter


@quantity("byte", source=KORTHIKANTI_2022.at("equation 1"))
def classic_layer_bytes(micro_batch_tokens, hidden_size, classic_activation_factor):
    """Activations of one layer by the rule of 34 bytes, one micro-batch, nothing split."""
    return micro_batch_tokens * hidden_size * classic_activation_factor


@quantity("byte", source=KORTHIKANTI_2022.at("equation 1"))
def classic_score_bytes(micro_batch_tokens, head_count, sequence_length, attention_score_bytes):
    """Attention scores of one layer by the same rule, where there is no FlashAttention."""
    return micro_batch_tokens * head_count * sequence_length * attention_score_bytes


@quantity("byte", source=KORTHIKANTI_2022.at("equation 1"))
def classic_activation_bytes(classic_layer_bytes, layer_count):
    """Activations of all layers by the rule of 34 bytes, one micro-batch, nothing split."""
    return classic_layer_bytes * layer_count


@quantity("byte", source=KORTHIKANTI_2022.at("section 5"))
def classic_recomputed_layer_bytes(micro_batch_tokens, hidden_size, activation_value_bytes):
    """What one layer keeps under full recomputation: its input."""
    return micro_batch_tokens * hidden_size * activation_value_bytes


@quantity("byte", source=KORTHIKANTI_2022.at("section 4.3"))
def rule_logit_bytes(micro_batch_tokens, vocabulary_size, classic_logit_bytes):
    """fp32 logits of one micro-batch, nothing split."""
    return micro_batch_tokens * vocabulary_size * classic_logit_bytes


@quantity("byte", axis=LAYER, source=KORTHIKANTI_2022.at("section 4"))
def layer_whole_bytes(layer_kind, kind_name, kind_token_bytes, micro_batch_tokens):
    """What the whole layer keeps for one micro-batch, itemised, nothing split or recomputed."""
    return lookup(layer_kind, kind_name, kind_token_bytes) * micro_batch_tokens


@quantity("byte", source=KORTHIKANTI_2022.at("section 4"))
def itemised_activation_bytes(layer_whole_bytes):
    """What all layers keep for one micro-batch, itemised, to set beside the rule."""
    return total(layer_whole_bytes)


@quantity("1", source=Definition("from the two figures"))
def activation_rule_ratio(itemised_activation_bytes, classic_activation_bytes):
    """The itemised activations relative to the rule of 34 bytes."""
    return itemised_activation_bytes / classic_activation_bytes


@quantity("byte/GPU", source=ROUGH)
def selective_rule_bytes(
    classic_gpu_state_bytes,
    classic_selective_share,
    classic_activation_bytes,
    rule_logit_bytes,
    one_gpu,
    framework_bytes,
):
    """One GPU by the rule that selective recomputation keeps 0.4 of the activations, nothing else split."""
    return (
        classic_gpu_state_bytes
        + (classic_selective_share * classic_activation_bytes + rule_logit_bytes) / one_gpu
        + framework_bytes
    )
