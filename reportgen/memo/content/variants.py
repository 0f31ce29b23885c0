"""The same run with something changed: another case, another count of GPUs, another recomputation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reportgen.errors import ScenarioError
from reportgen.formula.evaluate import evaluate
from reportgen.formula.quantity import Value
from reportgen.memo.content.say import Teller
from reportgen.model import estimator
from reportgen.remedies import Remedy, fits, remedies
from reportgen.result import Result, estimate
from reportgen.scenario.scenario import Case, Scenario


def in_case(result: Result, case: Case) -> Teller:
    """The run with the low, base or high of every uncertain input."""
    values = evaluate(estimator(), result.scenario.live_inputs(case))
    return Teller(Result(result.scenario, values), f"case={case}")


def changed(result: Result, **changes: Value) -> Teller:
    """The run with other inputs, whether or not such a layout is possible."""
    values = evaluate(estimator(), {**result.scenario.live_inputs(), **changes})
    return Teller(Result(result.scenario, values), condition_of(changes))


def changed_layout(result: Result, **changes: Value) -> Teller | None:
    """The run with other inputs; None where such a layout is impossible."""
    try:
        return Teller(estimate(_pinned(result).with_inputs(**changes)), condition_of(changes))
    except ScenarioError:
        return None


def is_layout(result: Result, **changes: Value) -> bool:
    """Whether the run with other inputs is a layout that is possible."""
    try:
        _pinned(result).with_inputs(**changes)
    except ScenarioError:
        return False
    return True


def condition_of(changes: dict[str, Any]) -> str:
    """Changes as they stand in the name of a printed number."""
    return ", ".join(f"{name}={value}" for name, value in changes.items())


def smallest_remedy(result: Result) -> tuple[Remedy, Teller] | None:
    """The cheapest change that leaves the unmodelled headroom free, and the run with it; None if there is none."""
    for remedy in remedies(result):
        teller = changed_layout(result, **remedy.changes)
        if teller and fits(teller.result):
            return remedy, teller
    return None


def smallest_layout(result: Result) -> Teller | None:
    """The fewest GPUs that hold the model in the same layout of one copy; None where no count does."""
    layouts = (_copies(result, copies) for copies in possible_copies(result))
    return next((layout for layout in layouts if layout and fits(layout.result)), None)


def deadline_layout(result: Result) -> Teller | None:
    """The fewest GPUs that meet the deadline and share the batch out evenly; None where no count does both."""
    layouts = (
        _copies(result, copies)
        for copies in possible_copies(result)
        if copies * result["model_parallel_gpus"] >= result["deadline_gpus"]
    )
    return next((layout for layout in layouts if layout), None)


def possible_copies(result: Result) -> tuple[int, ...]:
    """Copies of the model that share the micro-batches of a step evenly, from one up."""
    micro_batches = round(result["step_micro_batches"] * result["data_parallel"])
    small = [count for count in range(1, int(micro_batches**0.5) + 1) if micro_batches % count == 0]
    return tuple(sorted({*small, *(micro_batches // count for count in small)}))


def _copies(result: Result, copies: int) -> Teller | None:
    return changed_layout(result, gpu_count=copies * result["model_parallel_gpus"])


def _pinned(result: Result) -> Scenario:
    """The scenario with the values of its case as its only ones, so that a change is not overruled by a range."""
    scenario = result.scenario
    return replace(scenario, inputs=scenario.live_inputs(), ranges={}, case="base")
