"""Where the present value of an input or quantity comes from, so that no source stands beside another value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reportgen.catalog import accelerator_named, inputs_of, model_named, price_named
from reportgen.catalog.rows import Price
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


def overrides(result: Result, name: str) -> bool:
    """Whether an override holds a value, and not the word it holds while it overrides nothing."""
    return bool(result[name] != estimator().inputs[name].word)


def listing(result: Result) -> Price | None:
    """The row of the price list that is paid; None where a price is given outright, or the row is a person's own."""
    return None if overrides(result, "price_override") else price_named(result["price_listing"])


def _noted(note: Note) -> str:
    return f"{note.source}, {note.date}" if note.date else note.source


def _shown(value: Any) -> str:
    return "other rows" if isinstance(value, tuple) else str(value)


def _preset_names(scenario: Scenario) -> frozenset[str]:
    row = model_named(scenario.preset)
    return frozenset(inputs_of(row)) if row else frozenset()


def _price_row(result: Result) -> str:
    row = price_named(result["price_listing"])
    return f"{row.price_key}: {row.source}, {row.date}, confidence {row.confidence}" if row else ""


def _accelerator_row(result: Result) -> str:
    row = accelerator_named(result["accelerator"])
    return f"{row.accelerator}: {row.source}" if row else ""


def _unless_overridden(override: str, row: Callable[[Result], str]) -> Callable[[Result], str]:
    """The row of the catalogue, or where the override that stands in its place comes from."""
    return lambda result: origin(result, override) if overrides(result, override) else row(result)


CATALOGUE_ROWS: dict[str, Callable[[Result], str]] = {
    "listed_price": _price_row,
    "gpu_hour_price": _unless_overridden("price_override", _price_row),
    "accelerator_memory_bytes": _unless_overridden("accelerator_memory_override", _accelerator_row),
    "peak_flops": _unless_overridden("peak_flops_override", _accelerator_row),
    "listed_memory_bytes": _accelerator_row,
    "listed_peak_flops": _accelerator_row,
}
