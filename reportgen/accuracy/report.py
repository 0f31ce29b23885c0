"""The report on a table of measured runs: errors by group, the worst rows, and what could not be estimated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reportgen.accuracy.cells import IncompleteError, NotEstimatedError, Row
from reportgen.accuracy.guesses import guesses
from reportgen.accuracy.predict import Compared, compare
from reportgen.accuracy.statistics import median, quantile
from reportgen.accuracy.table import FRAMEWORK, PEAK

PERCENTILE_90 = 0.9
WORST_SHOWN = 10
MEASURED = "ok"


@dataclass(frozen=True)
class Group:
    """Errors of the estimated rows of one group as fractions; None where no row could be estimated.

    `estimated_share` is of the measured runs whose configuration is complete.
    """

    group: str
    count: int
    median_absolute_error: float | None
    p90_absolute_error: float | None
    signed_median_error: float | None
    estimated_share: float


@dataclass(frozen=True)
class Refused:
    """A row that was not estimated, and why; `complete` is True for a measured run whose configuration is all there."""

    row: Row
    reason: str
    complete: bool


@dataclass(frozen=True)
class Report:
    """What a whole table comes to; `total` is over all groups, `guessed` has each guess with the row's name."""

    groups: tuple[Group, ...]
    total: Group
    worst: tuple[Compared, ...]
    refused: tuple[Refused, ...]
    guessed: tuple[tuple[str, str], ...]


def grouping(rows: Iterable[Row]) -> str:
    """The column to group by where nobody names one: `set` if there is one, else `framework`."""
    return "set" if any("set" in row.cells for row in rows) else FRAMEWORK


def report_on(rows: Iterable[Row], by: str | None = None) -> Report:
    """Every row estimated and compared, grouped by a column."""
    listed = list(rows)
    column = by or grouping(listed)
    judged = [_judged(row) for row in listed]
    compared = [entry for entry in judged if isinstance(entry, Compared)]
    refused = [entry for entry in judged if isinstance(entry, Refused)]
    known = [*(entry.row for entry in compared), *(entry.row for entry in refused if entry.complete)]
    names = sorted({_group(row, column) for row in known})
    groups = tuple(_summed(name, column, compared, refused) for name in names)
    worst = sorted(compared, key=lambda entry: abs(entry.error), reverse=True)
    guessed = tuple((guess, entry.row.name) for entry in compared for guess in guesses(entry.row))
    total = _summed(None, column, compared, refused)
    return Report(groups, total, tuple(worst[:WORST_SHOWN]), tuple(refused), guessed)


def _judged(row: Row) -> Compared | Refused:
    status = row.text("status") or MEASURED
    if status != MEASURED:
        return Refused(row, f"status {status}: no peak of a run that went through", complete=False)
    if not row.text(PEAK):
        return Refused(row, f"{PEAK} is blank", complete=False)
    try:
        return compare(row)
    except NotEstimatedError as reason:
        return Refused(row, str(reason), complete=not isinstance(reason, IncompleteError))


def _group(row: Row, column: str) -> str:
    return row.text(column) or "(blank)"


def _summed(name: str | None, column: str, compared: list[Compared], refused: list[Refused]) -> Group:
    """The statistics of one group, or of all rows where no name is given."""
    errors = [entry.error for entry in compared if name is None or _group(entry.row, column) == name]
    left = sum(1 for entry in refused if entry.complete and (name is None or _group(entry.row, column) == name))
    absolute = [abs(error) for error in errors]
    share = len(errors) / (len(errors) + left) if errors or left else 0
    return Group(
        name or "all",
        len(errors),
        median(absolute) if errors else None,
        quantile(absolute, PERCENTILE_90) if errors else None,
        median(errors) if errors else None,
        share,
    )
