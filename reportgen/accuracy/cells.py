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


class NotEstimatedError(Exception):
    """Why one row cannot be estimated, as a person would say it."""


class IncompleteError(NotEstimatedError):
    """What one row lacks for an estimate."""


@dataclass(frozen=True)
class Row:
    """One row of a measured table: the line it stands on and its cells by column."""

    line: int
    cells: Mapping[str, str]

    def text(self, column: str) -> str:
        """The words of a cell; "" where it is blank or the table has no such column."""
        words = "".join(letter if letter.isprintable() else " " for letter in self.cells.get(column, "")).strip()
        return "" if words.casefold() in BLANKS else words

    def number(self, column: str) -> float | None:
        """The number of a cell; None where it is blank. Raises NotEstimatedError where it is neither."""
        words = self.text(column)
        if words.casefold() in NO_NUMBERS:
            return None
        value = as_number(words) if words else None
        if words and value is None:
            raise NotEstimatedError(f"{column} is no number: {words:.40}")
        return value

    def count(self, column: str, default: int = 1) -> int:
        """The whole number of a cell; `default` where it is blank. Raises NotEstimatedError for 0 or a fraction."""
        value = self.number(column)
        if value is None:
            return default
        if value < 1 or value != int(value):
            raise NotEstimatedError(f"{column} is no count: {value:g}")
        return int(value)

    @property
    def name(self) -> str:
        """What to call the row: its name, or its line."""
        return self.text("name") or f"line {self.line}"


def as_number(words: str) -> float | None:
    """The number that some words are, or None: "4096", "1,024", "<= 1034 (longest sample)"."""
    found = NUMBER.match(words.strip())
    value = float(re.sub("[,_]", "", found.group(1))) if found else None
    return value if value is not None and isfinite(value) else None
