"""The memo's typeface: its files, which characters it can print, and how wide a line of text is.

Source Sans Pro (Adobe, SIL Open Font License 1.1) is brought by the package `font-source-sans-pro`, so that
a memo looks the same on every machine. All its digits have the same width in each face, so columns line up.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

FAMILY = "Source Sans Pro"
PACKAGE = "font_source_sans_pro"
SCHEME = "memo-font"
ELLIPSIS = "…"


@dataclass(frozen=True)
class Face:
    """One cut of the family: a file of the package with its weight and style as CSS names them."""

    file_name: str
    weight: int
    style: str

    @property
    def url(self) -> str:
        """The address under which the style sheet asks for this file; only our own fetcher answers it."""
        return f"{SCHEME}:{self.file_name}"


REGULAR = Face("SourceSansPro-Regular.ttf", 400, "normal")
SEMIBOLD = Face("SourceSansPro-Semibold.ttf", 600, "normal")
BOLD = Face("SourceSansPro-Bold.ttf", 700, "normal")
ITALIC = Face("SourceSansPro-It.ttf", 400, "italic")
FACES = (REGULAR, SEMIBOLD, BOLD, ITALIC)


def face_bytes(face: Face) -> bytes:
    """The font file of a face as the package ships it."""
    return files(PACKAGE).joinpath("files", face.file_name).read_bytes()


def linked_faces() -> str:
    """The `@font-face` rules that name the files by their private address, for the PDF."""
    return "\n".join(_rule(face, face.url) for face in FACES)


def inlined_faces() -> str:
    """The same rules with the files inside them, for an HTML page that stands alone."""
    return "\n".join(_rule(face, _data_url(face)) for face in FACES)


def missing_characters(text: str, face: Face = REGULAR) -> tuple[str, ...]:
    """The distinct characters of a text that a face cannot print, in the order of their first appearance."""
    printable = _metrics(face).glyphs
    return tuple(dict.fromkeys(character for character in text if ord(character) not in printable))


def text_width(text: str, size: float, face: Face = REGULAR) -> float:
    """The advance width of one line of text, in the unit of `size`; one not in the face counts as `size`."""
    metrics = _metrics(face)
    return size * sum(metrics.width(character) for character in text)


def shorten(text: str, room: float, size: float, face: Face = REGULAR) -> str:
    """The text itself, or as many of its first characters as fit into `room` with an ellipsis at the end."""
    if text_width(text, size, face) <= room:
        return text
    for length in range(len(text) - 1, 0, -1):
        shortened = text[:length].rstrip() + ELLIPSIS
        if text_width(shortened, size, face) <= room:
            return shortened
    return ELLIPSIS


def wrap(text: str, room: float, size: float, face: Face = REGULAR, lines_at_most: int = 2) -> tuple[str, ...]:
    """The text on at most so many lines, none wider than `room`; what does not fit ends in an ellipsis."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < lines_at_most - 1:
        taken = _words_that_fit(words, room, size, face)
        lines.append(shorten(" ".join(words[:taken]), room, size, face))
        words = words[taken:]
    if words:
        lines.append(shorten(" ".join(words), room, size, face))
    return tuple(lines)


@dataclass(frozen=True)
class _Metrics:
    """What a face knows of its characters: codepoint to advance width in ems."""

    glyphs: Mapping[int, float]

    def width(self, character: str) -> float:
        return self.glyphs.get(ord(character), 1.0)


@cache
def _metrics(face: Face) -> _Metrics:
    # Imported here: reading a font costs time that an estimate without a memo must not pay.
    from io import BytesIO

    from fontTools.ttLib import TTFont

    font = TTFont(BytesIO(face_bytes(face)), lazy=True)
    advances, units_per_em = font["hmtx"], font["head"].unitsPerEm
    glyphs = {codepoint: advances[name][0] / units_per_em for codepoint, name in font.getBestCmap().items()}
    return _Metrics(MappingProxyType(glyphs))


def _words_that_fit(words: list[str], room: float, size: float, face: Face) -> int:
    """How many of the first words fit on one line; at least one."""
    for count in range(len(words), 1, -1):
        if text_width(" ".join(words[:count]), size, face) <= room:
            return count
    return 1


def _rule(face: Face, url: str) -> str:
    return (
        f'@font-face {{ font-family: "{FAMILY}"; src: url("{url}"); '
        f"font-weight: {face.weight}; font-style: {face.style} }}"
    )


def _data_url(face: Face) -> str:
    return "data:font/ttf;base64," + base64.b64encode(face_bytes(face)).decode("ascii")
