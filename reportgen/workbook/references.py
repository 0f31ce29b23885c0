"""The two ways in which a formula writes what it reads: by name, or by the cells of an option's own sheets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from reportgen.workbook.cells import letters
from reportgen.workbook.positions import Block, Place, Positions

ROW = "\x00"  # on either side of the first row of a block, until the row within it is known
PLACEHOLDER = re.compile(f"{ROW}(\\d+){ROW}")


class Style(Protocol):
    """What a reference style offers beside `formula.to_excel.References`: the cells of a row, any place, any block."""

    @property
    def positions(self) -> Positions:
        """Where everything stands."""

    def value(self, name: str) -> str:
        """A scalar, or the cell of the same row of a column."""

    def column(self, name: str) -> str:
        """A whole column."""


@dataclass(frozen=True)
class NameReferences:
    """Scalars and whole columns by their defined names, cells of the same row as `$F12`: what a person reads."""

    positions: Positions

    def value(self, name: str) -> str:
        """A scalar by name, or the cell of the same row."""
        return same_row(self.positions, name) if name in self.positions.columns else name

    def column(self, name: str) -> str:
        """A whole column by name."""
        return name


@dataclass(frozen=True)
class CellReferences:
    """Everything by absolute address with its sheet: for options, since a name can mean only one cell of a workbook."""

    positions: Positions

    def value(self, name: str) -> str:
        """A scalar by address, or the cell of the same row."""
        if name in self.positions.columns:
            return same_row(self.positions, name)
        return cell_address(self.positions.scalars[name])

    def column(self, name: str) -> str:
        """A whole column by address."""
        return block_address(self.positions.columns[name])


def same_row(positions: Positions, name: str) -> str:
    """The cell of a column in the row that the formula stands for, which `at_row` fills in."""
    block = positions.columns[name]
    return f"${letters(block.column)}{ROW}{block.first}{ROW}"


def cell_address(place: Place) -> str:
    """A cell with its sheet: `Inputs!$B$7`."""
    return f"{quoted(place.sheet)}!{place.absolute}"


def block_address(block: Block) -> str:
    """A block with its sheet: `Layers!$F$9:$F$264`."""
    return f"{quoted(block.sheet)}!{block.absolute}"


def quoted(sheet: str) -> str:
    """A sheet's name as a formula writes it: in quotes unless it is one plain word."""
    return sheet if re.fullmatch(r"[A-Z][a-z]+", sheet) else "'" + sheet.replace("'", "''") + "'"


def at_row(template: str, row: int) -> str:
    """A block's formula in one of its rows, counted from 0."""
    return PLACEHOLDER.sub(lambda match: str(int(match[1]) + row), template)
