"""The workbook stays true under edits: every cell equals the estimator, or the master verdict turns red."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reportgen.formula.expression import Number
from reportgen.model import estimator
from reportgen.workbook.positions import ACTIVE_CASE
from tests.engines.ironcalc_engine import IronCalcEngine
from tests.engines.libreoffice_engine import LibreOfficeEngine
from tests.workbook.books import SCENARIOS, book
from tests.workbook.live import Count, run

EDITS, LIBREOFFICE_EDITS = 30, 10
SOAK_EDITS, LIBREOFFICE_SOAK_EDITS = 1000, 200
LEAST_EDITS_OF_AN_INPUT = 10
LEAST_VALID = 0.8


@pytest.fixture(scope="module")
def libreoffice() -> Iterator[LibreOfficeEngine]:
    with LibreOfficeEngine() as engine:
        yield engine


@pytest.mark.parametrize("name", SCENARIOS)
def test_random_edits_keep_every_cell_true_in_ironcalc(name: str) -> None:
    with IronCalcEngine() as engine:
        assert run(engine, book(name), EDITS, seed=1).faults == []


@pytest.mark.xdist_group("libreoffice")
@pytest.mark.parametrize("name", SCENARIOS)
def test_random_edits_keep_every_cell_true_in_libreoffice(libreoffice: LibreOfficeEngine, name: str) -> None:
    assert run(libreoffice, book(name), LIBREOFFICE_EDITS, seed=2).faults == []


@pytest.mark.soak
def test_a_thousand_edits_of_each_scenario_reach_every_input_and_every_result() -> None:
    with IronCalcEngine() as engine:
        count = _total(run(engine, book(name), SOAK_EDITS, seed) for seed, name in enumerate(SCENARIOS, 100))
    _tell("IronCalc", count)
    unmoved = {quantity.name for quantity in estimator().quantities} - count.moved - _fixed()
    seldom = [name for name in (ACTIVE_CASE, *estimator().inputs) if count.edited[name] < LEAST_EDITS_OF_AN_INPUT]
    assert (count.faults[:3], unmoved, seldom) == ([], set(), [])
    assert count.valid >= LEAST_VALID * count.edits


@pytest.mark.soak
@pytest.mark.xdist_group("libreoffice")
def test_two_hundred_edits_of_each_scenario_hold_in_libreoffice(libreoffice: LibreOfficeEngine) -> None:
    count = _total(
        run(libreoffice, book(name), LIBREOFFICE_SOAK_EDITS, seed) for seed, name in enumerate(SCENARIOS, 200)
    )
    _tell("LibreOffice", count)
    assert count.faults[:3] == []


def _fixed() -> set[str]:
    """What no valid edit can move: what hangs on constants alone, and what a fault check holds to a number."""
    model = estimator()
    held = {
        name
        for check in model.checks
        if check.severity == "fault"
        and check.comparison.operator == "=="
        and isinstance(check.comparison.right, Number)
        for name in check.parameters
    }
    constant = {entry.name for entry in model.quantities if not model.needed_for([entry.name]) & model.inputs.keys()}
    return held | constant


def _total(counts: Iterator[Count]) -> Count:
    return sum(counts, Count())


def _tell(engine: str, count: Count) -> None:
    least = min((count.edited[name], name) for name in estimator().inputs)
    share = f"{count.valid / count.edits:.1%}"
    print(f"\n{engine}: {count.edits:,} edits, {share} valid, {len(count.moved)} results moved, least edited {least}")  # noqa: T201
