"""Checks of the layers: every one is of a known kind and stands on the stage it was given to."""

from __future__ import annotations

from reportgen.formula.functions import largest, remainder, total
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION


@quantity("1", source=BY_DEFINITION)
def smallest_chunk_layers(virtual_stages, chunk_layers):
    """Layers of one virtual stage where stages interleave, else 1."""
    return 1 if virtual_stages == 1 else chunk_layers


@check("fault", remedy="Lower pipeline_stages or virtual_stages: together they ask for more layers than layer_count.")
def stages_have_layers(pipeline_stages, virtual_stages, layer_count):
    """Every pipeline stage, and every virtual stage of it, gets a layer."""
    return pipeline_stages * virtual_stages <= layer_count


@quantity("1", source=BY_DEFINITION)
def chunk_layers_left_over(smallest_chunk_layers):
    """Part of a layer left over in each virtual stage when layers are shared out among them."""
    return remainder(smallest_chunk_layers, 1)


@check("fault", remedy="Choose virtual_stages so that pipeline_stages x virtual_stages divides layer_count.")
def chunks_hold_whole_layers(chunk_layers_left_over):
    """Every virtual stage holds whole layers."""
    return chunk_layers_left_over == 0


@quantity("1", source=BY_DEFINITION)
def interleaved_left_over(virtual_stages, step_micro_batches, pipeline_stages):
    """Micro-batches left over when an interleaved schedule takes them in groups of one per stage."""
    return 0 if virtual_stages == 1 else remainder(step_micro_batches, pipeline_stages)


@check(
    "fault",
    remedy="Make the micro-batches of a step (global_batch_size / micro_batch_size / data_parallel) a multiple of "
    "pipeline_stages, or set virtual_stages to 1.",
)
def interleaving_has_groups(interleaved_left_over):
    """Where virtual stages interleave, the micro-batches of a step form whole groups of one for each stage."""
    return interleaved_left_over == 0


@quantity("1", source=BY_DEFINITION)
def layers_misplaced(stage_layers_misplaced):
    """Layers that stand on another pipeline stage than the one that was to hold them."""
    return total(stage_layers_misplaced)


@check(
    "fault",
    remedy="Make the stage_layers_override rows whole numbers that add up; they do not go with virtual_stages.",
)
def layers_stand_where_given(layers_misplaced):
    """Every pipeline stage holds as many layers as it was given."""
    return layers_misplaced == 0


@check("fault", remedy="Make the stage_layers_override rows add up to layer_count.")
def stages_hold_all_layers(stage_layers, layer_count):
    """The pipeline stages hold all layers of the model between them."""
    return total(stage_layers) == layer_count


@check("fault", remedy="Use only the kinds that layer_kind_count counts, by their names in kind_name.")
def layers_are_of_known_kinds(kind_layers, layer_count):
    """Every layer is of one of the kinds that are described."""
    return total(kind_layers) == layer_count


@check("fault", remedy="Give every kind a kind_name of its own, without * ? or ~.")
def kinds_have_their_own_names(kind_name_copies):
    """No two kinds of layer bear the same name."""
    return largest(kind_name_copies) == 1


@check("fault", remedy="Lower pattern_layer_count, or raise pattern_period.")
def pattern_fits_its_period(pattern_layer_count, pattern_period):
    """The pattern of layers has no more layers of its kind than it has layers before it repeats."""
    return pattern_layer_count <= pattern_period
