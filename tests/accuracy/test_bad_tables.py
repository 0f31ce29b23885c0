"""Tables that cannot be read: every fault at once, in full, and exit code 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reportgen.accuracy import table
from reportgen.cli import main
from tests.accuracy.tables import TINY, write


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """What the command says of a table that it cannot read, line by line."""
    assert main(["accuracy", "memory", *arguments]) == 2
    captured = capsys.readouterr()
    assert not captured.out
    return captured.err.splitlines()


def test_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "none.csv")
    assert told(capsys, path) == [
        path,
        "  found     No such file or directory",
        "  expected  a CSV file of measured runs",
        "  to do     check the path",
        "1 fault; nothing was written.",
    ]


def test_missing_columns_and_an_unknown_group_are_told_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.csv"
    path.write_text("name,layers\none,2\n", encoding="utf-8")
    assert told(capsys, str(path), "--by", "colour") == [
        f"{path}:1",
        "  found     no column peak_mem_GiB among: name, layers",
        "  expected  a column peak_mem_GiB",
        "  to do     add the column peak_mem_GiB",
        f"{path}:1",
        "  found     no column framework among: name, layers",
        "  expected  a column framework",
        "  to do     add the column framework",
        "--by",
        "  found     no column 'colour' in the table",
        "  expected  one of name, layers",
        "  to do     choose one of them",
        "3 faults; nothing was written.",
    ]


def test_rows_of_which_none_can_be_read_are_all_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{**TINY, "peak_mem_GiB": words} for words in ("lots", "0")]
    path = write(tmp_path / "m.csv", *rows)
    assert told(capsys, str(path)) == [
        f"{path}:2",
        "  found     peak_mem_GiB 'lots'",
        "  expected  the measured peak in GiB, from 1e-06 to 1,000,000, or nothing",
        "  to do     correct or clear the cell",
        f"{path}:3",
        "  found     peak_mem_GiB '0'",
        "  expected  the measured peak in GiB, from 1e-06 to 1,000,000, or nothing",
        "  to do     correct or clear the cell",
        "2 faults; nothing was written.",
    ]


def test_of_many_rows_that_cannot_be_read_the_first_are_told_and_the_others_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = told(capsys, str(write(tmp_path / "m.csv", *[{**TINY, "peak_mem_GiB": "lots"}] * 1023)))
    assert lines.count("  found     peak_mem_GiB 'lots'") == 20
    assert "  found     1,003 more rows that cannot be read" in lines


def not_estimated(capsys: pytest.CaptureFixture[str], path: Path) -> list[dict[str, Any]]:
    """The rows of a table that were not estimated, where the others were."""
    assert main(["accuracy", "memory", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["groups"][-1]["count"] == 1
    return list(found["not_estimated"])


@pytest.mark.parametrize("words", ["lots", "0", "-3", "1e7", "inf", "nan", "=1+1", "3,5"])
def test_row_whose_peak_is_none_stops_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str) -> None:
    path = write(tmp_path / "m.csv", {**TINY, "peak_mem_GiB": words}, TINY)
    (row,) = not_estimated(capsys, path)
    assert (row["line"], row["complete"], row["column"], row["found"]) == (2, False, "peak_mem_GiB", words)
    assert row["expected"] == "the measured peak in GiB, from 1e-06 to 1,000,000, or nothing"


def test_row_with_cells_beyond_the_header_stops_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "m.csv", TINY, TINY)
    path.write_text(path.read_text(encoding="utf-8").rstrip() + ",5,6\n", encoding="utf-8")
    (row,) = not_estimated(capsys, path)
    assert (row["line"], row["complete"]) == (3, False)
    assert row["reason"] == "2 more cells than the header has columns: quote cells with commas"


def test_run_that_crashed_needs_no_peak_that_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "m.csv", {**TINY, "status": "oom", "peak_mem_GiB": "n.a."}, {**TINY, "status": "ok"})
    (row,) = not_estimated(capsys, path)
    assert row["reason"] == "status oom: no peak of a run that went through"


def test_table_as_a_spreadsheet_saves_it_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_bytes(b'\xef\xbb\xbfname,framework,peak_mem_GiB\r\n"two\r\nlines",a,1\r\n\r\nb\xe2\x80\xa8c,a,2\r\n')
    rows = table.read_table(path)
    assert [(row.line, row.name, row.text("peak_mem_GiB")) for row in rows] == [
        (2, "two  lines", "1"),
        (5, "b c", "2"),  # a line separator of Unicode ends no row
    ]


def test_groups_as_many_as_rows_are_summed_in_one_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{**TINY, "name": str(number)} for number in range(2000)]
    assert main(["accuracy", "memory", str(write(tmp_path / "m.csv", *rows)), "--by", "name", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["groups"]) == 2001


def test_row_with_more_cells_than_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.csv"
    path.write_text("framework,peak_mem_GiB\nnanotron,1,2\n", encoding="utf-8")
    assert told(capsys, str(path))[:3] == [f"{path}:2", "  found     3 cells", "  expected  2, as in the header"]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "an empty file"),
        (b"framework,peak_mem_GiB\n", "a header and no rows"),
        (b"framework,peak_mem_GiB\n\xff,1\n", "bytes that are not UTF-8, at position 23"),
        (b"framework,peak_mem_GiB,framework\na,1,b\n", "the column framework twice"),
        (b"\n \n\r\n", "an empty file"),
        ("framework,peak_mem_GiB\na,1\n".encode("utf-16"), "bytes that are not UTF-8, at position 0"),
        (b"framework;peak_mem_GiB\na;1,5\n", "columns separated by semicolons"),
        (b"framework\tpeak_mem_GiB\na\t1\n", "columns separated by tabs"),
        (b'framework,peak_mem_GiB\na,"1\nb,2\n', "a row that cannot be taken apart: unexpected end of data"),
        (b'framework,peak_mem_GiB\na,"1"2\n', "a row that cannot be taken apart: ',' expected after '\"'"),
    ],
)
def test_file_that_is_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, found: str) -> None:
    path = tmp_path / "m.csv"
    path.write_bytes(content)
    assert told(capsys, str(path))[1] == f"  found     {found}"


def test_row_that_cannot_be_taken_apart_is_named_by_the_line_that_it_begins_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.csv"
    path.write_text('framework,peak_mem_GiB\na,1\nb,"2\nc,3\nd,4\n', encoding="utf-8")
    assert told(capsys, str(path))[0] == f"{path}:3"


def test_huge_file_is_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "MOST_BYTES", 2**20)
    path = tmp_path / "m.csv"
    path.write_bytes(b"x" * (3 * 2**20))
    assert told(capsys, str(path)) == [
        str(path),
        "  found     a file of more than 1 MiB",
        "  expected  a table of at most 1 MiB",
        "  to do     split the table, or leave out columns that are not read",
        "1 fault; nothing was written.",
    ]
