"""The worked cases and answers of tests/cases, read once: what is given, what is expected, and how it was worked."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from reportgen.formula.evaluate import evaluate
from reportgen.formula.model import Model
from reportgen.formula.quantity import Quantity
from reportgen.model import estimator
from reportgen.scenario.load import load_text
from reportgen.scenario.scenario import Scenario

CASES = Path(__file__).parents[1] / "cases"
ROUNDING = 1e-12


@dataclass(frozen=True)
class Case:
    """One quantity with small arguments, and the figure worked by hand."""

    quantity: str
    given: dict[str, Any]
    expected: Any
    how: str

    @property
    def title(self) -> str:
        return f"{self.quantity} is {self.expected}"

    def holds(self, quantity: Quantity) -> bool:
        """Whether the quantity, or a changed copy of it, gives the expected figure."""
        return same(self.expected, quantity(**self.given))


@dataclass(frozen=True)
class Verdict:
    """One check with what it compares, and whether it ought to hold."""

    check: str
    given: dict[str, Any]
    holds: bool

    @property
    def title(self) -> str:
        return f"{self.check} {'holds' if self.holds else 'fails'}"


@dataclass(frozen=True)
class Answer:
    """One figure of a whole scenario, published or worked by hand, and how far rounding may be off it."""

    answer: str
    preset: str
    quantity: str
    expected: float
    within: float
    source: str
    inputs: dict[str, Any] = field(default_factory=dict)
    row: int | None = None

    def found(self, model: Model) -> float:
        """What a model, the estimator or a changed copy of it, makes of the scenario."""
        inputs = preset(self.preset).with_inputs(**self.inputs).live_inputs()
        value = evaluate(model, inputs, frozenset({self.quantity}))[self.quantity]
        if not isinstance(value, list):
            return float(value)
        return float(max(value) if self.row is None else value[self.row])

    def holds(self, model: Model) -> bool:
        """Whether it comes out within its rounding."""
        found = self.found(model)
        return abs(found - self.expected) <= self.within or same(self.expected, found)


def same(expected: Any, found: Any) -> bool:
    """Whether two values are equal: texts in every letter, numbers but for binary rounding."""
    if isinstance(expected, str) or isinstance(found, str):
        return bool(expected == found)
    return math.isclose(expected, found, rel_tol=ROUNDING)


@cache
def preset(name: str, **inputs: Any) -> Scenario:
    """A scenario of a model of the catalogue, everything else at its default."""
    return load_text(f"date: 2026-11-30\nmodel:\n  preset: {name}\n", "answer").with_inputs(**inputs)


@cache
def cases() -> tuple[Case, ...]:
    """All hand-worked cases of quantities."""
    files = sorted((CASES / "worked").glob("*.yaml"))
    return tuple(Case(**row) for file in files for row in _yaml(file) if "quantity" in row)


@cache
def verdicts() -> tuple[Verdict, ...]:
    """All hand-worked cases of checks."""
    return tuple(Verdict(**row) for row in _yaml(CASES / "worked" / "verdicts.yaml"))


@cache
def answers() -> tuple[Answer, ...]:
    """All worked answers of whole scenarios."""
    return tuple(Answer(**row) for row in _yaml(CASES / "answers.yaml"))


def cases_of(name: str) -> tuple[Case, ...]:
    """The cases of one quantity."""
    return tuple(case for case in cases() if case.quantity == name)


def table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a CSV file of tests/cases."""
    with (CASES / name).open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def values_of(scenario: Scenario) -> Mapping[str, Any]:
    """All values of a scenario."""
    return evaluate(estimator(), scenario.live_inputs())


def _yaml(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return rows
