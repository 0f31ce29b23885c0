"""Parameters of the model: embedding, head, totals, and the vocabulary as held in memory."""

from __future__ import annotations

from reportgen.formula.functions import ceil, total
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.references import MEGATRON_LM, VASWANI_2017


@quantity("parameter", source=VASWANI_2017.at("section 3.4"), counting=True)
def embedding_parameters(vocabulary_size, hidden_size):
    """The input embedding."""
    return vocabulary_size * hidden_size


@quantity("parameter", source=BY_DEFINITION)
def embedding_extra_parameters(position_parameters, embedding_norm, norm_parameters, further_parameters):
    """What stands beside the embedding: learned positions, a norm after it, and what nothing else counts."""
    return position_parameters + (norm_parameters if embedding_norm == "yes" else 0) + further_parameters


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
def end_parameters(
    embedding_parameters, embedding_extra_parameters, norm_parameters, head_parameters, head_bias_parameters
):
    """Parameters outside the layers: embedding, final norm and head."""
    return embedding_parameters + embedding_extra_parameters + norm_parameters + head_parameters + head_bias_parameters


@quantity("parameter", source=BY_DEFINITION)
def model_parameters(layer_parameters, end_parameters):
    """All parameters: layers, embedding, final norm and head."""
    return total(layer_parameters) + end_parameters


@quantity("parameter", source=BY_DEFINITION)
def active_parameters(model_parameters, layer_inactive_parameters):
    """Parameters that work on each token, embeddings included: all but the routed experts that stand idle."""
    return model_parameters - total(layer_inactive_parameters)


@quantity("1", source=MEGATRON_LM.at("vocabulary padding"))
def padded_vocabulary_size(vocabulary_size, vocabulary_multiple):
    """Vocabulary entries as held in memory."""
    return ceil(vocabulary_size / vocabulary_multiple) * vocabulary_multiple


@quantity("parameter", source=MEGATRON_LM.at("vocabulary padding"), counting=True)
def padded_embedding_parameters(padded_vocabulary_size, hidden_size):
    """An embedding or head matrix as held in memory."""
    return padded_vocabulary_size * hidden_size
