"""What a reader sees after an edit: verdicts in words, never an error or a green light without a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from reportgen.model import estimator
from reportgen.workbook.cells import Given, Highlight
from reportgen.workbook.expected import expected_values
from reportgen.workbook.input_checks import WILDCARDS, remedy
from reportgen.workbook.positions import ACTIVE_CASE, FIRST_ROW, MASTER
from reportgen.workbook.sheet_summary import CHECK_ROW, DECIDING, FIRST, HEADLINES
from reportgen.workbook.verdicts import (
    CHANGED,
    DOES_NOT_FIT,
    FINDINGS,
    NO_MARK,
    NO_VALUE,
    NOT_OK,
    SAME,
    first_word,
    table_verdict,
)
from tests.engines.ironcalc_engine import IronCalcEngine
from tests.engines.libreoffice_engine import LibreOfficeEngine
from tests.workbook.books import Book, book
from tests.workbook.live import address

WITHOUT_FIGURES = "AMD MI250"
Cells = dict[tuple[str, str], Any]
Edits = Mapping[Given, Any]


@pytest.fixture
def llama() -> Book:
    return book("llama3-70b-8k")


@pytest.fixture(scope="module")
def libreoffice() -> Iterator[LibreOfficeEngine]:
    with LibreOfficeEngine() as engine:
        yield engine


def edited(made: Book, edits: Edits) -> Cells:
    """Every formula cell after an edit."""
    with IronCalcEngine() as engine:
        engine.open(made.addressed).edit({made.layout.inputs[given]: value for given, value in edits.items()})
        return engine.values(made.layout.formulas)


def shown(made: Book, found: Cells, rule: str) -> dict[str, Any]:
    """The cells of a rule by name."""
    return {f.key.name: found[cell] for cell, f in made.layout.formulas.items() if f.key.rule == rule and f.key.row < 0}


def verdicts(found: Cells) -> list[Any]:
    """The verdicts of Summary and Checks, and the markers of Summary."""
    deciding = [found["Summary", f"B{CHECK_ROW + row}"] for row in range(len(DECIDING))]
    markers = [found["Summary", f"I{FIRST + row}"] for row in range(len(HEADLINES))]
    return [
        *deciding,
        *markers,
        *(value for (sheet, cell), value in found.items() if sheet == "Checks" and "G" in cell),
    ]


def test_a_run_that_does_not_fit_is_red_before_other_findings(llama: Book) -> None:
    small = book("llama3-70b-too-small")
    found = expected_values(small.layout, small.result)
    assert found[address(small, MASTER)] == f"{DOES_NOT_FIT}{_findings(small)}"
    late = edited(llama, {Given("deadline_days"): 2.0})
    assert late[address(llama, MASTER)] == f"{FINDINGS}1"
    faulty = edited(small, {Given("gpu_count"): 511.0})
    assert str(faulty[address(small, MASTER)]).startswith(NOT_OK)


def _findings(made: Book) -> int:
    return sum(outcome.check.severity == "finding" and not outcome.passed for outcome in made.result.outcomes)


@pytest.mark.parametrize(("sheet", "cell"), [("Summary", "B3"), ("About", "B4"), ("Checks", "C7")])
def test_only_findings_are_amber_and_only_ok_is_green(llama: Book, sheet: str, cell: str) -> None:
    rules = {rule.rule: rule for rule in _rules(llama, sheet) if rule.cells.startswith(cell)}
    assert rules.keys() == {"good", "changed", "bad"}
    assert f'"{first_word(FINDINGS)}"' in rules["changed"].condition
    assert re.search(r"NOT\(OR\(.*\"OK:\".*\"FINDINGS:\"\)\)", rules["bad"].condition)


def _rules(made: Book, name: str) -> tuple[Highlight, ...]:
    return next(sheet.highlights for sheet in made.layout.sheets if sheet.name == name)


@pytest.mark.parametrize(
    "edits",
    [
        {Given("accelerator"): WITHOUT_FIGURES},
        {Given(ACTIVE_CASE): "worst"},
        {Given("layer_count"): "eighty"},
        {Given("gpu_count"): None},
        {Given("optimizer"): "nonsense"},
        {Given("price_listing"): "nonsense"},
    ],
    ids=lambda edits: next(iter(edits)).name,
)
def test_no_verdict_is_an_error_or_fits_by_a_word(llama: Book, edits: Edits) -> None:
    found = edited(llama, edits)
    assert [value for value in verdicts(found) if not isinstance(value, str) or value.startswith("#")] == []
    assert str(found[address(llama, MASTER)]).startswith(NOT_OK)


def test_memory_that_the_catalogue_lacks_is_no_value(llama: Book) -> None:
    found = edited(llama, {Given("accelerator"): WITHOUT_FIGURES})
    assert found["Summary", f"B{CHECK_ROW}"] == NO_VALUE
    assert shown(llama, found, "marker")["accelerator_memory_bytes"] == NO_MARK


@pytest.mark.xdist_group("libreoffice")
def test_verdicts_stay_words_in_libreoffice(llama: Book, libreoffice: LibreOfficeEngine) -> None:
    libreoffice.open(llama.path)
    cells = {Given("accelerator"): WITHOUT_FIGURES, Given("kind_name", 2): None}
    libreoffice.edit({llama.layout.inputs[given]: value for given, value in cells.items()})
    found = libreoffice.values(llama.layout.formulas)
    assert found["Summary", f"B{CHECK_ROW}"] == NO_VALUE
    assert _table_words(llama, found)["kind_name"].startswith("Not OK on Kinds: 1, from row 10. Enter a name")


def test_a_fault_in_a_table_says_which_sheet_how_many_rows_and_the_first(llama: Book) -> None:
    bad = {Given("kind_override", row): "nonsense" for row in (3, 7)}
    found = edited(llama, bad)
    words = _table_words(llama, found)["kind_override"]
    assert words.startswith("Not OK on Layers: 2, from row 11. Choose from the list")
    section = next(title for title in shown(llama, found, "section verdict") if title.startswith("sheet Layers"))
    assert shown(llama, found, "section verdict")[section] == f"{table_verdict('Layers')}2"


def test_the_check_of_a_table_links_to_the_checks_beside_it(llama: Book) -> None:
    sheet = next(sheet for sheet in llama.layout.sheets if sheet.name == "Checks")
    links = {str(cell.content).split(":")[1].split(",")[0].strip(): cell.link for cell in sheet.cells if cell.link}
    layers = next(sheet for sheet in llama.layout.sheets if sheet.name == "Layers")
    target = {cell.coordinate: cell.content for cell in layers.cells}[links["sheet Layers"].partition("!")[2]]
    assert getattr(target, "key", None) is not None
    assert target.key.name == "kind_override"  # type: ignore[union-attr]


def _table_words(made: Book, found: Cells) -> dict[str, str]:
    return {name: str(value) for name, value in shown(made, found, "input").items()}


def test_changed_inputs_are_marked_and_counted(llama: Book) -> None:
    edits = {Given("gpu_count"): 1024.0, Given("flops_utilization"): 0.3, Given(ACTIVE_CASE): "low"}
    found = edited(llama, edits)
    marked = {name for name, value in shown(llama, found, "input marker").items() if value == CHANGED}
    assert marked == {"gpu_count", "flops_utilization", ACTIVE_CASE}
    assert shown(llama, found, "changed inputs") == {"": len(edits)}


def test_nothing_is_marked_as_generated(llama: Book) -> None:
    found = expected_values(llama.layout, llama.result)
    assert set(shown(llama, found, "input marker").values()) == {SAME}
    assert shown(llama, found, "changed inputs") == {"": 0}


def test_inputs_keep_what_was_generated_beside_them(llama: Book) -> None:
    sheet = next(sheet for sheet in llama.layout.sheets if sheet.name == "Inputs")
    titles = [cell.content for cell in sheet.cells if cell.row == FIRST_ROW - 1]
    assert titles[9:12] == ["Check", "Generated value", "Since generated"]


def test_no_remedy_of_a_table_holds_a_wildcard_since_match_looks_for_it() -> None:
    told = [remedy(declared) for declared in estimator().inputs.values() if declared.axis]
    assert [words for words in told if set(words) & set(WILDCARDS)] == []
