"""Checks: what makes a layout impossible, what a reader has to know, and sums that have to close."""

from __future__ import annotations

from reportgen.formula.functions import count_where, largest, lookup, remainder, smallest, total
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER_KIND

CLOSE = 1e-9
DOES_NOT_CLOSE = "The sums do not close: an input has no meaning (see the checks above), or a formula was changed."


@check(
    "fault",
    remedy="Choose an accelerator with these figures, or give accelerator_memory_override and peak_flops_override.",
)
def accelerator_figures_known(missing_accelerator_figures):
    """Memory and dense peak of the accelerator are known."""
    return missing_accelerator_figures == 0


@check("fault", remedy="Choose another price_listing, or give price_override.")
def price_known(missing_price_figures):
    """The price of a GPU-hour is known."""
    return missing_price_figures == 0


@quantity("1", source=BY_DEFINITION)
def accelerator_rows(accelerator_name, accelerator):
    """Rows of the catalogue that bear the accelerator's name."""
    return count_where(accelerator_name, accelerator)


@check("fault", remedy="Give every accelerator of the catalogue a name of its own.")
def accelerator_stands_once(accelerator_rows):
    """The accelerator's name stands once in the catalogue."""
    return accelerator_rows == 1


@quantity("1", source=BY_DEFINITION)
def listing_rows(listing_name, price_listing):
    """Rows of the price list that bear the listing's name."""
    return count_where(listing_name, price_listing)


@check("fault", remedy="Give every row of the price list a name of its own.")
def listing_stands_once(listing_rows):
    """The listing's name stands once in the price list."""
    return listing_rows == 1


@quantity("1", source=BY_DEFINITION)
def optimizer_rows(optimizer_name, optimizer):
    """Rows of the optimizer table that bear the optimizer's name."""
    return count_where(optimizer_name, optimizer)


@check("fault", remedy="Give every row of the optimizer table a name of its own.")
def optimizer_stands_once(optimizer_rows):
    """The optimizer's name stands once in its table."""
    return optimizer_rows == 1


@quantity("GPU", source=BY_DEFINITION)
def gpus_left_over(gpu_count, model_parallel_gpus):
    """GPUs left over when all others form whole copies of the model."""
    return remainder(gpu_count, model_parallel_gpus)


@check("fault", remedy="Make gpu_count a multiple of tensor_parallel x pipeline_stages x context_parallel.")
def gpus_form_whole_copies(gpus_left_over):
    """The GPUs form whole copies of the model."""
    return gpus_left_over == 0


@quantity("1", source=BY_DEFINITION)
def micro_batches_left_over(step_micro_batches):
    """What is left of the step's micro-batches after whole ones."""
    return remainder(step_micro_batches, 1)


@check("fault", remedy="Make global_batch_size a multiple of micro_batch_size x data_parallel.")
def batch_divides_evenly(micro_batches_left_over):
    """The global batch divides evenly into micro-batches on every copy of the model."""
    return micro_batches_left_over == 0


@check("fault", remedy="Raise global_batch_size, or lower micro_batch_size or gpu_count.")
def every_copy_has_work(step_micro_batches):
    """Every copy of the model has at least one micro-batch in a step."""
    return step_micro_batches >= 1


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_heads_left_over(kind_layers, kind_head_count, tensor_parallel):
    """Query heads left over when split over the tensor-parallel GPUs, in kinds that are used."""
    return remainder(kind_head_count, tensor_parallel) if kind_layers > 0 else 0


@check("fault", remedy="Choose tensor_parallel so that it divides head_count.")
def heads_split_evenly(kind_heads_left_over):
    """Query heads split evenly over the tensor-parallel GPUs."""
    return total(kind_heads_left_over) == 0


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_kv_left_over(kind_layers, kind_kv_count, tensor_parallel):
    """Key and value heads left over when split over the tensor-parallel GPUs, in kinds that are used."""
    return remainder(kind_kv_count, tensor_parallel) if kind_layers > 0 else 0


@check("fault", remedy="Choose tensor_parallel so that it divides kv_head_count.")
def kv_heads_split_evenly(kind_kv_left_over):
    """Key and value heads split evenly over the tensor-parallel GPUs."""
    return total(kind_kv_left_over) == 0


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_groups_left_over(kind_layers, kind_head_count, kind_kv_count):
    """Query heads left over when shared out over the key and value heads, in kinds that are used."""
    return remainder(kind_head_count, kind_kv_count) if kind_layers > 0 else 0


@check("fault", remedy="Make head_count a multiple of kv_head_count.")
def heads_group_evenly(kind_groups_left_over):
    """Query heads share the key and value heads evenly."""
    return total(kind_groups_left_over) == 0


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_ffn_left_over(kind_layers, kind_ffn_size, tensor_parallel):
    """MLP width left over when split over the tensor-parallel GPUs, in kinds that are used."""
    return remainder(kind_ffn_size, tensor_parallel) if kind_layers > 0 else 0


@check("fault", remedy="Choose tensor_parallel so that it divides ffn_size.")
def ffn_splits_evenly(kind_ffn_left_over):
    """The MLP splits evenly over the tensor-parallel GPUs."""
    return total(kind_ffn_left_over) == 0


@quantity("1", source=BY_DEFINITION)
def vocabulary_left_over(padded_vocabulary_size, tensor_parallel):
    """Vocabulary entries left over when split over the tensor-parallel GPUs."""
    return remainder(padded_vocabulary_size, tensor_parallel)


@check(
    "fault",
    remedy="Set vocabulary_multiple to a multiple of tensor_parallel; Megatron-LM takes 128 times it.",
)
def vocabulary_splits_evenly(vocabulary_left_over):
    """The vocabulary, padded, splits evenly over the tensor-parallel GPUs."""
    return vocabulary_left_over == 0


@quantity("token/sequence", source=BY_DEFINITION)
def sequence_left_over(sequence_length, context_parallel, sequence_shards):
    """Tokens left over when a sequence is split over the context-parallel and the sequence-parallel GPUs."""
    return remainder(sequence_length, context_parallel * sequence_shards)


@check(
    "fault",
    remedy="Make sequence_length a multiple of context_parallel, times tensor_parallel where sequence_parallel is on.",
)
def sequence_splits_evenly(sequence_left_over):
    """Sequences split evenly over the GPUs that share them."""
    return sequence_left_over == 0


@quantity("1", source=BY_DEFINITION)
def smallest_chunk_layers(virtual_stages, chunk_layers):
    """Layers of a chunk where stages interleave, else 1."""
    return 1 if virtual_stages == 1 else chunk_layers


@check("fault", remedy="Lower pipeline_stages or virtual_stages: every chunk needs a layer.")
def stages_have_layers(pipeline_stages, virtual_stages, layer_count):
    """There are no more chunks of layers than layers."""
    return pipeline_stages * virtual_stages <= layer_count


@quantity("1", source=BY_DEFINITION)
def chunk_layers_left_over(smallest_chunk_layers):
    """What is left of a chunk after whole layers, where stages interleave."""
    return remainder(smallest_chunk_layers, 1)


@check("fault", remedy="Choose virtual_stages so that pipeline_stages x virtual_stages divides layer_count.")
def chunks_hold_whole_layers(chunk_layers_left_over):
    """Interleaved chunks hold whole layers."""
    return chunk_layers_left_over == 0


@quantity("1", source=BY_DEFINITION)
def interleaved_left_over(virtual_stages, step_micro_batches, pipeline_stages):
    """Micro-batches left over when an interleaved schedule takes them in groups of one per stage."""
    return 0 if virtual_stages == 1 else remainder(step_micro_batches, pipeline_stages)


@check(
    "fault",
    remedy="Make the micro-batches of a step a multiple of pipeline_stages, or set virtual_stages to 1.",
)
def interleaving_has_groups(interleaved_left_over):
    """An interleaved schedule gets its micro-batches in whole groups."""
    return interleaved_left_over == 0


@quantity("byte/GPU", source=BY_DEFINITION)
def uneven_chunk_bytes(virtual_stages, layer_activation_bytes):
    """What layers differ by in the activations they keep, where stages interleave."""
    return 0 if virtual_stages == 1 else largest(layer_activation_bytes) - smallest(layer_activation_bytes)


@check(
    "finding", remedy="Interleaved chunks are counted as if alike; with kinds that differ the fullest may hold more."
)
def interleaved_chunks_are_alike(uneven_chunk_bytes):
    """Where stages interleave, all layers keep the same."""
    return uneven_chunk_bytes == 0


@quantity("1", source=BY_DEFINITION)
def layers_misplaced(stage_layers_misplaced):
    """Layers that stand on another stage than stage_layers says, over all stages."""
    return total(stage_layers_misplaced)


@check(
    "fault",
    remedy="Make the stage_layers_override rows whole numbers that add up; they do not go with virtual_stages.",
)
def layers_stand_where_given(layers_misplaced):
    """Every stage holds the layers that it was given."""
    return layers_misplaced == 0


@check("fault", remedy="Make the stage_layers_override rows add up to layer_count.")
def stages_hold_all_layers(stage_layers, layer_count):
    """The stages hold all layers between them."""
    return total(stage_layers) == layer_count


@check("fault", remedy="Use only the kinds that layer_kind_count counts, by their names in kind_name.")
def layers_are_of_known_kinds(kind_layers, layer_count):
    """Every layer is of a kind that is described."""
    return total(kind_layers) == layer_count


@check("fault", remedy="Give every kind a kind_name of its own, without * ? or ~.")
def kinds_have_their_own_names(kind_name_copies):
    """No two kinds of layer bear the same name."""
    return largest(kind_name_copies) == 1


@check("fault", remedy="Lower pattern_layer_count, or raise pattern_period.")
def pattern_fits_its_period(pattern_layer_count, pattern_period):
    """The layers of the pattern's kind fit into its period."""
    return pattern_layer_count <= pattern_period


@check("fault", remedy="Choose a price_listing of the accelerator, or give price_override.")
def price_is_for_this_accelerator(expected_accelerator, accelerator):
    """The price is one of the accelerator's."""
    return expected_accelerator == accelerator


@quantity("1", source=BY_DEFINITION)
def sharded_pipeline_stage(zero_stage, pipeline_stages):
    """The ZeRO stage where there is a pipeline, else 0."""
    return zero_stage if pipeline_stages > 1 else 0


@check(
    "finding",
    remedy="Under a pipeline most frameworks allow ZeRO stage 1 at most: gradients live across micro-batches.",
)
def sharding_goes_with_pipeline(sharded_pipeline_stage):
    """The ZeRO stage is one that goes with a pipeline."""
    return sharded_pipeline_stage <= 1


@check("finding", remedy="Does not fit: add GPUs, shard more, recompute, or shorten the micro-batch.")
def peak_fits_in_memory(peak_memory_bytes, accelerator_memory_bytes):
    """The fullest GPU's peak fits in its memory."""
    return peak_memory_bytes <= accelerator_memory_bytes


@check("finding", remedy="Tight: what is not modelled may not fit; leave more headroom.")
def reserve_is_left(memory_reserve_bytes, memory_headroom_bytes):
    """The unmodelled headroom is left free."""
    return memory_reserve_bytes <= memory_headroom_bytes


@check("finding", remedy="Late: take deadline_gpus GPUs, or move the deadline.")
def deadline_is_met(training_days, deadline_days):
    """The training is done by the deadline."""
    return training_days <= deadline_days


@check("finding", remedy="Backs up: lengthen checkpoint_interval_seconds or raise the storage bandwidth.")
def checkpoints_drain_in_time(checkpoint_drain_seconds, checkpoint_interval_seconds):
    """An asynchronous checkpoint has drained before the next one starts."""
    return checkpoint_drain_seconds <= checkpoint_interval_seconds


@check("finding", remedy="Over the goal: write asynchronously, or wait for goal_interval_seconds.")
def synchronous_checkpoints_meet_goal(synchronous_overhead_fraction, checkpoint_goal_fraction):
    """Synchronous checkpoints cost no more than the goal."""
    return synchronous_overhead_fraction <= checkpoint_goal_fraction


@quantity("parameter", source=BY_DEFINITION)
def held_parameters(
    model_parameters, head_parameters, held_head_parameters, padded_embedding_parameters, embedding_parameters
):
    """Parameters that the stages should hold: the model's, padding and a copied head added."""
    return (
        model_parameters - head_parameters + held_head_parameters + padded_embedding_parameters - embedding_parameters
    )


@check("fault", remedy=DOES_NOT_CLOSE, tolerance=CLOSE)
def stage_parameters_add_up(stage_parameters, held_parameters):
    """The stages' parameters add up to the model's."""
    return total(stage_parameters) == held_parameters


@quantity("byte/GPU", source=BY_DEFINITION)
def worst_stage_parts(
    worst_stage, stage_order, stage_state_bytes, stage_activation_bytes, stage_head_bytes, stage_buffer_bytes
):
    """State, activations, head and buffers of the fullest stage, added up."""
    return (
        lookup(worst_stage, stage_order, stage_state_bytes)
        + lookup(worst_stage, stage_order, stage_activation_bytes)
        + lookup(worst_stage, stage_order, stage_head_bytes)
        + lookup(worst_stage, stage_order, stage_buffer_bytes)
    )


@check("fault", remedy=DOES_NOT_CLOSE, tolerance=CLOSE)
def peak_parts_add_up(worst_stage_parts, peak_memory_bytes):
    """The parts of the fullest stage add up to the peak."""
    return worst_stage_parts == peak_memory_bytes


@quantity("FLOP/token", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_total_flops(kind_layers, kind_causal_flops):
    """FLOPs per token of all layers of the kind, with causal attention."""
    return kind_layers * kind_causal_flops


@check("fault", remedy=DOES_NOT_CLOSE, tolerance=CLOSE)
def flops_by_kind_add_up(kind_total_flops, layer_causal_flops):
    """FLOPs by kind of layer add up to FLOPs by layer."""
    return total(kind_total_flops) == total(layer_causal_flops)


@quantity("USD", source=BY_DEFINITION)
def cost_from_tokens_usd(cost_per_token_usd, tokens_per_second, training_days, seconds_per_day, goodput_fraction):
    """Cost of the tokens that the cluster gets through in the run's days."""
    return cost_per_token_usd * tokens_per_second * training_days * seconds_per_day * goodput_fraction


@check("fault", remedy=DOES_NOT_CLOSE, tolerance=CLOSE)
def cost_adds_up(cost_from_tokens_usd, total_cost_usd):
    """Cost by token adds up to the cost of the run."""
    return cost_from_tokens_usd == total_cost_usd
