"""Cells of a measured table as numbers and words: what is blank, what is a number, what cannot be read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

# A number, perhaps with a sign of "at most" before it and words in brackets behind it.
NUMBER = re.compile(r"^(?:<=|≤|~)?\s*(\d+(?:[,_]\d{3})*(?:\.\d*)?(?:e[-+]?\d+)?)\s*(?:\(.*\))?$", re.IGNORECASE)
BLANKS = frozenset({"", "nan", "null", "-", "–", "?", "n/a"})
NO_NUMBERS = frozenset({"none", "no"})
SHOWN_CHARACTERS = 40
MOST = 10**9  # no run has more of anything that is counted, and products of such numbers stay numbers


class NotEstimatedError(Exception):
    """Why one row cannot be estimated, as a person would say it."""


class IncompleteError(NotEstimatedError):
    """What one row lacks for an estimate."""


class CellError(NotEstimatedError):
    """A cell that cannot be read: its column, what was found in it and what was expected."""

    def __init__(self, column: str, found: str, expected: str) -> None:
        self.column = column
        self.found = found if len(found) <= SHOWN_CHARACTERS else f"{found[:SHOWN_CHARACTERS]}…"
        self.expected = expected
        super().__init__(f'{column} is "{self.found}"; expected {expected}')


@dataclass(frozen=True)
class Row:
    """One row of a measured table: the line it begins on, its cells by column, and how many cells have no column."""

    line: int
    cells: Mapping[str, str]
    surplus: int = 0

    def raw(self, column: str) -> str:
        """The words of a cell as they stand, without what a terminal would obey."""
        return "".join(letter if letter.isprintable() else " " for letter in self.cells.get(column, "")).strip()

    def text(self, column: str) -> str:
        """The words of a cell; "" where it is blank or the table has no such column."""
        words = self.raw(column)
        return "" if words.casefold() in BLANKS else words

    def number(self, column: str) -> float | None:
        """The number of a cell; None where it is blank. Raises CellError where it is neither."""
        words = self.text(column)
        if not words or words.casefold() in NO_NUMBERS:
            return None
        value = as_number(words)
        if value is None:
            raise CellError(column, words, "a number, 0 or more")
        return value

    def whole(self, column: str, least: int = 0) -> int | None:
        """The whole number of a cell; None where it is blank. Raises CellError for anything else."""
        words = self.text(column)
        if not words or words.casefold() in NO_NUMBERS:
            return None
        value = as_number(words)
        if value is None or not least <= value <= MOST or value != int(value):
            raise CellError(column, words, whole_number(least))
        return int(value)

    def count(self, column: str, default: int = 1) -> int:
        """The whole number of a cell, 1 or more; `default` where it is blank. Raises CellError for anything else."""
        value = self.whole(column, least=1)
        return default if value is None else value

    @property
    def name(self) -> str:
        """What to call the row: its name, or its line."""
        return self.text("name") or f"line {self.line}"


def as_number(words: str) -> float | None:
    """The number that some words are, or None: "4096", "1,024", "<= 1034 (longest sample)"."""
    found = NUMBER.match(words.strip())
    value = float(re.sub("[,_]", "", found.group(1))) if found else None
    return value if value is not None and isfinite(value) else None


def as_whole(digits: str, most: int = MOST) -> int:
    """The whole number that some digits are, at most `most`."""
    return int(min(float(digits), most))


def whole_number(least: int) -> str:
    """What a whole number may be, in words."""
    return f"a whole number from {least} to {MOST:,}"
