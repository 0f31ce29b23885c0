"""What each profile's kernels keep: tensors and their bytes per value, one table for each part of a layer."""

from __future__ import annotations

from typing import TypeVar

from tests.model.brute_force.given import Run

Row = TypeVar("Row")

NORM_TENSORS = {
    "fused": {"input": 2, "output": 2},
    "eager": {"fp32 input": 4, "normed input": 2, "output": 2},
}
HEAD_NORM_TENSORS = {"fused": {"input": 2}, "eager": {"fp32 input": 4, "normed input": 2}}
SCORE_TENSORS = {
    "fused": {"softmax": 2, "mask": 1, "dropped softmax": 2},
    "eager": {"fp32 softmax": 4, "softmax": 2},
    "fused norms": {"fp32 softmax": 4, "softmax": 2},
}
REPEATS_KEYS = {"fused": False, "eager": True, "fused norms": True}
GATED_TENSORS = {
    "fused": {"gate": 2, "up": 2, "product": 2},
    "eager": {"gate": 2, "activated gate": 2, "up": 2, "product": 2},
    "fused norms": {"gate": 2, "activated gate": 2, "up": 2, "product": 2},
}
PLAIN_TENSORS = {
    "fused": {"up": 2, "product": 2},
    "gpt-gelu": {"up": 2, "scaled": 2, "tanh": 2, "halved": 2, "product": 2},
}
ROUTED_TENSORS = {"fused": {"input": 2, "output": 2}, "eager": {"input": 2, "copied input": 2, "output": 2}}
MASKS = ("behind attention", "behind the mlp")
DROPOUT_MASKS: dict[str, tuple[str, ...]] = {"fused": (), "gpt-dropout": MASKS, "gpt-gelu": MASKS}


def by_profile(table: dict[str, Row], run: Run) -> Row:
    """What the run's profile keeps: as fused kernels do, where the table has no row for it."""
    return table.get(run.profile, table["fused"])
