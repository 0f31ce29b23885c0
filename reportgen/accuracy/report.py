"""The report on a table of measured runs: errors by group, the worst rows, and what could not be estimated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reportgen.accuracy.cells import IncompleteError, NotEstimatedError, Row
from reportgen.accuracy.guesses import guesses
from reportgen.accuracy.measured import FRAMEWORK, NotMeasuredError
from reportgen.accuracy.predict import Compared, compare
from reportgen.accuracy.statistics import median, quantile

PERCENTILE_90 = 0.9
WORST_SHOWN = 10
ALL = "all"


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
    """A row that was not estimated, and why."""

    row: Row
    reason: NotEstimatedError

    @property
    def complete(self) -> bool:
        """Whether it is a measured run whose configuration is all there."""
        return not isinstance(self.reason, IncompleteError | NotMeasuredError)


Judged = Compared | Refused


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
    known: list[Judged] = [*compared, *(entry for entry in refused if entry.complete)]
    worst = sorted(compared, key=lambda entry: abs(entry.error), reverse=True)
    return Report(
        groups=tuple(_summed(name, entries) for name, entries in sorted(_grouped(known, column).items())),
        total=_summed(ALL, known),
        worst=tuple(worst[:WORST_SHOWN]),
        refused=tuple(refused),
        guessed=tuple((guess, entry.row.name) for entry in compared for guess in guesses(entry.row)),
    )


def _judged(row: Row) -> Judged:
    try:
        return compare(row)
    except NotEstimatedError as reason:
        return Refused(row, reason)


def _grouped(known: Iterable[Judged], column: str) -> dict[str, list[Judged]]:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for entry in known:
        groups[entry.row.text(column) or "(blank)"].append(entry)
    return groups


def _summed(name: str, known: Sequence[Judged]) -> Group:
    """The statistics of measured runs that are completely described."""
    errors = [entry.error for entry in known if isinstance(entry, Compared)]
    absolute = [abs(error) for error in errors]
    return Group(
        name,
        len(errors),
        median(absolute) if errors else None,
        quantile(absolute, PERCENTILE_90) if errors else None,
        median(errors) if errors else None,
        len(errors) / len(known) if known else 0,
    )
