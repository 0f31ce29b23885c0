"""What a memo says, as data: the templates print it and compute nothing.

Every number arrives as `Printed`: the text as it stands on paper and the name of the quantity it was taken
from, so that a test can hold each one against the estimator.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup


@dataclass(frozen=True)
class Printed:
    """A number as printed, with its unit where it has one, and the name of the quantity it comes from."""

    text: str
    name: str


# A sentence, or the pieces of one: words and the numbers between them.
Words = str | Printed | tuple[str | Printed, ...]

Tone = Literal["favourable", "conditional", "adverse"]
Align = Literal["left", "right"]


@dataclass(frozen=True)
class Detail:
    """What it is and what it says; such as To, From, Version, or a word of the glossary."""

    label: str
    words: Words


@dataclass(frozen=True)
class Decision:
    """The sentence that decides, what is asked of the reader, and why; the tone colours its frame."""

    verdict: Words
    ask: Words
    reasons: tuple[Words, ...]
    tone: Tone


@dataclass(frozen=True)
class KeyFigure:
    """A headline number with its range, such as "low 41, high 63 days", and a note on what it means."""

    label: str
    value: Printed
    span: Words = ""
    note: Words = ""


@dataclass(frozen=True)
class Column:
    """A column's heading and unit; numbers stand at the right, words at the left."""

    label: Words
    unit: str = ""
    align: Align = "right"


@dataclass(frozen=True)
class Row:
    """A row of cells, one for each column, the first of which heads the row; `total` sets it off as a sum."""

    cells: tuple[Words, ...]
    total: bool = False


@dataclass(frozen=True)
class Table:
    """At most about forty rows; longer tables stay in the workbook. ValueError if a row has other columns.

    `look` is a class of the style sheet, for a table whose columns need widths of their own.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: Words = ""
    look: str = ""

    def __post_init__(self) -> None:
        wrong = [index + 1 for index, row in enumerate(self.rows) if len(row.cells) != len(self.columns)]
        if wrong:
            raise ValueError(f"table {self.caption!r} has {len(self.columns)} columns; other counts in rows {wrong}")


@dataclass(frozen=True)
class Figure:
    """A finished drawing and what it shows."""

    svg: Markup
    caption: Words


@dataclass(frozen=True)
class Derivation:
    """How a number comes about: in words, with the numbers in place, what comes out, and by whose formula."""

    label: str
    words: Words
    numbers: Words
    result: Words
    source: str


@dataclass(frozen=True)
class Section:
    """A numbered section; an appendix section stands after the signatures, under a letter."""

    title: str
    paragraphs: tuple[Words, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    derivations: tuple[Derivation, ...] = ()


@dataclass(frozen=True)
class Assumption:
    """An input the result stands on, where it is from, as of when, and whether it is our own."""

    label: str
    value: Words
    source: str
    date: str
    own: bool


@dataclass(frozen=True)
class Signatory:
    """Who signs: the role, and the name where it is known."""

    role: str
    name: str = ""


@dataclass(frozen=True)
class Memo:
    """A whole memo. Texts are plain; the date is the scenario's: the same scenario prints the same memo."""

    title: str
    subject: str
    date: dt.date
    version: str
    details: tuple[Detail, ...]
    decision: Decision
    key_figures: tuple[KeyFigure, ...]
    sections: tuple[Section, ...]
    assumptions: tuple[Assumption, ...] = ()
    signatories: tuple[Signatory, ...] = ()
    appendix: tuple[Section, ...] = ()
    glossary: tuple[Detail, ...] = ()
    provenance: tuple[Detail, ...] = ()
    language: str = "en"
