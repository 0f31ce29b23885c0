"""The Memory sheet: what fills one GPU of each stage, every term in a column of its own, and their sum."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.breakdown import PEAK, buffer_terms, stage_terms, term_label
from reportgen.formula.model import Model
from reportgen.model.axes import STAGE
from reportgen.workbook.cells import MASKED, Cell, Content, Formula, Highlight, Key, Printed, Said, Sheet, letters
from reportgen.workbook.frame import heading
from reportgen.workbook.references import Style, quoted

FIRST = 8
COLUMN_WIDTH = 15
SUBTITLE = (
    "What fills one GPU of each stage at its fullest. What comes after the loss head are the terms of the buffers."
)


def memory_sheet(model: Model, style: Style, name: str) -> Sheet:
    """The sheet of terms; each cell reads the one where the term is computed, the sum adds up what stands here."""
    columns = stage_terms()
    last = FIRST + STAGE.rows - 1
    right = letters(len(columns) + 2)
    return Sheet(
        name=name,
        kind="calculation",
        cells=(
            *heading("Memory", SUBTITLE),
            *_headers(model, columns),
            *(cell for row in range(STAGE.rows) for cell in _row(style, columns, row)),
        ),
        widths={1: 9, **dict.fromkeys(range(2, len(columns) + 3), COLUMN_WIDTH)},
        freeze=f"B{FIRST}",
        title_rows=f"{FIRST - 3}:{FIRST - 1}",
        printed=Printed((("A", right),), FIRST, "pipeline_stages"),
        highlights=(Highlight(f"A{FIRST}:{right}{last}", "masked", f'$A{FIRST}="{MASKED}"'),),
    )


def _headers(model: Model, columns: tuple[str, ...]) -> Iterator[Cell]:
    yield from _part_cells(len(columns) + 2, columns.index(buffer_terms()[0]) + 2)
    yield from _header(1, "Stage", "number", "Stage of the pipeline, from 0.")
    unit = Said("column_unit", PEAK)
    for column, name in enumerate(columns, start=2):
        entry = model.by_name[name]
        words = term_label(name)
        yield from _header(column, words[:1].upper() + words[1:], unit, entry.description)
    yield from _header(len(columns) + 2, "Sum", unit, model.by_name[PEAK].description)


def _part_cells(last: int, buffers: int) -> Iterator[Cell]:
    """Above the columns: state and activations, then the buffers that are one part of the peak."""
    names = {1: "Parts of the peak", buffers: "Terms of the buffers", last: "Peak"}
    for column in range(1, last + 1):
        yield Cell(FIRST - 4, column, names.get(column, ""), "Part")


def _header(column: int, title: str, unit: Content, note: str) -> Iterator[Cell]:
    yield Cell(FIRST - 3, column, title, "Header")
    yield Cell(FIRST - 2, column, unit, "HeaderUnit")
    yield Cell(FIRST - 1, column, note, "HeaderNote")


def _row(style: Style, columns: tuple[str, ...], row: int) -> Iterator[Cell]:
    line, shape = FIRST + row, f"column:{PEAK}"
    index = style.positions.columns[STAGE.index]
    place = f"{quoted(index.sheet)}!${letters(index.column)}{index.first + row}"
    yield Cell(line, 1, Formula(place, Key("repeated at memory", STAGE.index, row)), "Index", "0")
    for column, name in enumerate(columns, start=2):
        read = f"INDEX({style.column(name)},$A{line}+1)" if name in style.positions.columns else style.value(name)
        yield Cell(line, column, Formula(_masked(line, read), Key("stage term", name, row)), "Calculation", shape)
    added = f"SUM($B{line}:${letters(len(columns) + 1)}{line})"
    yield Cell(line, len(columns) + 2, Formula(_masked(line, added), Key("stage term", PEAK, row)), "Result", shape)


def _masked(line: int, text: str) -> str:
    return f'IF($A{line}="{MASKED}","{MASKED}",{text})'
