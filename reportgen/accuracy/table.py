"""Reads a measured table: every row with its line, or all that is wrong with the file at once."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from reportgen.accuracy.cells import Row, as_number
from reportgen.errors import Fault, ReportgenError

PEAK = "peak_mem_GiB"
FRAMEWORK = "framework"
MEBIBYTE = 2**20
MOST_BYTES = 256 * MEBIBYTE  # a row is about a kilobyte: more than this is not a table of runs
LEAST_PEAK, MOST_PEAK = 1e-6, 1e6  # GiB: below a kilobyte, and above a thousand cards, it is another unit
CELL_CHARACTERS = 2**20
COLUMNS = "a header with the columns peak_mem_GiB and framework"


def read_table(path: Path, by: str | None = None) -> tuple[Row, ...]:
    """The rows of a CSV file of measured runs; raises ReportgenError with every fault found.

    `by` is a column that the table must have.
    """
    lines = _lines(path)
    reader = csv.reader(lines, strict=True)
    csv.field_size_limit(CELL_CHARACTERS)
    try:
        listed = [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error as error:
        raise ReportgenError(
            [Fault(f"{path}:{reader.line_num}", str(error), "a table of comma-separated values", "save it as CSV")]
        ) from error
    if not listed:
        raise ReportgenError([Fault(str(path), "an empty file", COLUMNS, "give a table of measured runs")])
    header = [name.strip() for name in listed[0][1]]
    faults = [*_header_faults(path, header, by), *_row_faults(path, header, listed[1:])]
    if faults:
        raise ReportgenError(faults)
    return tuple(Row(line, dict(zip(header, cells, strict=False))) for line, cells in listed[1:])


def _lines(path: Path) -> list[str]:
    """The lines of a file; raises ReportgenError where it cannot be read as text."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise ReportgenError(
                [
                    Fault(
                        str(path),
                        f"a file of {size // MEBIBYTE} MiB",
                        f"a table of at most {MOST_BYTES // MEBIBYTE} MiB",
                        "split the table, or leave out columns that are not read",
                    )
                ]
            )
        return path.read_text(encoding="utf-8-sig").splitlines(keepends=True)
    except OSError as error:
        found = error.strerror or type(error).__name__
        raise ReportgenError([Fault(str(path), found, "a CSV file of measured runs", "check the path")]) from error
    except UnicodeDecodeError as error:
        found = f"bytes that are not UTF-8, at position {error.start}"
        raise ReportgenError([Fault(str(path), found, "text in UTF-8", "save the table as CSV in UTF-8")]) from error


def _header_faults(path: Path, header: list[str], by: str | None) -> Iterator[Fault]:
    where = f"{path}:1"
    listed = ", ".join(header)
    for column in (PEAK, FRAMEWORK):
        if column not in header:
            yield Fault(
                where, f"no column {column} among: {listed:.200}", f"a column {column}", f"add the column {column}"
            )
    if by is not None and by not in header:
        yield Fault("--by", f"no column {by!r:.60} in the table", f"one of {listed:.400}", "choose one of them")
    for column in sorted({name for name in header if name and header.count(name) > 1}):
        yield Fault(where, f"the column {column} twice", "each column once", "rename or remove one of them")


def _row_faults(path: Path, header: list[str], rows: list[tuple[int, list[str]]]) -> Iterator[Fault]:
    if not rows:
        yield Fault(str(path), "a header and no rows", "at least one measured run", "add the runs")
    for line, cells in rows:
        if len(cells) > len(header):
            yield Fault(
                f"{path}:{line}", f"{len(cells)} cells", f"{len(header)}, as in the header", "quote cells with commas"
            )
        elif PEAK in header:
            yield from _peak_faults(f"{path}:{line}", Row(line, dict(zip(header, cells, strict=False))))


def _peak_faults(where: str, row: Row) -> Iterator[Fault]:
    """A peak that is written but cannot be one; a blank peak is a row that was not measured."""
    words = row.text(PEAK)
    value = as_number(words) if words else 1
    if value is None or not LEAST_PEAK <= value <= MOST_PEAK:
        expected = f"the measured peak in GiB, from {LEAST_PEAK:g} to {MOST_PEAK:,.0f}, or nothing"
        yield Fault(where, f"{PEAK} {words!r:.40}", expected, "correct or clear the cell")
