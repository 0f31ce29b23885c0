"""Findings: what a reader has to know about a result that is right."""

from __future__ import annotations

from reportgen.formula.functions import largest, smallest, total
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER_KIND


@quantity("byte/GPU", source=BY_DEFINITION)
def uneven_chunk_bytes(virtual_stages, layer_activation_bytes):
    """How far the layers that keep most and least activations are apart, where virtual stages interleave."""
    return 0 if virtual_stages == 1 else largest(layer_activation_bytes) - smallest(layer_activation_bytes)


@check(
    "finding",
    remedy="Leave more headroom: virtual stages are counted as if alike, but some may hold more.",
)
def interleaved_chunks_are_alike(uneven_chunk_bytes):
    """Where virtual stages interleave, all layers keep the same activations."""
    return uneven_chunk_bytes == 0


@quantity("1", source=BY_DEFINITION)
def sharded_pipeline_stage(zero_stage, pipeline_stages):
    """ZeRO stage used together with a pipeline; 0 where there is no pipeline."""
    return zero_stage if pipeline_stages > 1 else 0


@check(
    "finding",
    remedy="Lower zero_stage to 1: most frameworks allow no more together with a pipeline.",
)
def sharding_goes_with_pipeline(sharded_pipeline_stage):
    """The ZeRO stage is one that frameworks allow together with a pipeline."""
    return sharded_pipeline_stage <= 1


@check(
    "finding",
    remedy="Does not fit: split the model over more GPUs, shard or recompute more, or take fewer tokens at a time.",
)
def peak_fits_in_memory(peak_memory_bytes, accelerator_memory_bytes):
    """The peak of the fullest GPU fits in its memory."""
    return peak_memory_bytes <= accelerator_memory_bytes


@check(
    "finding", remedy="Tight: the memory that is kept back for what is not modelled is not all free; make more room."
)
def reserve_is_left(memory_reserve_bytes, memory_headroom_bytes):
    """The memory kept back for what is not modelled is free."""
    return memory_reserve_bytes <= memory_headroom_bytes


@check("finding", remedy="Late: take deadline_gpus GPUs, or move the deadline.")
def deadline_is_met(training_days, deadline_days):
    """The training is done by the deadline."""
    return training_days <= deadline_days


@check("finding", remedy="Backs up: lengthen checkpoint_interval_seconds or raise the storage bandwidth.")
def checkpoints_drain_in_time(checkpoint_drain_seconds, checkpoint_interval_seconds):
    """An asynchronous checkpoint has drained before the next one starts."""
    return checkpoint_drain_seconds <= checkpoint_interval_seconds


@check("finding", remedy="Over the goal: write asynchronously, or write only every goal_interval_seconds.")
def synchronous_checkpoints_meet_goal(synchronous_overhead_fraction, checkpoint_goal_fraction):
    """Synchronous checkpoints cost no more than the goal."""
    return synchronous_overhead_fraction <= checkpoint_goal_fraction


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_unmodelled_layers(kind_layers, kind_other_share):
    """State-space and linear-attention layers of the kind, whose activations are known only in part."""
    return kind_layers * kind_other_share


@quantity("1", source=BY_DEFINITION)
def unmodelled_layers(kind_unmodelled_layers):
    """State-space and linear-attention layers, whose activations are known only in part."""
    return total(kind_unmodelled_layers)


@check(
    "finding",
    remedy="Raise memory_reserve_fraction: of state-space and linear-attention layers only projections are counted.",
)
def all_activations_are_modelled(unmodelled_layers):
    """The activations of all layers are known in full."""
    return unmodelled_layers == 0


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_unadapted_layers(trained_share, kind_layers, kind_plain_share, kind_dense_share):
    """Layers of the kind with matrices whose adapters are not counted: experts, latent attention, state spaces."""
    return (1 - trained_share) * kind_layers * (1 - kind_plain_share * kind_dense_share)


@check(
    "finding",
    remedy="Raise memory_reserve_fraction: adapters are counted for plain attention and dense MLPs alone.",
)
def adapters_are_counted(kind_unadapted_layers):
    """The adapters of all layers are counted in full."""
    return total(kind_unadapted_layers) == 0


@quantity("byte/parameter", source=BY_DEFINITION)
def missing_gradient_bytes(trained_share, framework_gradient_bytes, gradient_bytes_per_parameter):
    """Bytes per parameter of gradients that the framework keeps beyond those given."""
    return trained_share * max(framework_gradient_bytes - gradient_bytes_per_parameter, 0)


@check(
    "finding",
    remedy="Raise gradient_bytes_per_parameter to framework_gradient_bytes, as this framework accumulates them.",
)
def gradients_are_as_the_framework_keeps_them(missing_gradient_bytes):
    """Gradients have as many bytes as the framework keeps of them."""
    return missing_gradient_bytes == 0


@check(
    "finding",
    remedy="Give nodes more memory or disk, shard with ZeRO over more nodes, or go on from host memory to NVMe.",
)
def offloaded_state_fits(node_offloaded_bytes, offload_capacity_bytes):
    """The optimizer's state that is offloaded fits on its node."""
    return node_offloaded_bytes <= offload_capacity_bytes


@check(
    "fault",
    remedy="Lower flops_utilization, or recompute less: what is computed again counts too.",
)
def hardware_stays_below_its_peak(hardware_utilization):
    """With what is computed again, the stated utilisation stays below the peak."""
    return hardware_utilization <= 1
