"""Checkpoints: what is written in all and by each rank, how long each hop takes, and what that costs the run."""

from __future__ import annotations

from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION, Assumption
from reportgen.model.references import BLOOM_2022, JORDAN_2024, RAJBHANDARI_2020

EVENLY = Assumption("ranks write equal shares at the same time")


@quantity("byte/parameter", source=BLOOM_2022.at("checkpoint sizes"))
def checkpoint_bytes_per_parameter(
    weight_bytes_per_parameter,
    optimizer_bytes_per_parameter,
    checkpoint_gradients,
    gradient_bytes_per_parameter,
):
    """Bytes written per parameter: weights, master weights and moments, and gradients where asked for."""
    return (
        weight_bytes_per_parameter
        + optimizer_bytes_per_parameter
        + (gradient_bytes_per_parameter if checkpoint_gradients == "yes" else 0)
    )


@quantity("byte", source=JORDAN_2024.at("embedding and head are left to AdamW"))
def checkpoint_end_bytes(
    trained_share, end_parameters, end_optimizer_bytes_per_parameter, optimizer_bytes_per_parameter
):
    """What embedding and head add to a checkpoint where their optimizer holds more than that of the layers."""
    return trained_share * end_parameters * (end_optimizer_bytes_per_parameter - optimizer_bytes_per_parameter)


@quantity("byte", source=BY_DEFINITION)
def checkpoint_bytes(trained_parameters, checkpoint_bytes_per_parameter, checkpoint_end_bytes):
    """Bytes of one checkpoint: of all that is trained."""
    return trained_parameters * checkpoint_bytes_per_parameter + checkpoint_end_bytes


@quantity("byte", source=BY_DEFINITION)
def retained_checkpoint_bytes(checkpoint_bytes, retained_checkpoints):
    """Storage that the retained checkpoints fill."""
    return checkpoint_bytes * retained_checkpoints


@quantity("GPU", source=BY_DEFINITION)
def whole_model_gpus(tensor_parallel, expert_parallel, expert_tensor_shards, pipeline_stages):
    """GPUs that hold every weight of the model between them, as few as there are."""
    return max(tensor_parallel, expert_parallel * expert_tensor_shards) * pipeline_stages


@quantity("GPU", source=RAJBHANDARI_2020.at("section 5"))
def checkpoint_writers(zero_stage, gpu_count, whole_model_gpus):
    """GPUs that write: all of them where state is sharded, else one copy of the model."""
    return gpu_count if zero_stage >= 1 else whole_model_gpus


@quantity("node", source=BY_DEFINITION)
def checkpoint_nodes(checkpoint_writers, gpus_per_node, one_node):
    """Servers' worth of GPUs that write, at least one."""
    return max(checkpoint_writers / gpus_per_node, one_node)


@quantity("byte/GPU", source=EVENLY)
def rank_checkpoint_bytes(checkpoint_bytes, checkpoint_writers):
    """Bytes that one rank writes."""
    return checkpoint_bytes / checkpoint_writers


@quantity("byte/node", source=EVENLY)
def node_checkpoint_bytes(checkpoint_bytes, checkpoint_nodes):
    """Bytes that one server writes; also the host memory that an asynchronous checkpoint needs there."""
    return checkpoint_bytes / checkpoint_nodes


@quantity("second", source=BY_DEFINITION)
def host_copy_seconds(rank_checkpoint_bytes, host_link_bandwidth):
    """Seconds from device to host memory."""
    return rank_checkpoint_bytes / host_link_bandwidth


@quantity("second", source=BY_DEFINITION)
def disk_write_seconds(node_checkpoint_bytes, node_disk_bandwidth):
    """Seconds from host memory to local disks."""
    return node_checkpoint_bytes / node_disk_bandwidth


@quantity("byte/second", source=BY_DEFINITION)
def store_ingest_bandwidth(store_bandwidth, node_storage_bandwidth, checkpoint_nodes):
    """Bandwidth into the shared store: the nodes' together, up to the store's own limit."""
    return min(store_bandwidth, node_storage_bandwidth * checkpoint_nodes)


@quantity("second", source=BY_DEFINITION)
def store_write_seconds(checkpoint_bytes, store_ingest_bandwidth):
    """Seconds from the nodes to the shared store."""
    return checkpoint_bytes / store_ingest_bandwidth


@quantity("second", source=Assumption("a synchronous write copies to the host and then to the store"))
def synchronous_stall_seconds(host_copy_seconds, store_write_seconds):
    """Seconds that training stands still for a synchronous checkpoint."""
    return host_copy_seconds + store_write_seconds


@quantity("second", source=Assumption("an asynchronous write stalls training only for the copy to the host"))
def asynchronous_stall_seconds(host_copy_seconds):
    """Seconds that training stands still for an asynchronous checkpoint."""
    return host_copy_seconds


@quantity(
    "second", source=Assumption("an asynchronous write goes to the local disks first, and from there to the store")
)
def checkpoint_drain_seconds(disk_write_seconds, store_write_seconds):
    """Seconds in which an asynchronous checkpoint drains behind the training: local disks, then the store."""
    return disk_write_seconds + store_write_seconds


@quantity("1", source=BY_DEFINITION)
def synchronous_overhead_fraction(synchronous_stall_seconds, checkpoint_interval_seconds):
    """Share of the wall time that synchronous checkpoints take."""
    return synchronous_stall_seconds / (checkpoint_interval_seconds + synchronous_stall_seconds)


@quantity("1", source=BY_DEFINITION)
def asynchronous_overhead_fraction(asynchronous_stall_seconds, checkpoint_interval_seconds):
    """Share of the wall time that asynchronous checkpoints take."""
    return asynchronous_stall_seconds / (checkpoint_interval_seconds + asynchronous_stall_seconds)


@quantity("second", source=BY_DEFINITION)
def goal_interval_seconds(synchronous_stall_seconds, checkpoint_goal_fraction):
    """Shortest interval at which synchronous checkpoints stay within the goal."""
    return synchronous_stall_seconds * (1 - checkpoint_goal_fraction) / checkpoint_goal_fraction


@quantity("1", source=BY_DEFINITION)
def checkpoint_count(compute_seconds, checkpoint_interval_seconds):
    """Checkpoints written in the run."""
    return compute_seconds / checkpoint_interval_seconds
