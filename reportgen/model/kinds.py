"""Kinds: the widths of each kind of layer, from the model's own and what the kind overrides."""

from __future__ import annotations

from reportgen.formula.functions import count_where
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER_KIND
from reportgen.model.references import DEEPSEEK_MOE, DEEPSEEK_V2, VASWANI_2017

ATTENTION = VASWANI_2017.at("section 3.2.2")
LATENT = DEEPSEEK_V2.at("section 2.1")


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_layers(layer_kind, kind_name):
    """Layers that are of the kind."""
    return count_where(layer_kind, kind_name)


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_head_count(kind_head_override, head_count):
    """Query heads of the kind."""
    return head_count if kind_head_override == "as model" else kind_head_override


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_kv_count(kind_kv_override, kv_head_count):
    """Key and value heads of the kind."""
    return kv_head_count if kind_kv_override == "as model" else kind_kv_override


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_ffn_size(kind_ffn_override, ffn_size):
    """MLP width of the kind."""
    return ffn_size if kind_ffn_override == "as model" else kind_ffn_override


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_norm_count(kind_norm_override, norms_per_layer):
    """Norms over the hidden width in one layer of the kind."""
    return norms_per_layer if kind_norm_override == "as model" else kind_norm_override


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_head_size(kind_head_size_override, head_size):
    """Width of one head's queries and keys in the kind."""
    return head_size if kind_head_size_override == "as model" else kind_head_size_override


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_value_head_size(value_head_size, kind_head_size):
    """Width of one head's values in the kind."""
    return kind_head_size if value_head_size == "as head_size" else value_head_size


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_heads(kind_attention, kind_head_count):
    """Query heads at work in a layer of the kind: none without attention."""
    return kind_head_count if kind_attention == "attention" or kind_attention == "latent" else 0


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_kv_heads(kind_attention, kind_kv_count):
    """Key and value heads at work in a layer of the kind: none without attention."""
    return kind_kv_count if kind_attention == "attention" or kind_attention == "latent" else 0


@quantity("1", axis=LAYER_KIND, source=ATTENTION)
def kind_query_size(kind_heads, kind_head_size):
    """Width of all query heads together."""
    return kind_heads * kind_head_size


@quantity("1", axis=LAYER_KIND, source=ATTENTION)
def kind_key_size(kind_kv_heads, kind_head_size):
    """Width of all key heads together."""
    return kind_kv_heads * kind_head_size


@quantity("1", axis=LAYER_KIND, source=ATTENTION)
def kind_value_size(kind_kv_heads, kind_value_head_size):
    """Width of all value heads together."""
    return kind_kv_heads * kind_value_head_size


@quantity("1", axis=LAYER_KIND, source=ATTENTION)
def kind_output_size(kind_heads, kind_value_head_size):
    """Width of attention's output, all query heads together."""
    return kind_heads * kind_value_head_size


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_plain_share(kind_attention):
    """1 where the kind has attention whose queries, keys and values are projected from the residual stream, else 0."""
    return 1 if kind_attention == "attention" else 0


@quantity("1", axis=LAYER_KIND, source=LATENT)
def kind_latent_share(kind_attention):
    """1 where the kind has latent attention, else 0."""
    return 1 if kind_attention == "latent" else 0


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_other_share(kind_attention):
    """1 where the kind mixes tokens in another way than by attention, else 0."""
    return 1 if kind_attention == "other" else 0


@quantity("1", axis=LAYER_KIND, source=LATENT)
def kind_unrotated_size(kind_latent_share, kind_heads, kind_head_size, rotary_head_size):
    """Width of the parts of latent attention's heads that carry no positions, all heads together."""
    return kind_latent_share * kind_heads * (kind_head_size - rotary_head_size)


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_dense_share(kind_mlp):
    """1 where the kind has one MLP for all tokens, else 0."""
    return 1 if kind_mlp == "dense" else 0


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_expert_share(kind_mlp):
    """1 where the kind has routed experts, else 0."""
    return 1 if kind_mlp == "experts" else 0


@quantity("1", axis=LAYER_KIND, source=DEEPSEEK_MOE.at("section 3.2"))
def kind_dense_width(kind_dense_share, kind_ffn_size, kind_expert_share, shared_ffn_size):
    """Width of the MLP that works on every token: the dense one, or the shared experts together."""
    return kind_dense_share * kind_ffn_size + kind_expert_share * shared_ffn_size


@quantity("1", axis=LAYER_KIND, source=DEEPSEEK_MOE.at("section 3.1"))
def kind_routed_width(kind_expert_share, experts_per_token, expert_ffn_size):
    """Width of the routed experts that work on one token, added up."""
    return kind_expert_share * experts_per_token * expert_ffn_size
