"""Reads a measured table: every row with its line, or all that is wrong with the file at once."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from reportgen.accuracy.cells import Row
from reportgen.accuracy.measured import EXPECTED as PEAK_EXPECTED
from reportgen.accuracy.measured import FRAMEWORK, PEAK, is_unreadable
from reportgen.errors import Fault, ReportgenError

MEBIBYTE = 2**20
MOST_BYTES = 256 * MEBIBYTE  # a row is about a kilobyte: more than this is not a table of runs
CELL_CHARACTERS = 2**20
FAULTS_TOLD = 20
COLUMNS = "a header with the columns peak_mem_GiB and framework"
OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}

Record = tuple[int, list[str]]


def read_table(path: Path, by: str | None = None) -> tuple[Row, ...]:
    """The rows of a CSV file of measured runs; raises ReportgenError with every fault of the table found.

    `by` is a column that the table must have. A row that cannot be read stays among the others, unless none can.
    """
    records = _records(path)
    if not records:
        raise ReportgenError([Fault(str(path), "an empty file", COLUMNS, "give a table of measured runs")])
    line, header = records[0][0], [name.strip() for name in records[0][1]]
    faults = list(_header_faults(f"{path}:{line}", header, by))
    if len(records) == 1:
        faults.append(Fault(str(path), "a header and no rows", "at least one measured run", "add the runs"))
    if faults:
        raise ReportgenError(faults)
    rows = tuple(_row(line, header, cells) for line, cells in records[1:])
    _refuse_unreadable_table(path, rows)
    return rows


def _records(path: Path) -> list[Record]:
    """What lies between commas, with the line that each record begins on; blank records are left out."""
    csv.field_size_limit(CELL_CHARACTERS)
    reader = csv.reader(StringIO(_text(path), newline=""), strict=True)
    found: list[Record] = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        fault = Fault(
            f"{path}:{line}",
            f"a row that cannot be taken apart: {error}",
            "comma-separated values, quotes doubled within quotes",
            "mend the quotes of this row, or save the table as CSV again",
        )
        raise ReportgenError([fault]) from error
    return found


def _text(path: Path) -> str:
    """The text of a file; raises ReportgenError where it cannot be read as such."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        found = error.strerror or type(error).__name__
        raise ReportgenError([Fault(str(path), found, "a CSV file of measured runs", "check the path")]) from error
    if len(content) > MOST_BYTES:
        most = f"{MOST_BYTES // MEBIBYTE} MiB"
        remedy = "split the table, or leave out columns that are not read"
        raise ReportgenError([Fault(str(path), f"a file of more than {most}", f"a table of at most {most}", remedy)])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = f"bytes that are not UTF-8, at position {error.start}"
        raise ReportgenError([Fault(str(path), found, "text in UTF-8", "save the table as CSV in UTF-8")]) from error


def _header_faults(where: str, header: list[str], by: str | None) -> Iterator[Fault]:
    separators = [words for mark, words in OTHER_SEPARATORS.items() if len(header) == 1 and mark in header[0]]
    if separators:
        remedy = "save it with commas between cells and a point in numbers"
        yield Fault(where, f"columns separated by {separators[0]}", "columns separated by commas", remedy)
        return
    listed = ", ".join(header)
    for column in (PEAK, FRAMEWORK):
        if column not in header:
            yield Fault(
                where, f"no column {column} among: {listed:.200}", f"a column {column}", f"add the column {column}"
            )
    if by is not None and by not in header:
        yield Fault("--by", f"no column {by!r:.60} in the table", f"one of {listed:.400}", "choose one of them")
    for column in sorted({name for name in header if name and header.count(name) > 1}):
        yield Fault(where, f"the column {column:.60} twice", "each column once", "rename or remove one of them")


def _row(line: int, header: list[str], cells: list[str]) -> Row:
    return Row(line, dict(zip(header, cells, strict=False)), surplus=max(0, len(cells) - len(header)))


def _refuse_unreadable_table(path: Path, rows: tuple[Row, ...]) -> None:
    """Raises ReportgenError with the first rows' faults where no row can be read."""
    if all(is_unreadable(row) for row in rows):
        faults = [_unreadable(path, row) for row in rows[:FAULTS_TOLD]]
        if len(rows) > FAULTS_TOLD:
            left = f"{len(rows) - FAULTS_TOLD:,} more rows that cannot be read"
            faults.append(Fault(str(path), left, "at least one measured run", "mend the others alike"))
        raise ReportgenError(faults)


def _unreadable(path: Path, row: Row) -> Fault:
    """What keeps a row from being read."""
    where = f"{path}:{row.line}"
    if row.surplus:
        columns = len(row.cells)
        return Fault(where, f"{columns + row.surplus} cells", f"{columns}, as in the header", "quote cells with commas")
    return Fault(where, f"{PEAK} {row.raw(PEAK)!r:.40}", PEAK_EXPECTED, "correct or clear the cell")
