"""How weights of layers are stored: matrices of linear layers in 4 bits under QLoRA, norms and biases as they are."""

from __future__ import annotations

from reportgen.formula.functions import lookup, total_where
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER, LAYER_KIND, STAGE
from reportgen.model.references import BITSANDBYTES, DEEPSEEK_V3, DETTMERS_2023, PEFT, RAJBHANDARI_2020

LINEAR = BITSANDBYTES.at(
    "nn/modules.py, Linear4bit: the weight is quantised, the bias is not; norms are no linear layers"
)
TWO_WAYS = DEEPSEEK_V3.at("section 3.2.1, table 2")


@quantity("byte/parameter", source=DETTMERS_2023.at("section 3"))
def matrix_bytes_per_parameter(tuning, quantised_bytes_per_parameter, weight_bytes_per_parameter):
    """Bytes of a weight of a layer's matrices as stored: the 4-bit form where they are frozen in that."""
    return quantised_bytes_per_parameter if tuning == "qlora" else weight_bytes_per_parameter


@quantity("byte/parameter", source=PEFT.at("utils/other.py, prepare_model_for_kbit_training"))
def plain_bytes_per_parameter(tuning, unquantised_bytes_per_parameter, weight_bytes_per_parameter):
    """Bytes of a weight that is never quantised: of norms, biases, embedding and head."""
    return (
        unquantised_bytes_per_parameter
        if tuning == "qlora" and unquantised_bytes_per_parameter != "as weights"
        else weight_bytes_per_parameter
    )


@quantity("parameter/GPU", axis=LAYER_KIND, source=LINEAR)
def kind_gpu_linear_parameters(
    kind_matrix_parameters,
    tensor_parallel,
    kind_latent_down_parameters,
    kind_router_matrix_parameters,
    one_gpu,
    kind_gpu_dense_parameters,
):
    """Matrices of one layer on one GPU, routed experts apart: no more than the layer has there."""
    return min(
        kind_matrix_parameters / tensor_parallel
        + (kind_latent_down_parameters + kind_router_matrix_parameters) / one_gpu,
        kind_gpu_dense_parameters,
    )


@quantity("parameter", axis=LAYER_KIND, source=LINEAR, counting=True)
def kind_expert_linear_parameters(kind_expert_share, expert_count, mlp_matrices, hidden_size, expert_ffn_size):
    """Matrices of all routed experts of one layer."""
    return kind_expert_share * expert_count * mlp_matrices * hidden_size * expert_ffn_size


@quantity("parameter/GPU", axis=LAYER_KIND, source=LINEAR)
def kind_gpu_expert_linear_parameters(kind_expert_linear_parameters, expert_tensor_shards, expert_parallel):
    """Matrices of one layer's routed experts on one GPU."""
    return kind_expert_linear_parameters / expert_tensor_shards / expert_parallel


@quantity("byte/GPU", axis=LAYER_KIND, source=LINEAR)
def kind_dense_weight_bytes(
    kind_gpu_linear_parameters, matrix_bytes_per_parameter, kind_gpu_dense_parameters, plain_bytes_per_parameter
):
    """Weights of one layer on one GPU, routed experts apart, unsharded: matrices, and norms and biases."""
    return (
        kind_gpu_linear_parameters * matrix_bytes_per_parameter
        + (kind_gpu_dense_parameters - kind_gpu_linear_parameters) * plain_bytes_per_parameter
    )


@quantity("byte/GPU", axis=LAYER_KIND, source=LINEAR)
def kind_expert_weight_bytes(
    kind_gpu_expert_linear_parameters,
    matrix_bytes_per_parameter,
    kind_gpu_expert_parameters,
    plain_bytes_per_parameter,
):
    """Weights of one layer's routed experts on one GPU, unsharded: matrices and biases."""
    return (
        kind_gpu_expert_linear_parameters * matrix_bytes_per_parameter
        + (kind_gpu_expert_parameters - kind_gpu_expert_linear_parameters) * plain_bytes_per_parameter
    )


@quantity("byte/GPU", axis=LAYER_KIND, source=RAJBHANDARI_2020.at("section 5"))
def kind_weight_bytes(kind_dense_weight_bytes, weight_shards, kind_expert_weight_bytes, expert_weight_shards):
    """Weights of one layer on one GPU, adapters apart, as ZeRO shards them."""
    return kind_dense_weight_bytes / weight_shards + kind_expert_weight_bytes / expert_weight_shards


@quantity("byte/GPU", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_whole_weight_bytes(kind_dense_weight_bytes, kind_expert_weight_bytes):
    """Weights of one layer on one GPU, adapters apart, as they are when ZeRO has gathered them."""
    return kind_dense_weight_bytes + kind_expert_weight_bytes


@quantity("byte/GPU", axis=LAYER, source=BY_DEFINITION)
def layer_weight_bytes(layer_kind, kind_name, kind_weight_bytes):
    """Weights of the layer on one GPU, adapters apart."""
    return lookup(layer_kind, kind_name, kind_weight_bytes)


@quantity("byte/GPU", axis=LAYER, source=BY_DEFINITION)
def layer_whole_weight_bytes(layer_kind, kind_name, kind_whole_weight_bytes):
    """Weights of the layer on one GPU, adapters apart, as they are when ZeRO has gathered them."""
    return lookup(layer_kind, kind_name, kind_whole_weight_bytes)


@quantity("byte/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_own_weight_bytes(layer_weight_bytes, layer_stage, stage_index):
    """Weights of the stage's layers on one GPU."""
    return total_where(layer_weight_bytes, layer_stage, stage_index)


@quantity("byte/GPU", axis=STAGE, source=TWO_WAYS)
def stage_mirrored_weight_bytes(mirrored_share, stage_mirror, stage_order, stage_own_weight_bytes):
    """Weights of the mirrored stage's layers on one GPU; none where it is not held."""
    return mirrored_share * lookup(stage_mirror, stage_order, stage_own_weight_bytes)


@quantity("byte/GPU", axis=STAGE, source=TWO_WAYS)
def stage_layer_weight_bytes(stage_own_weight_bytes, stage_mirrored_weight_bytes):
    """Weights of layers on one GPU of the stage, a mirrored stage's added."""
    return stage_own_weight_bytes + stage_mirrored_weight_bytes
