"""What stands in the cells that a layout leaves open: values, what a scenario says about them, number formats."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import reportgen
from reportgen.formula.sources import Citation
from reportgen.model import estimator
from reportgen.origin import listing, overrides
from reportgen.result import Result
from reportgen.scenario.load import scenario_hash
from reportgen.workbook.cells import Cell, Content, Formula, Given, Said
from reportgen.workbook.frame import caption
from reportgen.workbook.input_checks import LACKING
from reportgen.workbook.positions import ACTIVE_CASE
from reportgen.workbook.shown import COLUMN_INPUTS, DATE, column_scale, number_format, unit_words

SHOWN_CHANGES = 6


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


def _generated_input(result: Result, name: str) -> Any:
    """The base of a scalar input, or the case, as it is generated."""
    return result.scenario.case if name == ACTIVE_CASE else result.scenario.inputs[name]


def _changes(result: Result, _: str) -> str:
    """What was changed from the scenario, the first few by name with both values."""
    changes = result.scenario.changes
    if not changes:
        return "Nothing"
    told = [_change(result, name) for name in list(changes)[:SHOWN_CHANGES]]
    left = len(changes) - len(told)
    return "; ".join([*told, *([f"and {left} more"] if left else [])])


def _change(result: Result, name: str) -> str:
    now, then = result.scenario.inputs[name], result.scenario.changes[name]
    return f"{caption(name)}: rows" if isinstance(then, tuple) else f"{caption(name)}: {now} in place of {then}"


def _as_of(result: Result, name: str) -> Any:
    """The date of an input's value: what the scenario says, else its source's year, else the scenario's date."""
    note, origin = result.scenario.notes.get(name), estimator().inputs[name].origin
    if name in result.scenario.changes:
        return result.scenario.date
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
    """What an input is, what some choices need beside, and what the scenario says about its own value."""
    note = result.scenario.notes.get(name)
    said = note.note if note and name not in result.scenario.changes else ""
    return " ".join(filter(None, (estimator().inputs[name].description, LACKING.get(name, ""), said)))


def _column_unit(result: Result, name: str) -> str:
    """The unit in a table's header, with how the number format scales it."""
    entry = estimator().by_name[name]
    words = unit_words(entry.unit, name)
    if name in estimator().inputs and str(entry.unit) in COLUMN_INPUTS:
        return f"{words}, shown in {COLUMN_INPUTS[str(entry.unit)][1]}"
    scale = _scale(result, name) if name not in estimator().inputs else None
    return f"{words}, shown in {scale[1]}" if scale and scale[0] != "" and "," in scale[0][8:] else words


def _price(result: Result, _: str) -> str:
    if overrides(result, "price_override"):
        return f"{result['gpu_hour_price']} USD per GPU-hour. {result.origin('price_override')}"
    row = listing(result)
    return f"{row.key}; dated {row.date}" if row else str(result["price_listing"])


def _doubts(result: Result, _: str) -> str:
    """What was doubtful in the model's file, if it came from one."""
    configured = result.scenario.configured
    return "; ".join(configured.doubts) if configured and configured.doubts else "none"


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
    "generated input": _generated_input,
    "changes": _changes,
    "doubts": _doubts,
    "source": lambda result, name: result.origin(name),
    "as_of": _as_of,
    "note": _note,
    "column_unit": _column_unit,
}
