"""The README's table of measured peaks, made from the runs kept in the repository; `make accuracy` writes it."""

from __future__ import annotations

from pathlib import Path

from reportgen.accuracy.report import Group, Report, report_on
from reportgen.accuracy.table import read_table

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
MEASURED = ROOT / "tests" / "cases" / "measured_memory.csv"
START, END = "<!-- accuracy: written by `make accuracy` -->\n", "<!-- accuracy ends -->"
HEADER = (
    "| set | runs | median error | 90th percentile | signed median | estimated |\n",
    "|---|---:|---:|---:|---:|---:|\n",
)


def table(report: Report) -> str:
    """The table in Markdown, one line for each set and one for all."""
    return "".join((*HEADER, *(_line(group) for group in (*report.groups, report.total))))


def _line(group: Group) -> str:
    errors = (group.median_absolute_error, group.p90_absolute_error)
    signed = "" if group.signed_median_error is None else f"{group.signed_median_error:+.1%}"
    cells = (group.group, f"{group.count:,}", *(f"{error or 0:.1%}" for error in errors), signed)
    return f"| {' | '.join(cells)} | {group.estimated_share:.1%} |\n"


def written(readme: str) -> str:
    """What the README holds between its two marks."""
    return readme.split(START)[1].split(END, maxsplit=1)[0]


def main() -> None:
    """Write the table of today into the README."""
    readme = README.read_text(encoding="utf-8")
    today = table(report_on(read_table(MEASURED), by="set"))
    README.write_text(readme.replace(START + written(readme) + END, START + today + END), encoding="utf-8")


if __name__ == "__main__":
    main()
