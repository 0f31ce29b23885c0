"""Capacity estimates for training large language models, as live workbooks and memos to sign.

scenario = reportgen.load("scenarios/llama3-70b-8k.yaml")
result = reportgen.estimate(scenario)
result["peak_memory_bytes"], result.table("stages")
reportgen.write_workbook(result, "capacity.xlsx")
reportgen.write_memo(result, "capacity.pdf")
"""

from __future__ import annotations

from pathlib import Path

from reportgen.errors import Fault, MemoError, ReportgenError, ScenarioError, WorkbookError
from reportgen.result import Result, estimate
from reportgen.scenario.load import load
from reportgen.scenario.scenario import Scenario

__version__ = "0.1.0"
__all__ = [
    "Fault",
    "MemoError",
    "ReportgenError",
    "Result",
    "Scenario",
    "ScenarioError",
    "WorkbookError",
    "__version__",
    "estimate",
    "load",
    "write_memo",
    "write_workbook",
]


def write_workbook(result: Result, path: Path | str) -> Path:
    """Writes the live Excel workbook of a result, every value checked by a second engine and cached.

    Raises WorkbookError where a cell does not stand up to that check; nothing is left half-written.
    """
    from reportgen.workbook import write_workbook as write

    return write(result, Path(path))


def write_memo(result: Result, path: Path | str) -> Path:
    """Writes the PDF memo of a result.

    Raises MemoError where it cannot be rendered; nothing is left half-written.
    """
    from reportgen.memo import write_memo as write

    return write(result, Path(path))
