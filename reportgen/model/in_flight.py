"""In flight: how many micro-batches each stage holds at its fullest, by schedule, and what they weigh."""

from __future__ import annotations

from reportgen.formula.functions import lookup, total_where
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import STAGE
from reportgen.model.references import DEEPSEEK_V3, HUANG_2019, KORTHIKANTI_2022, MEGATRON_LM, NARAYANAN_2021, QI_2023

ONE_FORWARD = NARAYANAN_2021.at("section 2.2")
DUALPIPE = DEEPSEEK_V3.at("section 3.2.1 and the published schedule, dualpipe.py")


@quantity("1", source=BY_DEFINITION)
def step_micro_batches(global_batch_size, micro_batch_size, data_parallel, one_step):
    """Micro-batches that one pipeline carries in one optimizer step."""
    return global_batch_size * one_step / (micro_batch_size * data_parallel)


@quantity("1", axis=STAGE, source=ONE_FORWARD)
def stage_chunks_in_flight(pipeline_stages, stage_index, virtual_stages):
    """Chunks that an interleaved stage holds at its fullest, given enough micro-batches."""
    return 2 * (pipeline_stages - stage_index - 1) + (virtual_stages - 1) * pipeline_stages + 1


@quantity("1", axis=STAGE, source=ONE_FORWARD)
def stage_in_flight_by_turns(virtual_stages, pipeline_stages, stage_index, stage_chunks_in_flight):
    """Micro-batches in flight where forward and backward passes take turns, given enough of them."""
    return pipeline_stages - stage_index if virtual_stages == 1 else stage_chunks_in_flight / virtual_stages


@quantity("1", axis=STAGE, source=DEEPSEEK_V3.at("table 2; the zero-bubble schedule with the memory of 1F1B"))
def stage_in_flight_overlapped(schedule, pipeline_stages):
    """Micro-batches in flight where the bubble is filled: as many as stages, and one more where they flow both ways."""
    return pipeline_stages + (1 if schedule == "dualpipe" else 0)


@quantity("1", axis=STAGE, source=QI_2023.at("section 2"))
def stage_most_in_flight(schedule, stage_in_flight_by_turns, stage_in_flight_overlapped):
    """Micro-batches in flight, given enough of them, where backward passes start before all forward ones are done."""
    return stage_in_flight_by_turns if schedule == "1f1b" else stage_in_flight_overlapped


@quantity("1", axis=STAGE, source=HUANG_2019.at("section 2.3, all micro-batches forward, then all backward"))
def stage_in_flight(schedule, step_micro_batches, stage_most_in_flight):
    """Micro-batches' worth of the stage's activations that it holds at its fullest."""
    return step_micro_batches if schedule == "gpipe" else min(step_micro_batches, stage_most_in_flight)


@quantity("byte/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_own_micro_batch_bytes(layer_activation_bytes, layer_stage, stage_index):
    """What one GPU of the stage keeps of its own layers for one micro-batch in flight."""
    return total_where(layer_activation_bytes, layer_stage, stage_index)


@quantity("byte/GPU", axis=STAGE, source=DEEPSEEK_V3.at("table 2"))
def stage_mirrored_micro_batch_bytes(stage_mirror, stage_order, stage_own_micro_batch_bytes):
    """What one GPU of the mirrored stage keeps of its own layers for one micro-batch in flight."""
    return lookup(stage_mirror, stage_order, stage_own_micro_batch_bytes)


@quantity("byte/GPU", axis=STAGE, source=DUALPIPE)
def stage_two_way_bytes(stage_own_micro_batch_bytes, pipeline_stages, stage_index, stage_mirrored_micro_batch_bytes):
    """What one micro-batch keeps on average where a GPU holds p - s of its own stage and s + 1 of the mirrored one."""
    return (
        stage_own_micro_batch_bytes * (pipeline_stages - stage_index)
        + stage_mirrored_micro_batch_bytes * (stage_index + 1)
    ) / (pipeline_stages + 1)


@quantity("byte/GPU", axis=STAGE, source=DUALPIPE)
def stage_micro_batch_bytes(mirrored_share, stage_two_way_bytes, stage_own_micro_batch_bytes):
    """What one GPU of the stage keeps for one micro-batch in flight, on average over both directions."""
    return stage_two_way_bytes if mirrored_share == 1 else stage_own_micro_batch_bytes


@quantity("byte/GPU", axis=STAGE, source=MEGATRON_LM.at("uniform recomputation, measured peaks of its tests"))
def stage_working_bytes(working_layer_bytes, stage_has_head, loss_head_bytes):
    """What the layer being recomputed holds beyond the loss head, whose logits are gone by then."""
    return max(working_layer_bytes - stage_has_head * loss_head_bytes, 0)


@quantity("byte/GPU", axis=STAGE, source=KORTHIKANTI_2022.at("section 4.2.3"))
def stage_activation_bytes(stage_micro_batch_bytes, stage_in_flight, stage_working_bytes):
    """Activations on one GPU of the stage at its fullest: those in flight, and the layer being recomputed."""
    return stage_micro_batch_bytes * stage_in_flight + stage_working_bytes
