"""Where a number or a rule comes from: a publication with its place, an assumption with its reason, or arithmetic."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A publication, datasheet or table, kept once and cited by place."""

    title: str
    publisher: str
    date: str
    address: str

    def at(self, place: str) -> Citation:
        """This source, cited at a section, equation or table."""
        return Citation(self, place)


@dataclass(frozen=True)
class Citation:
    """A source and the place in it."""

    source: Source
    place: str

    def __str__(self) -> str:
        return f"{self.source.publisher} ({self.source.date}), {self.source.title}, {self.place}"


@dataclass(frozen=True)
class Assumption:
    """A choice that no publication settles, with the reason for it; listed apart in the memo."""

    reason: str

    def __str__(self) -> str:
        return f"Own assumption: {self.reason}"


@dataclass(frozen=True)
class Definition:
    """Arithmetic on other quantities, or the meaning of a word: nothing to look up."""

    words: str = "by definition"

    def __str__(self) -> str:
        return f"Follows {self.words}"


Origin = Citation | Assumption | Definition
BY_DEFINITION = Definition()
