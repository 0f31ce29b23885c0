"""Layers: which kind each one is, which pipeline stage holds it and what it weighs there."""

from __future__ import annotations

from reportgen.formula.functions import ceil, count_below, count_where, floor, lookup, remainder, total_up_to
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER, LAYER_KIND, STAGE
from reportgen.model.references import MEGATRON_LM, NANOTRON, NARAYANAN_2021

EVEN_SPLIT = MEGATRON_LM.at("pipeline parallelism")
BY_COMPUTE = NANOTRON.at("models/base.py, build_model")
INTERLEAVED = NARAYANAN_2021.at("section 2.2")


@quantity("text", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_label(kind_name):
    """The name of the kind, among those of the kinds that are described."""
    return kind_name


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_name_copies(kind_label, kind_name):
    """Kinds that bear this name: one, unless two kinds are called the same."""
    return count_where(kind_label, kind_name)


@quantity("text", axis=LAYER, source=BY_DEFINITION)
def layer_pattern_kind(layer_index, pattern_period, pattern_layer_count, pattern_layer_kind, main_layer_kind):
    """The kind that the repeating pattern gives this layer."""
    return (
        pattern_layer_kind
        if remainder(layer_index, pattern_period) >= pattern_period - pattern_layer_count
        else main_layer_kind
    )


@quantity("text", axis=LAYER, source=BY_DEFINITION)
def kind_by_rule(layer_index, leading_layer_count, leading_layer_kind, layer_pattern_kind):
    """The kind by rule: the leading kind first, then the pattern."""
    return leading_layer_kind if layer_index < leading_layer_count else layer_pattern_kind


@quantity("text", axis=LAYER, source=BY_DEFINITION)
def layer_kind(kind_override, kind_by_rule):
    """The kind of this layer."""
    return kind_by_rule if kind_override == "as rule" else kind_override


@quantity("1", axis=STAGE, source=EVEN_SPLIT)
def stage_layers_even(layer_count, pipeline_stages, stage_index):
    """Layers of the stage in an even split, the first stages taking what is left over."""
    return floor(layer_count / pipeline_stages) + (1 if stage_index < remainder(layer_count, pipeline_stages) else 0)


@quantity("1", source=BY_COMPUTE, counting=True)
def layer_split_cost(head_count, head_size, hidden_size, mlp_matrices, ffn_size):
    """Compute cost of a layer as nanotron weighs it: four products at full head count, and the MLP's."""
    return (2 * 2 * head_count * head_size + mlp_matrices * ffn_size) * hidden_size


@quantity("1", source=BY_COMPUTE, counting=True)
def head_split_cost(vocabulary_size, hidden_size):
    """Compute cost of the output head as nanotron weighs it."""
    return vocabulary_size * hidden_size


@quantity("1", source=BY_COMPUTE)
def stage_split_cost(layer_count, layer_split_cost, head_split_cost, pipeline_stages):
    """Compute cost that one stage should have: an equal share of layers and head."""
    return (layer_count * layer_split_cost + head_split_cost) / pipeline_stages


@quantity("1", axis=LAYER, source=BY_COMPUTE)
def layer_stage_by_compute(layer_index, layer_split_cost, stage_split_cost, pipeline_stages):
    """The stage of the layer where stages are cut by compute: a layer that crosses the cut stays before it."""
    return min(pipeline_stages - 1, max(0, ceil(layer_index * layer_split_cost / stage_split_cost) - 1))


@quantity("1", source=BY_COMPUTE)
def head_stage(stage_split, pipeline_stages, layer_count, layer_split_cost, stage_split_cost):
    """The stage of final norm and head: the last one, or where a cut by compute has come to behind the layers."""
    return (
        min(pipeline_stages - 1, max(0, ceil(layer_count * layer_split_cost / stage_split_cost) - 1))
        if stage_split == "by compute"
        else pipeline_stages - 1
    )


@quantity("1", axis=STAGE, source=BY_DEFINITION)
def stage_layers_by_rule(stage_split, stage_layers_even, layer_stage_by_compute, stage_index):
    """Layers of the stage by the rule that shares them out."""
    return stage_layers_even if stage_split == "even" else count_where(layer_stage_by_compute, stage_index)


@quantity("1", axis=STAGE, source=BY_DEFINITION)
def stage_layers(stage_layers_override, stage_layers_by_rule):
    """Layers of the stage."""
    return stage_layers_by_rule if stage_layers_override == "as rule" else stage_layers_override


@quantity("1", axis=STAGE, source=BY_DEFINITION)
def stage_order(stage_index):
    """The place of the stage in the pipeline, as a column to compare with."""
    return stage_index


@quantity("1", axis=STAGE, source=BY_DEFINITION)
def stage_layer_end(stage_layers, stage_order, stage_index):
    """Layers on this stage and all before it."""
    return total_up_to(stage_layers, stage_order, stage_index)


@quantity("1", source=INTERLEAVED)
def chunk_layers(layer_count, pipeline_stages, virtual_stages):
    """Layers of one chunk: a stage's share, cut into its virtual stages."""
    return layer_count / (pipeline_stages * virtual_stages)


@quantity("1", axis=LAYER, source=EVEN_SPLIT)
def layer_stage_in_turn(stage_layer_end, layer_index):
    """The stage that holds the layer when stages take layers in turn."""
    return count_below(stage_layer_end, layer_index + 1)


@quantity("1", axis=LAYER, source=INTERLEAVED)
def layer_stage_interleaved(layer_index, chunk_layers, pipeline_stages):
    """The stage that holds the layer when chunks go round the stages."""
    return remainder(floor(layer_index / chunk_layers), pipeline_stages)


@quantity("1", axis=LAYER, source=BY_DEFINITION)
def layer_stage(virtual_stages, layer_stage_in_turn, layer_stage_interleaved):
    """The pipeline stage that holds the layer."""
    return layer_stage_in_turn if virtual_stages == 1 else layer_stage_interleaved


@quantity("1", axis=STAGE, source=BY_DEFINITION)
def stage_layers_misplaced(stage_layers, layer_stage, stage_index):
    """Layers that the stage was given but does not hold, or holds without having been given them."""
    return abs(stage_layers - count_where(layer_stage, stage_index))


@quantity("parameter", axis=LAYER, source=BY_DEFINITION)
def layer_parameters(layer_kind, kind_name, kind_parameters):
    """All parameters of the layer."""
    return lookup(layer_kind, kind_name, kind_parameters)


@quantity("parameter", axis=LAYER, source=BY_DEFINITION)
def layer_inactive_parameters(layer_kind, kind_name, kind_inactive_parameters):
    """Parameters of the layer that do not work on a token."""
    return lookup(layer_kind, kind_name, kind_inactive_parameters)


@quantity("GPU", source=MEGATRON_LM.at("expert tensor parallelism"))
def expert_tensor_shards(expert_tensor_parallel, tensor_parallel):
    """GPUs that share each expert's matrices."""
    return tensor_parallel if expert_tensor_parallel == "as tensor_parallel" else expert_tensor_parallel


@quantity("parameter/GPU", axis=LAYER_KIND, source=MEGATRON_LM.at("tensor parallelism"))
def kind_gpu_dense_parameters(kind_split_parameters, tensor_parallel, kind_replicated_parameters, one_gpu):
    """Parameters of one layer on one GPU, routed experts apart: matrices split over the GPUs, norms on each."""
    return kind_split_parameters / tensor_parallel + kind_replicated_parameters / one_gpu


@quantity("parameter", axis=LAYER_KIND, source=MEGATRON_LM.at("row-parallel layers"), counting=True)
def kind_expert_output_biases(expert_bias, kind_expert_share, expert_count, hidden_size):
    """Biases behind one layer's routed experts, which stand whole on each GPU that shares an expert."""
    return kind_expert_share * expert_count * hidden_size if expert_bias == "yes" else 0


@quantity("parameter/GPU", axis=LAYER_KIND, source=MEGATRON_LM.at("expert parallelism"))
def kind_gpu_expert_parameters(
    kind_expert_parameters, kind_expert_output_biases, expert_tensor_shards, one_gpu, expert_parallel
):
    """Parameters of one layer's routed experts on one GPU: matrices split, output biases whole."""
    return (
        (kind_expert_parameters - kind_expert_output_biases) / expert_tensor_shards
        + kind_expert_output_biases / one_gpu
    ) / expert_parallel


@quantity("parameter/GPU", axis=LAYER, source=BY_DEFINITION)
def layer_dense_parameters(layer_kind, kind_name, kind_gpu_dense_parameters):
    """Parameters of the layer on one GPU of its stage, routed experts apart."""
    return lookup(layer_kind, kind_name, kind_gpu_dense_parameters)


@quantity("parameter/GPU", axis=LAYER, source=BY_DEFINITION)
def layer_expert_parameters(layer_kind, kind_name, kind_gpu_expert_parameters):
    """Parameters of the layer's routed experts on one GPU of its stage."""
    return lookup(layer_kind, kind_name, kind_gpu_expert_parameters)


@quantity("parameter/GPU", axis=LAYER, source=BY_DEFINITION)
def layer_gpu_parameters(layer_dense_parameters, layer_expert_parameters):
    """Parameters of the layer on one GPU of its stage."""
    return layer_dense_parameters + layer_expert_parameters
