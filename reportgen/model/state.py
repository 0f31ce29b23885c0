"""State: weights, gradients and optimizer state on one GPU of each stage and of each layer, as ZeRO shards them."""

from __future__ import annotations

from reportgen.formula.functions import largest, lookup
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER, STAGE
from reportgen.model.references import (
    JORDAN_2024,
    PYTORCH_FSDP,
    RAJBHANDARI_2020,
    REN_2021,
    SHAZEER_2018,
)

SHARDING = RAJBHANDARI_2020.at("section 5")
BYTES = RAJBHANDARI_2020.at("section 3.1")


@quantity("byte/parameter", source=SHAZEER_2018.at("algorithm 4, rows and columns as wide as the model"))
def factored_bytes_per_parameter(optimizer, optimizer_name, optimizer_factored_column, hidden_size):
    """Bytes per parameter of factored second moments: a mean for each row and each column of a matrix."""
    return 2 * lookup(optimizer, optimizer_name, optimizer_factored_column) / hidden_size


@quantity("byte/parameter", source=BYTES)
def optimizer_bytes_per_parameter(
    master_bytes_per_parameter, optimizer, optimizer_name, optimizer_state_column, factored_bytes_per_parameter
):
    """Bytes per parameter that the optimizer holds: master weights and moments."""
    return (
        master_bytes_per_parameter
        + lookup(optimizer, optimizer_name, optimizer_state_column)
        + factored_bytes_per_parameter
    )


@quantity("byte/parameter", source=JORDAN_2024.at("embedding and head are left to AdamW"))
def end_optimizer_bytes_per_parameter(
    master_bytes_per_parameter, optimizer, optimizer_name, optimizer_end_column, factored_bytes_per_parameter
):
    """Bytes per parameter that the optimizer holds for embedding and head."""
    return (
        master_bytes_per_parameter
        + lookup(optimizer, optimizer_name, optimizer_end_column)
        + factored_bytes_per_parameter
    )


@quantity("byte/parameter", source=BYTES)
def state_bytes_per_parameter(weight_bytes_per_parameter, gradient_bytes_per_parameter, optimizer_bytes_per_parameter):
    """Bytes per parameter of weights, gradients and optimizer, unsharded."""
    return weight_bytes_per_parameter + gradient_bytes_per_parameter + optimizer_bytes_per_parameter


@quantity("byte/GPU", axis=STAGE, source=SHARDING)
def stage_weight_bytes(
    stage_layer_weight_bytes,
    stage_end_parameters,
    plain_bytes_per_parameter,
    stage_adapter_parameters,
    weight_bytes_per_parameter,
    weight_shards,
):
    """Weights on one GPU of the stage: layers, embedding or head, and adapters."""
    return (
        stage_layer_weight_bytes
        + (stage_end_parameters * plain_bytes_per_parameter + stage_adapter_parameters * weight_bytes_per_parameter)
        / weight_shards
    )


@quantity("byte/GPU", axis=STAGE, source=SHARDING)
def stage_gradient_bytes(
    stage_trained_parameters,
    trained_share,
    stage_end_parameters,
    gradient_shards,
    stage_expert_parameters,
    expert_gradient_shards,
    gradient_bytes_per_parameter,
):
    """Gradients on one GPU of the stage."""
    return (
        (stage_trained_parameters + trained_share * stage_end_parameters) / gradient_shards
        + trained_share * stage_expert_parameters / expert_gradient_shards
    ) * gradient_bytes_per_parameter


@quantity("byte/GPU", axis=STAGE, source=SHARDING)
def stage_layer_optimizer_bytes(
    stage_trained_parameters,
    optimizer_shards,
    trained_share,
    stage_expert_parameters,
    expert_optimizer_shards,
    optimizer_bytes_per_parameter,
):
    """Master weights and optimizer moments of the stage's layers, for one GPU."""
    return (
        stage_trained_parameters / optimizer_shards + trained_share * stage_expert_parameters / expert_optimizer_shards
    ) * optimizer_bytes_per_parameter


@quantity("byte/GPU", axis=STAGE, source=SHARDING)
def stage_all_optimizer_bytes(
    stage_layer_optimizer_bytes,
    trained_share,
    stage_end_parameters,
    end_optimizer_bytes_per_parameter,
    optimizer_shards,
):
    """Master weights and optimizer moments that one GPU of the stage updates, wherever they lie."""
    return (
        stage_layer_optimizer_bytes
        + trained_share * stage_end_parameters * end_optimizer_bytes_per_parameter / optimizer_shards
    )


@quantity("1", source=REN_2021.at("section 4"))
def offloaded_share(optimizer_offload):
    """1 where the optimizer's state lies off the GPU, else 0."""
    return 0 if optimizer_offload == "none" else 1


@quantity("byte/GPU", axis=STAGE, source=REN_2021.at("section 4"))
def stage_optimizer_bytes(offloaded_share, stage_all_optimizer_bytes):
    """Master weights and optimizer moments on one GPU of the stage."""
    return (1 - offloaded_share) * stage_all_optimizer_bytes


@quantity("GPU/node", source=BY_DEFINITION)
def node_gpus(gpus_per_node, gpu_count, one_node):
    """GPUs of one node that train: all of them, or as many as the run has."""
    return min(gpus_per_node, gpu_count / one_node)


@quantity("byte/node", source=REN_2021.at("section 4"))
def node_offloaded_bytes(offloaded_share, stage_all_optimizer_bytes, node_gpus):
    """Master weights and optimizer moments that lie on one node off its GPUs, all of them of the fullest stage."""
    return offloaded_share * largest(stage_all_optimizer_bytes) * node_gpus


@quantity("byte/node", source=BY_DEFINITION)
def offload_capacity_bytes(optimizer_offload, node_disk_capacity, node_host_memory):
    """Room on one node for what is offloaded: its NVMe, or its host memory."""
    return node_disk_capacity if optimizer_offload == "nvme" else node_host_memory


@quantity("byte/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_state_bytes(stage_weight_bytes, stage_gradient_bytes, stage_optimizer_bytes):
    """Model state on one GPU of the stage: weights, gradients and optimizer."""
    return stage_weight_bytes + stage_gradient_bytes + stage_optimizer_bytes


@quantity("byte/GPU", axis=LAYER, source=SHARDING)
def layer_gradient_bytes(
    layer_trained_parameters,
    gradient_shards,
    trained_share,
    layer_expert_parameters,
    expert_gradient_shards,
    gradient_bytes_per_parameter,
):
    """Gradients of the layer on one GPU."""
    return (
        layer_trained_parameters / gradient_shards + trained_share * layer_expert_parameters / expert_gradient_shards
    ) * gradient_bytes_per_parameter


@quantity("byte/GPU", axis=LAYER, source=SHARDING)
def layer_optimizer_bytes(
    offloaded_share,
    layer_trained_parameters,
    optimizer_shards,
    trained_share,
    layer_expert_parameters,
    expert_optimizer_shards,
    optimizer_bytes_per_parameter,
):
    """Master weights and optimizer moments of the layer on one GPU."""
    return (
        (1 - offloaded_share)
        * (
            layer_trained_parameters / optimizer_shards
            + trained_share * layer_expert_parameters / expert_optimizer_shards
        )
        * optimizer_bytes_per_parameter
    )


@quantity("1", source=PYTORCH_FSDP.at("foreach_all_gather_copy_out"))
def gathered_copies(zero_stage, framework_gather_copies):
    """Copies of a gathered weight that are alive at once; 0 where ZeRO gathers nothing."""
    return framework_gather_copies if zero_stage > 2 else 0


@quantity("byte/parameter", source=PYTORCH_FSDP.at("mixed precision policy"))
def gathered_end_bytes_per_parameter(gathered_bytes_per_parameter, plain_bytes_per_parameter):
    """Bytes of a weight of embedding and head as ZeRO stage 3 gathers it."""
    return plain_bytes_per_parameter if gathered_bytes_per_parameter == "as weights" else gathered_bytes_per_parameter


@quantity("byte/parameter", source=PYTORCH_FSDP.at("mixed precision policy"))
def gathered_adapter_bytes_per_parameter(gathered_bytes_per_parameter, weight_bytes_per_parameter):
    """Bytes of a weight of the adapters as ZeRO stage 3 gathers it."""
    return weight_bytes_per_parameter if gathered_bytes_per_parameter == "as weights" else gathered_bytes_per_parameter


@quantity("byte/GPU", axis=LAYER, source=RAJBHANDARI_2020.at("section 7.2.2"))
def layer_gathered_bytes(
    gathered_bytes_per_parameter,
    layer_whole_weight_bytes,
    layer_gpu_parameters,
    layer_adapter_parameters,
    gathered_adapter_bytes_per_parameter,
):
    """Full weights of the layer with its adapters, which ZeRO stage 3 gathers together, frozen ones as stored."""
    return (
        layer_whole_weight_bytes
        if gathered_bytes_per_parameter == "as weights"
        else layer_gpu_parameters * gathered_bytes_per_parameter
    ) + layer_adapter_parameters * gathered_adapter_bytes_per_parameter


@quantity("byte/GPU", source=RAJBHANDARI_2020.at("section 7.2.2"))
def gathered_unit_bytes(layer_gathered_bytes):
    """Full weights of the largest layer with its adapters."""
    return largest(layer_gathered_bytes)


@quantity("byte/GPU", source=RAJBHANDARI_2020.at("section 7.2.2"))
def gathered_layer_bytes(gathered_copies, gathered_layers, layer_count, gathered_unit_bytes):
    """Full weights of the layers at work and fetched ahead, which ZeRO stage 3 gathers: no more than there are."""
    return gathered_copies * min(gathered_layers, layer_count) * gathered_unit_bytes


@quantity("byte/GPU", axis=STAGE, source=PYTORCH_FSDP.at("fully_shard, the root's parameters stay gathered"))
def stage_gathered_bytes(gathered_layer_bytes, gathered_copies, stage_end_parameters, gathered_end_bytes_per_parameter):
    """Full weights that ZeRO stage 3 has at hand on one GPU: layers in turn, embedding and head throughout."""
    return gathered_layer_bytes + gathered_copies * stage_end_parameters * gathered_end_bytes_per_parameter
