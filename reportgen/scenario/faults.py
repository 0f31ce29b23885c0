"""The fault checks of the model, told as faults of the scenario: which layout is impossible, and what to change."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from typing import TYPE_CHECKING, Any

from reportgen.errors import Fault
from reportgen.formula.evaluate import EvaluationError, evaluate
from reportgen.formula.judge import Outcome, judge
from reportgen.formula.quantity import Check
from reportgen.model import estimator

if TYPE_CHECKING:
    from reportgen.scenario.scenario import Case, Scenario


def layout_faults(
    scenario: Scenario, where: Callable[[str], str], doubtful: AbstractSet[str] = frozenset()
) -> Iterator[Fault]:
    """One fault for each fault check that fails in any case of the scenario.

    `where` gives the place of an input. Checks that read a `doubtful` input, already complained about, are left out.
    """
    checks = [check for check in _fault_checks() if not _needs(check) & doubtful]
    cases: tuple[Case, ...] = ("base", "low", "high") if scenario.ranges else ("base",)
    told: set[str] = set()
    for case in cases:
        inputs = scenario.live_inputs(case)
        for check, outcome in _outcomes(checks, inputs):
            fault = _fault(check, outcome, where)
            if fault and check.name not in told:
                told.add(check.name)
                yield fault


@cache
def _fault_checks() -> tuple[Check, ...]:
    return tuple(check for check in estimator().checks if check.severity == "fault")


@cache
def _needs(check: Check) -> frozenset[str]:
    return frozenset(estimator().needed_for(check.parameters))


def _outcomes(checks: list[Check], inputs: dict[str, Any]) -> list[tuple[Check, Outcome | EvaluationError]]:
    """What each check finds: all from one evaluation, or one by one where a formula has no value."""
    wanted = frozenset(name for check in checks for name in check.parameters)
    try:
        values = evaluate(estimator(), inputs, wanted)
    except EvaluationError:
        return [(check, _outcome(check, inputs)) for check in checks]
    return [(check, judge(check, values)) for check in checks]


def _outcome(check: Check, inputs: dict[str, Any]) -> Outcome | EvaluationError:
    try:
        return judge(check, evaluate(estimator(), inputs, frozenset(check.parameters)))
    except EvaluationError as error:
        return error


def _fault(check: Check, outcome: Outcome | EvaluationError, where: Callable[[str], str]) -> Fault | None:
    if isinstance(outcome, EvaluationError):
        return _told(check, str(outcome), where)
    return None if outcome.passed else _told(check, _sides(check, outcome.left, outcome.right), where)


def _told(check: Check, found: str, where: Callable[[str], str]) -> Fault:
    return Fault(where(_blamed(check)), found, f"that {_clause(check.description)}", _clause(check.remedy))


def _clause(sentence: str) -> str:
    """A sentence as part of a longer one: without its capital and its full stop."""
    lowered = sentence[:1].lower() + sentence[1:] if sentence[1:2].islower() or sentence[1:2] == " " else sentence
    return lowered.rstrip(".")


def _blamed(check: Check) -> str:
    """The input that the remedy speaks of first, else the first one that the check hangs on."""
    inputs = estimator().inputs
    mentioned: list[str] = [word for word in re.findall(r"[a-z_]+", check.remedy) if word in inputs]
    needed = [name for name in inputs if name in _needs(check)]
    return [*mentioned, *needed][0]


def _sides(check: Check, left: object, right: object) -> str:
    name = check.parameters[0].replace("_", " ")
    if isinstance(left, int | float) and isinstance(right, int | float):
        return f"{name} {left:,g} against {right:,g}"
    return f"{left} against {right}"
