"""Activations on one GPU of each stage: what the played schedule holds, and what comes back beside it."""

from __future__ import annotations

from dataclasses import dataclass

from tests.model.brute_force import kept
from tests.model.brute_force.given import Model, Run
from tests.model.brute_force.head import loss_head
from tests.model.brute_force.play import play
from tests.model.brute_force.recomputed import kept_by_layer
from tests.model.brute_force.stages import placed


@dataclass(frozen=True)
class Activations:
    """Bytes of activations on one GPU of a stage at its fullest, and the micro-batches in flight."""

    kept: float
    in_flight: float
    logits: float
    head: float


def chunk_memory(model: Model, run: Run, layers: list[int]) -> tuple[float, float]:
    """Bytes that a chunk keeps of one micro-batch, and the most that comes back while a layer of it is recomputed."""
    whole = run.recompute.what == "full"
    stays, back = 0.0, [0.0]
    for place, layer in enumerate(layers):
        everything, remains = kept_by_layer(model, run, model.kinds[layer])
        if whole and (place + 1) % run.recompute.interval == 0:
            first = place % run.recompute.group == 0
            stays += kept.held([kept.Kept("input", 2 * model.hidden, run.layout.between)], run) if first else 0
            back = [*back, everything] if first else [*back[:-1], back[-1] + everything]
        else:
            stays += remains
            back.append(everything - remains)
    return stays, max(back)


def activations(model: Model, run: Run) -> list[Activations]:
    """Every stage's activations in the played schedule, and what comes back of the largest layer of the model.

    Where the loss is computed that happens before any layer comes back: the greater of both is alive, and counted once.
    GPipe computes all losses before the first of them is taken back.
    """
    layout, last = placed(model, run.layout), run.layout.stages - 1
    both_ways = run.layout.schedule == "dualpipe"
    chunks = [[chunk_memory(model, run, chunk) for chunk in stage] for stage in layout]
    stays = [[part for part, _ in stage] for stage in chunks]
    parts = [[*own, *mirrored] for own, mirrored in zip(stays, reversed(stays), strict=True)] if both_ways else stays
    working = max(back for stage in chunks for _, back in stage)
    head = loss_head(model, run)
    found = []
    for number, stage in enumerate(play(run, parts)):
        here = number == last or (both_ways and number == 0)
        beside = max(working - head.at_work, 0) if here else working
        waiting = (stage.most_passes - 1) * head.waiting if here and run.layout.schedule == "gpipe" else 0
        alive = head.at_work + waiting if here else 0
        in_flight = stage.most_passes / run.layout.chunks
        found.append(Activations(stage.most_bytes + beside, in_flight, head.logits if here else 0, alive))
    return found
