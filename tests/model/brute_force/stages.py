"""Which layers each pipeline stage holds, chunk by chunk, and which stage holds the head."""

from __future__ import annotations

from itertools import accumulate, pairwise

from tests.model.brute_force.given import Layout, Model


def placed(model: Model, layout: Layout) -> list[list[list[int]]]:
    """For each stage its chunks, for each chunk its layers: as given, cut by compute, or dealt out like cards."""
    count = len(model.kinds)
    if layout.stage_layers:
        ends = [0, *accumulate(layout.stage_layers)]
        return [[list(range(*pair))] for pair in pairwise(ends)]
    if layout.split_costs:
        ranks = cut_by_compute(count, layout)[1 : 1 + count]
        return [[[layer for layer, rank in enumerate(ranks) if rank == stage]] for stage in range(layout.stages)]
    chunks = dealt(count, layout.stages * layout.chunks)
    return [chunks[stage :: layout.stages] for stage in range(layout.stages)]


def dealt(count: int, pieces: int) -> list[list[int]]:
    """Layers in turn in as many pieces, the first of them one longer where it does not come out even."""
    small, more = divmod(count, pieces)
    ends = [0, *accumulate(small + (1 if piece < more else 0) for piece in range(pieces))]
    return [list(range(*pair)) for pair in pairwise(ends)]


def cut_by_compute(layers: int, layout: Layout) -> list[int]:
    """The rank of each block in turn: embedding, layers, final norm, head, cast, loss.

    The next rank takes over behind a block with which all blocks so far cost more than the ranks so far should have.
    """
    assert layout.split_costs
    of_layer, of_head = layout.split_costs
    costs = [0, *[of_layer] * layers, 0, of_head, 0, 0]
    rank, ranks = 0, []
    for so_far in accumulate(costs):
        ranks.append(rank)
        if so_far * layout.stages > sum(costs) * (rank + 1):
            rank += 1
    return ranks


def head_stage(model: Model, layout: Layout) -> int:
    """The stage of final norm and head: the last one, unless the cut by compute comes to another."""
    if layout.split_costs and not layout.stage_layers:
        return cut_by_compute(len(model.kinds), layout)[-3]
    return layout.stages - 1
