"""How long a workbook takes, as ratios, so that the machine does not matter."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import ironcalc
import pytest
from openpyxl import Workbook

from reportgen.formula.evaluate import evaluate
from reportgen.model import estimator
from reportgen.workbook import write_workbook
from reportgen.workbook.contents import content_of
from tests.workbook.books import Book, book

ROUNDS = 5
MOST_BUILD_RATIO = 8.0
MOST_EVALUATE_RATIO = 0.25

pytestmark = pytest.mark.bench


def test_a_build_takes_at_most_eight_times_what_openpyxl_takes_to_save_the_cells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = book("llama3-70b-8k")
    build = _seconds(lambda: write_workbook(made.result, tmp_path / "book.xlsx"))
    plain = _seconds(lambda: _plain_save(made, tmp_path / "plain.xlsx"))
    with capsys.disabled():
        print(f"\nbuild {build:.2f} s, openpyxl alone {plain:.2f} s, ratio {build / plain:.1f}")  # noqa: T201
    assert build <= MOST_BUILD_RATIO * plain


def test_evaluating_a_scenario_takes_at_most_a_quarter_of_evaluating_its_workbook(
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = book("llama3-70b-8k")
    model = ironcalc.load_from_xlsx(str(made.path), "en", "UTC", "en")
    engine = _seconds(model.evaluate)
    inputs = made.result.scenario.live_inputs()
    python = _seconds(lambda: evaluate(estimator(), inputs))
    with capsys.disabled():
        print(f"\nscenario {python * 1e3:.1f} ms, workbook {engine * 1e3:.1f} ms, ratio {python / engine:.2f}")  # noqa: T201
    assert python <= MOST_EVALUATE_RATIO * engine


def _plain_save(made: Book, path: Path) -> None:
    """The same cells by openpyxl alone: no styles, no check, no cached values."""
    workbook = Workbook()
    for sheet in made.layout.sheets:
        worksheet = workbook.create_sheet(sheet.name)
        for cell in sheet.cells:
            worksheet.cell(cell.row, cell.column).value = content_of(cell.content, made.result)
    workbook.save(path)


def _seconds(run: Callable[[], object]) -> float:
    """The quickest of some rounds."""
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return min(taken)
