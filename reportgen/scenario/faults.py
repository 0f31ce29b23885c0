"""The fault checks of the model, told as faults of the scenario: which layout is impossible, and what to change."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import TYPE_CHECKING, Any

from reportgen.errors import Fault
from reportgen.formula.evaluate import EvaluationError, evaluate
from reportgen.formula.expression import Expression, Number, names
from reportgen.formula.judge import Outcome, judge
from reportgen.formula.meaning import clause, meaning
from reportgen.formula.quantity import Check, Value
from reportgen.formula.show import show
from reportgen.model import estimator

if TYPE_CHECKING:
    from reportgen.scenario.scenario import Case, Scenario


def layout_faults(
    scenario: Scenario, where: Callable[[str], str], doubtful: AbstractSet[str] = frozenset()
) -> Iterator[Fault]:
    """One fault for each fault check that fails in any case of the scenario.

    `where` gives the place of an input. Sums that do not add up are told where nothing else is. Checks that read a
    `doubtful` input, already complained about, are left out.
    """
    checks = [check for check in _fault_checks() if not _needs(check) & doubtful]
    cases: tuple[Case, ...] = ("base", "low", "high") if scenario.ranges else ("base",)
    faults: dict[Check, Fault] = {}
    for case in cases:
        for check, outcome in _outcomes(checks, scenario.live_inputs(case)):
            fault = _fault(check, outcome, where)
            if fault:
                faults.setdefault(check, fault)
    yield from _causes(faults)


def _causes(faults: Mapping[Check, Fault]) -> Iterator[Fault]:
    """The faults without sums that do not add up, where something else is wrong: that is why they do not."""
    causes = [fault for check, fault in faults.items() if not check.tolerance]
    yield from causes or faults.values()


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
        return _said(check, str(outcome), where)
    return None if outcome.passed else told(outcome, where)


def told(outcome: Outcome, where: Callable[[str], str]) -> Fault:
    """A check that does not hold, as a fault at the input to change."""
    return _said(outcome.check, _sides(outcome), where)


def _said(check: Check, found: str, where: Callable[[str], str]) -> Fault:
    return Fault(where(_blamed(check)), found, f"that {clause(check.description)}", clause(check.remedy))


def _blamed(check: Check) -> str:
    """The input that the remedy speaks of first, else the first one that the check hangs on."""
    inputs = estimator().inputs
    mentioned: list[str] = [word for word in re.findall(r"[a-z_]+", check.remedy) if word in inputs]
    needed = [name for name in inputs if name in _needs(check)]
    return [*mentioned, *needed][0]


def _sides(outcome: Outcome) -> str:
    """Both sides of the comparison; a bare number on the right is what the check expects anyway."""
    comparison = outcome.check.comparison
    found = _side(comparison.left, outcome.left)
    bare = isinstance(comparison.right, Number)
    return found if bare else f"{found} against {_side(comparison.right, outcome.right)}"


def _side(expression: Expression, value: Value) -> str:
    """A value and what it is: "4 GPUs (GPUs left over when all others form whole copies of the model)"."""
    model = estimator()
    entry = model.by_name[names(expression)[0]]
    return f"{show(value, entry.unit, entry.name)} ({meaning(model, expression)})"
