"""A scenario: every input with its value, its range where it is uncertain, and what the memo says about it."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from reportgen.errors import Fault, ScenarioError
from reportgen.formula.quantity import Input, Value
from reportgen.model import estimator
from reportgen.scenario.accept import Problem, accept, nearest, shown

Case = Literal["low", "base", "high"]
CASES: tuple[Case, ...] = ("low", "base", "high")


@dataclass(frozen=True)
class Range:
    """The low and the high of an uncertain input; the base is the input's value."""

    low: Value
    high: Value


@dataclass(frozen=True)
class Note:
    """What a scenario says about a value that it gives."""

    source: str = ""
    date: str = ""
    note: str = ""


@dataclass(frozen=True)
class Header:
    """The memo's header block; an empty text leaves its line out."""

    to: str = ""
    sender: str = ""
    decision_by: str = ""
    purpose: str = ""


@dataclass(frozen=True)
class ConfiguredModel:
    """The model inputs that a config.json amounts to, where they come from, and what is doubtful about them."""

    inputs: dict[str, Any]
    source: str
    doubts: tuple[str, ...]


@dataclass(frozen=True)
class Scenario:
    """A checked scenario. `inputs` has every input of the estimator; column inputs are tuples of all rows.

    `given` are the names that the scenario gives itself; all others are presets or defaults. `changes` has, for each
    input that was changed after loading, the value that the scenario itself has. `configured` is what a model's
    config.json said, where the scenario names one.
    """

    name: str
    title: str
    story: str
    date: datetime.date
    inputs: Mapping[str, Any]
    given: frozenset[str] = frozenset()
    ranges: Mapping[str, Range] = field(default_factory=dict)
    notes: Mapping[str, Note] = field(default_factory=dict)
    case: Case = "base"
    header: Header = Header()
    preset: str = ""
    configured: ConfiguredModel | None = None
    text: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)

    def live_inputs(self, case: Case | None = None) -> dict[str, Any]:
        """The inputs as the case has them: the low or the high of those that have a range."""
        chosen = case or self.case
        if chosen == "base":
            return dict(self.inputs)
        return {**self.inputs, **{name: getattr(span, chosen) for name, span in self.ranges.items()}}

    def with_inputs(self, **changes: Any) -> Scenario:
        """The same scenario with other base values; `active_case` switches the case.

        A column input takes the rows, or a mapping from row to value. Raises ScenarioError for everything wrong.
        """
        from reportgen.scenario.faults import layout_faults

        case = changes.pop("active_case", self.case)
        faults = (
            []
            if case in CASES
            else [Fault("active_case", shown(case), f"one of {', '.join(CASES)}", "choose one of them")]
        )
        inputs = dict(self.inputs)
        for name, value in changes.items():
            faults += _changed(inputs, name, value)
        faults = faults or list(stale_choices(inputs))
        if faults:
            raise ScenarioError(faults)
        changed = replace(self, inputs=inputs, case=case, text="", changes=self._changes_of(inputs))
        faults = list(layout_faults(changed, lambda name: name))
        if faults:
            raise ScenarioError(faults)
        return changed

    def _changes_of(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """What the scenario as it was loaded has for every input that now differs from it."""
        loaded = {**self.inputs, **self.changes}
        return {name: loaded[name] for name, value in inputs.items() if value != loaded[name]}


def stale_choices(inputs: Mapping[str, Any], where: Callable[[str], str] = str) -> Iterator[Fault]:
    """Choices of a row that, after all changes, does not exist: the kind "local" where only one is described."""
    for name, declared in estimator().inputs.items():
        if declared.choices_from and declared.axis is None:
            accepted = accept(declared, inputs[name], choices_of(declared, inputs))
            if isinstance(accepted, Problem):
                yield Fault(where(name), accepted.found, accepted.expected, accepted.remedy)


def choices_of(declared: Input, inputs: Mapping[str, Any]) -> tuple[str, ...]:
    """What a choice may be: its own list, or the rows that exist of the column it reads."""
    if declared.choices_from is None:
        return declared.choices
    axis = estimator().by_name[declared.choices_from].axis
    count = inputs.get(axis.count, axis.rows) if axis and axis.count else None
    rows = inputs[declared.choices_from]
    return tuple(rows[: int(count)]) if isinstance(count, int | float) else tuple(rows)


def rows_of(declared: Input, given: Any, inputs: Mapping[str, Any]) -> dict[int, Any] | Problem:
    """The rows that a column input is given: row number to value. Rows are named by number or by label."""
    axis = declared.axis
    if axis is None:
        raise ValueError(f"{declared.name} is one value, not a column")
    if isinstance(given, list | tuple) and len(given) <= axis.rows:
        return dict(enumerate(given))
    expected = f"a list of at most {axis.rows} rows, or a mapping from {axis.label or axis.index} to value"
    if not isinstance(given, Mapping):
        return Problem(f"{given!r:.60}", expected, "write the row and a colon before the value")
    labels = [str(label).casefold() for label in inputs[axis.label]] if axis.label else []
    rows: dict[int, Any] = {}
    for key, value in given.items():
        row = _row(str(key), labels, axis.rows)
        if row is None:
            close = nearest(str(key), labels)
            remedy = f'did you mean "{close}"?' if close else f"use a number from 0 to {axis.rows - 1}"
            return Problem(f'the row "{str(key)[:60]}"', expected, remedy)
        rows[row] = value
    return rows


def _row(key: str, labels: list[str], count: int) -> int | None:
    if key.casefold() in labels:
        return labels.index(key.casefold())
    return int(key) if key.isascii() and key.isdigit() and len(key) < 6 and int(key) < count else None  # noqa: PLR2004


def _changed(inputs: dict[str, Any], name: str, value: Any) -> list[Fault]:
    """Puts one change into `inputs`; returns what is wrong with it."""
    declared = estimator().inputs.get(name)
    if declared is None:
        close = nearest(name, tuple(estimator().inputs))
        remedy = f"did you mean {close}?" if close else "see `reportgen catalog inputs`"
        return [Fault(name, f"the name {name!r:.80}", "the name of an input", remedy)]
    accepted = accept_input(declared, value, inputs)
    if isinstance(accepted, Problem):
        return [Fault(name, accepted.found, accepted.expected, accepted.remedy)]
    inputs[name] = accepted
    return []


def accept_input(declared: Input, given: Any, inputs: Mapping[str, Any]) -> Any:
    """The canonical value of a whole input, scalar or column, or the first Problem with it."""
    choices = choices_of(declared, inputs)
    if declared.axis is None:
        return accept(declared, given, choices)
    rows = rows_of(declared, given, inputs)
    if isinstance(rows, Problem):
        return rows
    column = list(inputs[declared.name])
    for row, value in rows.items():
        accepted = accept(declared, value, choices)
        if isinstance(accepted, Problem):
            return accepted
        column[row] = accepted
    return tuple(column)
