"""Where every name stands: scalars in cells, columns in blocks, choices in lists; fixed before any formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from math import ceil

from reportgen.formula.model import Model
from reportgen.formula.quantity import Axis, Quantity
from reportgen.scenario.scenario import CASES
from reportgen.workbook.cells import letters
from reportgen.workbook.input_groups import grouped
from reportgen.workbook.shown import WORKBOOK_CONSTANTS

INPUTS, MODEL, CONSTANTS, CHECKS, LISTS, CATALOGUE = "Inputs", "Model", "Constants", "Checks", "Lists", "Catalogue"
PROFILES = "Profiles"
TABLE_SHEETS = {
    "layer_kind": "Kinds",
    "stage": "Stages",
    "layer": "Layers",
    "accelerator": CATALOGUE,
    "price": CATALOGUE,
    "optimizer": PROFILES,
    "kernel_profile": PROFILES,
    "framework": PROFILES,
}
FIRST_ROW = 6
VALUE_COLUMN = 2
LOW, BASE, HIGH = 4, 5, 6
MINIMUM, MAXIMUM, WORD, VERDICT, GENERATED, MARKER, REMEDY = 7, 8, 9, 10, 11, 12, 16
LOW_TABLE, WIDE_TABLE, REPEATED = 16, 20, 2
CHECK_BAND = 1
HEADER_ROWS = 5  # block title, part of the model, label, unit, note
FAULT_ROW, FINDING_ROW, MEANING_ROW, MASTER_ROW, CHECK_VALUE = 4, 5, 6, 7, 3
CASE_SECTION = "case"
ACTIVE_CASE, CASE_NUMBER = "active_case", "case_number"
FAULT_COUNT, FINDING_COUNT, MASTER = "fault_count", "finding_count", "master_verdict"


@dataclass(frozen=True)
class Place:
    """A cell."""

    sheet: str
    row: int
    column: int

    @property
    def coordinate(self) -> str:
        """Its address on the sheet: "B7"."""
        return f"{letters(self.column)}{self.row}"

    @property
    def absolute(self) -> str:
        """Its absolute address on the sheet: "$B$7"."""
        return f"${letters(self.column)}${self.row}"

    def moved(self, column: int) -> Place:
        """The cell of the same row in another column."""
        return Place(self.sheet, self.row, column)

    def at(self, row: int) -> Place:
        """The cell of the same column in another row."""
        return Place(self.sheet, row, self.column)


@dataclass(frozen=True)
class Block:
    """Rows of one column, from `first` to `last`."""

    sheet: str
    column: int
    first: int
    last: int

    @property
    def absolute(self) -> str:
        """Its absolute address on the sheet: "$F$9:$F$72"."""
        letter = letters(self.column)
        return f"${letter}${self.first}:${letter}${self.last}"

    @property
    def relative(self) -> str:
        """Its address on the sheet: "F9:F72"."""
        letter = letters(self.column)
        return f"{letter}{self.first}:{letter}{self.last}"


@dataclass(frozen=True)
class Section:
    """Inputs that stand together: a title, names, and the rows from first to last."""

    title: str
    names: tuple[str, ...]
    first: int

    @property
    def last(self) -> int:
        """The row of its last input."""
        return self.first + len(self.names) - 1


@dataclass(frozen=True, eq=False)
class Positions:
    """Everything that a reference can point at. `checks` has the check column of each column input."""

    scalars: Mapping[str, Place]
    columns: Mapping[str, Block]
    checks: Mapping[str, Block]
    lists: Mapping[tuple[str, ...], Block]
    sections: tuple[Section, ...]
    model_parts: tuple[Section, ...]
    table_rows: Mapping[str, int]
    ranged: frozenset[str]
    inputs: Mapping[str, Place]


def place_all(model: Model, ranged: frozenset[str], prefix: str = "") -> Positions:
    """The places of everything in a model; `prefix` goes before each sheet's name, for an option's own sheets."""
    sections = tuple(_input_sections(model))
    parts = tuple(_model_parts(model))
    tables = _table_rows(model)
    inputs = {
        name: Place(prefix + INPUTS, section.first + offset, VALUE_COLUMN)
        for section in sections
        for offset, name in enumerate(section.names)
    }
    scalars = {name: place for name, place in inputs.items() if not _on_axis(model, name)}
    scalars.update(
        {
            name: Place(prefix + MODEL, part.first + offset, VALUE_COLUMN)
            for part in parts
            for offset, name in enumerate(part.names)
        }
    )
    constants = [constant.name for constant in (*model.constants, *WORKBOOK_CONSTANTS)]
    scalars.update(
        {name: Place(prefix + CONSTANTS, FIRST_ROW + row, VALUE_COLUMN) for row, name in enumerate(constants)}
    )
    scalars.update(
        {
            FAULT_COUNT: Place(prefix + CHECKS, FAULT_ROW, CHECK_VALUE),
            FINDING_COUNT: Place(prefix + CHECKS, FINDING_ROW, CHECK_VALUE),
            MASTER: Place(prefix + CHECKS, MASTER_ROW, CHECK_VALUE),
        }
    )
    return Positions(
        scalars=scalars,
        columns=_columns(model, tables, prefix),
        checks=_check_columns(model, tables, prefix),
        lists=_lists(model, prefix),
        sections=sections,
        model_parts=parts,
        table_rows=tables,
        ranged=ranged,
        inputs=inputs,
    )


def column_inputs(model: Model, axis: Axis) -> tuple[str, ...]:
    """The inputs of an axis."""
    return tuple(entry.name for entry in model.inputs.values() if entry.axis == axis)


def table_sheet(axis: Axis) -> str:
    """The sheet that an axis stands on: its own, named after its table, unless told otherwise."""
    return TABLE_SHEETS.get(axis.name, axis.table.replace("_", " ").capitalize())


def table_columns(model: Model, axis: Axis) -> tuple[str, ...]:
    """The columns of a table: the index, the label, then as the model has them."""
    names = model.columns(axis)
    return tuple(sorted(names, key=lambda name: 0 if name == axis.index else 1 if name == axis.label else 2))


def bands(model: Model, axis: Axis) -> tuple[tuple[str, ...], ...]:
    """The columns of a table in bands below each other: one for a long table, several for one that is wide and low.

    The first band has index and inputs; each of the others repeats index and label in front. The checks of the
    inputs stand to the right of a single band, or else in a band of their own, directly below the first.
    """
    columns = table_columns(model, axis)
    if not is_banded(model, axis):
        return (columns,)
    first = tuple(name for name in columns if not isinstance(model.by_name.get(name), Quantity))
    found = [first]
    for _, group in groupby(columns[len(first) :], key=lambda name: _module(model, name)):
        for names in _evenly(tuple(group)):
            if len(found) > 1 and len(found[-1]) + len(names) <= WIDE_TABLE - REPEATED:
                found[-1] += names
            else:
                found.append(names)
    return tuple(found)


def _evenly(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Columns in as few runs as a band has room for, about equally long."""
    runs = ceil(len(names) / (WIDE_TABLE - REPEATED))
    size = ceil(len(names) / runs)
    yield from (names[start : start + size] for start in range(0, len(names), size))


def is_banded(model: Model, axis: Axis) -> bool:
    """Whether a table is low, and with the checks of its inputs too wide to be read as one."""
    width = len(table_columns(model, axis)) + len(column_inputs(model, axis))
    return axis.rows <= LOW_TABLE and width > WIDE_TABLE


def band_place(number: int) -> int:
    """Where a band of columns stands among all: the one of checks is between the first and the others."""
    return number + 1 if number >= CHECK_BAND else number


def _module(model: Model, name: str) -> str:
    entry = model.by_name[name]
    return entry.module if isinstance(entry, Quantity) else ""


def listed_columns(model: Model) -> dict[str, Axis]:
    """The columns with a row count of their own that choices are read from, each with its axis."""
    found = [entry.choices_from for entry in model.inputs.values() if entry.choices_from]
    return {name: axis for name in found if (axis := model.axis_of(name)) and axis.count}


def _on_axis(model: Model, name: str) -> bool:
    return name in model.inputs and model.inputs[name].axis is not None


def _input_sections(model: Model) -> Iterator[Section]:
    """Scalars by section, then the inputs that have a table, by section; the case selector comes first."""
    row = FIRST_ROW
    groups = [(CASE_SECTION, (ACTIVE_CASE, CASE_NUMBER)), *_scalar_groups(model), *_column_groups(model)]
    for title, names in groups:
        yield Section(title, names, row + 1)
        row += len(names) + 1


def _scalar_groups(model: Model) -> Iterator[tuple[str, tuple[str, ...]]]:
    scalars = [entry for entry in model.inputs.values() if entry.axis is None]
    for section in dict.fromkeys(entry.section for entry in scalars):
        yield from grouped(section, tuple(entry.name for entry in scalars if entry.section == section))


def _column_groups(model: Model) -> Iterator[tuple[str, tuple[str, ...]]]:
    for axis in model.axes:
        names = column_inputs(model, axis)
        if names:
            yield f"sheet {table_sheet(axis)}, {axis.table.replace('_', ' ')}", names


def _model_parts(model: Model) -> Iterator[Section]:
    row = FIRST_ROW
    scalars = [entry for entry in model.quantities if entry.axis is None]
    for module, group in groupby(scalars, key=lambda entry: entry.module):
        names = tuple(entry.name for entry in group)
        yield Section(model.titles[module], names, row + 1)
        row += len(names) + 1


def _table_rows(model: Model) -> dict[str, int]:
    """The first data row of each axis; tables on one sheet stand below each other."""
    rows: dict[str, int] = {}
    free: dict[str, int] = {}
    for axis in model.axes:
        sheet = table_sheet(axis)
        rows[axis.name] = free.get(sheet, 3 + HEADER_ROWS)
        count = len(bands(model, axis)) + is_banded(model, axis)
        free[sheet] = rows[axis.name] + count * band_height(axis)
    return rows


def band_height(axis: Axis) -> int:
    """Rows from the first row of one band to that of the next: data, two blank rows, headers."""
    return axis.rows + 2 + HEADER_ROWS


def _columns(model: Model, tables: Mapping[str, int], prefix: str) -> dict[str, Block]:
    return {
        name: _block(axis, tables, prefix, column, band_place(band))
        for axis in model.axes
        for band, names in enumerate(bands(model, axis))
        for column, name in enumerate(names, start=1 + (REPEATED if band else 0))
    }


def _check_columns(model: Model, tables: Mapping[str, int], prefix: str) -> dict[str, Block]:
    """The checks of inputs stand to the right of a single band, or in a band below the first."""
    return {
        name: _block(axis, tables, prefix, column, CHECK_BAND if is_banded(model, axis) else 0)
        for axis in model.axes
        for column, name in enumerate(column_inputs(model, axis), start=check_start(model, axis))
    }


def check_start(model: Model, axis: Axis) -> int:
    """The first column of the checks of a table's inputs."""
    return 1 + (REPEATED if is_banded(model, axis) else len(table_columns(model, axis)))


def _block(axis: Axis, tables: Mapping[str, int], prefix: str, column: int, band: int = 0) -> Block:
    first = tables[axis.name] + band * band_height(axis)
    return Block(prefix + table_sheet(axis), column, first, first + axis.rows - 1)


def _lists(model: Model, prefix: str) -> dict[tuple[str, ...], Block]:
    """The fixed lists of choices, each once; then, by name, the columns that choices are read from."""
    fixed = [entry.choices for entry in model.inputs.values() if entry.choices and not entry.choices_from]
    lists: dict[tuple[str, ...], int] = {tuple(CASES): len(CASES)}
    lists.update({choices: len(choices) for choices in fixed})
    lists.update({(name,): axis.rows + 1 for name, axis in listed_columns(model).items()})
    return {
        key: Block(prefix + LISTS, column, FIRST_ROW, FIRST_ROW + rows - 1)
        for column, (key, rows) in enumerate(lists.items(), start=1)
    }
