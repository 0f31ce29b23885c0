"""NAME=VALUE from the command line to changes of a scenario."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from reportgen.errors import Fault, ScenarioError
from reportgen.formula.model import Model
from reportgen.model import estimator
from reportgen.scenario.accept import nearest
from reportgen.scenario.load import HEADER_KEYS, SECTIONS, TOP_KEYS
from reportgen.scenario.scenario import CASES, Scenario
from reportgen.scenario.yaml_scalar import plain_fault, plain_value

SETTING = re.compile(r"([A-Za-z_]\w*)(?:\[([^\]]+)\])?=(.*)", re.DOTALL)
SETTABLE = "active_case"  # no input, and yet a change that can be made
EXPECTED = "NAME=VALUE, or NAME[ROW]=VALUE for one row of a table"
# Keys of a scenario file that are no inputs, and where in the file they stand.
FILE_KEYS = {
    **dict.fromkeys((key for key in TOP_KEYS if key not in SECTIONS), "at the top of the file"),
    **dict.fromkeys(HEADER_KEYS, "in the section memo of the file"),
    **dict.fromkeys(("preset", "config"), "in the section model of the file"),
}


def with_settings(scenario: Scenario, settings: Iterable[str]) -> Scenario:
    """The scenario with every setting in place, all taken together.

    Raises ScenarioError for everything wrong with them.
    """
    changes: dict[str, Any] = {}
    faults: list[Fault] = []
    for setting in settings:
        faults += _take(setting, changes)
    if faults:
        raise ScenarioError(faults)
    return scenario.with_inputs(**changes) if changes else scenario


def _take(setting: str, changes: dict[str, Any]) -> list[Fault]:
    """Puts one setting into `changes`; returns what is wrong with it."""
    match = SETTING.fullmatch(setting)
    if not match:
        return [Fault("--set", f"{setting!r:.80}", EXPECTED, "write for example --set gpu_count=1024")]
    name, row, text = match.groups()
    problem = _no_input(estimator(), name)
    if problem:
        return [Fault(f"--set {name}", *problem)]
    fault = plain_fault(text)
    if fault:
        return [Fault(f"--set {name}", *fault)]
    value = plain_value(text)
    if row is None:
        changes[name] = value
        return []
    return _take_row(estimator(), name, row, value, changes)


def _no_input(model: Model, name: str) -> tuple[str, str, str] | None:
    """What is wrong with a name that is known, but as something else than an input; None for any other."""
    if name in model.inputs or name == SETTABLE:
        return None
    if name in FILE_KEYS:
        return "a key of the scenario file", "the name of an input", f"write it into the scenario, {FILE_KEYS[name]}"
    if name in SECTIONS:
        return "a section of the scenario file", "the name of an input", "name an input of that section"
    if name in model.by_name or name in model.index_axes:
        remedy = f"set an input instead; `reportgen explain SCENARIO {name}` says what it reads"
        return "a result or a constant, which is computed", "the name of an input", remedy
    return _case_of(model, name)


def _case_of(model: Model, name: str) -> tuple[str, str, str] | None:
    """An input's name with its case behind it: the base is what is set, its ends belong to the file."""
    of, _, case = name.rpartition("_")
    if of not in model.inputs or case not in CASES:
        return None
    if case == "base":
        return f"the base of {of}", "the name of an input", f"set {of}: that changes its base"
    return f"the {case} of {of}", "the name of an input", f"write it into the scenario, as `{case}` below {of}"


def _take_row(model: Model, name: str, row: str, value: Any, changes: dict[str, Any]) -> list[Fault]:
    declared = model.inputs.get(name)
    if declared is None or declared.axis is None:
        columns = [entry.name for entry in model.inputs.values() if entry.axis is not None]
        close = nearest(name, columns)
        remedy = f"did you mean {close}[{row}]?" if close else "leave the brackets out"
        return [Fault(f"--set {name}[{row}]", f"the row {row!r:.40}", "the name of a column", remedy)]
    rows = changes.get(name, {})
    changes[name] = {**rows, row: value} if isinstance(rows, Mapping) else {row: value}
    return []
