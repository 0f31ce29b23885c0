"""The most that one GPU of each stage holds, and what lies on a node off its GPUs."""

from __future__ import annotations

from tests.model.brute_force.activations import activations
from tests.model.brute_force.given import Model, Run
from tests.model.brute_force.state import gathered, state


def peaks(model: Model, run: Run) -> list[float]:
    """The most that one GPU of each stage holds at once."""
    found = []
    for stage, alive in enumerate(activations(model, run)):
        own = state(model, run, stage)
        found.append(own.weight + own.gradient + own.optimizer + own.copies + alive.kept + alive.head)
        found[-1] += gathered(model, run, stage)
    return found


def offloaded(model: Model, run: Run) -> float:
    """Bytes that lie on one node off its GPUs, all of them of the fullest stage."""
    gpus = run.layout.tensor * run.layout.stages * run.layout.replicas
    fullest = max(state(model, run, stage).updated for stage in range(run.layout.stages))
    return fullest * min(run.node_gpus, gpus) if run.offload else 0.0
