"""The sheets of tables: one block for each axis, one formula for each column, masked past the rows that exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from reportgen.catalog import accelerators, prices, sources_of
from reportgen.formula.model import Model
from reportgen.formula.quantity import Axis, Input, Quantity
from reportgen.formula.to_excel import to_excel
from reportgen.formula.units import TEXT
from reportgen.workbook.cells import (
    MASKED,
    Cell,
    Content,
    Formula,
    Given,
    Highlight,
    Key,
    Printed,
    Said,
    Sheet,
    Validation,
    letters,
)
from reportgen.workbook.frame import caption, heading
from reportgen.workbook.positions import HEADER_ROWS, REPEATED, band_height, bands, column_inputs
from reportgen.workbook.references import Style, at_row, same_row
from reportgen.workbook.sheet_inputs import validation, verdict_of_cell
from reportgen.workbook.shown import column_input_format

PRINTED = "printed are those that the generated scenario has"
WORDS_OF = {
    "Kinds": "Kinds of layer: what one layer of each kind weighs, keeps and computes.",
    "Stages": f"Pipeline stages: what one GPU of each holds. Rows past pipeline_stages show a dash; {PRINTED}.",
    "Layers": f"Layers: kind, stage and weight of each. Rows past layer_count show a dash; {PRINTED}.",
    "Catalogue": "Shipped facts; formulas read the yellow columns. Sources and notes stand to the right, not printed.",
}
INDEX_WIDTH, LABEL_WIDTH, COLUMN_WIDTH, CHECK_WIDTH = 9, 38, 15, 11
NARROW_LABEL = 16
FIGURE_WIDTH = 19
LONG_FACTS = {"Source": 40, "Address": 40, "Notes": 44}
SHORT_FACTS = 5  # columns kept for what is short, so that the long facts of all tables stand below each other

Fact = tuple[str, Callable[[int], Content]]


def table_sheet_of(model: Model, style: Style, name: str, axes: tuple[Axis, ...]) -> Sheet:
    """A sheet with the tables of some axes, below each other."""
    cells = [
        *heading(name, WORDS_OF.get(name, f"{name}: one row each.")),
        *(cell for axis in axes for cell in _table(model, style, axis)),
    ]
    first = style.positions.table_rows[axes[0].name]
    single = len(axes) == len(bands(model, axes[0])) == 1
    return Sheet(
        name=style.positions.columns[axes[0].index].sheet,
        kind="input" if all(axis.count is None for axis in axes) else "calculation",
        cells=tuple(cells),
        widths=_widths(model, axes),
        freeze=f"C{first}" if single else "C3",
        title_rows=f"{first - 3}:{first - 1}" if single else "1:1",
        print_area=_print_area(model, style, axes),
        printed=_printed(model, style, axes[0]) if single else None,
        validations=tuple(v for axis in axes for v in _validations(model, style, axis)),
        highlights=tuple(h for axis in axes for h in _highlights(model, style, axis)),
    )


def _printed(model: Model, style: Style, axis: Axis) -> Printed | None:
    """The rows that exist, checks of inputs included."""
    columns = len(bands(model, axis)[0]) + len(column_inputs(model, axis))
    return Printed(letters(columns), style.positions.table_rows[axis.name], axis.count) if axis.count else None


def _print_area(model: Model, style: Style, axes: tuple[Axis, ...]) -> str:
    """Of a sheet with facts, everything but those too long to read on paper; else all."""
    if not any(facts(axis) for axis in axes):
        return ""
    last = max(style.positions.table_rows[axis.name] + axis.rows for axis in axes) - 1
    return f"A1:{letters(max(_long_start(model, axis) for axis in axes) - 1)}{last}"


def _table(model: Model, style: Style, axis: Axis) -> Iterator[Cell]:
    first = style.positions.table_rows[axis.name]
    yield Cell(first - HEADER_ROWS, 1, f"{caption(axis.table)}, at most {axis.rows:,}", "Heading")
    for number, names in enumerate(bands(model, axis)):
        top = first + number * band_height(axis)
        yield from _parts(model, names, top - 4, REPEATED if number else 0)
        if number:
            yield from _repeated(style, axis, top)
        for name in names:
            yield from _header(model, axis, name, top, style.positions.columns[name].column)
            yield from _column(model, style, axis, name)
    for name in column_inputs(model, axis):
        yield from _check_header(name, first, style.positions.checks[name].column)
        yield from _checks(model, style, axis, name)
    yield from _fact_cells(model, axis, first)


def _repeated(style: Style, axis: Axis, top: int) -> Iterator[Cell]:
    """Index and label once more, in front of a further band."""
    for column, name in enumerate((axis.index, axis.label or axis.index), start=1):
        yield from _header_cells(top, column, caption(name), "as above", "The row of the first table.")
        template = masked(style, axis, same_row(style.positions, name))
        for row in range(axis.rows):
            formula = Formula(at_row(template, row), Key(f"repeated at {top}", name, row))
            yield Cell(top + row, column, formula, "Index", "0")


def _fact_cells(model: Model, axis: Axis, first: int) -> Iterator[Cell]:
    for column, (title, fact) in _placed_facts(model, axis):
        yield from _header_cells(first, column, title, "text", "As the catalogue has it.")
        for row in range(axis.rows):
            yield Cell(first + row, column, fact(row), "Plain" if title in LONG_FACTS else "Note")


def _placed_facts(model: Model, axis: Axis) -> Iterator[tuple[int, Fact]]:
    """The facts beside a table with the column of each: the short ones, then, below each other, the long ones."""
    short = [fact for fact in facts(axis) if fact[0] not in LONG_FACTS]
    long = [fact for fact in facts(axis) if fact[0] in LONG_FACTS]
    start = _long_start(model, axis)
    yield from enumerate(short, start=start - SHORT_FACTS)
    yield from enumerate(long, start=start)


def _long_start(model: Model, axis: Axis) -> int:
    return len(bands(model, axis)[0]) + len(column_inputs(model, axis)) + SHORT_FACTS + 1


def _parts(model: Model, columns: tuple[str, ...], row: int, skipped: int) -> Iterator[Cell]:
    """Above each group of columns, the part of the model that it belongs to."""
    before = ""
    for column in range(1, skipped + 1):
        yield Cell(row, column, "", "Part")
    for column, name in enumerate(columns, start=1 + skipped):
        entry = model.by_name.get(name)
        part = model.titles[entry.module] if isinstance(entry, Quantity) else "Rows and inputs"
        yield Cell(row, column, part if part != before else "", "Part")
        before = part


def _header(model: Model, axis: Axis, name: str, first: int, column: int) -> Iterator[Cell]:
    entry = model.by_name.get(name)
    if entry is None:
        yield from _header_cells(
            first, column, caption(name), "number", f"Row of the {axis.name.replace('_', ' ')}, from 0."
        )
        return
    yield from _header_cells(first, column, caption(name), Said("column_unit", name), entry.description)


def _header_cells(first: int, column: int, title: str, unit: Content, note: str) -> Iterator[Cell]:
    yield Cell(first - 3, column, title, "Header")
    yield Cell(first - 2, column, unit, "HeaderUnit")
    yield Cell(first - 1, column, note, "HeaderNote")


def _check_header(name: str, first: int, column: int) -> Iterator[Cell]:
    yield Cell(first - 4, column, "", "Part")
    yield from _header_cells(first, column, f"Check of {caption(name).lower()}", "verdict", "OK, or what to enter.")


def _column(model: Model, style: Style, axis: Axis, name: str) -> Iterator[Cell]:
    block, entry = style.positions.columns[name], model.by_name.get(name)
    if isinstance(entry, Input):
        shape = column_input_format(entry)
        for row in range(axis.rows):
            yield Cell(block.first + row, block.column, Given(name, row), "Input", shape)
        return
    template = column_template(style, axis, entry) if isinstance(entry, Quantity) else index_template(style, axis)
    look = "Index" if entry is None else "Calculation"
    shape = "0" if entry is None else "" if entry.unit == TEXT else f"column:{name}"
    for row in range(axis.rows):
        formula = Formula(at_row(template, row), Key("cell", name, row))
        yield Cell(block.first + row, block.column, formula, look, shape)


def index_template(style: Style, axis: Axis) -> str:
    """The number of the row, from 0, where the row exists; `ROW` stands for the row of the sheet."""
    number = f"ROW()-ROW($A${style.positions.table_rows[axis.name] - 1})-1"
    return number if axis.count is None else f'IF({number}<{style.value(axis.count)},{number},"{MASKED}")'


def column_template(style: Style, axis: Axis, entry: Quantity) -> str:
    """The formula of a column; `ROW` stands for the row of the sheet."""
    text = to_excel(entry.expression, style)
    return masked(style, axis, text) if axis.count else text


def masked(style: Style, axis: Axis, text: str) -> str:
    """A formula that shows a dash in rows that do not exist."""
    return f'IF({same_row(style.positions, axis.index)}="{MASKED}","{MASKED}",{text})'


def _checks(model: Model, style: Style, axis: Axis, name: str) -> Iterator[Cell]:
    block = style.positions.checks[name]
    template = verdict_of_cell(model, style, model.inputs[name], same_row(style.positions, name))
    for row in range(axis.rows):
        formula = Formula(at_row(template, row), Key("input", name, row))
        yield Cell(block.first + row, block.column, formula, "Verdict")


def _validations(model: Model, style: Style, axis: Axis) -> Iterator[Validation]:
    for name in column_inputs(model, axis):
        yield validation(model, style, model.inputs[name], style.positions.columns[name].relative, with_sheet=True)


def _highlights(model: Model, style: Style, axis: Axis) -> Iterator[Highlight]:
    for name in column_inputs(model, axis):
        block = style.positions.checks[name]
        cell = f"${letters(block.column)}{block.first}"
        yield Highlight(block.relative, "good", f'{cell}="OK"')
        yield Highlight(block.relative, "bad", f'IF(ISERROR({cell}),TRUE,{cell}<>"OK")')
    if axis.count:
        for number, names in enumerate(bands(model, axis)):
            top = style.positions.table_rows[axis.name] + number * band_height(axis)
            right = letters(len(names) + (REPEATED if number else 0))
            yield Highlight(f"A{top}:{right}{top + axis.rows - 1}", "masked", f'$A{top}="{MASKED}"')


def _widths(model: Model, axes: tuple[Axis, ...]) -> dict[int, float]:
    """Widths for all tables of a sheet: the widest wish of each column."""
    widths: dict[int, float] = {}
    for axis in axes:
        first, *further = bands(model, axis)
        wishes = chain(
            enumerate((_width(model, axis, name) for name in first), start=1),
            enumerate((CHECK_WIDTH for _ in column_inputs(model, axis)), start=len(first) + 1),
            ((column, LONG_FACTS.get(title, COLUMN_WIDTH)) for column, (title, _) in _placed_facts(model, axis)),
            *(enumerate((_width(model, axis, name) for name in names), start=1 + REPEATED) for names in further),
        )
        for column, wish in wishes:
            widths[column] = max(widths.get(column, 0), wish)
    return widths


def _width(model: Model, axis: Axis, name: str) -> float:
    entry = model.by_name.get(name)
    if entry is None:
        return INDEX_WIDTH
    if entry.unit == TEXT and axis.count is None:
        return LABEL_WIDTH
    if axis.count is None:
        return FIGURE_WIDTH
    return NARROW_LABEL if entry.unit == TEXT else COLUMN_WIDTH


def facts(axis: Axis) -> tuple[Fact, ...]:
    """What the catalogue says about a row beside the figures that formulas read."""
    if axis.name == "accelerator":
        cards = accelerators()
        return (
            ("Vendor", lambda row: cards[row].vendor),
            ("Source", lambda row: sources_of(cards[row])[0]),
            ("Address", lambda row: " ".join(sources_of(cards[row])[1:]) or MASKED),
            ("Notes", lambda row: cards[row].notes or MASKED),
        )
    if axis.name == "price":
        listed = prices()
        return (
            ("Provider", lambda row: listed[row].provider),
            ("Source", lambda row: sources_of(listed[row])[0]),
            ("Address", lambda row: " ".join(sources_of(listed[row])[1:]) or MASKED),
            ("Notes", lambda row: listed[row].notes or MASKED),
            ("Date", lambda row: listed[row].date),
            ("Term", lambda row: listed[row].term),
            ("Region", lambda row: listed[row].region or MASKED),
            ("Confidence", lambda row: listed[row].confidence),
        )
    return ()
