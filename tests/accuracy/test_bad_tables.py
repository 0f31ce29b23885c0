"""Tables that cannot be read: every fault at once, in full, and exit code 2."""

from __future__ import annotations

from pathlib import Path

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


def test_peaks_that_are_no_peaks_are_all_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{**TINY, "peak_mem_GiB": words} for words in ("lots", "0", "", "3")]
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
    ],
)
def test_file_that_is_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, found: str) -> None:
    path = tmp_path / "m.csv"
    path.write_bytes(content)
    assert told(capsys, str(path))[1] == f"  found     {found}"


def test_huge_file_is_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "MOST_BYTES", 2**20)
    path = tmp_path / "m.csv"
    path.write_bytes(b"x" * (3 * 2**20))
    assert told(capsys, str(path)) == [
        str(path),
        "  found     a file of 3 MiB",
        "  expected  a table of at most 1 MiB",
        "  to do     split the table, or leave out columns that are not read",
        "1 fault; nothing was written.",
    ]
