"""The Model sheet: every scalar result in the order of the argument, with its formula in words and its source."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.formula.explain import in_words
from reportgen.formula.expression import Call, Column
from reportgen.formula.model import Model
from reportgen.formula.quantity import Quantity
from reportgen.formula.to_excel import to_excel
from reportgen.workbook.cells import MASKED, Cell, Formula, Key, Sheet
from reportgen.workbook.frame import caption, header, heading, part_row
from reportgen.workbook.references import Style
from reportgen.workbook.shown import HANDY, Handy, number_format, unit_words

TITLES = ("Quantity", "Value", "Unit", "Shown as", "Unit shown", "Formula in words", "What it is", "Source")
WIDTHS = {1: 36, 2: 22, 3: 20, 4: 14, 5: 24, 6: 52, 7: 46, 8: 44}
HEADER_ROW = 5


def model_sheet(model: Model, style: Style, name: str) -> Sheet:
    """The sheet of all scalar results."""
    cells = [
        *heading(
            "Model", "Every result, part by part. Each value is a formula over the cells that bear the names it reads."
        ),
        *header(HEADER_ROW, TITLES),
        *_rows(model, style),
    ]
    return Sheet(
        name=name,
        kind="calculation",
        cells=tuple(cells),
        widths=WIDTHS,
        freeze=f"B{HEADER_ROW + 1}",
        title_rows=f"{HEADER_ROW}:{HEADER_ROW}",
    )


def _rows(model: Model, style: Style) -> Iterator[Cell]:
    for part in style.positions.model_parts:
        yield from part_row(part.first - 1, part.title, len(TITLES))
        for row, name in enumerate(part.names, start=part.first):
            entry = model.by_name[name]
            if isinstance(entry, Quantity):
                yield from _row(model, style, entry, row)


def _row(model: Model, style: Style, entry: Quantity, row: int) -> Iterator[Cell]:
    formula = Formula(to_excel(entry.expression, style), Key("scalar", entry.name))
    yield Cell(row, 1, caption(entry.name), "Label")
    yield Cell(row, 2, formula, "Calculation", number_format(entry.unit, entry.name))
    yield Cell(row, 3, unit_words(entry.unit, entry.name), "Unit")
    yield from handy_cells(style, entry.name, HANDY.get(str(entry.unit)), row, 4, may_lack=_may_lack(model, entry))
    yield Cell(row, 6, in_words(entry.expression), "Note")
    yield Cell(row, 7, entry.description, "Note")
    yield Cell(row, 8, str(entry.origin), "Note")


def handy_cells(
    style: Style, name: str, handy: Handy | None, row: int, column: int, *, may_lack: bool = False
) -> Iterator[Cell]:
    """A value in its handier unit, and that unit; nothing where there is none.

    `may_lack` says that the value may be a word where the catalogue lacks a figure.
    """
    if handy is None:
        return
    text = f"{style.value(name)}{handy.operator}{style.value(handy.factor)}"
    if may_lack:
        text = f'IF(ISNUMBER({style.value(name)}),{text},"{MASKED}")'
    rule = "divided" if handy.operator == "/" else "multiplied"
    yield Cell(row, column, Formula(text, Key(f"{rule} by {handy.factor}", name)), "Calculation", handy.format)
    yield Cell(row, column + 1, handy.unit, "Unit")


def _may_lack(model: Model, entry: Quantity) -> bool:
    """Whether a quantity is looked up in a column that may hold a word in place of a figure."""
    expression = entry.expression
    if not isinstance(expression, Call) or not isinstance(expression.arguments[-1], Column):
        return False
    read = model.inputs.get(expression.arguments[-1].name)
    return read is not None and read.word is not None
