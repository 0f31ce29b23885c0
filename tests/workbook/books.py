"""The workbook of each shipped scenario, built once for all tests of a process."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from reportgen.resources import scenarios_directory
from reportgen.result import Result, estimate
from reportgen.scenario.load import load
from reportgen.workbook import layout_for, write_workbook
from reportgen.workbook.cells import Layout
from reportgen.workbook.second_engine import with_addresses

SCENARIOS = tuple(path.stem for path in sorted(scenarios_directory().glob("*.yaml")))
_FOLDER = tempfile.TemporaryDirectory(prefix="reportgen-books-")


@dataclass(frozen=True)
class Book:
    """A result, its layout and the finished file."""

    result: Result
    layout: Layout
    path: Path

    @cached_property
    def addressed(self) -> Path:
        """The same file with addresses for names, which IronCalc reads and evaluates quicker."""
        return with_addresses(self.path, self.path.with_suffix(".addressed.xlsx"))


@cache
def book(name: str) -> Book:
    """The workbook of a shipped scenario."""
    result = estimate(load(scenarios_directory() / f"{name}.yaml"))
    path = Path(_FOLDER.name) / f"{name}.xlsx"
    return Book(result, layout_for(result), write_workbook(result, path))
