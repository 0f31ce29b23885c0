"""The five numbers that a person asks for first, in words."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.result import Result


@dataclass(frozen=True)
class Headline:
    """One headline: what it is, and its value with its unit; `name` is the quantity it comes from."""

    label: str
    text: str
    name: str


def headline(result: Result) -> tuple[Headline, ...]:
    """Peak memory, headroom, training days, GPU-hours and cost."""
    return (
        Headline("Peak memory per GPU", _peak(result), "peak_memory_bytes"),
        Headline("Memory headroom", _headroom(result), "memory_headroom_bytes"),
        Headline("Training time", result.shown("training_days"), "training_days"),
        Headline("GPU-hours", result.shown("gpu_hours"), "gpu_hours"),
        Headline("Total cost", result.shown("total_cost_usd"), "total_cost_usd"),
    )


def _peak(result: Result) -> str:
    last = result["pipeline_stages"] - 1
    stage = f" on stage {result['worst_stage']}, of 0 to {last}" if last else ""
    return f"{result.shown('peak_memory_bytes')}{stage}"


def _headroom(result: Result) -> str:
    """What is left of the card, and whether that is enough."""
    left, reserve = result.shown("memory_headroom_bytes"), result.shown("memory_reserve_bytes")
    if result["memory_headroom_bytes"] < 0:
        return f"{left}: does not fit"
    if result["spare_memory_bytes"] < 0:
        return f"{left}: fits, but less than the {reserve} to be kept free"
    return f"{left}: fits, {reserve} of it to be kept free"
