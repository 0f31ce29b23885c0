"""Checks of experts: there are enough, and they share out and split evenly over their GPUs."""

from __future__ import annotations

from reportgen.formula.functions import remainder, total
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
