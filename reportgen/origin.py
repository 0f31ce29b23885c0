"""Where the present value of an input or quantity comes from, so that no source stands beside another value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reportgen.catalog import accelerators, models, prices
from reportgen.model import estimator
from reportgen.scenario.scenario import Note, Scenario

if TYPE_CHECKING:
    from reportgen.result import Result

BY_SCENARIO = "Given by the scenario"


def origin(result: Result, name: str) -> str:
    """The source of a value in words.

    Raises KeyError for a name that is none of ours.
    """
    scenario = result.scenario
    if name in scenario.changes:
        return f"Set for this estimate; the scenario has {_shown(scenario.changes[name])}"
    if name in scenario.notes and scenario.notes[name].source:
        return _noted(scenario.notes[name])
    if name in scenario.given:
        return BY_SCENARIO
    if scenario.configured and name in scenario.configured.inputs:
        return scenario.configured.source
    if name in _preset_names(scenario):
        return f"Preset {scenario.preset}, from the model's published config.json; see `reportgen catalog models`"
    row = CATALOGUE_ROWS[name](result) if name in CATALOGUE_ROWS else ""
    return row or str(estimator().by_name[name].origin)


def _noted(note: Note) -> str:
    return f"{note.source}, {note.date}" if note.date else note.source


def _shown(value: Any) -> str:
    return "other rows" if isinstance(value, tuple) else str(value)


def _preset_names(scenario: Scenario) -> frozenset[str]:
    rows = [row for row in models() if row.model_preset == scenario.preset]
    return frozenset(name for row in rows for name, value in vars(row).items() if value is not None)


def _price_row(result: Result) -> str:
    rows = [row for row in prices() if row.price_key == result["price_listing"]]
    return next((f"{row.price_key}: {row.source}, {row.date}, confidence {row.confidence}" for row in rows), "")


def _accelerator_row(result: Result) -> str:
    rows = [row for row in accelerators() if row.accelerator == result["accelerator"]]
    return next((f"{row.accelerator}: {row.source}" for row in rows), "")


def _paid(result: Result) -> str:
    return _overridden(result, "price_override", "as listed") or _price_row(result)


def _memory(result: Result) -> str:
    return _overridden(result, "accelerator_memory_override", "as catalogue") or _accelerator_row(result)


def _peak(result: Result) -> str:
    return _overridden(result, "peak_flops_override", "as catalogue") or _accelerator_row(result)


def _overridden(result: Result, name: str, word: str) -> str:
    return "" if result[name] == word else origin(result, name)


CATALOGUE_ROWS: dict[str, Callable[[Result], str]] = {
    "listed_price": _price_row,
    "gpu_hour_price": _paid,
    "accelerator_memory_bytes": _memory,
    "peak_flops": _peak,
    "listed_memory_bytes": _accelerator_row,
    "listed_peak_flops": _accelerator_row,
}
