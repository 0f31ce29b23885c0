"""The measured peak of a row: whether there is one, and whether it can be read."""

from __future__ import annotations

from reportgen.accuracy.cells import CellError, NotEstimatedError, Row, as_number

PEAK = "peak_mem_GiB"
FRAMEWORK = "framework"
GIB = 2**30
DECIMAL = 10**9  # a tool that divides by it prints decimal gigabytes
MEASURED = "ok"  # the status of a run that went through
LEAST_PEAK, MOST_PEAK = 1e-6, 1e6  # GiB: below a kilobyte, and above a thousand cards, it is another unit
EXPECTED = f"the measured peak in GiB, from {LEAST_PEAK:g} to {MOST_PEAK:,.0f}, or nothing"


class NotMeasuredError(NotEstimatedError):
    """Why a row is no measured run."""


class BadPeakError(NotMeasuredError, CellError):
    """A cell that should hold a peak and holds something else."""


def measured_gib(row: Row) -> float:
    """The peak as the cell has it; raises NotMeasuredError where no run was measured, or nobody can read its peak."""
    status = row.text("status") or MEASURED
    if row.surplus:
        raise NotMeasuredError(f"{row.surplus} more cells than the header has columns: quote cells with commas")
    if status != MEASURED:
        raise NotMeasuredError(f"status {status}: no peak of a run that went through")
    words = row.raw(PEAK)
    if not words:
        raise NotMeasuredError(f"{PEAK} is blank")
    value = as_number(words)
    if value is None or not LEAST_PEAK <= value <= MOST_PEAK:
        raise BadPeakError(PEAK, words, EXPECTED)
    return value


def measured_bytes(row: Row) -> float:
    """The measured peak; a tool that divides by 1e9 is taken at its word. Raises NotMeasuredError as above."""
    return measured_gib(row) * (DECIMAL if "/1e9" in row.text("peak_kind") else GIB)


def is_unreadable(row: Row) -> bool:
    """Whether a row says something that nobody can read; one that says nothing of a peak was not measured."""
    try:
        measured_gib(row)
    except BadPeakError:
        return bool(row.text(PEAK))
    except NotMeasuredError:
        return row.surplus > 0
    return False
