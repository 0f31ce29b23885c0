"""What would make a run fit: single changes of its layout, cheapest first, each tried through the estimator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from reportgen.errors import ScenarioError
from reportgen.result import Result, estimate


@dataclass(frozen=True)
class Remedy:
    """Changes of inputs that make the run fit, in words, with what is then left of the card in bytes."""

    words: str
    changes: dict[str, Any]
    headroom_bytes: float


def fits(result: Result) -> bool:
    """Whether the peak and the unmodelled headroom fit on the card."""
    return bool(result["spare_memory_bytes"] >= 0)


def remedies(result: Result) -> tuple[Remedy, ...]:
    """The changes that make a run fit, cheapest first; none for a run that fits, or that nothing tried here saves.

    Single changes come first, then pairs of them. Cheapest means: first what costs nothing but communication, then
    what costs compute, then what costs machines.
    """
    if fits(result):
        return ()
    candidates = tuple(_candidates(result))
    singles = tuple(_tried(result, [candidate]) for candidate in candidates)
    found = tuple(remedy for remedy in singles if remedy)
    if found:
        return found
    pairs = (_tried(result, list(pair)) for pair in combinations(candidates, 2))
    return tuple(remedy for remedy in pairs if remedy)


Candidate = tuple[str, dict[str, Any]]


def _candidates(result: Result) -> Iterator[Candidate]:
    yield from _sharding(result)
    yield from _recomputation(result)
    yield from _smaller_micro_batch(result)
    yield from _wider_layouts(result)


def _sharding(result: Result) -> Iterator[Candidate]:
    """ZeRO stages above the present one; with a pipeline only the first goes with its micro-batches."""
    highest = 1 if result["pipeline_stages"] > 1 else 3
    for stage in range(result["zero_stage"] + 1, highest + 1):
        yield f"ZeRO stage {stage}", {"zero_stage": stage}


def _recomputation(result: Result) -> Iterator[Candidate]:
    if result["recompute"] == "none" and result["flash_attention"] == "off":
        yield "selective recomputation", {"recompute": "selective"}
    if result["flash_attention"] == "off":
        yield "FlashAttention", {"flash_attention": "on"}
    if result["recompute"] != "full":
        yield "full recomputation", {"recompute": "full"}


def _smaller_micro_batch(result: Result) -> Iterator[Candidate]:
    size = result["micro_batch_size"] // 2
    while size >= 1:
        yield f"a micro-batch of {size}", {"micro_batch_size": size}
        size //= 2


def _wider_layouts(result: Result) -> Iterator[Candidate]:
    """More GPUs to a copy of the model, out of those that are there; then twice the GPUs."""
    for factor in (2, 4, 8):
        for name in ("tensor_parallel", "pipeline_stages", "context_parallel"):
            size = result[name] * factor
            yield f"{name.replace('_', ' ')} {size}", {name: size}
    for factor in (2, 4):
        count = result["gpu_count"] * factor
        yield f"{count:,} GPUs", {"gpu_count": count}


def _tried(result: Result, candidates: list[Candidate]) -> Remedy | None:
    changes = {name: value for _, change in candidates for name, value in change.items()}
    if len(changes) < len(candidates):
        return None
    try:
        changed = estimate(result.scenario.with_inputs(**changes))
    except ScenarioError:
        return None
    words = " with ".join(words for words, _ in candidates)
    return Remedy(words, changes, changed["memory_headroom_bytes"]) if fits(changed) else None
