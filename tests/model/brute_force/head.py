"""What the loss keeps of logits, by how it is computed."""

from __future__ import annotations

from dataclasses import dataclass

from tests.model.brute_force.given import Model, Run
from tests.model.brute_force.kept import Kept, held, hidden_norm


@dataclass(frozen=True)
class Head:
    """Bytes of one micro-batch: of logits while the loss is at work, of all then, and while its backward pass waits."""

    logits: float
    at_work: float
    waiting: float


def loss_head(model: Model, run: Run) -> Head:
    """Logits, their copies and their gradient, and the final norm; a chunk takes its gradient at once and is gone."""
    parts = {"logits": 2, "fp32 logits": 4, "logit gradients": 4}
    wait = {"log-probabilities": 4}
    if run.loss_head == "fused":
        parts, wait = {"logits": 2, "logit gradients": 2}, {"softmax": 2}
    shards, turns = run.layout.tensor, 1
    if run.loss_head == "plain":
        shards = 1
    if run.loss_head == "chunked":
        turns, wait = run.loss_chunks, {}

    def size(tensors: dict[str, int]) -> float:
        return held([Kept(name, each * model.held_vocabulary, shards * turns) for name, each in tensors.items()], run)

    norm = held(hidden_norm("final norm", model, run), run)
    return Head(size(parts), size(parts) + norm, size(wait) + norm)
