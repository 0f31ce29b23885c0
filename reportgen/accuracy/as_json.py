"""The report as JSON data: errors as fractions, memory in GiB."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from reportgen.accuracy.predict import GIB, Compared
from reportgen.accuracy.report import Refused, Report


def report_as_data(report: Report) -> dict[str, Any]:
    """Groups, worst rows and rows not estimated."""
    return {
        "groups": [asdict(group) for group in report.groups],
        "total": asdict(report.total),
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
    }


def _refused(entry: Refused) -> dict[str, Any]:
    return {"name": entry.row.name, "line": entry.row.line, "complete": entry.complete, "reason": entry.reason}
