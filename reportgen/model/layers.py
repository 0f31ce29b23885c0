"""Layers: which kind each one is, which pipeline stage holds it and what it weighs there."""

from __future__ import annotations

from reportgen.formula.functions import count_below, count_where, floor, lookup, remainder, total_up_to
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER, LAYER_KIND, STAGE
from reportgen.model.references import MEGATRON_LM, NARAYANAN_2021

EVEN_SPLIT = MEGATRON_LM.at("pipeline parallelism")
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
def stage_layers_by_rule(layer_count, pipeline_stages, stage_index):
    """Layers of the stage in an even split, the first stages taking what is left over."""
    return floor(layer_count / pipeline_stages) + (1 if stage_index < remainder(layer_count, pipeline_stages) else 0)


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


@quantity("parameter/GPU", axis=LAYER_KIND, source=MEGATRON_LM.at("tensor parallelism"))
def kind_gpu_parameters(kind_split_parameters, tensor_parallel, kind_replicated_parameters, one_gpu):
    """Parameters of one layer on one GPU: matrices split over the tensor-parallel GPUs, norms on each."""
    return kind_split_parameters / tensor_parallel + kind_replicated_parameters / one_gpu


@quantity("parameter/GPU", axis=LAYER, source=BY_DEFINITION)
def layer_gpu_parameters(layer_kind, kind_name, kind_gpu_parameters):
    """Parameters of the layer on one GPU of its stage."""
    return lookup(layer_kind, kind_name, kind_gpu_parameters)
