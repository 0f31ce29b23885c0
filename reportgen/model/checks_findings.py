"""Findings: what a reader has to know about a result that is right."""

from __future__ import annotations

from reportgen.formula.functions import largest, smallest, total
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER_KIND


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


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_unmodelled_layers(kind_layers, kind_other_share):
    """Layers of the kind whose mixer keeps activations that are not modelled."""
    return kind_layers * kind_other_share


@quantity("1", source=BY_DEFINITION)
def unmodelled_layers(kind_unmodelled_layers):
    """Layers whose mixer keeps activations that are not modelled."""
    return total(kind_unmodelled_layers)


@check(
    "finding",
    remedy="Of their mixer only the projections are counted; raise memory_reserve_fraction for what its scan keeps.",
)
def all_activations_are_modelled(unmodelled_layers):
    """No layer has a mixer whose activations are only known in part."""
    return unmodelled_layers == 0


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_unadapted_layers(trained_share, kind_layers, kind_plain_share, kind_dense_share):
    """Layers of the kind, under adapters, whose attention or MLP has matrices for which none are counted."""
    return (1 - trained_share) * kind_layers * (1 - kind_plain_share * kind_dense_share)


@check(
    "finding",
    remedy="Add what is missing by hand: adapters are counted for plain attention and dense MLPs, not for experts.",
)
def adapters_are_counted(kind_unadapted_layers):
    """Adapters, where they are trained, are counted for all matrices of every layer."""
    return total(kind_unadapted_layers) == 0


@quantity("byte/parameter", source=BY_DEFINITION)
def missing_gradient_bytes(trained_share, framework_gradient_bytes, gradient_bytes_per_parameter):
    """Bytes of a gradient that the framework keeps beyond those given."""
    return trained_share * max(framework_gradient_bytes - gradient_bytes_per_parameter, 0)


@check("finding", remedy="Set gradient_bytes_per_parameter to 4: this framework accumulates gradients in fp32.")
def gradients_are_as_the_framework_keeps_them(missing_gradient_bytes):
    """Gradients have the bytes that the framework keeps of them."""
    return missing_gradient_bytes == 0


@check("finding", remedy="Offload to nvme, use more nodes, or shard the optimizer with zero_stage 1.")
def offloaded_state_fits(node_offloaded_bytes, offload_capacity_bytes):
    """What is offloaded fits on the node."""
    return node_offloaded_bytes <= offload_capacity_bytes
