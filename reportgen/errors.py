"""What a person sees when an input cannot be used: where, what was found, what was expected, what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fault:
    """One mistake, told to the person who can mend it.

    `where` is `file:line` or a dotted path such as `run.pipeline_stages`; the others are plain sentences or values.
    """

    where: str
    found: str
    expected: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.where}: found {self.found}; expected {self.expected}; {self.remedy}"


class ReportgenError(Exception):
    """One or more faults, all reported at once; the command line prints them and exits with 2.

    `written` are the files that were finished before, each whole.
    """

    def __init__(self, faults: Iterable[Fault], written: Iterable[Path] = ()) -> None:
        self.faults = tuple(faults)
        self.written = tuple(written)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class ScenarioError(ReportgenError):
    """A scenario that cannot be estimated as written."""


class WorkbookError(ReportgenError):
    """A workbook that could not be written, or whose values do not stand up to the second engine."""


class MemoError(ReportgenError):
    """A memo that could not be rendered."""
