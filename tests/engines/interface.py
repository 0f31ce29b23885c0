"""What every spreadsheet engine in the tests offers, so that one test can be run through any of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol, Self

CellAddress = tuple[str, str]
"""A sheet name and an A1 reference without dollar signs: `("Inputs", "B7")`."""

CellValue = float | str | bool | None
"""A number, a text, a truth value or a blank. An error is its text: `"#DIV/0!"`."""


class SpreadsheetEngine(Protocol):
    """Opens a workbook file, edits cells as a person would, and reads what the formulas then say."""

    def open(self, path: Path | str) -> Self:
        """Load an .xlsx file in place of the one before, and calculate every formula anew."""
        ...

    def edit(self, edits: Mapping[CellAddress, CellValue]) -> None:
        """Set cells (a text stays text, None empties the cell), then calculate again."""
        ...

    def values(self, cells: Iterable[CellAddress] | None = None) -> dict[CellAddress, CellValue]:
        """Return the values of the given cells, or of every formula cell."""
        ...

    def close(self) -> None:
        """Give back whatever the engine holds; a second call does nothing."""
        ...
