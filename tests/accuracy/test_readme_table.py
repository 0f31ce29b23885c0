"""The README's table of measured peaks says what the command says today."""

from __future__ import annotations

from reportgen.accuracy.report import report_on
from reportgen.accuracy.table import read_table
from tests.accuracy.readme_table import MEASURED, README, table, written


def test_readme_shows_the_errors_of_today() -> None:
    assert written(README.read_text(encoding="utf-8")) == table(report_on(read_table(MEASURED), by="set"))
