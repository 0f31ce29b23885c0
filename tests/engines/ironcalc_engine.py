"""IronCalc as a test engine: in this process, quick enough for an edit per example."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import ironcalc
from openpyxl.utils.cell import coordinate_to_tuple, get_column_letter

from tests.engines.interface import CellAddress, CellValue

_LANGUAGE = "en"
_TIMEZONE = "UTC"

_Position = tuple[int, int, int]
"""Sheet index from 0, row from 1, column from 1: how IronCalc addresses a cell."""


class IronCalcEngine:
    """An open workbook in IronCalc; `SpreadsheetEngine` says what each method does."""

    def __init__(self) -> None:
        self._model: ironcalc.Model | None = None
        self._sheets: dict[str, int] = {}
        self._formula_cells: dict[CellAddress, _Position] = {}

    def open(self, path: Path | str) -> Self:
        """Load an .xlsx file in place of the one before, and calculate every formula anew."""
        model = ironcalc.load_from_xlsx(str(path), _LANGUAGE, _TIMEZONE, _LANGUAGE)
        names = [properties["name"] for properties in model.get_worksheets_properties()]
        model.evaluate()
        self._model = model
        self._sheets = {name: index for index, name in enumerate(names)}
        self._formula_cells = {
            (names[position[0]], f"{get_column_letter(position[2])}{position[1]}"): position
            for position in sorted(model.get_all_cells())
            if model.get_cell_formula(*position) is not None
        }
        return self

    def edit(self, edits: Mapping[CellAddress, CellValue]) -> None:
        """Set cells (a text stays text, None empties the cell), then calculate again."""
        model = self._opened()
        for address, value in edits.items():
            _set_cell(model, self._position(address), value)
            self._formula_cells.pop(address, None)
        model.evaluate()

    def values(self, cells: Iterable[CellAddress] | None = None) -> dict[CellAddress, CellValue]:
        """Return the values of the given cells, or of every formula cell."""
        model = self._opened()
        positions = self._formula_cells if cells is None else {address: self._position(address) for address in cells}
        return {address: model.get_cell_value(*position) for address, position in positions.items()}

    def close(self) -> None:
        """Forget the workbook; a second call does nothing."""
        self._model = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _opened(self) -> ironcalc.Model:
        if self._model is None:
            message = "IronCalcEngine: no workbook is open; call open(path) first"
            raise RuntimeError(message)
        return self._model

    def _position(self, address: CellAddress) -> _Position:
        sheet, reference = address
        if sheet not in self._sheets:
            message = f"no sheet {sheet!r} in the workbook; it has {', '.join(self._sheets)}"
            raise KeyError(message)
        row, column = coordinate_to_tuple(reference)
        return self._sheets[sheet], row, column


def _set_cell(model: ironcalc.Model, position: _Position, value: CellValue) -> None:
    """Write one value as what it is; IronCalc's `set_user_input` would parse a text instead."""
    if value is None:
        model.clear_cell_contents(*position)
    elif isinstance(value, bool):
        model.update_cell_with_bool(*position, value)
    elif isinstance(value, str):
        model.update_cell_with_text(*position, value)
    else:
        model.update_cell_with_number(*position, float(value))
