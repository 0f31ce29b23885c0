"""Checks of sums: the parts of parameters, memory, FLOPs and cost add up to their totals."""

from __future__ import annotations

from reportgen.formula.functions import lookup, total
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER_KIND

CLOSE = 1e-9
DOES_NOT_CLOSE = (
    "Mend the other faults first; if there are none, a cell that holds a formula was overwritten: restore it."
)


@quantity("parameter", source=BY_DEFINITION)
def held_parameters(
    model_parameters, head_parameters, held_head_parameters, padded_embedding_parameters, embedding_parameters
):
    """Parameters that the pipeline stages hold between them: the model's, padding and a copied head added."""
    return (
        model_parameters - head_parameters + held_head_parameters + padded_embedding_parameters - embedding_parameters
    )


@check("fault", remedy=DOES_NOT_CLOSE, tolerance=CLOSE)
def stage_parameters_add_up(stage_parameters, held_parameters):
    """The parameters of the pipeline stages add up to those of the model."""
    return total(stage_parameters) == held_parameters


@quantity("byte/GPU", source=BY_DEFINITION)
def worst_stage_parts(
    worst_stage, stage_order, stage_state_bytes, stage_activation_bytes, stage_head_bytes, stage_buffer_bytes
):
    """State, activations, loss head and buffers of the fullest GPU, added up."""
    return (
        lookup(worst_stage, stage_order, stage_state_bytes)
        + lookup(worst_stage, stage_order, stage_activation_bytes)
        + lookup(worst_stage, stage_order, stage_head_bytes)
        + lookup(worst_stage, stage_order, stage_buffer_bytes)
    )


@check("fault", remedy=DOES_NOT_CLOSE, tolerance=CLOSE)
def peak_parts_add_up(worst_stage_parts, peak_memory_bytes):
    """The parts of memory on the fullest GPU add up to its peak."""
    return worst_stage_parts == peak_memory_bytes


@quantity("FLOP/token", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_total_flops(kind_layers, kind_causal_flops):
    """FLOPs per token of all layers of the kind, with causal attention."""
    return kind_layers * kind_causal_flops


@check("fault", remedy=DOES_NOT_CLOSE, tolerance=CLOSE)
def flops_by_kind_add_up(kind_total_flops, layer_causal_flops):
    """FLOPs summed over kinds of layer are those summed over layers."""
    return total(kind_total_flops) == total(layer_causal_flops)


@quantity("USD", source=BY_DEFINITION)
def cost_from_tokens_usd(cost_per_token_usd, tokens_per_second, training_days, seconds_per_day, goodput_fraction):
    """Cost of the tokens that the cluster gets through in the run's days."""
    return cost_per_token_usd * tokens_per_second * training_days * seconds_per_day * goodput_fraction


@check("fault", remedy=DOES_NOT_CLOSE, tolerance=CLOSE)
def cost_adds_up(cost_from_tokens_usd, total_cost_usd):
    """The cost of a token, times the tokens of the run, is the cost of the run."""
    return cost_from_tokens_usd == total_cost_usd
