"""Whether a run can have been as its row has it: the estimator's own faults, but for those that real runs have."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from reportgen.accuracy.cells import NotEstimatedError
from reportgen.formula.judge import judge
from reportgen.formula.quantity import Check, Input
from reportgen.model import (
    checks_experts,
    checks_frameworks,
    checks_kinds,
    checks_layers,
    checks_layout,
    checks_recomputation,
    checks_schedule,
    estimator,
)

# Prices, accelerators and sums are nothing that a row says.
JUDGED = frozenset(
    module.__name__
    for module in (
        checks_experts,
        checks_frameworks,
        checks_kinds,
        checks_layers,
        checks_layout,
        checks_recomputation,
        checks_schedule,
    )
)
REAL_RUNS_HAVE = frozenset(
    {
        # Megatron-LM takes groups of any size (microbatch-group-size-per-virtual-pipeline-stage).
        "interleaving_has_groups",
        # Chunks of unequal layers, and those that predict further tokens, are taken as equally large here.
        "chunks_hold_whole_layers",
        "layers_stand_where_given",
        # Megatron-LM's block method recomputes up to so many layers of a stage, however few it has.
        "recomputed_units_fit_in_the_stages",
    }
)


@cache
def faults() -> tuple[Check, ...]:
    """The estimator's faults that say of a run that it cannot have been."""
    return tuple(
        check
        for check in estimator().checks
        if check.severity == "fault" and check.function.__module__ in JUDGED and check.name not in REAL_RUNS_HAVE
    )


@cache
def needed() -> frozenset[str]:
    """The values that those faults are judged by."""
    return frozenset(name for check in faults() for name in check.parameters)


def refuse_impossible(values: Mapping[str, Any]) -> None:
    """Raises NotEstimatedError with the words of every fault that the values have."""
    outcomes = (judge(check, dict(values)) for check in faults())
    broken = [outcome.check for outcome in outcomes if not outcome.passed]
    if broken:
        words = " ".join(f"{check.description} {check.remedy}" for check in broken)
        raise NotEstimatedError(f"what does not hold: {words}")


def refuse_out_of_range(inputs: Mapping[str, Any]) -> None:
    """Raises NotEstimatedError for a number that the estimator's input cannot be."""
    for name, value in inputs.items():
        entry = estimator().inputs[name]
        if entry.axis is None and isinstance(value, int | float) and not _fits(entry, value):
            kind = "a whole number" if entry.kind == "whole" else "a number"
            raise NotEstimatedError(f"{name} is {value:g}; expected {kind} from {entry.minimum:,} to {entry.maximum:,}")


def _fits(entry: Input, value: float) -> bool:
    within = entry.minimum is None or entry.maximum is None or entry.minimum <= value <= entry.maximum
    return within and (entry.kind != "whole" or value == int(value))
