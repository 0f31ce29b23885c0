"""Tuning: which parameters are trained, all of them or low-rank adapters beside frozen ones."""

from __future__ import annotations

from reportgen.formula.functions import lookup, total, total_where
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER, LAYER_KIND, STAGE
from reportgen.model.references import DEEPSEEK_V3, DETTMERS_2023, HU_2021

ADAPTERS = HU_2021.at("section 4.1")
TWO_WAYS = DEEPSEEK_V3.at("section 3.2.1, table 2")


@quantity("1", source=ADAPTERS)
def trained_share(tuning):
    """1 where the model's own weights are trained, else 0."""
    return 1 if tuning == "full" else 0


@quantity("1", source=DETTMERS_2023.at("section 4"))
def adapted_mlp_share(adapter_targets):
    """1 where the dense MLP's matrices have adapters too, else 0."""
    return 1 if adapter_targets == "all linear" else 0


@quantity("1", source=ADAPTERS)
def frozen_mlp_share(trained_share, adapted_mlp_share):
    """1 where the MLP's matrices are frozen and have no adapters, so that what they read is not kept, else 0."""
    return (1 - trained_share) * (1 - adapted_mlp_share)


@quantity("parameter", axis=LAYER_KIND, source=ADAPTERS, counting=True)
def kind_adapter_split_parameters(
    adapter_rank,
    kind_plain_share,
    kind_query_size,
    kind_key_size,
    kind_value_size,
    kind_output_size,
    adapted_mlp_share,
    kind_dense_share,
    mlp_matrices,
    kind_ffn_size,
):
    """Adapter weights of one layer on the sides of heads and MLP, which tensor parallelism splits."""
    return adapter_rank * (
        kind_plain_share * (kind_query_size + kind_key_size + kind_value_size + kind_output_size)
        + adapted_mlp_share * kind_dense_share * mlp_matrices * kind_ffn_size
    )


@quantity("parameter", axis=LAYER_KIND, source=ADAPTERS, counting=True)
def kind_adapter_replicated_parameters(
    adapter_rank,
    hidden_size,
    attention_matrices,
    kind_plain_share,
    adapted_mlp_share,
    kind_dense_share,
    mlp_matrices,
):
    """Adapter weights of one layer on the side of the residual stream, on every tensor-parallel GPU."""
    return (
        adapter_rank
        * hidden_size
        * (attention_matrices * kind_plain_share + adapted_mlp_share * kind_dense_share * mlp_matrices)
    )


@quantity("parameter", axis=LAYER_KIND, source=ADAPTERS)
def kind_adapter_parameters(trained_share, kind_adapter_split_parameters, kind_adapter_replicated_parameters):
    """Adapter weights of one layer; none where the model's own weights are trained."""
    return (1 - trained_share) * (kind_adapter_split_parameters + kind_adapter_replicated_parameters)


@quantity("parameter/GPU", axis=LAYER_KIND, source=ADAPTERS)
def kind_gpu_adapter_parameters(
    trained_share, kind_adapter_split_parameters, tensor_parallel, kind_adapter_replicated_parameters, one_gpu
):
    """Adapter weights of one layer on one GPU."""
    return (1 - trained_share) * (
        kind_adapter_split_parameters / tensor_parallel + kind_adapter_replicated_parameters / one_gpu
    )


@quantity("parameter", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_total_adapter_parameters(kind_layers, kind_adapter_parameters):
    """Adapter weights of all layers of the kind."""
    return kind_layers * kind_adapter_parameters


@quantity("parameter", source=BY_DEFINITION)
def trained_parameters(trained_share, model_parameters, kind_total_adapter_parameters):
    """Parameters that are trained: the model's own, or the adapters."""
    return trained_share * model_parameters + total(kind_total_adapter_parameters)


@quantity("parameter/GPU", axis=LAYER, source=BY_DEFINITION)
def layer_adapter_parameters(layer_kind, kind_name, kind_gpu_adapter_parameters):
    """Adapter weights of the layer on one GPU of its stage."""
    return lookup(layer_kind, kind_name, kind_gpu_adapter_parameters)


@quantity("parameter/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_own_adapter_parameters(layer_adapter_parameters, layer_stage, stage_index):
    """Adapter weights of the stage's layers on one GPU."""
    return total_where(layer_adapter_parameters, layer_stage, stage_index)


@quantity("parameter/GPU", axis=STAGE, source=TWO_WAYS)
def stage_mirrored_adapter_parameters(mirrored_share, stage_mirror, stage_order, stage_own_adapter_parameters):
    """Adapter weights of the mirrored stage on one GPU; none where it is not held."""
    return mirrored_share * lookup(stage_mirror, stage_order, stage_own_adapter_parameters)


@quantity("parameter/GPU", axis=STAGE, source=TWO_WAYS)
def stage_adapter_parameters(stage_own_adapter_parameters, stage_mirrored_adapter_parameters):
    """Adapter weights on one GPU of the stage, a mirrored stage's added."""
    return stage_own_adapter_parameters + stage_mirrored_adapter_parameters


@quantity("parameter/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_updated_parameters(stage_trained_parameters, trained_share, stage_expert_parameters, stage_end_parameters):
    """All parameters on one GPU of the stage that are trained: layers, experts, embedding and head, or adapters."""
    return stage_trained_parameters + trained_share * (stage_expert_parameters + stage_end_parameters)


@quantity("parameter/GPU", axis=LAYER, source=BY_DEFINITION)
def layer_trained_parameters(trained_share, layer_dense_parameters, layer_adapter_parameters):
    """Parameters of the layer on one GPU that are trained, routed experts apart."""
    return trained_share * layer_dense_parameters + layer_adapter_parameters


@quantity("parameter/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_trained_parameters(trained_share, stage_layer_parameters, stage_adapter_parameters):
    """Parameters of the stage's layers on one GPU that are trained, routed experts apart."""
    return trained_share * stage_layer_parameters + stage_adapter_parameters
