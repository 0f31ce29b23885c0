"""Bytes of state on one GPU of a stage as ZeRO shards it, and of full weights that it gathers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.model.brute_force import tensors
from tests.model.brute_force.given import Model, Run
from tests.model.brute_force.holding import elements, end_tensors
from tests.model.brute_force.ranks import dense_shards, expert_shards, held
from tests.model.brute_force.tensors import Tensor


@dataclass(frozen=True)
class State:
    """Bytes of state on one GPU of a stage; `updated` is the optimizer's state, wherever it lies."""

    weight: float
    gradient: float
    updated: float
    optimizer: float
    copies: float


def state(model: Model, run: Run, stage: int) -> State:
    """Weights are sharded from ZeRO stage 3, gradients from 2, the optimizer from 1; adapters alone may be trained."""
    here, each, zero = elements(model, run, stage), run.bytes, run.layout.zero
    trained = 1 if run.tuning == "full" else 0
    matrix, plain = stored(run)

    def cut(least: int) -> tuple[int, int]:
        return (dense_shards(run.layout), expert_shards(run.layout)) if zero >= least else (1, 1)

    shards, expert = cut(3)
    layers = here.dense / shards + here.experts / expert
    matrices = here.dense_matrices / shards + here.expert_matrices / expert
    weight = matrices * matrix + (layers - matrices) * plain
    weight += (here.ends * plain + here.adapters * each.weight) / shards
    copies = layers * each.copy
    shards, expert = cut(2)
    own = trained * ((here.dense + here.ends) / shards + here.experts / expert)
    gradient = (own + here.adapters / shards) * each.gradient
    shards, expert = cut(1)
    layers = trained * (here.dense / shards + here.experts / expert) + here.adapters / shards
    ends = trained * here.ends / shards
    # Factored moments: for each stretch as long as the model is wide one mean of its row, and one of its column.
    extra = each.master + 2 * each.factored / model.hidden
    updated = layers * (each.moments + extra) + ends * (each.end_moments + extra)
    return State(weight, gradient, updated, 0.0 if run.offload else updated, copies)


def stored(run: Run) -> tuple[float, float]:
    """Bytes of an element of a layer's matrices, and of whatever is never quantised."""
    each = run.bytes
    if run.tuning != "qlora":
        return each.weight, each.weight
    return each.quantised, each.weight if each.unquantised is None else each.unquantised


def gathered(model: Model, run: Run, stage: int) -> float:
    """Full weights at hand under ZeRO stage 3: the largest layers of the model, and all tensors at the ends."""
    if run.layout.zero != 3:
        return 0.0
    each = run.bytes
    whole = each.weight if each.gathered is None else each.gathered
    matrix, plain = stored(run) if each.gathered is None else (whole, whole)

    def here(found: Iterable[Tensor], size: float) -> float:
        return held(found, run.layout, model.experts.count) * size

    layers = [
        here((tensor for tensor in tensors.layer(model, kind) if tensor.is_matrix), matrix)
        + here((tensor for tensor in tensors.layer(model, kind) if not tensor.is_matrix), plain)
        + here(tensors.adapters(model, run, kind), whole)
        for kind in set(model.kinds)
    ]
    at_hand = min(run.gathered_layers, len(model.kinds))  # a model has no more layers than it has
    return run.gathered_copies * (at_hand * max(layers) + here(end_tensors(model, run, stage), plain))
