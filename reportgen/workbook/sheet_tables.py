"""The sheets of tables: one block for each axis, one formula for each column, masked past the rows that exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, pairwise

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
from reportgen.workbook.positions import (
    CHECK_BAND,
    HEADER_ROWS,
    PROFILES,
    REPEATED,
    band_height,
    band_place,
    bands,
    check_start,
    column_inputs,
    is_banded,
)
from reportgen.workbook.references import Style, at_row, same_row
from reportgen.workbook.sheet_inputs import validation, verdict_of_cell
from reportgen.workbook.shown import column_input_format, number_format, unit_words

PRINTED = "printed are those that the generated scenario has"
WORDS_OF = {
    "Kinds": "Kinds of layer: what one layer of each kind weighs, keeps and computes.",
    "Stages": f"Pipeline stages: what one GPU of each holds. Rows past pipeline_stages show a dash; {PRINTED}.",
    "Layers": f"Layers: kind, stage and weight of each. Rows past layer_count show a dash; {PRINTED}.",
    PROFILES: "What optimizers hold, what kernels keep for the backward pass, what frameworks hold beyond it.",
    "Catalogue": "Shipped facts; formulas read the yellow columns. Sources and notes stand to the right, not printed.",
}
INDEX_WIDTH, LABEL_WIDTH, COLUMN_WIDTH, CHECK_WIDTH = 9, 38, 15, 11
NARROW_LABEL = 16
FIGURE_WIDTH = 19
PAGE_COLUMNS, PAGE_BANDS = 16, 4  # columns that can be read side by side on paper, and bands below each other
# Scalars that stand beside a column to be compared with it, and what to know of the comparison.
COMPARED = {"kernel_profile": "classic_activation_factor"}
NOTES = {
    "kernel_profile": "The multiple is of the hidden size, per token of this model's dense layer. The classic rule is "
    "that of a layer with dropout masks, a plain MLP four times as wide and as many key heads as query heads; eager "
    "kernels also keep an fp32 copy of what each norm reads, and the activated gate.",
}
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
    single = len(axes) == 1 and not is_banded(model, axes[0])
    return Sheet(
        name=style.positions.columns[axes[0].index].sheet,
        kind="input" if all(axis.count is None for axis in axes) else "calculation",
        cells=tuple(cells),
        widths=_widths(model, axes),
        freeze=f"C{first}" if single else "C3",
        title_rows=f"{first - 3}:{first - 1}" if single else "1:1",
        title_columns="A:A" if single and axes[0].count else "",
        print_area=_print_area(model, style, axes),
        breaks=tuple(_breaks(model, style, axes)),
        printed=_printed(model, style, axes[0]) if single else None,
        validations=tuple(v for axis in axes for v in _validations(model, style, axis)),
        highlights=tuple(h for axis in axes for h in _highlights(model, style, axis)),
    )


def _printed(model: Model, style: Style, axis: Axis) -> Printed | None:
    """The rows that exist, checks of inputs included, parts of the model together on pages side by side."""
    if not axis.count:
        return None
    (names,) = bands(model, axis)
    last = len(names) + len(column_inputs(model, axis))
    starts = [1]
    for column, (before, name) in enumerate(pairwise(names), start=2):
        if _part(model, name) != _part(model, before) and _part_end(model, names, column) - starts[-1] > PAGE_COLUMNS:
            starts.append(column)
    ends = [start - 1 for start in starts[1:]] + [last]
    pages = tuple((letters(start), letters(end)) for start, end in zip(starts, ends, strict=True))
    return Printed(pages, style.positions.table_rows[axis.name], axis.count)


def _breaks(model: Model, style: Style, axes: tuple[Axis, ...]) -> Iterator[int]:
    """The last rows of pages, so that no band is torn apart, and no table that would fit on the next page."""
    used = 0
    for axis in axes:
        count = len(bands(model, axis)) + is_banded(model, axis)
        if used and used + count > PAGE_BANDS:
            yield _top(style, axis, 0) - HEADER_ROWS - 1
            used = 0
        for place in range(PAGE_BANDS, count, PAGE_BANDS):
            yield _top(style, axis, place) - HEADER_ROWS
        used += count


def _part_end(model: Model, names: tuple[str, ...], start: int) -> int:
    """The first column, from 1, after the part of the model that begins at a column."""
    part = _part(model, names[start - 1])
    further = (column for column, name in enumerate(names, start=1) if column > start and _part(model, name) != part)
    return next(further, len(names) + 1)


def _print_area(model: Model, style: Style, axes: tuple[Axis, ...]) -> str:
    """Of a sheet with facts, everything but those too long to read on paper; else all."""
    told = [axis for axis in axes if facts(axis)]
    if not told:
        return ""
    last = max(style.positions.table_rows[axis.name] + axis.rows for axis in axes) - 1
    return f"A1:{letters(max(_long_start(model, axis) for axis in told) - 1)}{last}"


def _table(model: Model, style: Style, axis: Axis) -> Iterator[Cell]:
    first = style.positions.table_rows[axis.name]
    yield Cell(first - HEADER_ROWS, 1, f"{caption(axis.table)}, at most {axis.rows:,}", "Heading")
    for number, names in enumerate(bands(model, axis)):
        top = _top(style, axis, band_place(number))
        yield from _parts(model, names, top - 4, REPEATED if number else 0)
        if number:
            yield from _repeated(style, axis, top)
        for name in names:
            yield from _header(model, axis, name, top, style.positions.columns[name].column)
            yield from _column(model, style, axis, name)
    yield from _check_band(model, style, axis)
    yield from _fact_cells(model, axis, first)
    yield from _compared(model, style, axis)


def _top(style: Style, axis: Axis, place: int) -> int:
    """The first row of data of a band."""
    return style.positions.table_rows[axis.name] + place * band_height(axis)


def _check_band(model: Model, style: Style, axis: Axis) -> Iterator[Cell]:
    """The checks of inputs, index and label once more in front where they stand in a band of their own."""
    banded = is_banded(model, axis)
    top = _top(style, axis, CHECK_BAND if banded else 0)
    if banded:
        for column in range(1, REPEATED + 1):
            yield Cell(top - 4, column, "Checks of the inputs above" if column == 1 else "", "Part")
        yield from _repeated(style, axis, top)
    for name in column_inputs(model, axis):
        yield from _check_header(name, top, style.positions.checks[name].column)
        yield from _checks(model, style, axis, name)


def _compared(model: Model, style: Style, axis: Axis) -> Iterator[Cell]:
    """To the right of the last band the scalar that it is compared with, and below it what to know of that."""
    if axis.name not in COMPARED:
        return
    name, found = COMPARED[axis.name], bands(model, axis)
    top, column = _top(style, axis, band_place(len(found) - 1)), len(found[-1]) + REPEATED + 1
    entry = model.by_name[name]
    yield Cell(top - 4, column, "", "Part")
    yield from _header_cells(top, column, caption(name), unit_words(entry.unit, name), entry.description)
    for row in range(axis.rows):
        formula = Formula(style.value(name), Key(f"beside row {row}", name))
        yield Cell(top + row, column, formula, "Calculation", number_format(entry.unit, name))
    yield Cell(top + axis.rows, 1, NOTES[axis.name], "Plain")


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
        part = _part(model, name)
        yield Cell(row, column, part if part != before else "", "Part")
        before = part


def _part(model: Model, name: str) -> str:
    entry = model.by_name.get(name)
    return model.titles[entry.module] if isinstance(entry, Quantity) else "Rows and inputs"


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
            top = _top(style, axis, band_place(number))
            right = letters(len(names) + (REPEATED if number else 0))
            yield Highlight(f"A{top}:{right}{top + axis.rows - 1}", "masked", f'$A{top}="{MASKED}"')


def _widths(model: Model, axes: tuple[Axis, ...]) -> dict[int, float]:
    """Widths for all tables of a sheet: the widest wish of each column."""
    widths: dict[int, float] = {}
    for axis in axes:
        first, *further = bands(model, axis)
        wishes = chain(
            enumerate((_width(model, axis, name) for name in first), start=1),
            enumerate((CHECK_WIDTH for _ in column_inputs(model, axis)), start=check_start(model, axis)),
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
