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
from tests.workbook.live import reached, run

EDITS, LIBREOFFICE_EDITS = 30, 10
SOAK_EDITS, LIBREOFFICE_SOAK_EDITS, REACHING_EDITS = 1000, 200, 500
SOAK_SEED = 100
LEAST_EDITS_OF_AN_INPUT = 5
LEAST_VALID = 0.8


@pytest.fixture(scope="module")
def libreoffice() -> Iterator[LibreOfficeEngine]:
    with LibreOfficeEngine() as engine:
        yield engine


@pytest.fixture
def ironcalc() -> Iterator[IronCalcEngine]:
    with IronCalcEngine() as engine:
        yield engine


@pytest.mark.parametrize("name", SCENARIOS)
def test_random_edits_keep_every_cell_true_in_ironcalc(ironcalc: IronCalcEngine, name: str) -> None:
    made = book(name)
    assert run(ironcalc.open(made.addressed), made, EDITS, seed=1).faults == []


@pytest.mark.xdist_group("libreoffice")
@pytest.mark.parametrize("name", SCENARIOS)
def test_random_edits_keep_every_cell_true_in_libreoffice(libreoffice: LibreOfficeEngine, name: str) -> None:
    made = book(name)
    assert run(libreoffice.open(made.path), made, LIBREOFFICE_EDITS, seed=2).faults == []


@pytest.mark.soak
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_thousand_edits_that_visit_every_input_hold_in_ironcalc(ironcalc: IronCalcEngine, name: str) -> None:
    made = book(name)
    count = run(ironcalc.open(made.addressed), made, SOAK_EDITS, SOAK_SEED)
    print(f"\nIronCalc, {name}: {count}")  # noqa: T201
    assert count.faults[:3] == []
    assert count.valid >= LEAST_VALID * count.edits
    assert min(count.edited[given] for given in (ACTIVE_CASE, *estimator().inputs)) >= LEAST_EDITS_OF_AN_INPUT


@pytest.mark.soak
def test_the_edits_reach_every_result() -> None:
    found = set[str]().union(*(reached(book(name), REACHING_EDITS, SOAK_SEED) for name in SCENARIOS))
    print(f"\n{len(found)} results moved by {REACHING_EDITS} edits of each scenario")  # noqa: T201
    assert {quantity.name for quantity in estimator().quantities} - found - _fixed() == set()


@pytest.mark.soak
@pytest.mark.xdist_group("libreoffice")
@pytest.mark.parametrize("name", SCENARIOS)
def test_two_hundred_edits_hold_in_libreoffice(libreoffice: LibreOfficeEngine, name: str) -> None:
    made = book(name)
    count = run(libreoffice.open(made.path), made, LIBREOFFICE_SOAK_EDITS, SOAK_SEED + 1)
    print(f"\nLibreOffice, {name}: {count}")  # noqa: T201
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
