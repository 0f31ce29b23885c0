"""Parameters: every weight of the model, by kind of layer and in total."""

from __future__ import annotations

from reportgen.formula.functions import ceil, count_where, total
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER_KIND
from reportgen.model.references import MEGATRON_LM, SHAZEER_2020, VASWANI_2017

ATTENTION = VASWANI_2017.at("section 3.2.2")


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


@quantity("1", axis=LAYER_KIND, source=ATTENTION)
def kind_query_size(kind_head_count, head_size):
    """Width of all query heads together."""
    return kind_head_count * head_size


@quantity("1", axis=LAYER_KIND, source=ATTENTION)
def kind_kv_size(kind_kv_count, head_size):
    """Width of all key heads together, and of all value heads."""
    return kind_kv_count * head_size


@quantity("parameter", axis=LAYER_KIND, source=ATTENTION, counting=True)
def kind_attention_parameters(hidden_size, kind_query_size, kind_kv_size):
    """Attention matrices of one layer: query and output, key and value."""
    return 2 * hidden_size * kind_query_size + 2 * hidden_size * kind_kv_size


@quantity("1", source=SHAZEER_2020.at("section 2"))
def mlp_matrices(mlp_kind, gated_mlp_matrices, plain_mlp_matrices):
    """Matrices of one MLP."""
    return gated_mlp_matrices if mlp_kind == "gated" else plain_mlp_matrices


@quantity("parameter", axis=LAYER_KIND, source=SHAZEER_2020.at("section 2"), counting=True)
def kind_mlp_parameters(mlp_matrices, hidden_size, kind_ffn_size):
    """MLP matrices of one layer."""
    return mlp_matrices * hidden_size * kind_ffn_size


@quantity("parameter", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_matmul_parameters(kind_attention_parameters, kind_mlp_parameters):
    """Parameters of one layer that take part in matrix products."""
    return kind_attention_parameters + kind_mlp_parameters


@quantity("parameter", axis=LAYER_KIND, source=MEGATRON_LM.at("column-parallel layers"), counting=True)
def kind_split_biases(qkv_bias, mlp_bias, kind_query_size, kind_kv_size, mlp_matrices, kind_ffn_size):
    """Biases of one layer that tensor parallelism splits: query, key and value, and into the MLP."""
    return (kind_query_size + 2 * kind_kv_size if qkv_bias == "yes" else 0) + (
        (mlp_matrices - 1) * kind_ffn_size if mlp_bias == "yes" else 0
    )


@quantity("parameter", source=MEGATRON_LM.at("row-parallel layers"), counting=True)
def replicated_bias_parameters(attention_output_bias, mlp_bias, hidden_size):
    """Biases of one layer that every tensor-parallel GPU holds: after attention and after the MLP."""
    return (hidden_size if attention_output_bias == "yes" else 0) + (hidden_size if mlp_bias == "yes" else 0)


@quantity("parameter", source=VASWANI_2017.at("section 3.1"), counting=True)
def norm_parameters(hidden_size, norm_bias):
    """One norm over the hidden width: a weight, and a bias where norms have one."""
    return hidden_size * (2 if norm_bias == "yes" else 1)


@quantity("1", source=BY_DEFINITION)
def qk_norm_count(qk_norm):
    """1 where queries and keys are normalised, else 0."""
    return 0 if qk_norm == "none" else 1


@quantity("parameter", axis=LAYER_KIND, source=BY_DEFINITION, counting=True)
def kind_qk_norm_parameters(qk_norm_count, qk_norm, head_size, kind_query_size, kind_kv_size):
    """Norm weights on the queries and keys of one layer."""
    return qk_norm_count * (2 * head_size if qk_norm == "per head" else kind_query_size + kind_kv_size)


@quantity("parameter", axis=LAYER_KIND, source=MEGATRON_LM.at("tensor parallelism"))
def kind_replicated_parameters(norms_per_layer, norm_parameters, kind_qk_norm_parameters, replicated_bias_parameters):
    """Parameters of one layer that every tensor-parallel GPU holds."""
    return norms_per_layer * norm_parameters + kind_qk_norm_parameters + replicated_bias_parameters


@quantity("parameter", axis=LAYER_KIND, source=MEGATRON_LM.at("tensor parallelism"))
def kind_split_parameters(kind_matmul_parameters, kind_split_biases):
    """Parameters of one layer that tensor parallelism splits."""
    return kind_matmul_parameters + kind_split_biases


@quantity("parameter", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_parameters(kind_split_parameters, kind_replicated_parameters):
    """All parameters of one layer of the kind."""
    return kind_split_parameters + kind_replicated_parameters


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_layers(layer_kind, kind_name):
    """Layers that are of the kind."""
    return count_where(layer_kind, kind_name)


@quantity("parameter", source=VASWANI_2017.at("section 3.4"), counting=True)
def embedding_parameters(vocabulary_size, hidden_size):
    """The input embedding."""
    return vocabulary_size * hidden_size


@quantity("parameter", source=BY_DEFINITION)
def embedding_extra_parameters(position_parameters, embedding_norm, norm_parameters):
    """What stands beside the embedding: learned positions and a norm after it."""
    return position_parameters + (norm_parameters if embedding_norm == "yes" else 0)


@quantity("parameter", source=VASWANI_2017.at("section 3.5"), counting=True)
def position_parameters(learned_positions, hidden_size):
    """The learned position table."""
    return learned_positions * hidden_size


@quantity("parameter", source=VASWANI_2017.at("section 3.4"), counting=True)
def head_bias_parameters(head_bias, vocabulary_size):
    """The bias of the output head."""
    return vocabulary_size if head_bias == "yes" else 0


@quantity("parameter", source=VASWANI_2017.at("section 3.4"))
def head_parameters(embedding_tying, embedding_parameters):
    """The output head's own matrix; none where it shares the embedding."""
    return 0 if embedding_tying == "tied" else embedding_parameters


@quantity("parameter", source=BY_DEFINITION)
def model_parameters(
    layer_parameters,
    embedding_parameters,
    embedding_extra_parameters,
    norm_parameters,
    head_parameters,
    head_bias_parameters,
):
    """All parameters: layers, embedding, final norm and head."""
    return (
        total(layer_parameters)
        + embedding_parameters
        + embedding_extra_parameters
        + norm_parameters
        + head_parameters
        + head_bias_parameters
    )


@quantity("parameter", source=BY_DEFINITION)
def active_parameters(model_parameters):
    """Parameters that work on each token, embeddings included: all of them in a dense model."""
    return model_parameters


@quantity("1", source=MEGATRON_LM.at("vocabulary padding"))
def padded_vocabulary_size(vocabulary_size, vocabulary_multiple):
    """Vocabulary entries as held in memory."""
    return ceil(vocabulary_size / vocabulary_multiple) * vocabulary_multiple


@quantity("parameter", source=MEGATRON_LM.at("vocabulary padding"), counting=True)
def padded_embedding_parameters(padded_vocabulary_size, hidden_size):
    """An embedding or head matrix as held in memory."""
    return padded_vocabulary_size * hidden_size
