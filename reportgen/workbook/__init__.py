"""The live workbook: laid out from the model, written, checked by a second engine, values cached."""

from __future__ import annotations

import tempfile
from pathlib import Path

from reportgen.errors import Fault, WorkbookError
from reportgen.result import Result
from reportgen.workbook.cells import Layout

SUFFIX = ".xlsx"


def write_workbook(result: Result, path: Path) -> Path:
    """Writes the workbook of a result and returns its path; a file of that name is replaced in one step.

    The folder is made where there is none. Raises WorkbookError where the path does not end in .xlsx or a cell does
    not stand up to the second engine, ReportgenError where the folder cannot be written; nothing is left half-written.
    """
    from reportgen.workbook.finish import finish
    from reportgen.workbook.write import save

    _refuse_path(path)
    layout = layout_for(result)
    with tempfile.TemporaryDirectory(prefix="reportgen-") as folder:
        saved = Path(folder) / f"saved{SUFFIX}"
        finish(layout, result, saved, save(layout, result, saved), path)
    return path


def layout_for(result: Result) -> Layout:
    """The layout that a result's workbook has."""
    from reportgen.model import estimator
    from reportgen.workbook.layout import chart_slots, layout

    ranged = frozenset(result.scenario.ranges)
    return layout(estimator(), ranged, chart_slots(int(result["pipeline_stages"])))


def _refuse_path(path: Path) -> None:
    if path.suffix.lower() != SUFFIX:
        raise WorkbookError([Fault(str(path), f"the ending {path.suffix!r}", SUFFIX, f"end the name in {SUFFIX}")])
