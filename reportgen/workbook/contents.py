"""What stands in the cells that a layout leaves open: values, what a scenario says about them, number formats."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import reportgen
from reportgen.formula.sources import Citation
from reportgen.model import estimator
from reportgen.result import Result
from reportgen.scenario.load import scenario_hash
from reportgen.workbook.cells import Cell, Content, Formula, Given, Said
from reportgen.workbook.positions import ACTIVE_CASE
from reportgen.workbook.shown import DATE, column_scale, number_format, unit_words


def content_of(content: Content, result: Result) -> Any:
    """What stands in a cell: a text, a number, a date, or a formula with its equals sign."""
    if isinstance(content, Formula):
        return f"={content.text}"
    if isinstance(content, Given):
        return _given(content, result)
    return SAID[content.what](result, content.name) if isinstance(content, Said) else content


def shape_of(cell: Cell, value: Any, result: Result) -> str:
    """The number format; a column's is scaled by its largest value."""
    if isinstance(value, datetime.date):
        return DATE
    if not cell.format.startswith("column:"):
        return cell.format
    name = cell.format.removeprefix("column:")
    scale = _scale(result, name)
    return scale[0] if scale else number_format(estimator().by_name[name].unit, name)


def _scale(result: Result, name: str) -> tuple[str, str] | None:
    numbers = [abs(value) for value in result.values[name] if isinstance(value, int | float)]
    return column_scale(estimator().by_name[name].unit, max(numbers, default=0))


def _given(content: Given, result: Result) -> Any:
    scenario = result.scenario
    if content.name == ACTIVE_CASE:
        return scenario.case
    if content.side != "base":
        return getattr(scenario.ranges[content.name], content.side)
    value = scenario.inputs[content.name]
    return value if content.row < 0 else value[content.row]


def _source(result: Result, name: str) -> str:
    """Where an input's value is from: what the scenario says, else a preset, else the declaration."""
    scenario, declared = result.scenario, estimator().inputs[name]
    note = scenario.notes.get(name)
    if note and note.source:
        return note.source
    return f"Scenario {scenario.name}" if name in scenario.given else str(declared.origin)


def _as_of(result: Result, name: str) -> Any:
    """The date of an input's value: what the scenario says, else its source's year, else the scenario's date."""
    note, origin = result.scenario.notes.get(name), estimator().inputs[name].origin
    if note and note.date:
        return _date(note.date)
    if name not in result.scenario.given and isinstance(origin, Citation):
        return origin.source.date
    return result.scenario.date


def _date(text: str) -> Any:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return text


def _note(result: Result, name: str) -> str:
    note = result.scenario.notes.get(name)
    said = f" {note.note}" if note and note.note else ""
    return f"{estimator().inputs[name].description}{said}"


def _column_unit(result: Result, name: str) -> str:
    """The unit in a table's header, with how the number format scales it."""
    entry = estimator().by_name[name]
    words = unit_words(entry.unit, name)
    scale = _scale(result, name) if name not in estimator().inputs else None
    return f"{words}, shown in {scale[1]}" if scale and scale[0] != "" and "," in scale[0][8:] else words


def _price(result: Result, _: str) -> str:
    from reportgen.catalog import prices

    listing = result["price_listing"]
    row = next((row for row in prices() if row.price_key == listing), None)
    if result["price_override"] != "as listed":
        return f"{result['gpu_hour_price']} USD per GPU-hour, given in the scenario of {result.scenario.date}"
    return f"{listing}; dated {row.date}" if row else str(listing)


SAID: dict[str, Callable[[Result, str], Any]] = {
    "title": lambda result, _: result.scenario.title,
    "story": lambda result, _: result.scenario.story or result.scenario.title,
    "purpose": lambda result, _: result.scenario.header.purpose or result.scenario.title,
    "name": lambda result, _: result.scenario.name,
    "hash": lambda result, _: scenario_hash(result.scenario),
    "version": lambda *_: f"reportgen {reportgen.__version__}",
    "date": lambda result, _: result.scenario.date,
    "price": _price,
    "generated": lambda result, name: result[name],
    "source": _source,
    "as_of": _as_of,
    "note": _note,
    "column_unit": _column_unit,
}
