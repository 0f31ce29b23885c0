"""Checks and values to outcomes: both sides of each comparison, and whether it holds."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.formula.evaluate import EvaluationError, Values
from reportgen.formula.functions import folded
from reportgen.formula.interpret import COMPARISONS, interpret
from reportgen.formula.quantity import Check, Value

PASSED = "OK"


@dataclass(frozen=True)
class Outcome:
    """What a check found."""

    check: Check
    left: Value
    right: Value
    passed: bool

    @property
    def verdict(self) -> str:
        """Either "OK", or what to do."""
        return PASSED if self.passed else self.check.remedy


def judge(check: Check, values: Values) -> Outcome:
    """The outcome of one check.

    Raises EvaluationError where one of its sides has no value.
    """
    try:
        left = interpret(check.comparison.left, values)
        right = interpret(check.comparison.right, values)
    except (ArithmeticError, ValueError, TypeError) as error:
        raise EvaluationError(f"{check.name} has no value for these inputs: {error}") from error
    return Outcome(check, left, right, _holds(check, left, right))


def _holds(check: Check, left: Value, right: Value) -> bool:
    """Whether the relation holds: text without regard to case, computed figures within the check's tolerance."""
    if check.tolerance and not isinstance(left, str) and not isinstance(right, str):
        return abs(left - right) <= check.tolerance * max(abs(left), abs(right))
    return bool(COMPARISONS[check.comparison.operator](folded(left), folded(right)))
