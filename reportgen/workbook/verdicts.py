"""The words of verdicts and markers, each once: formulas, expected values and tests read them here."""

from __future__ import annotations

NOT_OK = "NOT OK: do not use these results; faults on the sheet Checks: "
DOES_NOT_FIT = "DOES NOT FIT: the fullest GPU needs more memory than it has; findings on the sheet Checks: "
FINDINGS = "FINDINGS: the results hold; read on the sheet Checks: "
ALL_HOLD = "OK: every check holds"
NO_VALUE = "No value: mend the faults on the sheet Checks first."
SAME, CHANGED, NO_MARK = "as generated", "changed", "no value"
INPUT_REMEDY = "Go to the sheet Inputs: the column Check says which input and what to enter."
FIT_CHECK = "peak_fits_in_memory"


def first_word(words: str) -> str:
    """What a verdict starts with, by which it is coloured: "FINDINGS:"."""
    return words.partition(":")[0] + ":"


def table_remedy(sheet: str) -> str:
    """Where to look when rows of a table are not OK."""
    return f"Go to the sheet {sheet}: the check columns beside the table say which row and what to enter."


def table_verdict(sheet: str) -> str:
    """What stands before the number of entries of a table that are not OK."""
    return f"Not OK on the sheet {sheet}, see the red checks beside its rows; entries: "
