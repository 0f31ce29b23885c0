"""The layout: every quantity stands once, is written in any reference style, and knows what it must show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reportgen.model import estimator
from reportgen.result import estimate
from reportgen.workbook.cells import MASKED
from reportgen.workbook.expected import agree, disagreements, expected_values
from reportgen.workbook.layout import chart_slots, lay_out, layout
from reportgen.workbook.positions import place_all
from reportgen.workbook.references import CellReferences
from reportgen.workbook.second_engine import evaluated
from reportgen.workbook.write import save
from tests.workbook.books import Book, book

LEGAL_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
READ_AS_CELL = re.compile(r"([a-z]{1,3}\d+)|(r\d*c\d*)|r|c|true|false", re.IGNORECASE)
SLOTS = 4


@pytest.fixture
def llama() -> Book:
    return book("llama3-70b-8k")


def test_every_formula_cell_has_an_expected_value(llama: Book) -> None:
    assert expected_values(llama.layout, llama.result).keys() == llama.layout.formulas.keys()


def test_every_name_of_the_model_is_a_defined_name(llama: Book) -> None:
    model = estimator()
    assert {*model.by_name, *model.index_axes} <= llama.layout.names.keys()


def test_no_two_defined_names_point_at_the_same_place(llama: Book) -> None:
    places = list(llama.layout.names.values())
    assert sorted(set(places)) == sorted(places)


def test_defined_names_are_legal_and_never_read_as_cells(llama: Book) -> None:
    illegal = [name for name in llama.layout.names if not LEGAL_NAME.fullmatch(name) or READ_AS_CELL.fullmatch(name)]
    assert illegal == []


def test_names_of_the_workbook_itself_are_none_of_the_model() -> None:
    positions = place_all(estimator(), frozenset(estimator().inputs))
    own = {"active_case", "case_number", "fault_count", "finding_count", "master_verdict"}
    sides = {f"{name}_{side}" for name in positions.ranged for side in ("low", "base", "high")}
    assert (own | sides) & {*estimator().by_name, *estimator().index_axes} == set()


def test_every_quantity_has_a_cell_for_each_row_and_no_more(llama: Book) -> None:
    keys = [formula.key for formula in llama.layout.formulas.values() if formula.key.rule == "cell"]
    for quantity in estimator().quantities:
        rows = sorted(key.row for key in keys if key.name == quantity.name)
        assert rows == (list(range(quantity.axis.rows)) if quantity.axis else [])


def test_every_input_has_a_cell_for_each_row(llama: Book) -> None:
    cells = {(given.name, given.row) for given in llama.layout.inputs}
    wanted = {
        (entry.name, row)
        for entry in estimator().inputs.values()
        for row in (range(entry.axis.rows) if entry.axis else [-1])
    }
    assert cells == wanted | {("active_case", -1)}


def test_the_layout_of_a_model_is_made_once() -> None:
    assert layout(estimator(), frozenset(), SLOTS) is layout(estimator(), frozenset(), SLOTS)


def test_formulas_read_scalars_by_name_and_rows_by_cell(llama: Book) -> None:
    texts = {formula.key.name: formula.text for formula in llama.layout.formulas.values() if formula.key.row in (-1, 0)}
    assert texts["layer_kind"].startswith('IF($A8="–","–",IF($B8="as rule",$')
    cluster = [
        f.text for f in llama.layout.formulas.values() if f.key.name == "cluster_flops" and f.key.rule == "scalar"
    ]
    assert cluster == ["gpu_count*peak_flops*flops_utilization"]


@pytest.mark.parametrize("prefix", ["", "Option 2 "])
def test_the_same_layout_written_with_cells_shows_the_same_values(llama: Book, prefix: str, tmp_path: Path) -> None:
    positions = place_all(estimator(), frozenset(llama.result.scenario.ranges), prefix)
    by_cells = lay_out(estimator(), CellReferences(positions), SLOTS, prefix)
    spoken = re.compile(r'"[^"]*"')
    bare = (spoken.sub("", formula.text) for formula in by_cells.formulas.values())
    read = {name for text in bare for name in re.findall(r"[a-z]+(?:_[a-z0-9]+)+", text)}
    assert read & by_cells.names.keys() == set()
    saved = tmp_path / "cells.xlsx"
    save(by_cells, llama.result, saved)
    assert list(disagreements(by_cells, llama.result, evaluated(by_cells, saved))) == []


def test_rows_that_do_not_exist_show_a_dash(llama: Book) -> None:
    expected = expected_values(llama.layout, llama.result)
    column = [
        expected[address]
        for address, formula in llama.layout.formulas.items()
        if formula.key.name == "stage_peak_bytes" and formula.key.rule == "cell"
    ]
    assert column == [*llama.result["stage_peak_bytes"], *[MASKED] * 60]


def test_expected_values_follow_an_edit(llama: Book) -> None:
    edited = estimate(llama.result.scenario.with_inputs(pipeline_stages=8))
    expected = expected_values(llama.layout, edited, llama.result)
    markers = {
        formula.key.name: expected[address]
        for address, formula in llama.layout.formulas.items()
        if formula.key.rule == "marker"
    }
    assert (markers["peak_memory_bytes"], markers["model_parameters"]) == ("changed", "as generated")


@pytest.mark.parametrize(("stages", "slots"), [(1, 1), (4, 4), (5, 5), (16, 16), (64, 16)])
def test_the_chart_has_one_bar_for_each_stage_but_no_more_than_sixteen(stages: int, slots: int) -> None:
    assert chart_slots(stages) == slots


def test_a_chart_with_too_little_room_shows_first_and_last_stage(llama: Book) -> None:
    edited = estimate(llama.result.scenario.with_inputs(pipeline_stages=16))
    expected = expected_values(llama.layout, edited, llama.result)
    shown = [expected[a] for a, f in llama.layout.formulas.items() if f.key.rule.startswith("chart stage")]
    assert shown == [0, 5, 10, 15]


@pytest.mark.parametrize(
    ("expected", "found", "same"),
    [
        (1.0, 1.0 + 1e-12, True),
        (1.0, 1.0 + 1e-8, False),
        (1, 1.0, True),
        ("dense", "Dense", True),
        ("dense", "moe", False),
        (1.0, "1", False),
        (1.0, None, False),
        ("–", 0.0, False),
    ],
)
def test_agreement_is_near_for_numbers_and_blind_to_case_for_words(expected: object, found: object, same: bool) -> None:
    assert agree(expected, found) is same


def test_where_values_cancel_the_largest_operand_decides() -> None:
    assert agree(0.0, 1e-5, lambda: 1e6)
    assert not agree(0.0, 1e-5, lambda: 1.0)
