"""Checks of recomputation and of the loss: units of layers and chunks of tokens are no larger than what they cut."""

from __future__ import annotations

from reportgen.formula.functions import floor, largest
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION


@quantity("1", source=BY_DEFINITION)
def recomputed_unit_layers(recompute, recompute_interval, recompute_group_layers):
    """Layers that recomputation takes together: its interval times its group; 1 where layers are not recomputed."""
    return recompute_interval * recompute_group_layers if recompute == "full" else 1


@check("fault", remedy="Lower recompute_interval and recompute_group_layers to the layers of a stage.")
def recomputed_units_fit_in_the_stages(recomputed_unit_layers, stage_layers):
    """Recomputation takes no more layers together than the longest pipeline stage has."""
    return recomputed_unit_layers <= largest(stage_layers)


@quantity("token", source=BY_DEFINITION)
def loss_turn_tokens(gpu_tokens, loss_turns):
    """Whole tokens in one of the chunks in which the loss is computed."""
    return floor(gpu_tokens / loss_turns)


@check("fault", remedy="Lower loss_chunks to at most the tokens of a micro-batch on one GPU.")
def loss_chunks_hold_tokens(loss_turn_tokens):
    """Every chunk in which the loss is computed has at least one token."""
    return loss_turn_tokens > 0
