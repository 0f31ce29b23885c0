"""Checks of experts, shard groups, schedules, recomputation and offload: what goes together and what does not."""

from __future__ import annotations

from reportgen.formula.functions import count_where, remainder, total
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER_KIND


@check("fault", remedy="Make experts_per_token at most expert_count.")
def tokens_find_enough_experts(experts_per_token, expert_count):
    """A layer has as many experts as work on a token."""
    return experts_per_token <= expert_count


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_expert_layers(kind_layers, kind_expert_share):
    """Layers of the kind that have routed experts."""
    return kind_layers * kind_expert_share


@quantity("1", source=BY_DEFINITION)
def expert_layers(kind_expert_layers):
    """Layers that have routed experts."""
    return total(kind_expert_layers)


@quantity("1", source=BY_DEFINITION)
def experts_left_over(expert_layers, expert_count, expert_parallel):
    """Routed experts left over when shared out over the expert-parallel GPUs."""
    return remainder(expert_count, expert_parallel) if expert_layers > 0 else 0


@check("fault", remedy="Choose expert_parallel so that it divides expert_count.")
def experts_share_out_evenly(experts_left_over):
    """Routed experts are shared out evenly over the expert-parallel GPUs."""
    return experts_left_over == 0


@quantity("1", source=BY_DEFINITION)
def expert_ffn_left_over(expert_layers, expert_ffn_size, expert_tensor_shards, one_gpu):
    """Width of a routed expert left over when split over the GPUs that share it."""
    return remainder(expert_ffn_size, expert_tensor_shards / one_gpu) if expert_layers > 0 else 0


@check("fault", remedy="Choose expert_tensor_parallel so that it divides expert_ffn_size.")
def experts_split_evenly(expert_ffn_left_over):
    """Routed experts split evenly over the GPUs that share them."""
    return expert_ffn_left_over == 0


@quantity("1", source=BY_DEFINITION)
def gates_without_experts(shared_expert_gate, shared_ffn_size):
    """1 where there is a gate in front of shared experts that have no width, else 0."""
    return 1 if shared_expert_gate == "yes" and shared_ffn_size == 0 else 0


@check("fault", remedy="Give shared_ffn_size a width, or set shared_expert_gate to no.")
def shared_gate_has_experts(gates_without_experts):
    """A gate of shared experts has shared experts behind it."""
    return gates_without_experts == 0


@quantity("1", source=BY_DEFINITION)
def idle_expert_parallel(expert_layers, expert_parallel):
    """The expert-parallel size where no layer has experts, else 1."""
    return 1 if expert_layers > 0 else expert_parallel


@check("fault", remedy="Set expert_parallel to 1, or give a kind of layer experts in kind_mlp.")
def expert_parallelism_has_experts(idle_expert_parallel):
    """Where experts are shared out there are experts."""
    return idle_expert_parallel == 1


@quantity("1", source=BY_DEFINITION)
def stage_ranks(tensor_parallel, replica_shards, one_gpu):
    """GPUs of one stage, over all copies of the model."""
    return tensor_parallel / one_gpu * replica_shards


@quantity("1", source=BY_DEFINITION)
def expert_ranks_left_over(expert_layers, stage_ranks, expert_parallel, expert_tensor_shards, one_gpu):
    """GPUs of a stage left over when they form whole groups that hold all experts between them."""
    return remainder(stage_ranks, expert_parallel * (expert_tensor_shards / one_gpu)) if expert_layers > 0 else 0


@check(
    "fault",
    remedy="Make the GPUs of a stage a multiple of expert_parallel x expert_tensor_parallel.",
)
def experts_find_their_ranks(expert_ranks_left_over):
    """The GPUs of a stage form whole groups that hold all experts between them."""
    return expert_ranks_left_over == 0


@quantity("1", source=BY_DEFINITION)
def shard_groups_left_over(shard_group_size, replica_shards):
    """GPUs that hold the same weights left over when they form whole shard groups."""
    return 0 if shard_group_size == "all" else remainder(replica_shards, shard_group_size)


@check("fault", remedy="Choose shard_group_size so that it divides data_parallel x context_parallel.")
def shard_groups_are_whole(shard_groups_left_over):
    """The GPUs that hold the same weights form whole shard groups."""
    return shard_groups_left_over == 0


@quantity("1", source=BY_DEFINITION)
def plain_schedule_chunks(schedule, virtual_stages):
    """Chunks of each stage where the schedule takes whole stages, else 1."""
    return 1 if schedule == "1f1b" else virtual_stages


@check("fault", remedy="Set virtual_stages to 1, or schedule to 1f1b: only that one interleaves chunks here.")
def schedule_takes_the_chunks(plain_schedule_chunks):
    """Stages are cut into chunks only where the schedule interleaves them."""
    return plain_schedule_chunks == 1


@quantity("1", source=BY_DEFINITION)
def unpaired_stages(mirrored_share, pipeline_stages):
    """Stages left without a mirrored one where micro-batches flow both ways."""
    return mirrored_share * remainder(pipeline_stages, 2)


@check("fault", remedy="Make pipeline_stages even for dualpipe, or choose another schedule.")
def stages_mirror_in_pairs(unpaired_stages):
    """Where micro-batches flow both ways every stage has a mirrored one."""
    return unpaired_stages == 0


@quantity("1", source=BY_DEFINITION)
def missing_micro_batches(mirrored_share, pipeline_stages, step_micro_batches):
    """Micro-batches that a pipeline in both directions lacks to fill it: two for each stage."""
    return mirrored_share * max(2 * pipeline_stages - step_micro_batches, 0)


@check("finding", remedy="Give dualpipe two micro-batches for each stage, or choose another schedule.")
def both_directions_are_filled(missing_micro_batches):
    """A pipeline in both directions has micro-batches enough to fill it."""
    return missing_micro_batches == 0


@quantity("1", source=BY_DEFINITION)
def unsplit_routing(expert_layers, tensor_parallel_share, sequence_parallel):
    """1 where tokens are routed to experts from every tensor-parallel GPU, unsplit, else 0."""
    return tensor_parallel_share if expert_layers > 0 and sequence_parallel == "off" else 0


@check(
    "finding",
    remedy="Turn sequence_parallel on: Megatron-LM demands it for experts with tensor parallelism.",
)
def experts_go_with_sequence_parallelism(unsplit_routing):
    """Experts under tensor parallelism come with sequence parallelism."""
    return unsplit_routing == 0


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


@quantity("1", source=BY_DEFINITION)
def profile_rows(profile_name, kernel_profile):
    """Rows of the table of kernel profiles that bear the profile's name."""
    return count_where(profile_name, kernel_profile)


@check("fault", remedy="Give every row of the table of kernel profiles a name of its own.")
def profile_stands_once(profile_rows):
    """The kernel profile's name stands once in its table."""
    return profile_rows == 1


@quantity("1", source=BY_DEFINITION)
def framework_rows(framework_name, framework):
    """Rows of the table of frameworks that bear the framework's name."""
    return count_where(framework_name, framework)


@check("fault", remedy="Give every row of the table of frameworks a name of its own.")
def framework_stands_once(framework_rows):
    """The framework's name stands once in its table."""
    return framework_rows == 1
