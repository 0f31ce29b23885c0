"""Finds the characters of a page that the memo's typeface cannot print.

The PDF writer would print nothing, or borrow a glyph from whatever the machine has, and warn nobody.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from html.parser import HTMLParser

from reportgen.errors import Fault
from reportgen.memo.typeface import FAMILY, ITALIC, REGULAR, Face, missing_characters

# Never drawn as glyphs: line ends and tabs become spaces, a soft hyphen is a hyphen or nothing.
NOT_DRAWN = "\n\r\t\u00ad"
NOT_PRINTED = frozenset({"head", "script", "style", "title"})
SLANTED = frozenset({"em", "i"})
EMPTY = frozenset({"br", "col", "hr", "img", "link", "meta", "wbr"})
CONTEXT = 20


@dataclass(frozen=True)
class _Piece:
    """A piece of printed text: the elements around it, its words and the line of the HTML it stands on."""

    elements: tuple[str, ...]
    words: str
    line: int

    @property
    def face(self) -> Face:
        """The face whose characters count: all upright faces have the same."""
        return ITALIC if SLANTED.intersection(self.elements) else REGULAR


def glyph_faults(html: str) -> tuple[Fault, ...]:
    """One fault for each character that has no glyph, at the first place where it stands."""
    faults = {
        (character, piece.face): _fault(character, piece)
        for piece in reversed(_pieces(html))
        for character in missing_characters(_drawn(piece.words), piece.face)
    }
    return tuple(reversed(faults.values()))


class _TextReader(HTMLParser):
    """Collects the printed text of a page with the elements around it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.pieces: list[_Piece] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """`<rect/>` opens nothing."""

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            del self.open[len(self.open) - 1 - self.open[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if not NOT_PRINTED.intersection(self.open):
            self.pieces.append(_Piece(tuple(self.open), data, self.getpos()[0]))


def _pieces(html: str) -> tuple[_Piece, ...]:
    reader = _TextReader()
    reader.feed(html)
    reader.close()
    return tuple(reader.pieces)


def _drawn(words: str) -> str:
    return "".join(character for character in words if character not in NOT_DRAWN)


def _fault(character: str, piece: _Piece) -> Fault:
    name = f"U+{ord(character):04X} {unicodedata.name(character, 'without a name')}"
    return Fault(
        where=f"memo, line {piece.line} of the page, in <{piece.elements[-1] if piece.elements else 'page'}>",
        found=f"the character {character!r} ({name}) in {_around(character, piece.words)!r}",
        expected=f"a character that the memo's typeface {FAMILY} {piece.face.style} can print",
        remedy="write this name or sentence with other letters in the scenario",
    )


def _around(character: str, words: str) -> str:
    place = words.index(character)
    return " ".join(words[max(0, place - CONTEXT) : place + CONTEXT].split())
