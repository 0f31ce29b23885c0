"""Reads the shipped facts from their CSV files into typed rows, once."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from reportgen.catalog.rows import Accelerator, ModelPreset, Price

Row = TypeVar("Row", Accelerator, Price, ModelPreset)


@cache
def accelerators() -> tuple[Accelerator, ...]:
    """All accelerators, ordered by name."""
    return _read("accelerators.csv", Accelerator)


@cache
def prices() -> tuple[Price, ...]:
    """All dated prices, grouped by provider."""
    return _read("prices.csv", Price)


@cache
def models() -> tuple[ModelPreset, ...]:
    """All model presets, ordered by name."""
    return _read("models.csv", ModelPreset)


def accelerator_named(name: str) -> Accelerator | None:
    """The accelerator of that name, if the catalogue has it."""
    return next((row for row in accelerators() if row.key == name), None)


def price_named(name: str) -> Price | None:
    """The price of that name, if the list has it."""
    return next((row for row in prices() if row.key == name), None)


def model_named(name: str) -> ModelPreset | None:
    """The preset of that name, if there is one."""
    return next((row for row in models() if row.key == name), None)


def sources_of(row: Accelerator | Price | ModelPreset) -> tuple[str, ...]:
    """Where the figures of a row come from: the source in words, then each address."""
    addresses = None if isinstance(row, ModelPreset) else row.source_url
    return (row.source, *(addresses or "").split())


def _read(name: str, shape: type[Row]) -> tuple[Row, ...]:
    """Every row of a CSV file as `shape`; raises ValueError naming file and line when a cell does not fit."""
    hints = get_type_hints(shape)
    text = files("reportgen.catalog").joinpath(name).read_text(encoding="utf-8")
    reader = csv.DictReader(text.splitlines())
    if tuple(reader.fieldnames or ()) != tuple(field.name for field in fields(shape)):
        raise ValueError(f"{name}:1: the columns are not the fields of {shape.__name__}")
    return tuple(_row(f"{name}:{reader.line_num}", shape, cells, hints) for cells in reader)


def _row(where: str, shape: type[Row], cells: Mapping[str, str], hints: Mapping[str, Any]) -> Row:
    values = {column: _value(f"{where} {column}", text, hints[column]) for column, text in cells.items()}
    return shape(**values)


CONVERTERS: Mapping[Any, Callable[[str], object]] = {str: str, int: int, float: float}


def _value(where: str, text: str, hint: Any) -> Any:
    """A cell as its field's type: None for a blank where the field allows it."""
    if get_origin(hint) is Literal:
        return _choice(where, text, get_args(hint))
    optional = type(None) in get_args(hint)
    if text:
        return CONVERTERS[get_args(hint)[0] if optional else hint](text)
    if optional:
        return None
    raise ValueError(f"{where}: blank, but this column must be filled")


def _choice(where: str, text: str, allowed: tuple[str, ...]) -> str:
    if text not in allowed:
        raise ValueError(f"{where}: {text!r} is not one of {', '.join(allowed)}")
    return text
