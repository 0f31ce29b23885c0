"""The measured runs kept in the repository: what is read of them, and the errors that are aimed at."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

from reportgen.accuracy.measured import GIB
from reportgen.accuracy.predict import Compared
from reportgen.accuracy.report import Report, report_on
from reportgen.accuracy.statistics import median
from reportgen.accuracy.table import read_table

MEASURED = Path(__file__).parent.parent / "cases" / "measured_memory.csv"
TINY = 5 * GIB


@cache
def report(kept: str = "") -> Report:
    """The report on all rows, or on those of one set."""
    return report_on(row for row in read_table(MEASURED) if not kept or row.text("set") == kept)


def compared(kept: str, tier: str) -> list[Compared]:
    """The rows of one set and tier, each with its estimate."""
    from reportgen.accuracy.predict import compare

    rows = (row for row in read_table(MEASURED) if (row.text("set"), row.text("tier")) == (kept, tier))
    return [compare(row) for row in rows if row.text("vocab")]


def test_every_row_names_its_source_and_is_a_run_that_went_through() -> None:
    assert {row.text("status") for row in read_table(MEASURED)} == {"ok"}
    assert all(row.text("source") and row.text("name") for row in read_table(MEASURED))


def test_at_least_95_percent_of_complete_runs_are_estimated() -> None:
    assert report().total.estimated_share >= 0.95


def test_every_nanotron_and_torchtitan_run_is_estimated() -> None:
    shares = {group.group: group.estimated_share for group in report().groups}
    assert (shares["nanotron-ultrascale"], shares["torchtitan"]) == (1, 1)


def test_megatron_runs_of_5_gib_and_more_are_within_5_percent() -> None:
    large = [entry for entry in compared("megatron-golden", "A") if entry.measured >= TINY]
    assert len(large) >= 3
    assert median([abs(entry.error) for entry in large]) <= 0.05


def test_tiny_megatron_runs_are_within_a_fifth_of_a_gib() -> None:
    tiny = [entry for entry in compared("megatron-golden", "A") if entry.measured < TINY]
    assert len(tiny) >= 170
    assert median([abs(entry.estimated - entry.measured) / GIB for entry in tiny]) <= 0.2


def test_torchtitan_runs_are_within_7_percent() -> None:
    found = report("torchtitan").total
    assert found.count == 8
    assert found.median_absolute_error is not None
    assert found.median_absolute_error <= 0.07


def test_only_ten_runs_are_read_with_a_guess() -> None:
    # Three GB200 runs whose number of GPUs is not given, one with a batch for one of its machine's eight GPUs, and
    # those of Moonlight, whose table does not print what the recipe sets.
    assert Counter(guess for guess, _ in report().guessed) == {
        "gpus and dp are blank: read as one copy of the model": 3,
        "gbs gives work to 1 of 8 copies of the model: read as a run of so many": 1,
        "what Megatron Bridge's recipe for this model sets: bf16 gradients and moments": 6,
    }


def test_no_run_that_went_through_is_said_to_be_impossible() -> None:
    assert not [str(entry.reason) for entry in report().refused if "does not hold" in str(entry.reason)]
