"""The shipped facts, and the inputs that a scenario may give, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rich.markup import escape
from rich.table import Column, Table

from reportgen.catalog import accelerators, models, prices
from reportgen.formula.explain import label
from reportgen.formula.quantity import Input
from reportgen.formula.show import show
from reportgen.model import estimator
from reportgen.scenario.accept import expectation
from reportgen.terminal import console_for_people

EXACT = "to the last one"
MOST_WORDS = 10  # more choices than this are looked up in their own table
# For each table its columns, each with the unit that a number of it is shown in; a count is shown in full.
COLUMNS: dict[str, dict[str, str]] = {
    "accelerators": {
        "accelerator": "",
        "memory_bytes_usable": "byte/GPU",
        "memory_bytes_per_second": "byte/second",
        "peak_flops_bf16": "FLOP/second",
        "peak_flops_fp8": "FLOP/second",
        "power_watts": "1",
        "source": "",
    },
    "models": {
        "model_preset": "",
        "description": "",
        "layer_count": "1",
        "hidden_size": "1",
        "vocabulary_size": "1",
        "expected_parameters": EXACT,
        "expected_active_parameters": EXACT,
        "unverified": "",
    },
    "prices": {
        "price_key": "",
        "accelerator": "",
        "usd_per_gpu_hour": "USD/hour/GPU",
        "term": "",
        "region": "",
        "date": "",
        "confidence": "",
    },
}
# What a person calls a column whose name says how the program uses it.
HEADINGS = {
    "expected_parameters": "parameters in total",
    "expected_active_parameters": "active on a token",
    "unverified": "not confirmed",
}
ROWS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "accelerators": accelerators,
    "models": models,
    "prices": prices,
}


def print_catalog(table: str) -> None:
    """The accelerators, models or prices that ship with the program, or the inputs of a scenario."""
    console_for_people().print(_inputs() if table == "inputs" else _facts(table))


def _facts(table: str) -> Table:
    listed = Table(*(_column(place, *column) for place, column in enumerate(COLUMNS[table].items())), title=table)
    for row in ROWS[table]():
        listed.add_row(*(_cell(getattr(row, column), unit) for column, unit in COLUMNS[table].items()))
    return listed


def _column(place: int, name: str, unit: str) -> Column:
    """A column; the names of rows and exact counts are never cut."""
    whole = place == 0 or unit == EXACT
    return Column(HEADINGS.get(name) or label(name), no_wrap=whole, overflow="fold")


def _cell(value: Any, unit: str) -> str:
    if value is None:
        return "–"
    if unit == EXACT:
        return f"{value:,}"
    return escape(str(show(value, unit)) if unit else _in_words(str(value)))


def _in_words(text: str) -> str:
    """A text as it stands, but for names of columns, which are told by their headings."""
    names = text.split()
    return ", ".join(HEADINGS[name] for name in names) if set(names) <= set(HEADINGS) else text


def _inputs() -> Table:
    listed = Table("section", "input", "what it may be", "default", "meaning", title="inputs of a scenario")
    for entry in estimator().inputs.values():
        row = f"{entry.name}[ROW]" if entry.axis else entry.name
        listed.add_row(*map(escape, (entry.section, row, _allowed(entry), _default(entry), entry.description)))
    return listed


def _allowed(entry: Input) -> str:
    return ", ".join(_words(entry)) if entry.kind == "choice" else expectation(entry)


def _words(entry: Input) -> Iterator[str]:
    if entry.word:
        yield entry.word
    yield from entry.choices or _offered(entry.choices_from)


def _offered(column: str | None) -> tuple[str, ...]:
    """The words that a column offers where nobody changes it; long lists have a table of their own to look them up."""
    names = estimator().inputs[column or ""].default
    few = isinstance(names, tuple) and len(names) <= MOST_WORDS
    return tuple(map(str, names)) if few and isinstance(names, tuple) else (f"one of {column}",)


def _default(entry: Input) -> str:
    if isinstance(entry.default, tuple):
        return "its rows"
    return "–" if entry.default is None else str(entry.default)
