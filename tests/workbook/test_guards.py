"""What may not stand in a cell turns the input's own check red, and with it the master: every input, every way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from openpyxl.utils import get_column_letter

from reportgen.formula.quantity import Input
from reportgen.model import estimator
from reportgen.workbook.cells import Given
from reportgen.workbook.positions import MASTER, VERDICT
from tests.engines.interface import CellAddress, CellValue
from tests.engines.ironcalc_engine import IronCalcEngine
from tests.workbook.books import Book
from tests.workbook.books import book as book_of
from tests.workbook.edits import as_typed
from tests.workbook.live import address, originals

SCALARS = [entry for entry in estimator().inputs.values() if entry.axis is None]
RANGED = "flops_utilization"


@pytest.fixture(scope="module")
def book() -> Book:
    """The workbook of the first scenario."""
    return book_of("llama3-70b-8k")


@pytest.fixture(scope="module")
def engine(book: Book) -> Iterator[IronCalcEngine]:
    """One engine with that workbook open."""
    with IronCalcEngine() as opened:
        yield opened.open(book.addressed)


def wrong_values(declared: Input) -> list[CellValue]:
    """A blank, a text, a number as text, just outside the bounds, and a fraction where it has to be whole."""
    if declared.kind == "choice":
        return [None, "nonsense", 5.0, "*", "?"]
    minimum, maximum = declared.minimum or 0, declared.maximum or 0
    step = 1 if declared.kind == "whole" else max(abs(minimum), 1e-3)
    fraction = [minimum + 0.5] if declared.kind == "whole" else []
    return [None, "nonsense", "80", minimum - step, maximum * 1.001 + step, *fraction]


@pytest.mark.parametrize("declared", SCALARS, ids=lambda declared: declared.name)
def test_a_wrong_value_turns_its_own_check_and_the_master_red(
    engine: IronCalcEngine, book: Book, declared: Input
) -> None:
    given = Given(declared.name)
    cell = book.layout.inputs[given]
    check = (cell[0], f"{get_column_letter(VERDICT)}{cell[1].lstrip('ABCDEFGH')}")
    kept = originals(book, {cell: None})
    missed = []
    for value in wrong_values(declared):
        engine.edit({cell: as_typed(value)})
        found = engine.values([check, address(book, MASTER)])
        if found[check] == "OK" or not str(found[address(book, MASTER)]).startswith("NOT OK"):
            missed.append((value, found))
    engine.edit(kept)
    assert missed == []
    assert engine.values([check])[check] == "OK"


def test_low_above_high_is_red(engine: IronCalcEngine, book: Book) -> None:
    low: CellAddress = book.layout.inputs[Given(RANGED, side="low")]
    kept = originals(book, {low: None})
    engine.edit({low: 0.9})
    assert str(engine.values([address(book, MASTER)])[address(book, MASTER)]).startswith("NOT OK")
    engine.edit(kept)
