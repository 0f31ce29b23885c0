"""The report: statistics worked by hand, groups, shares, JSON and what the terminal shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reportgen.accuracy.report import report_on
from reportgen.accuracy.statistics import median, quantile
from reportgen.cli import main
from tests.accuracy.tables import GIB, TINY, write

ESTIMATED = 6_125_056  # the tiny model in the textbook, as test_estimates_by_hand works it out


def measured(error: float, **cells: str) -> dict[str, str]:
    """The tiny run with a measurement from which the estimate is off by a fraction."""
    return {**TINY, "set": "a", "status": "ok", "peak_mem_GiB": repr(ESTIMATED / (1 + error) / GIB), **cells}


ROWS = (
    measured(0.1, name="one"),
    measured(-0.2, name="two"),
    measured(0.4, name="three"),
    measured(0.0, name="four", set="b"),
    measured(0.0, name="five", set="b", raw_args="{", framework="megatron"),
    measured(0.0, name="six", status="oom"),
    measured(0.0, name="seven", layers="", model="unheard-of"),
)


def test_quantile_is_linear_between_neighbours() -> None:
    assert quantile([3, 1, 2], 0.9) == pytest.approx(2.8)
    assert quantile([5], 0.9) == 5
    assert median([4, 1, 3, 2]) == 2.5


def test_json_has_groups_worst_rows_and_reasons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["accuracy", "memory", str(write(tmp_path / "m.csv", *ROWS_ALIKE)), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["groups", "worst", "not_estimated"]
    first, second, total = found["groups"]
    assert (first["group"], first["count"], first["estimated_share"]) == ("a", 3, 1)
    assert first["median_absolute_error"] == pytest.approx(0.2)
    assert first["p90_absolute_error"] == pytest.approx(0.36)  # 0.2 + 0.8 * (0.4 - 0.2)
    assert first["signed_median_error"] == pytest.approx(0.1)
    assert (second["group"], second["count"], second["estimated_share"]) == ("b", 1, 0.5)
    assert (total["group"], total["count"], total["estimated_share"]) == ("all", 4, 0.8)
    assert total["signed_median_error"] == pytest.approx(0.05)  # between 0 and 0.1
    assert [entry["name"] for entry in found["worst"]] == ["three", "two", "one", "four"]
    assert found["worst"][0]["error"] == pytest.approx(0.4)
    assert [(entry["name"], entry["complete"], entry["reason"]) for entry in found["not_estimated"]] == [
        ("five", True, 'raw_args is "{"; expected a JSON object of arguments'),
        ("six", False, "status oom: no peak of a run that went through"),
        ("seven", False, "incomplete: layers blank, and no preset of this model in the catalogue"),
    ]


COLUMNS = tuple(dict.fromkeys(name for cells in ROWS for name in cells))
ROWS_ALIKE = tuple({name: cells.get(name, "") for name in COLUMNS} for cells in ROWS)


def test_rows_are_grouped_by_the_column_that_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = str(write(tmp_path / "m.csv", *ROWS_ALIKE))
    assert main(["accuracy", "memory", table, "--by", "framework", "--json"]) == 0
    groups = json.loads(capsys.readouterr().out)["groups"]
    assert [(group["group"], group["count"], group["estimated_share"]) for group in groups] == [
        ("abacus", 4, 1),
        ("megatron", 0, 0),
        ("all", 4, 0.8),
    ]
    assert groups[1]["median_absolute_error"] is None


def test_table_without_sets_is_grouped_by_framework(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["accuracy", "memory", str(write(tmp_path / "m.csv", TINY)), "--json"]) == 0
    assert [group["group"] for group in json.loads(capsys.readouterr().out)["groups"]] == ["abacus", "all"]


def test_terminal_shows_errors_in_percent_and_counts_reasons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["accuracy", "memory", str(write(tmp_path / "m.csv", *ROWS_ALIKE))]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["a", "3", "20.0", "%", "36.0", "%", "+10.0", "%", "100.0", "%"] in lines
    assert ["three", "abacus", "textbook", "0.00", "GiB", "0.01", "GiB", "+40.0", "%"] in lines


def test_json_says_of_a_cell_that_cannot_be_read_where_it_is_what_it_holds_and_what_it_should(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = str(write(tmp_path / "m.csv", TINY, {**TINY, "name": "bad", "tp": "2.5"}))
    assert main(["accuracy", "memory", table, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["not_estimated"] == [
        {
            "name": "bad",
            "line": 3,
            "complete": True,
            "reason": 'tp is "2.5"; expected a whole number from 1 to 1,000,000,000',
            "column": "tp",
            "found": "2.5",
            "expected": "a whole number from 1 to 1,000,000,000",
        }
    ]


def test_json_says_of_the_worst_rows_what_was_guessed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["accuracy", "memory", str(write(tmp_path / "m.csv", {**TINY, "pp": ""})), "--json"]) == 0
    (worst,) = json.loads(capsys.readouterr().out)["worst"]
    assert worst["guesses"] == [
        'framework "abacus": read as textbook, which has state and activations alone',
        "pp, cp blank: read as 1",
    ]


def test_terminal_counts_the_rows_of_each_guess(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{**TINY, "framework": "nanotron", "name": name, "pp": ""} for name in ("first", "second")]
    assert main(["accuracy", "memory", str(write(tmp_path / "m.csv", *rows))]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["pp,", "cp", "blank:", "read", "as", "1", "2", "first"] in lines


def test_terminal_shows_thirty_reasons_and_how_many_more_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{**TINY, "tp": f"{number}.5"} for number in range(33)]
    assert main(["accuracy", "memory", str(write(tmp_path / "m.csv", *rows))]) == 0
    told = capsys.readouterr().out
    assert told.count("tp is ") == 30
    assert "and 3 more, which --json has" in told


def test_no_row_at_all_that_can_be_estimated_is_a_report_too() -> None:
    report = report_on([])
    assert (report.groups, report.worst, report.total.count) == ((), (), 0)
