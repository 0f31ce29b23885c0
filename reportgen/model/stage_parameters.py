"""Parameters of a stage: its layers, the embedding or the head at the ends, and what one GPU of it holds."""

from __future__ import annotations

from reportgen.formula.functions import lookup, total_where
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import STAGE
from reportgen.model.references import DEEPSEEK_V3, MEGATRON_LM

TWO_WAYS = DEEPSEEK_V3.at("section 3.2.1, table 2")


@quantity("parameter/GPU", source=MEGATRON_LM.at("vocabulary-parallel embedding"))
def first_stage_extra_parameters(padded_embedding_parameters, tensor_parallel, embedding_extra_parameters, one_gpu):
    """Embedding and what stands beside it, on one GPU of the first stage."""
    return padded_embedding_parameters / tensor_parallel + embedding_extra_parameters / one_gpu


@quantity("parameter", source=MEGATRON_LM.at("tied embeddings under pipeline parallelism"))
def held_head_parameters(embedding_tying, head_stage, padded_embedding_parameters):
    """The head's matrix as held on its stage: a copy of a tied one, unless that is the first stage."""
    return 0 if embedding_tying == "tied" and head_stage == 0 else padded_embedding_parameters


@quantity("parameter/GPU", source=MEGATRON_LM.at("vocabulary-parallel head"))
def last_stage_extra_parameters(held_head_parameters, head_bias_parameters, tensor_parallel, norm_parameters, one_gpu):
    """Head and final norm, on one GPU of the last stage."""
    return (held_head_parameters + head_bias_parameters) / tensor_parallel + norm_parameters / one_gpu


@quantity("parameter/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_own_end_parameters(stage_index, first_stage_extra_parameters, head_stage, last_stage_extra_parameters):
    """Parameters on one GPU of the stage beside its layers: the embedding on the first, the head mostly on the last."""
    return (first_stage_extra_parameters if stage_index == 0 else 0) + (
        last_stage_extra_parameters if stage_index == head_stage else 0
    )


@quantity("parameter/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_own_layer_parameters(layer_dense_parameters, layer_stage, stage_index):
    """Parameters of the stage's layers on one GPU, routed experts apart."""
    return total_where(layer_dense_parameters, layer_stage, stage_index)


@quantity("parameter/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_own_expert_parameters(layer_expert_parameters, layer_stage, stage_index):
    """Parameters of the stage's routed experts on one GPU."""
    return total_where(layer_expert_parameters, layer_stage, stage_index)


@quantity("1", source=TWO_WAYS)
def mirrored_share(schedule):
    """1 where GPUs hold the mirrored stage as well, for micro-batches that flow the other way, else 0."""
    return 1 if schedule == "dualpipe" else 0


@quantity("1", axis=STAGE, source=TWO_WAYS)
def stage_mirror(pipeline_stages, stage_index):
    """The stage as far from the end of the pipeline as this one is from its start."""
    return pipeline_stages - 1 - stage_index


@quantity("parameter/GPU", axis=STAGE, source=TWO_WAYS)
def stage_mirrored_end_parameters(mirrored_share, stage_mirror, stage_order, stage_own_end_parameters):
    """Embedding or head of the mirrored stage on one GPU; none where it is not held."""
    return mirrored_share * lookup(stage_mirror, stage_order, stage_own_end_parameters)


@quantity("parameter/GPU", axis=STAGE, source=TWO_WAYS)
def stage_end_parameters(stage_own_end_parameters, stage_mirrored_end_parameters):
    """Embedding or head on one GPU of the stage, those of its mirrored stage added where it holds that too."""
    return stage_own_end_parameters + stage_mirrored_end_parameters


@quantity("parameter/GPU", axis=STAGE, source=TWO_WAYS)
def stage_mirrored_layer_parameters(mirrored_share, stage_mirror, stage_order, stage_own_layer_parameters):
    """Parameters of the mirrored stage's layers on one GPU; none where it is not held."""
    return mirrored_share * lookup(stage_mirror, stage_order, stage_own_layer_parameters)


@quantity("parameter/GPU", axis=STAGE, source=TWO_WAYS)
def stage_layer_parameters(stage_own_layer_parameters, stage_mirrored_layer_parameters):
    """Parameters of layers on one GPU of the stage, routed experts apart, a mirrored stage's added."""
    return stage_own_layer_parameters + stage_mirrored_layer_parameters


@quantity("parameter/GPU", axis=STAGE, source=TWO_WAYS)
def stage_mirrored_expert_parameters(mirrored_share, stage_mirror, stage_order, stage_own_expert_parameters):
    """Parameters of the mirrored stage's routed experts on one GPU; none where it is not held."""
    return mirrored_share * lookup(stage_mirror, stage_order, stage_own_expert_parameters)


@quantity("parameter/GPU", axis=STAGE, source=TWO_WAYS)
def stage_expert_parameters(stage_own_expert_parameters, stage_mirrored_expert_parameters):
    """Parameters of routed experts on one GPU of the stage, a mirrored stage's added."""
    return stage_own_expert_parameters + stage_mirrored_expert_parameters


@quantity("parameter/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_gpu_parameters(stage_layer_parameters, stage_expert_parameters, stage_end_parameters):
    """Parameters on one GPU of the stage: layers, routed experts, and the embedding or head at the ends."""
    return stage_layer_parameters + stage_expert_parameters + stage_end_parameters


@quantity("parameter", source=BY_DEFINITION)
def first_stage_whole_parameters(padded_embedding_parameters, embedding_extra_parameters):
    """Embedding and what stands beside it, over all GPUs of the first stage."""
    return padded_embedding_parameters + embedding_extra_parameters


@quantity("parameter", source=BY_DEFINITION)
def last_stage_whole_parameters(held_head_parameters, head_bias_parameters, norm_parameters):
    """Head and final norm, over all GPUs of the last stage."""
    return held_head_parameters + head_bias_parameters + norm_parameters


@quantity("parameter", axis=STAGE, source=BY_DEFINITION)
def stage_parameters(
    layer_parameters,
    layer_stage,
    stage_index,
    first_stage_whole_parameters,
    head_stage,
    last_stage_whole_parameters,
):
    """Parameters of the stage, over all its GPUs, replicas counted once."""
    return (
        total_where(layer_parameters, layer_stage, stage_index)
        + (first_stage_whole_parameters if stage_index == 0 else 0)
        + (last_stage_whole_parameters if stage_index == head_stage else 0)
    )
