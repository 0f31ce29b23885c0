"""A tiny SVG toolkit: numbers, text, shapes and patterns as strings, the same bytes for the same values.

Text is real text. `text-anchor` stands on `<text>` only and there is no `<tspan>`: the PDF writer
misplaces both.
Lengths are in the user units of the drawing, which the memo prints as CSS pixels.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from reportgen.memo.typeface import FAMILY, REGULAR, Face

COORDINATE_DECIMALS = 2
TEXT_SIZE = 10.5
INK = "#1b2430"
MUTED = "#55606e"
GRID = "#d8dde3"
PAPER = "#ffffff"
ALARM = "#a3201d"

TILE = 6.0
OUTLINE_WIDTH = 0.6


Place = tuple[float, float]


@dataclass(frozen=True)
class Stroke:
    """How a line is drawn; `dash` is an SVG dash list such as `5 3`, empty for an unbroken line."""

    colour: str = INK
    width: float = 1.0
    dash: str = ""

    def attributes(self) -> str:
        """The attributes that say so."""
        dashes = f' stroke-dasharray="{escape(self.dash)}"' if self.dash else ""
        return f'stroke="{escape(self.colour)}" stroke-width="{number(self.width)}"{dashes}'


@dataclass(frozen=True)
class Lettering:
    """How a text is set; `anchor` is start, middle or end of the line of text."""

    anchor: str = "start"
    face: Face = REGULAR
    colour: str = INK
    size: float = TEXT_SIZE


@dataclass(frozen=True)
class Fill:
    """A colour and a hatching, to be told in black and white too; `marks` is SVG drawn on a tile."""

    name: str
    colour: str
    marks: str = ""


def number(value: float) -> str:
    """A coordinate with at most two decimals, no trailing zeros, never `-0`; ValueError if not finite."""
    if not math.isfinite(value):
        raise ValueError(f"a coordinate must be finite, found {value!r}")
    text = f"{value:.{COORDINATE_DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _stroke(path: str, colour: str, width: float = 1.0) -> str:
    return f'<path d="{path}" {Stroke(colour, width).attributes()} fill="none"/>'


_RISING = "M-1.5 1.5L1.5 -1.5M0 6L6 0M4.5 7.5L7.5 4.5"
_FALLING = "M-1.5 4.5L1.5 7.5M0 0L6 6M4.5 -1.5L7.5 1.5"

FILLS = (
    Fill("solid-dark", "#1f3a5f"),
    Fill("rising", "#c8d8ea", _stroke(_RISING, "#1f3a5f", 1.2)),
    Fill("solid-middle", "#7d9cc0"),
    Fill("dots", "#f6ead2", '<circle cx="3" cy="3" r="1.15" fill="#8a5a00"/>'),
    Fill("falling", "#ecc98a", _stroke(_FALLING, "#8a5a00", 1.2)),
    Fill("level", "#dfeae4", _stroke("M0 1.5L6 1.5M0 4.5L6 4.5", "#2f6b4f", 1.0)),
    Fill("crossed", "#ffffff", _stroke(_RISING, "#55606e", 0.8) + _stroke(_FALLING, "#55606e", 0.8)),
    Fill("solid-light", "#e4e7eb"),
)


def fill_for(index: int) -> Fill:
    """The fill of the n-th series; ValueError beyond the last: a repeated one could not be told apart."""
    if not 0 <= index < len(FILLS):
        raise ValueError(f"a figure tells {len(FILLS)} series apart, found series number {index + 1}")
    return FILLS[index]


def paint(fill: Fill, prefix: str) -> str:
    """What a shape's `fill` says for this fill, in the drawing whose identifiers begin with `prefix`."""
    return f"url(#{prefix}-{fill.name})" if fill.marks else fill.colour


def definitions(fills: Iterable[Fill], prefix: str) -> str:
    """The `<defs>` with one pattern for each hatched fill; empty text if none is hatched."""
    patterns = "".join(_pattern(fill, prefix) for fill in fills if fill.marks)
    return f"<defs>{patterns}</defs>" if patterns else ""


def rectangle(corner: Place, size: Place, fill: str, outline: str = "none") -> str:
    """A rectangle with its upper left corner at x, y, of a width and a height."""
    (x, y), (width, height) = corner, size
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
        f'fill="{escape(fill)}" stroke="{escape(outline)}" stroke-width="{number(OUTLINE_WIDTH)}"/>'
    )


def line(start: Place, end: Place, stroke: Stroke = Stroke()) -> str:
    """A straight line."""
    (x1, y1), (x2, y2) = start, end
    place = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
    return f"<line {place} {stroke.attributes()}/>"


def polyline(places: Iterable[Place], stroke: Stroke) -> str:
    """A line through places, unfilled."""
    return f'<polyline points="{_path(places)}" fill="none" stroke-linejoin="round" {stroke.attributes()}/>'


def polygon(corners: Iterable[Place], fill: str, stroke: Stroke) -> str:
    """A closed, filled shape."""
    return f'<polygon points="{_path(corners)}" fill="{escape(fill)}" {stroke.attributes()}/>'


def text(place: Place, words: str, lettering: Lettering = Lettering(), quantity: str = "") -> str:
    """One line of text with its baseline at y; `quantity` names the value that a number was taken from."""
    x, y = place
    source = f' data-quantity="{escape(quantity)}"' if quantity else ""
    return (
        f'<text x="{number(x)}" y="{number(y)}" text-anchor="{escape(lettering.anchor)}" '
        f'font-size="{number(lettering.size)}" font-weight="{lettering.face.weight}" '
        f'fill="{escape(lettering.colour)}"{source}>{escape(_one_line(words))}</text>'
    )


def drawing(title: str, width: float, height: float, parts: Iterable[str]) -> Markup:
    """The whole SVG, its title for screen readers; the parts are SVG already, the title is escaped."""
    body = "\n".join(part for part in parts if part)
    size = f"{number(width)} {number(height)}"
    return Markup(  # noqa: S704 - every text in the parts went through `escape`
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{number(width)}" '
        f'height="{number(height)}" viewBox="0 0 {size}" font-family="{FAMILY}">\n'
        f"<title>{escape(_one_line(title))}</title>\n{body}\n</svg>"
    )


def identifier_prefix(*names: str) -> str:
    """A short identifier that depends on the names alone, so that no two figures on a page share patterns."""
    return "f" + hashlib.sha256("\0".join(names).encode()).hexdigest()[:8]


def _pattern(fill: Fill, prefix: str) -> str:
    return (
        f'<pattern id="{prefix}-{fill.name}" patternUnits="userSpaceOnUse" width="{number(TILE)}" '
        f'height="{number(TILE)}"><rect width="{number(TILE)}" height="{number(TILE)}" fill="{fill.colour}"/>'
        f"{fill.marks}</pattern>"
    )


def _path(places: Iterable[Place]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def _one_line(words: str) -> str:
    return " ".join(words.split())
