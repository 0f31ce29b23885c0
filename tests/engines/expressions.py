"""Many standalone formulas evaluated in one workbook: what a fuzz test of the translator needs."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from tests.engines.interface import CellValue, SpreadsheetEngine
from tests.engines.ironcalc_engine import IronCalcEngine
from tests.engines.libreoffice_engine import LibreOfficeEngine

_FORMULAS = "Formulas"
_NAMES = "Names"
_NO_NAMES: Mapping[str, CellValue] = {}


def evaluate_formulas_ironcalc(formulas: Sequence[str], names: Mapping[str, CellValue] = _NO_NAMES) -> list[CellValue]:
    """Return the value of each formula (`"=1+rate"`), with each name defined as a cell of its value."""
    with IronCalcEngine() as engine:
        return evaluate_formulas(engine, formulas, names)


def evaluate_formulas_libreoffice(
    formulas: Sequence[str], names: Mapping[str, CellValue] = _NO_NAMES
) -> list[CellValue]:
    """Do the same in LibreOffice, which takes about two seconds to start: give it all formulas at once."""
    with LibreOfficeEngine() as engine:
        return evaluate_formulas(engine, formulas, names)


def evaluate_formulas(
    engine: SpreadsheetEngine, formulas: Sequence[str], names: Mapping[str, CellValue] = _NO_NAMES
) -> list[CellValue]:
    """Return the value of each formula in a running engine, whose open workbook is replaced."""
    without_sign = [formula for formula in formulas if not formula.startswith("=")]
    if without_sign:
        message = f"a formula starts with '=', these do not: {without_sign[:5]}"
        raise ValueError(message)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "expressions.xlsx"
        _workbook(formulas, names).save(path)
        engine.open(path)
    cells = [(_FORMULAS, f"A{row}") for row in range(1, len(formulas) + 1)]
    values = engine.values(cells)
    return [values[cell] for cell in cells]


def _workbook(formulas: Sequence[str], names: Mapping[str, CellValue]) -> Workbook:
    workbook = Workbook()
    formula_sheet = workbook.active
    formula_sheet.title = _FORMULAS
    name_sheet = workbook.create_sheet(_NAMES)
    for row, formula in enumerate(formulas, start=1):
        formula_sheet.cell(row, 1).value = formula
    for row, (name, value) in enumerate(names.items(), start=1):
        cell = name_sheet.cell(row, 1)
        cell.value = value
        if isinstance(value, str):
            cell.data_type = "s"  # a text that starts with "=" or "#" stays text
        workbook.defined_names[name] = DefinedName(name, attr_text=f"{_NAMES}!$A${row}")
    return workbook
