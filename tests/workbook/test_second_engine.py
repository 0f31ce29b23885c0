"""The second engine reads addresses for names, and makes the same of a workbook as with the names in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from reportgen.workbook.second_engine import with_addresses
from tests.engines.ironcalc_engine import IronCalcEngine
from tests.workbook.books import book


def test_a_workbook_says_the_same_with_names_and_with_addresses() -> None:
    made = book("mixtral-8x7b")
    with IronCalcEngine() as engine:
        named = engine.open(made.path).values()
        assert engine.open(made.addressed).values() == named


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("=layers*2", 6),
        ('="layers "&layers', "layers 3"),
        ("=SUM(sizes)+layers", 18),
        ("=INDEX(sizes,2)", 5),
        ("=layers_missing", "#NAME?"),
    ],
)
def test_a_name_gives_way_to_what_it_refers_to(tmp_path: Path, formula: str, shown: object) -> None:
    path = tmp_path / "small.xlsx"
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet.title = "Layer kinds"
    for row, value in enumerate((3, 4, 5, 6), start=1):
        sheet.cell(row, 1).value = value
    sheet["B1"] = formula
    workbook.defined_names["layers"] = DefinedName("layers", attr_text="'Layer kinds'!$A$1")
    workbook.defined_names["sizes"] = DefinedName("sizes", attr_text="'Layer kinds'!$A$2:$A$4")
    workbook.save(path)
    with IronCalcEngine() as engine:
        values = engine.open(with_addresses(path, tmp_path / "copy.xlsx")).values()
    assert values["Layer kinds", "B1"] == shown
