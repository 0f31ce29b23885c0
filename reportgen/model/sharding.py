"""Sharding: how many copies of the model train side by side, and into how many shares state is cut."""

from __future__ import annotations

from reportgen.formula.quantity import quantity
from reportgen.model.references import MEGATRON_LM, PYTORCH_FSDP, RAJBHANDARI_2020

ZERO = RAJBHANDARI_2020.at("section 5")


@quantity("GPU", source=MEGATRON_LM.at("parallelism guide"))
def model_parallel_gpus(tensor_parallel, pipeline_stages, context_parallel):
    """GPUs that hold one copy of the model between them."""
    return tensor_parallel * pipeline_stages * context_parallel


@quantity("1", source=MEGATRON_LM.at("parallelism guide"))
def data_parallel(gpu_count, model_parallel_gpus):
    """Copies of the model that train side by side."""
    return gpu_count / model_parallel_gpus


@quantity("1", source=MEGATRON_LM.at("distributed optimizer"))
def replica_shards(data_parallel, context_parallel):
    """GPUs that hold the same weights: data-parallel and context-parallel ones."""
    return data_parallel * context_parallel


@quantity("1", source=PYTORCH_FSDP.at("hybrid sharding"))
def zero_shards(shard_group_size, replica_shards):
    """Ways in which ZeRO can split state: over all GPUs that hold the same weights, or over a group of them."""
    return replica_shards if shard_group_size == "all" else shard_group_size


@quantity("1", source=MEGATRON_LM.at("expert parallelism, expert data parallel size"))
def expert_zero_shards(tensor_parallel, zero_shards, expert_parallel, expert_tensor_shards):
    """Ways in which ZeRO can split the experts' state: over the GPUs that hold the same experts."""
    return max(tensor_parallel * zero_shards / (expert_parallel * expert_tensor_shards), 1)


@quantity("1", source=ZERO)
def optimizer_shards(zero_stage, zero_shards):
    """Ways in which the optimizer state is split: from ZeRO stage 1."""
    return zero_shards if zero_stage >= 1 else 1


@quantity("1", source=ZERO)
def gradient_shards(zero_stage, zero_shards):
    """Ways in which gradients are split: from ZeRO stage 2."""
    return zero_shards if zero_stage >= 2 else 1


@quantity("1", source=ZERO)
def weight_shards(zero_stage, zero_shards):
    """Ways in which weights are split: under ZeRO stage 3."""
    return zero_shards if zero_stage > 2 else 1


@quantity("1", source=ZERO)
def expert_optimizer_shards(zero_stage, expert_zero_shards):
    """Ways in which the experts' optimizer state is split: from ZeRO stage 1."""
    return expert_zero_shards if zero_stage >= 1 else 1


@quantity("1", source=ZERO)
def expert_gradient_shards(zero_stage, expert_zero_shards):
    """Ways in which the experts' gradients are split: from ZeRO stage 2."""
    return expert_zero_shards if zero_stage >= 2 else 1


@quantity("1", source=ZERO)
def expert_weight_shards(zero_stage, expert_zero_shards):
    """Ways in which the experts' weights are split: under ZeRO stage 3."""
    return expert_zero_shards if zero_stage > 2 else 1
