"""Checks of schedules and shard groups: chunks, mirrored stages, micro-batches and GPUs go with what was chosen."""

from __future__ import annotations

from reportgen.formula.functions import remainder
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION


@quantity("1", source=BY_DEFINITION)
def shard_groups_left_over(shard_group_size, replica_shards):
    """GPUs that hold the same weights left over when they form whole shard groups."""
    return 0 if shard_group_size == "all" else remainder(replica_shards, shard_group_size)


@check("fault", remedy="Choose shard_group_size so that it divides data_parallel x context_parallel.")
def shard_groups_are_whole(shard_groups_left_over):
    """The GPUs that hold the same weights form whole groups over which ZeRO or FSDP shards."""
    return shard_groups_left_over == 0


@quantity("1", source=BY_DEFINITION)
def plain_schedule_chunks(schedule, virtual_stages):
    """Virtual stages of each pipeline stage under a schedule that takes stages whole; 1 under 1f1b."""
    return 1 if schedule == "1f1b" else virtual_stages


@check(
    "fault",
    remedy="Set virtual_stages to 1, or schedule to 1f1b, the only schedule that interleaves virtual stages here.",
)
def schedule_takes_the_chunks(plain_schedule_chunks):
    """Pipeline stages are cut into virtual stages only under a schedule that interleaves them."""
    return plain_schedule_chunks == 1


@quantity("1", source=BY_DEFINITION)
def unpaired_stages(mirrored_share, pipeline_stages):
    """Pipeline stages left without a partner at the other end, under a schedule that runs micro-batches both ways."""
    return mirrored_share * remainder(pipeline_stages, 2)


@check("fault", remedy="Make pipeline_stages even for dualpipe, or choose another schedule.")
def stages_mirror_in_pairs(unpaired_stages):
    """Where micro-batches run both ways through the pipeline, stages pair up from both ends."""
    return unpaired_stages == 0


@quantity("1", source=BY_DEFINITION)
def missing_micro_batches(mirrored_share, pipeline_stages, step_micro_batches):
    """Micro-batches that a step lacks of the two for each stage that fill a pipeline run both ways."""
    return mirrored_share * max(2 * pipeline_stages - step_micro_batches, 0)


@check(
    "finding",
    remedy="Raise global_batch_size to two micro-batches for each stage on every copy, or choose another schedule.",
)
def both_directions_are_filled(missing_micro_batches):
    """A pipeline that runs micro-batches both ways has enough of them to fill it."""
    return missing_micro_batches == 0
