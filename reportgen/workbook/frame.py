"""What pages share: titles, header rows, heights that fit wrapped text, captions of names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from reportgen.formula.explain import label
from reportgen.workbook.cells import Cell, Content

LINE_HEIGHT = 13.5
MOST_LINES = 12
CHARACTERS_PER_WIDTH = 1.3  # notes are set smaller than the digits that widths are counted in


def caption(name: str) -> str:
    """A name as a cell shows it: "Peak memory bytes"."""
    words = label(name)
    return words[:1].upper() + words[1:]


def heading(title: str, subtitle: Content) -> Iterator[Cell]:
    """The first two rows of every sheet: what it is, and how to read it."""
    yield Cell(1, 1, title, "Title")
    yield Cell(2, 1, subtitle, "Subtitle")


def header(row: int, titles: Iterable[str], first: int = 1) -> Iterator[Cell]:
    """A header row."""
    for column, title in enumerate(titles, start=first):
        yield Cell(row, column, title, "Header")


def part_row(row: int, title: str, columns: int) -> Iterator[Cell]:
    """A row that names the group below it, coloured across the table."""
    yield Cell(row, 1, title, "Part")
    for column in range(2, columns + 1):
        yield Cell(row, column, "", "Part")


def heights(texts: Iterable[tuple[int, str, float]]) -> dict[int, float]:
    """The heights of rows in which a wrapped text takes more than one line: from row, text and width of its column."""
    lines: dict[int, int] = {}
    for row, text, width in texts:
        lines[row] = max(lines.get(row, 1), line_count(text, width))
    return {row: min(count, MOST_LINES) * LINE_HEIGHT + 2 for row, count in lines.items() if count > 1}


def line_count(text: str, width: float) -> int:
    """Lines that a text takes in a column of this width, broken between words."""
    room = max(1, int(width * CHARACTERS_PER_WIDTH) - 1)
    lines, used = 1, 0
    for word in text.split():
        size = len(word)
        if used and used + 1 + size > room:
            lines, used = lines + 1, 0
        lines += max(0, math.ceil(size / room) - 1)
        used += size + (1 if used else 0)
    return lines
