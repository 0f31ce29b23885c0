"""Which quantity stands on which sheet and cell: from the model alone, and from which inputs have a range."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from reportgen.formula.model import Model
from reportgen.formula.quantity import Axis
from reportgen.workbook.cells import Layout, Sheet
from reportgen.workbook.positions import Positions, place_all, table_sheet
from reportgen.workbook.references import NameReferences, Style, block_address, cell_address
from reportgen.workbook.sheet_checks import checks_sheet
from reportgen.workbook.sheet_inputs import inputs_sheet
from reportgen.workbook.sheet_memory import memory_sheet
from reportgen.workbook.sheet_model import model_sheet
from reportgen.workbook.sheet_plain import (
    about_sheet,
    changes_sheet,
    constants_sheet,
    lists_sheet,
    sources_sheet,
)
from reportgen.workbook.sheet_summary import summary_sheet
from reportgen.workbook.sheet_tables import table_sheet_of

MOST_SLOTS = 16
SIDES = {"low": 4, "base": 5, "high": 6}


@cache
def layout(model: Model, ranged: frozenset[str] = frozenset(), slots: int = MOST_SLOTS) -> Layout:
    """The workbook of a model, written with names; kept, because it hangs on nothing that a scenario says.

    `ranged` are the inputs with low, base and high; `slots` is how many stages the chart has room for.
    """
    positions = place_all(model, ranged)
    return lay_out(model, NameReferences(positions), slots)


def chart_slots(stages: int) -> int:
    """Room in the chart: one bar for each stage as generated, and no more than can be read."""
    return min(MOST_SLOTS, max(1, stages))


def lay_out(model: Model, style: Style, slots: int, prefix: str = "") -> Layout:
    """The workbook of a model in any reference style; `prefix` is that of the positions."""
    makers = _makers(model, style, slots)
    sheets = tuple(make(prefix + name) for name, make in makers.items())
    about = about_sheet(style, prefix + "About", tuple(sheet.name for sheet in sheets))
    return Layout((about, *sheets), defined_names(style.positions))


def defined_names(positions: Positions) -> dict[str, str]:
    """Every defined name with its absolute reference: scalars, whole columns, and the cases of ranged inputs."""
    names = {name: cell_address(place) for name, place in positions.scalars.items()}
    names.update({name: block_address(block) for name, block in positions.columns.items()})
    for name in sorted(positions.ranged):
        for side, column in SIDES.items():
            names[f"{name}_{side}"] = cell_address(positions.inputs[name].moved(column))
    return names


def _makers(model: Model, style: Style, slots: int) -> dict[str, Callable[[str], Sheet]]:
    """The sheets after About, in reading order."""
    tables = _tables(model)
    first: dict[str, Callable[[str], Sheet]] = {
        "Summary": lambda name: summary_sheet(model, style, name, slots),
        "Inputs": lambda name: inputs_sheet(model, style, name),
    }
    inputs = {name: axes for name, axes in tables.items() if all(axis.count is None for axis in axes)}
    others = {name: axes for name, axes in tables.items() if name not in inputs}
    return {
        **first,
        **_table_makers(model, style, inputs.items()),
        "Model": lambda name: model_sheet(model, style, name),
        **_table_makers(model, style, others.items()),
        "Memory": lambda name: memory_sheet(model, style, name),
        "Constants": lambda name: constants_sheet(model, name),
        "Lists": lambda name: lists_sheet(model, style, name),
        "Checks": lambda name: checks_sheet(model, style, name),
        "Sources": lambda name: sources_sheet(model, name),
        "Changes": changes_sheet,
    }


def _table_makers(
    model: Model, style: Style, tables: Iterable[tuple[str, tuple[Axis, ...]]]
) -> dict[str, Callable[[str], Sheet]]:
    def maker(title: str, axes: tuple[Axis, ...]) -> Callable[[str], Sheet]:
        return lambda _: table_sheet_of(model, style, title, axes)

    return {name: maker(name, axes) for name, axes in tables}


def _tables(model: Model) -> dict[str, tuple[Axis, ...]]:
    sheets: dict[str, tuple[Axis, ...]] = {}
    for axis in model.axes:
        sheets[table_sheet(axis)] = (*sheets.get(table_sheet(axis), ()), axis)
    return sheets
