"""Checks of the kinds of layer: their sizes fit together, and no part of the model has a negative size."""

from __future__ import annotations

from reportgen.formula.functions import smallest, total
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER_KIND


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_latent_heads_apart(kind_latent_share, kind_heads, kind_kv_heads):
    """Heads by which queries differ from keys and values in latent attention, which gives each query its own."""
    return kind_latent_share * abs(kind_heads - kind_kv_heads)


@check("fault", remedy="Make kv_head_count equal to head_count for latent attention: each query head has its own keys.")
def latent_heads_are_as_many(kind_latent_heads_apart):
    """Latent attention has as many key and value heads as query heads."""
    return total(kind_latent_heads_apart) == 0


@check("fault", remedy="Make rotary_head_size at most head_size, of which it is a part.")
def rotary_part_is_within_the_head(kind_unrotated_size):
    """The part of an attention head that carries positions is no wider than the head."""
    return smallest(kind_unrotated_size) >= 0


@quantity("1", source=BY_DEFINITION)
def used_adapter_rank(trained_share, adapter_rank):
    """Rank of the adapters; 0 where none are trained."""
    return (1 - trained_share) * adapter_rank


@check("fault", remedy="Lower adapter_rank: adapters as wide as the model are no longer of low rank.")
def adapters_are_narrower_than_the_model(used_adapter_rank, hidden_size):
    """The rank of the adapters is below the width of the model."""
    return used_adapter_rank < hidden_size


@check(
    "fault",
    remedy="Raise kind_further_parameters: it takes off more than a layer, split by tensor_parallel, has on each GPU.",
)
def layers_have_parameters(kind_gpu_dense_parameters):
    """No layer has a negative number of parameters on any GPU."""
    return smallest(kind_gpu_dense_parameters) >= 0


@check(
    "fault",
    remedy="Raise further_parameters: what it takes off is more than embedding, final norm and output head have.",
)
def ends_have_parameters(end_parameters):
    """Embedding, final norm and output head together have no negative number of parameters."""
    return end_parameters >= 0


@check(
    "fault",
    remedy="Raise further_parameters: it takes off more than the embedding, split by tensor_parallel, has on each GPU.",
)
def first_stage_has_parameters(first_stage_extra_parameters):
    """The embedding and what stands beside it have no negative number of parameters on any GPU."""
    return first_stage_extra_parameters >= 0
