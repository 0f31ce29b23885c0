"""Parameters on one GPU of a stage: layers, routed experts, embedding and head, adapters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.model.brute_force import tensors
from tests.model.brute_force.given import Model, Run
from tests.model.brute_force.ranks import held
from tests.model.brute_force.stages import head_stage, placed
from tests.model.brute_force.tensors import Tensor


@dataclass(frozen=True)
class Elements:
    """Elements on one GPU: of layers, of their routed experts, of embedding and head, of adapters.

    Of layers and of experts also those that stand in matrices, which 4 bits are for.
    """

    dense: float
    experts: float
    ends: float
    adapters: float
    dense_matrices: float
    expert_matrices: float


def held_layers(model: Model, run: Run, stage: int) -> list[int]:
    """Layers whose weights a GPU of the stage holds: its own, and those of its mirrored stage."""
    layout = placed(model, run.layout)
    own = [layer for chunk in layout[stage] for layer in chunk]
    mirrored = layout[-1 - stage][0] if run.layout.schedule == "dualpipe" else []
    return own + mirrored


def end_tensors(model: Model, run: Run, stage: int) -> list[Tensor]:
    """Embedding and head on a GPU of the stage, those of its mirrored stage too."""
    last = head_stage(model, run.layout)
    found: list[Tensor] = []
    for place in (stage, run.layout.stages - 1 - stage) if run.layout.schedule == "dualpipe" else (stage,):
        found += tensors.first(model) if place == 0 else []
        found += tensors.last(model, shares_stage=last == 0) if place == last else []
    return found


def elements(model: Model, run: Run, stage: int) -> Elements:
    """What one GPU of the stage holds."""
    kinds = [model.kinds[layer] for layer in held_layers(model, run, stage)]
    listed = [tensor for kind in kinds for tensor in tensors.layer(model, kind)]
    low_rank = [tensor for kind in kinds for tensor in tensors.adapters(model, run, kind)]

    def here(found: Iterable[Tensor]) -> float:
        return held(found, run.layout, model.experts.count)

    matrices = [tensor for tensor in listed if tensor.is_matrix]
    return Elements(
        dense=here(tensor for tensor in listed if tensor.expert is None),
        experts=here(tensor for tensor in listed if tensor.expert is not None),
        dense_matrices=here(tensor for tensor in matrices if tensor.expert is None),
        expert_matrices=here(tensor for tensor in matrices if tensor.expert is not None),
        ends=here(end_tensors(model, run, stage)),
        adapters=here(low_rank),
    )
