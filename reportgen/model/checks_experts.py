"""Checks of experts: there are enough, and they share out and split evenly over their GPUs."""

from __future__ import annotations

from reportgen.formula.functions import remainder, total
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER_KIND


@check("fault", remedy="Make experts_per_token at most expert_count.")
def tokens_find_enough_experts(experts_per_token, expert_count):
    """A layer has at least as many experts as work on one token."""
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
    """The width of a routed expert splits evenly over the GPUs that share it."""
    return expert_ffn_left_over == 0


@quantity("1", source=BY_DEFINITION)
def gates_without_experts(shared_expert_gate, shared_ffn_size):
    """Gates for shared experts of no width."""
    return 1 if shared_expert_gate == "yes" and shared_ffn_size == 0 else 0


@check("fault", remedy="Give shared_ffn_size a width, or set shared_expert_gate to no.")
def shared_gate_has_experts(gates_without_experts):
    """Where there is a gate for shared experts, there are shared experts."""
    return gates_without_experts == 0


@quantity("1", source=BY_DEFINITION)
def idle_expert_parallel(expert_layers, expert_parallel):
    """Expert-parallel size in a model without experts; 1 where it has experts."""
    return 1 if expert_layers > 0 else expert_parallel


@check("fault", remedy="Set expert_parallel to 1, or give a kind of layer experts in kind_mlp.")
def expert_parallelism_has_experts(idle_expert_parallel):
    """Where expert parallelism shares experts out, the model has experts."""
    return idle_expert_parallel == 1


@quantity("1", source=BY_DEFINITION)
def stage_ranks(tensor_parallel, replica_shards, one_gpu):
    """GPUs of one pipeline stage, over all copies of the model."""
    return tensor_parallel / one_gpu * replica_shards


@quantity("1", source=BY_DEFINITION)
def expert_ranks_left_over(expert_layers, stage_ranks, expert_parallel, expert_tensor_shards, one_gpu):
    """GPUs of a pipeline stage left over when all others form groups that each hold all experts once."""
    return remainder(stage_ranks, expert_parallel * (expert_tensor_shards / one_gpu)) if expert_layers > 0 else 0


@check(
    "fault",
    remedy="Make the GPUs of a pipeline stage (gpu_count / pipeline_stages) a multiple of expert_parallel x "
    "expert_tensor_parallel.",
)
def experts_find_their_ranks(expert_ranks_left_over):
    """The GPUs of a pipeline stage form whole groups, each holding all experts once."""
    return expert_ranks_left_over == 0


@quantity("1", source=BY_DEFINITION)
def expert_shards_left_over(expert_layers, shard_group_size, expert_zero_shards):
    """Part of a share left over when the state of experts is split over the GPUs of a shard group that hold them."""
    return remainder(expert_zero_shards, 1) if expert_layers > 0 and shard_group_size != "all" else 0


@check(
    "fault",
    remedy="Make shard_group_size x tensor_parallel a multiple of expert_parallel x expert_tensor_parallel.",
)
def expert_shards_are_whole(expert_shards_left_over):
    """The state of experts is split into a whole number of shares."""
    return expert_shards_left_over == 0


@quantity("1", source=BY_DEFINITION)
def used_load_factor(expert_layers, expert_load_factor):
    """Tokens of the busiest GPU's experts relative to the mean; 0 in a model without experts."""
    return expert_load_factor if expert_layers > 0 else 0


@quantity("1", source=BY_DEFINITION)
def highest_load_factor(expert_parallel, expert_count, experts_per_token):
    """Tokens of one GPU's experts relative to the mean if all tokens were sent there: no routing exceeds it."""
    return min(expert_parallel, expert_count / experts_per_token)


@check(
    "fault",
    remedy="Lower expert_load_factor to at most expert_parallel and at most expert_count / experts_per_token: "
    "no GPU gets more than all tokens.",
)
def experts_get_no_more_than_all_tokens(used_load_factor, highest_load_factor):
    """The busiest GPU's experts get no more tokens than there are."""
    return used_load_factor <= highest_load_factor


@quantity("1", source=BY_DEFINITION)
def unsplit_routing(expert_layers, tensor_parallel_share, sequence_parallel):
    """Splits by tensor parallelism alone in a model of experts: 1 where sequence parallelism is off, else 0."""
    return tensor_parallel_share if expert_layers > 0 and sequence_parallel == "off" else 0


@check(
    "finding",
    remedy="Set sequence_parallel to on: Megatron-LM demands it for experts with tensor parallelism.",
)
def experts_go_with_sequence_parallelism(unsplit_routing):
    """A model of experts that uses tensor parallelism uses sequence parallelism too."""
    return unsplit_routing == 0
