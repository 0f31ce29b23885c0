"""State: weights, gradients and optimizer state on one GPU of each stage, as ZeRO shards them."""

from __future__ import annotations

from reportgen.formula.functions import largest, lookup, total_where
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER, STAGE
from reportgen.model.references import MEGATRON_LM, PYTORCH_FSDP, RAJBHANDARI_2020

SHARDING = RAJBHANDARI_2020.at("section 5")


@quantity("GPU", source=MEGATRON_LM.at("parallelism guide"))
def model_parallel_gpus(tensor_parallel, pipeline_stages, context_parallel):
    """GPUs that hold one copy of the model between them."""
    return tensor_parallel * pipeline_stages * context_parallel


@quantity("1", source=MEGATRON_LM.at("parallelism guide"))
def data_parallel(gpu_count, model_parallel_gpus):
    """Copies of the model that train side by side."""
    return gpu_count / model_parallel_gpus


@quantity("1", source=MEGATRON_LM.at("distributed optimizer"))
def zero_shards(data_parallel, context_parallel):
    """Ways in which ZeRO can split state: over data-parallel and context-parallel GPUs."""
    return data_parallel * context_parallel


@quantity("1", source=SHARDING)
def optimizer_shards(zero_stage, zero_shards):
    """Ways in which the optimizer state is split: from ZeRO stage 1."""
    return zero_shards if zero_stage >= 1 else 1


@quantity("1", source=SHARDING)
def gradient_shards(zero_stage, zero_shards):
    """Ways in which gradients are split: from ZeRO stage 2."""
    return zero_shards if zero_stage >= 2 else 1


@quantity("1", source=SHARDING)
def weight_shards(zero_stage, zero_shards):
    """Ways in which weights are split: under ZeRO stage 3."""
    return zero_shards if zero_stage > 2 else 1


@quantity("byte/parameter", source=RAJBHANDARI_2020.at("section 3.1"))
def optimizer_bytes_per_parameter(master_bytes_per_parameter, optimizer, optimizer_name, optimizer_state_column):
    """Bytes per parameter that the optimizer holds: master weights and moments."""
    return master_bytes_per_parameter + lookup(optimizer, optimizer_name, optimizer_state_column)


@quantity("byte/parameter", source=RAJBHANDARI_2020.at("section 3.1"))
def state_bytes_per_parameter(weight_bytes_per_parameter, gradient_bytes_per_parameter, optimizer_bytes_per_parameter):
    """Bytes per parameter of weights, gradients and optimizer, unsharded."""
    return weight_bytes_per_parameter + gradient_bytes_per_parameter + optimizer_bytes_per_parameter


@quantity("parameter/GPU", source=MEGATRON_LM.at("vocabulary-parallel embedding"))
def first_stage_extra_parameters(padded_embedding_parameters, tensor_parallel, embedding_extra_parameters, one_gpu):
    """Embedding and what stands beside it, on one GPU of the first stage."""
    return padded_embedding_parameters / tensor_parallel + embedding_extra_parameters / one_gpu


@quantity("parameter", source=MEGATRON_LM.at("tied embeddings under pipeline parallelism"))
def held_head_parameters(embedding_tying, pipeline_stages, padded_embedding_parameters):
    """The head's matrix as held on the last stage: a copy of a tied one, unless the first stage is the last."""
    return 0 if embedding_tying == "tied" and pipeline_stages == 1 else padded_embedding_parameters


@quantity("parameter/GPU", source=MEGATRON_LM.at("vocabulary-parallel head"))
def last_stage_extra_parameters(held_head_parameters, head_bias_parameters, tensor_parallel, norm_parameters, one_gpu):
    """Head and final norm, on one GPU of the last stage."""
    return (held_head_parameters + head_bias_parameters) / tensor_parallel + norm_parameters / one_gpu


@quantity("parameter/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_end_parameters(stage_index, first_stage_extra_parameters, pipeline_stages, last_stage_extra_parameters):
    """Parameters on one GPU of the stage beside its layers: the embedding on the first, the head on the last."""
    return (first_stage_extra_parameters if stage_index == 0 else 0) + (
        last_stage_extra_parameters if stage_index == pipeline_stages - 1 else 0
    )


@quantity("parameter/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_gpu_parameters(layer_gpu_parameters, layer_stage, stage_index, stage_end_parameters):
    """Parameters on one GPU of the stage: its layers, and the embedding or head at the ends."""
    return total_where(layer_gpu_parameters, layer_stage, stage_index) + stage_end_parameters


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
    pipeline_stages,
    last_stage_whole_parameters,
):
    """Parameters of the stage, over its tensor-parallel GPUs, replicas counted once."""
    return (
        total_where(layer_parameters, layer_stage, stage_index)
        + (first_stage_whole_parameters if stage_index == 0 else 0)
        + (last_stage_whole_parameters if stage_index == pipeline_stages - 1 else 0)
    )


@quantity("byte/GPU", axis=STAGE, source=SHARDING)
def stage_weight_bytes(stage_gpu_parameters, weight_bytes_per_parameter, weight_shards):
    """Weights on one GPU of the stage."""
    return stage_gpu_parameters * weight_bytes_per_parameter / weight_shards


@quantity("byte/GPU", axis=STAGE, source=SHARDING)
def stage_gradient_bytes(stage_gpu_parameters, gradient_bytes_per_parameter, gradient_shards):
    """Gradients on one GPU of the stage."""
    return stage_gpu_parameters * gradient_bytes_per_parameter / gradient_shards


@quantity("byte/GPU", axis=STAGE, source=SHARDING)
def stage_optimizer_bytes(stage_gpu_parameters, optimizer_bytes_per_parameter, optimizer_shards):
    """Master weights and optimizer moments on one GPU of the stage."""
    return stage_gpu_parameters * optimizer_bytes_per_parameter / optimizer_shards


@quantity("byte/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_state_bytes(stage_weight_bytes, stage_gradient_bytes, stage_optimizer_bytes):
    """Model state on one GPU of the stage: weights, gradients and optimizer."""
    return stage_weight_bytes + stage_gradient_bytes + stage_optimizer_bytes


@quantity("byte/GPU", axis=LAYER, source=SHARDING)
def layer_weight_bytes(layer_gpu_parameters, weight_bytes_per_parameter, weight_shards):
    """Weights of the layer on one GPU."""
    return layer_gpu_parameters * weight_bytes_per_parameter / weight_shards


@quantity("byte/GPU", axis=LAYER, source=SHARDING)
def layer_gradient_bytes(layer_gpu_parameters, gradient_bytes_per_parameter, gradient_shards):
    """Gradients of the layer on one GPU."""
    return layer_gpu_parameters * gradient_bytes_per_parameter / gradient_shards


@quantity("byte/GPU", axis=LAYER, source=SHARDING)
def layer_optimizer_bytes(layer_gpu_parameters, optimizer_bytes_per_parameter, optimizer_shards):
    """Master weights and optimizer moments of the layer on one GPU."""
    return layer_gpu_parameters * optimizer_bytes_per_parameter / optimizer_shards


@quantity("byte/GPU", source=RAJBHANDARI_2020.at("section 7.2.2"))
def gathered_layer_bytes(zero_stage, gathered_layers, layer_gpu_parameters, weight_bytes_per_parameter):
    """Full weights of the layers at work and fetched ahead, which ZeRO stage 3 gathers."""
    return gathered_layers * largest(layer_gpu_parameters) * weight_bytes_per_parameter if zero_stage > 2 else 0


@quantity("byte/GPU", axis=STAGE, source=PYTORCH_FSDP.at("fully_shard, the root's parameters stay gathered"))
def stage_gathered_bytes(zero_stage, gathered_layer_bytes, stage_end_parameters, weight_bytes_per_parameter):
    """Full weights that ZeRO stage 3 has at hand on one GPU: layers in turn, embedding and head throughout."""
    return gathered_layer_bytes + stage_end_parameters * weight_bytes_per_parameter if zero_stage > 2 else 0
