"""NAME=VALUE from the command line to changes of a scenario."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from reportgen.errors import Fault, ScenarioError
from reportgen.formula.model import Model
from reportgen.model import estimator
from reportgen.scenario.accept import nearest
from reportgen.scenario.scenario import Scenario
from reportgen.scenario.yaml_scalar import plain_fault, plain_value

SETTING = re.compile(r"([A-Za-z_]\w*)(?:\[([^\]]+)\])?=(.*)", re.DOTALL)
EXPECTED = "NAME=VALUE, or NAME[ROW]=VALUE for one row of a table"


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
    fault = plain_fault(text)
    if fault:
        return [Fault(f"--set {name}", *fault)]
    value = plain_value(text)
    if row is None:
        changes[name] = value
        return []
    return _take_row(estimator(), name, row, value, changes)


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
