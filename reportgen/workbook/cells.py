"""The parts of a layout: cells, sheets and blocks, with no spreadsheet library in sight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

MASKED = "–"
SheetKind = Literal["about", "input", "calculation", "output", "check"]
Address = tuple[str, str]


@dataclass(frozen=True)
class Key:
    """Which value of the estimator a formula must equal: `rule` is a rule of expected.py, the rest its arguments."""

    rule: str
    name: str = ""
    row: int = -1


@dataclass(frozen=True)
class Formula:
    """A formula without its equals sign, and what it must equal."""

    text: str
    key: Key


@dataclass(frozen=True)
class Given:
    """An input cell: the writer puts the scenario's value there. `row` is -1 for a scalar."""

    name: str
    row: int = -1
    side: Literal["base", "low", "high"] = "base"


@dataclass(frozen=True)
class Said:
    """A text or date of the scenario or the program, which the writer looks up: `what` is a rule of write.py."""

    what: str
    name: str = ""


Content = str | float | Formula | Given | Said


@dataclass(frozen=True)
class Cell:
    """One cell: where, what, which named style and which number format. `link` is a sheet to jump to."""

    row: int
    column: int
    content: Content
    style: str = "Text"
    format: str = ""
    link: str = ""

    @property
    def coordinate(self) -> str:
        """Its address on the sheet: "B7"."""
        return f"{letters(self.column)}{self.row}"


@dataclass(frozen=True)
class Validation:
    """What may be typed into some cells: a list, bounds or a condition, told in words as they are selected."""

    cells: str
    kind: Literal["list", "whole", "decimal", "custom"]
    first: str
    second: str = ""
    prompt: str = ""


@dataclass(frozen=True)
class Highlight:
    """A conditional format: `rule` is a format of style.py, `condition` a formula for the top left cell."""

    cells: str
    rule: Literal["masked", "good", "bad", "changed"]
    condition: str


@dataclass(frozen=True)
class Printed:
    """A print area that ends with the last row that exists: its pages side by side as first and last column of each.

    `first` is the first row of data, `count` says how many there are.
    """

    pages: tuple[tuple[str, str], ...]
    first: int
    count: str


@dataclass(frozen=True)
class Sheet:
    """One sheet: its cells, and how it is looked at and printed. `printed` goes before `print_area`.

    `title_columns` are repeated on pages that stand to the right of the first; `breaks` are rows that end a page.
    """

    name: str
    kind: SheetKind
    cells: tuple[Cell, ...]
    widths: Mapping[int, float]
    freeze: str = ""
    title_rows: str = ""
    title_columns: str = ""
    protected: bool = True
    one_page: bool = False
    print_area: str = ""
    printed: Printed | None = None
    breaks: tuple[int, ...] = ()
    validations: tuple[Validation, ...] = ()
    highlights: tuple[Highlight, ...] = ()


@dataclass(frozen=True, eq=False)
class Layout:
    """The whole workbook; `names` are the defined names with the absolute reference of each."""

    sheets: tuple[Sheet, ...]
    names: Mapping[str, str]

    @cached_property
    def formulas(self) -> dict[Address, Formula]:
        """Every formula cell."""
        return {
            (sheet.name, cell.coordinate): cell.content
            for sheet in self.sheets
            for cell in sheet.cells
            if isinstance(cell.content, Formula)
        }

    @cached_property
    def inputs(self) -> dict[Given, Address]:
        """Where each input value stands."""
        return {
            cell.content: (sheet.name, cell.coordinate)
            for sheet in self.sheets
            for cell in sheet.cells
            if isinstance(cell.content, Given)
        }


def letters(column: int) -> str:
    """The letters of a column counted from 1: "A", "AB"."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(ord("A") + rest) + text
    return text
