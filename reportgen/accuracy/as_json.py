"""The report as JSON data: errors as fractions, memory in GiB."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from reportgen.accuracy.cells import CellError
from reportgen.accuracy.guesses import guesses
from reportgen.accuracy.measured import GIB
from reportgen.accuracy.predict import Compared
from reportgen.accuracy.report import Refused, Report


def report_as_data(report: Report) -> dict[str, Any]:
    """Groups, the last of them of all rows; worst rows; and rows not estimated."""
    return {
        "groups": [asdict(group) for group in (*report.groups, report.total)],
        "worst": [_compared(entry) for entry in report.worst],
        "not_estimated": [_refused(entry) for entry in report.refused],
    }


def _compared(entry: Compared) -> dict[str, Any]:
    return {
        "name": entry.row.name,
        "line": entry.row.line,
        "framework": entry.row.text("framework"),
        "profile": entry.profile,
        "measured_gib": entry.measured / GIB,
        "estimated_gib": entry.estimated / GIB,
        "error": entry.error,
        "guesses": list(guesses(entry.row)),
    }


def _refused(entry: Refused) -> dict[str, Any]:
    """A row with the reason, and the cell where it is one cell that cannot be read."""
    cell = entry.reason if isinstance(entry.reason, CellError) else None
    return {
        "name": entry.row.name,
        "line": entry.row.line,
        "complete": entry.complete,
        "reason": str(entry.reason),
        **({"column": cell.column, "found": cell.found, "expected": cell.expected} if cell else {}),
    }
