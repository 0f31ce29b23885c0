"""Where a run stands: whether it fits, and whether it ends in time. All sentences that decide go by this."""

from __future__ import annotations

from typing import Literal

from reportgen.formula.judge import Outcome
from reportgen.result import Result

Memory = Literal["fits", "barely", "over"]
Deadline = Literal["met", "missed"]
# What the verdict and the question put to the reader speak of by themselves.
IN_THE_VERDICT = frozenset({"peak_fits_in_memory", "reserve_is_left", "deadline_is_met"})


def memory_standing(result: Result) -> Memory:
    """Fits with the unmodelled headroom left free, fits without it, or does not fit."""
    if result["memory_headroom_bytes"] < 0:
        return "over"
    return "fits" if result["spare_memory_bytes"] >= 0 else "barely"


def deadline_standing(result: Result) -> Deadline:
    """Whether the training is done by the deadline, to the day itself."""
    return "met" if result["training_days"] <= result["deadline_days"] else "missed"


def deadline_is_assumed(result: Result) -> bool:
    """Whether nobody gave a deadline, so that the default stands for one."""
    return "deadline_days" not in result.scenario.given | result.scenario.changes.keys()


def the_deadline(result: Result) -> str:
    """What a sentence calls the deadline."""
    return "the assumed deadline" if deadline_is_assumed(result) else "the deadline"


def failed_checks(result: Result) -> tuple[Outcome, ...]:
    """The checks that do not hold, in order."""
    return tuple(outcome for outcome in result.outcomes if not outcome.passed)


def further_failures(result: Result) -> tuple[Outcome, ...]:
    """Those among them that are about neither memory nor the deadline."""
    return tuple(outcome for outcome in failed_checks(result) if outcome.check.name not in IN_THE_VERDICT)
