"""The fault checks of the model, told as faults of the scenario: which layout is impossible, and what to change."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from typing import TYPE_CHECKING, Any

from reportgen.errors import Fault
from reportgen.formula.evaluate import EvaluationError, evaluate
from reportgen.formula.judge import judge
from reportgen.formula.quantity import Check
from reportgen.model import estimator

if TYPE_CHECKING:
    from reportgen.scenario.scenario import Case, Scenario


def layout_faults(
    scenario: Scenario, where: Callable[[str], str], doubtful: Set[str] = frozenset()
) -> Iterator[Fault]:
    """One fault for each fault check that fails in any case of the scenario.

    `where` gives the place of an input. Checks that read a `doubtful` input, already complained about, are left out.
    """
    cases: tuple[Case, ...] = ("base", "low", "high") if scenario.ranges else ("base",)
    told: set[str] = set()
    for check in estimator().checks:
        if check.severity == "fault" and not _needs(check) & doubtful:
            for case in cases:
                fault = _fault(check, scenario.live_inputs(case), where)
                if fault and check.name not in told:
                    told.add(check.name)
                    yield fault


def _needs(check: Check) -> set[str]:
    return estimator().needed_for(check.parameters)


def _fault(check: Check, inputs: dict[str, Any], where: Callable[[str], str]) -> Fault | None:
    place = where(_blamed(check))
    try:
        values = evaluate(estimator(), inputs, frozenset(check.parameters))
        outcome = judge(check, values)
    except EvaluationError as error:
        return Fault(place, str(error), check.description.rstrip("."), check.remedy)
    if outcome.passed:
        return None
    return Fault(
        place, _sides(check, outcome.left, outcome.right), check.description.rstrip("."), check.remedy
    )


def _blamed(check: Check) -> str:
    """The input that the remedy speaks of first, else the first one that the check hangs on."""
    inputs = estimator().inputs
    mentioned = [word for word in re.findall(r"[a-z_]+", check.remedy) if word in inputs]
    needed = [name for name in inputs if name in _needs(check)]
    return next(iter([*mentioned, *needed]))


def _sides(check: Check, left: object, right: object) -> str:
    name = check.parameters[0].replace("_", " ")
    if isinstance(left, int | float) and isinstance(right, int | float):
        return f"{name} {left:,g} against {right:,g}"
    return f"{left} against {right}"
