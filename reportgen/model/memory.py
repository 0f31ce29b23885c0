"""Memory: the peak on one GPU of each stage, the fullest stage, and what that leaves of the card."""

from __future__ import annotations

from reportgen.formula.functions import is_number, largest, lookup
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION, Assumption
from reportgen.model.axes import STAGE

CATALOGUE = BY_DEFINITION
LIVE_TOGETHER = Assumption("gradients and activations live together at the peak of the backward pass")


@quantity("byte/GPU", source=CATALOGUE)
def listed_memory_bytes(accelerator, accelerator_name, accelerator_memory_column):
    """Usable memory of the accelerator as the catalogue lists it."""
    return lookup(accelerator, accelerator_name, accelerator_memory_column)


@quantity("byte/GPU", source=CATALOGUE)
def accelerator_memory_bytes(accelerator_memory_override, listed_memory_bytes):
    """Usable memory of one GPU."""
    return listed_memory_bytes if accelerator_memory_override == "as catalogue" else accelerator_memory_override


@quantity("byte/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_buffer_bytes(
    stage_gathered_bytes,
    stage_communication_bytes,
    stage_copy_bytes,
    backward_working_bytes,
    workspace_bytes,
    framework_bytes,
):
    """What one GPU of the stage holds beside state and activations: gathered weights, buffers, workspaces, context."""
    return (
        stage_gathered_bytes
        + stage_communication_bytes
        + stage_copy_bytes
        + backward_working_bytes
        + workspace_bytes
        + framework_bytes
    )


@quantity("byte/GPU", axis=STAGE, source=LIVE_TOGETHER)
def stage_peak_bytes(
    stage_weight_bytes,
    stage_gradient_bytes,
    stage_optimizer_bytes,
    stage_activation_bytes,
    stage_head_bytes,
    stage_buffer_bytes,
):
    """The most that one GPU of the stage holds at once."""
    return (
        stage_weight_bytes
        + stage_gradient_bytes
        + stage_optimizer_bytes
        + stage_activation_bytes
        + stage_head_bytes
        + stage_buffer_bytes
    )


@quantity("byte/GPU", source=BY_DEFINITION)
def peak_memory_bytes(stage_peak_bytes):
    """The most that any GPU holds at once."""
    return largest(stage_peak_bytes)


@quantity("1", source=BY_DEFINITION)
def worst_stage(peak_memory_bytes, stage_peak_bytes, stage_index):
    """The fullest stage, counted from 0; the first of equals."""
    return lookup(peak_memory_bytes, stage_peak_bytes, stage_index)


@quantity("byte/GPU", source=BY_DEFINITION)
def memory_headroom_bytes(accelerator_memory_bytes, peak_memory_bytes):
    """What the fullest GPU leaves of its memory; below zero it does not fit."""
    return accelerator_memory_bytes - peak_memory_bytes


@quantity("byte/GPU", source=Assumption("closed forms come out below measured peaks, so a share is kept free"))
def memory_reserve_bytes(accelerator_memory_bytes, memory_reserve_fraction):
    """Memory to be kept free for what is not modelled: the unmodelled headroom, a line of its own."""
    return accelerator_memory_bytes * memory_reserve_fraction


@quantity("byte/GPU", source=BY_DEFINITION)
def spare_memory_bytes(memory_headroom_bytes, memory_reserve_bytes):
    """What is left of the memory after the peak and the unmodelled headroom."""
    return memory_headroom_bytes - memory_reserve_bytes


@quantity("1", source=BY_DEFINITION)
def missing_accelerator_figures(accelerator_memory_bytes, peak_flops):
    """Figures of the accelerator that the estimate needs and nobody has given: memory, dense peak."""
    return (0 if is_number(accelerator_memory_bytes) else 1) + (0 if is_number(peak_flops) else 1)
