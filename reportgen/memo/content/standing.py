"""Where a run stands: whether it fits, and whether it ends in time. All sentences that decide go by this."""

from __future__ import annotations

from typing import Literal

from reportgen.result import Result

Memory = Literal["fits", "barely", "over"]
Deadline = Literal["met", "missed"]


def memory_standing(result: Result) -> Memory:
    """Fits with the unmodelled headroom left free, fits without it, or does not fit."""
    if result["memory_headroom_bytes"] < 0:
        return "over"
    return "fits" if result["spare_memory_bytes"] >= 0 else "barely"


def deadline_standing(result: Result) -> Deadline:
    """Whether the training is done by the deadline, to the day itself."""
    return "met" if result["training_days"] <= result["deadline_days"] else "missed"
