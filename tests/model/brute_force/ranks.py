"""The GPUs of a pipeline stage one by one: which part of which tensor each one holds, and who holds the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.model.brute_force.given import Layout
from tests.model.brute_force.tensors import Tensor


@dataclass(frozen=True)
class Rank:
    """One GPU of a stage: its part of a shared matrix, its replica, its part of a shared expert, its block of experts.

    GPUs that share a matrix are neighbours; so are those that share an expert, and then those that share out experts.
    """

    part: int
    replica: int
    expert_part: int
    expert_block: int


def ranks(layout: Layout) -> Iterator[Rank]:
    """All GPUs of one stage."""
    for number in range(layout.tensor * layout.replicas):
        replica, part = divmod(number, layout.tensor)
        block, expert_part = divmod(number, layout.expert_tensor)
        yield Rank(part, replica, expert_part, block % layout.expert)


def shard_group(layout: Layout) -> list[Rank]:
    """The first GPU, before all those among which ZeRO may split its state."""
    size = layout.group or layout.replicas
    return [rank for rank in ranks(layout) if rank.replica < size]


def dense_shards(layout: Layout) -> int:
    """GPUs of the shard group that hold the same part of every matrix as the first one."""
    first, *_ = group = shard_group(layout)
    return sum(rank.part == first.part for rank in group)


def expert_shards(layout: Layout) -> int:
    """GPUs of the shard group that hold the same part of the same experts as the first one."""
    first, *_ = group = shard_group(layout)
    same = (first.expert_part, first.expert_block)
    return sum((rank.expert_part, rank.expert_block) == same for rank in group)


def elements(tensor: Tensor, layout: Layout, rank: Rank, expert_count: int) -> float:
    """Elements of a tensor that one GPU holds: none of an expert in another block."""
    if tensor.expert is None:
        return tensor.size / layout.tensor if tensor.split else tensor.size
    if tensor.expert // (expert_count // layout.expert) != rank.expert_block:
        return 0
    return tensor.size / layout.expert_tensor if tensor.split else tensor.size


def held(tensors: Iterable[Tensor], layout: Layout, expert_count: int) -> float:
    """Elements of tensors that one GPU of a stage holds, the same on all of them."""
    listed = list(tensors)
    each = {
        sum(elements(tensor, layout, rank, expert_count) for tensor in listed)
        for rank in ([next(ranks(layout))] if all(t.expert is None for t in listed) else ranks(layout))
    }
    assert len(each) == 1, "GPUs of a stage hold different numbers of parameters"
    return each.pop()
