"""The report as tables for a terminal: errors by group, the worst rows, what was not estimated and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from reportgen.accuracy.measured import GIB
from reportgen.accuracy.report import Group, Report
from reportgen.terminal import console_for_people

GROUP_COLUMNS = ("estimated", "median error", "90th percentile", "signed median", "share estimated")
WORST_COLUMNS = ("framework", "profile", "measured", "estimated", "error")
PERCENT = 100
SENTENCES_SHOWN = 30


def print_report(report: Report, column: str) -> None:
    """Prints the groups with the total, the worst rows, and reasons with how many rows have them."""
    console = console_for_people()
    console.print(_groups(report, column))
    for table in (_worst(report), _guesses(report), _reasons(report)):
        if table.row_count:
            console.print(table)


def _groups(report: Report, column: str) -> Table:
    table = _table("Peak memory, estimated against measured", column, GROUP_COLUMNS)
    for group in (*report.groups, report.total):
        table.add_row(escape(group.group), *_figures(group), end_section=group in report.groups[-1:])
    return table


def _figures(group: Group) -> tuple[str, ...]:
    return (
        str(group.count),
        _share(group.median_absolute_error),
        _share(group.p90_absolute_error),
        _share(group.signed_median_error, signed=True),
        _share(group.estimated_share),
    )


def _worst(report: Report) -> Table:
    table = _table("Worst rows", "row", WORST_COLUMNS)
    for entry in report.worst:
        measured, estimated = (f"{value / GIB:.2f} GiB" for value in (entry.measured, entry.estimated))
        framework = escape(entry.row.text("framework") or "–")
        table.add_row(
            escape(entry.row.name), framework, entry.profile, measured, estimated, _share(entry.error, signed=True)
        )
    return table


def _guesses(report: Report) -> Table:
    return _counted("Read with a guess", "what was guessed", report.guessed)


def _reasons(report: Report) -> Table:
    return _counted("Not estimated", "reason", [(str(entry.reason), entry.row.name) for entry in report.refused])


def _counted(title: str, heading: str, said: Sequence[tuple[str, str]]) -> Table:
    """What is said of rows, each sentence once, with how many rows it is said of and the first of them."""
    table = _table(title, heading, ("rows", "first of them"))
    first = dict(reversed(said))
    counted = Counter(sentence for sentence, _ in said).most_common()
    for sentence, count in counted[:SENTENCES_SHOWN]:
        table.add_row(escape(sentence), str(count), escape(first[sentence]))
    left = counted[SENTENCES_SHOWN:]
    if left:
        table.add_row(f"and {len(left):,} more, which --json has", str(sum(count for _, count in left)), "")
    return table


def _table(title: str, first: str, columns: tuple[str, ...]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    table.add_column(escape(first), overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", overflow="fold")
    return table


def _share(value: float | None, *, signed: bool = False) -> str:
    """A fraction in percent, "–" where there is none."""
    if value is None:
        return "–"
    return f"{PERCENT * value:+.1f} %" if signed else f"{PERCENT * value:.1f} %"
