"""Runs edits through a spreadsheet engine and compares every formula cell with the estimator."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from reportgen.model import estimator
from reportgen.result import Result
from reportgen.workbook.cells import Given
from reportgen.workbook.expected import agree, disagreements
from reportgen.workbook.positions import ACTIVE_CASE, FAULT_COUNT, MASTER
from tests.engines.interface import CellAddress, CellValue, SpreadsheetEngine
from tests.workbook.books import Book
from tests.workbook.edits import Edit, as_typed, draw

SHOWN = 5


@dataclass
class Count:
    """What a run of edits has reached."""

    edits: int = 0
    valid: int = 0
    edited: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        rarest = min((self.edited[name], name) for name in estimator().inputs)
        return f"{self.edits:,} edits, {self.valid / self.edits:.1%} valid, least edited {rarest}"


def run(engine: SpreadsheetEngine, book: Book, edits: int, seed: int) -> Count:
    """So many random edits of the workbook that the engine has opened, each put back before the next."""
    random, count = Random(seed), Count()  # noqa: S311  # not for secrets
    before: dict[CellAddress, CellValue] = {}
    for edit in islice(draw(book.result.scenario, random), edits):
        cells = edit.cells(book.layout)
        engine.edit({**before, **cells})
        before = originals(book, cells)
        outcome = edit.outcome(book.result.scenario)
        count.edits += 1
        count.valid += outcome is not None
        count.edited.update(edit.names)
        count.faults += judge(engine, book, edit, outcome)
    engine.edit(before)
    return count


def reached(book: Book, edits: int, seed: int) -> set[str]:
    """The results that the same edits change, by the estimator alone."""
    scenario, random = book.result.scenario, Random(seed)  # noqa: S311  # not for secrets
    outcomes = (edit.outcome(scenario) for edit in islice(draw(scenario, random), edits))
    return set[str]().union(*(moved(book.result, outcome) for outcome in outcomes if outcome is not None))


def judge(engine: SpreadsheetEngine, book: Book, edit: Edit, outcome: Result | None) -> list[str]:
    """What is wrong after an edit: cells that differ after a valid one, a verdict of OK after an invalid one."""
    if outcome is not None:
        wrong = list(disagreements(book.layout, outcome, engine.values(book.layout.formulas), book.result))
        return [f"{edit}: {len(wrong)} cells, {wrong[:SHOWN]}"] if wrong else []
    master, count = address(book, MASTER), address(book, FAULT_COUNT)
    found = engine.values([master, count])
    faults = found[count]
    red = str(found[master]).startswith("NOT OK") and isinstance(faults, float) and faults > 0
    return [] if red else [f"{edit}: the master verdict is {found[master]!r}"]


def address(book: Book, name: str) -> CellAddress:
    """The cell that bears a defined name."""
    sheet, cell = book.layout.names[name].split("!")
    return sheet.strip("'"), cell.replace("$", "")


def originals(book: Book, cells: dict[CellAddress, CellValue]) -> dict[CellAddress, CellValue]:
    """What stood in edited cells before."""
    scenario = book.result.scenario
    where = {address: given for given, address in book.layout.inputs.items()}
    return {address: as_typed(_original(scenario, where[address])) for address in cells}


def _original(scenario: object, given: Given) -> CellValue:
    from reportgen.scenario.scenario import Scenario

    assert isinstance(scenario, Scenario)
    if given.name == ACTIVE_CASE:
        return scenario.case
    if given.side != "base":
        return getattr(scenario.ranges[given.name], given.side)  # type: ignore[no-any-return]
    value = scenario.inputs[given.name]
    return value if given.row < 0 else value[given.row]  # type: ignore[no-any-return]


def moved(before: Result, after: Result) -> set[str]:
    """The results that an edit has changed."""
    return {
        quantity.name
        for quantity in estimator().quantities
        if not _same(before.values[quantity.name], after.values[quantity.name])
    }


def _same(before: object, after: object) -> bool:
    if isinstance(before, list) and isinstance(after, list):
        return before == after
    return agree(before, after)
