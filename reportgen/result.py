"""A result: a scenario with every value that the estimator draws from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reportgen.errors import Fault, ScenarioError
from reportgen.formula.evaluate import EvaluationError, evaluate
from reportgen.formula.judge import Outcome, judge
from reportgen.formula.quantity import Quantity
from reportgen.formula.show import show
from reportgen.formula.sources import Assumption
from reportgen.model import estimator
from reportgen.origin import origin
from reportgen.scenario.accept import nearest
from reportgen.scenario.scenario import Scenario

if TYPE_CHECKING:
    from pandas import DataFrame

TABLES = ("layer_kinds", "stages", "layers")


@dataclass(frozen=True)
class Result:
    """Every value of a scenario: `result["peak_memory_bytes"]`, `result.table("stages")`."""

    scenario: Scenario
    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        """A scalar, or the rows of a column, in base units; KeyError with the nearest name for an unknown one."""
        if name not in self.values:
            close = nearest(name, tuple(self.values))
            raise KeyError(f"{name!r} is no quantity" + (f"; did you mean {close!r}?" if close else ""))
        return self.values[name]

    def columns(self, table: str) -> dict[str, list[Any]]:
        """A table as name and rows, of the rows that exist; raises KeyError for an unknown table."""
        model = estimator()
        axes = {axis.table: axis for axis in model.axes}
        return {name: list(self.values[name]) for name in model.columns(axes[table])}

    def table(self, table: str) -> DataFrame:
        """A table as a DataFrame, one row for each kind, stage or layer that exists, in base units."""
        from pandas import DataFrame

        return DataFrame(self.columns(table))

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What every check found, in order."""
        values = dict(self.values)
        return tuple(judge(check, values) for check in estimator().checks)

    @property
    def scalars(self) -> dict[str, Any]:
        """All values that are no columns: inputs, constants, results, and the base of every input with a range."""
        model = estimator()
        bases = {f"{name}_base": self.scenario.inputs[name] for name in self.scenario.ranges}
        return {entry.name: self.values[entry.name] for entry in model.entries if entry.axis is None} | bases

    @cached_property
    def units(self) -> dict[str, str]:
        """The unit of every scalar and column."""
        return {entry.name: str(entry.unit) for entry in estimator().entries}

    @property
    def assumptions(self) -> tuple[dict[str, Any], ...]:
        """What no publication settles: inputs left at an assumed default, and rules that are assumptions."""
        return tuple(
            {"name": entry.name, "value": _brief(self.values[entry.name]), "reason": entry.origin.reason}
            for entry in estimator().entries
            if isinstance(entry.origin, Assumption) and self._is_assumed(entry)
        )

    def shown(self, name: str, row: int | None = None) -> str:
        """A scalar, or one row of a column, as a person reads it: "38.9 GB"."""
        value = self[name] if row is None else self[name][row]
        return str(show(value, self.units[name], name))

    def origin(self, name: str) -> str:
        """Where a value comes from: this estimate, the scenario, a preset, a row of the catalogue, or a definition."""
        return origin(self, name)

    def _is_assumed(self, entry: Any) -> bool:
        settled = self.scenario.given | self.scenario.changes.keys()
        return isinstance(entry, Quantity) or entry.name not in settled


def _brief(value: Any) -> Any:
    """One value for a column whose rows are all the same, else the rows."""
    if isinstance(value, list) and value and all(row == value[0] for row in value):
        return value[0]
    return value


def estimate(scenario: Scenario) -> Result:
    """Every value of a scenario, in the case that it names.

    Raises ScenarioError where a formula has no value for its inputs.
    """
    try:
        return Result(scenario, evaluate(estimator(), scenario.live_inputs()))
    except EvaluationError as error:
        fault = Fault(scenario.name, str(error), "inputs for which every formula has a value", "change the inputs")
        raise ScenarioError([fault]) from error
