"""What the figures have in common: title, legend, plotting area, value axis and reference level, as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reportgen.memo.axis import Ticks, Unit, UnitSystem, shown, ticks
from reportgen.memo.drawing import (
    ALARM,
    GRID,
    INK,
    MUTED,
    PAPER,
    TEXT_SIZE,
    Fill,
    Lettering,
    Stroke,
    line,
    paint,
    rectangle,
    text,
)
from reportgen.memo.typeface import SEMIBOLD, shorten, text_width, wrap

WIDTH = 640.0
HEIGHT = 190.0
TITLE_SIZE = 12.0
LINE_HEIGHT = 14.0
GAP = 6.0
LABEL_GAP = 8.0
SWATCH = 11.0
MARGIN_LABEL_SHARE = 0.18
# How far the baseline of a label lies below the middle of what it names.
HALF_TEXT = 3.5
TITLE = Lettering(face=SEMIBOLD, size=TITLE_SIZE)


@dataclass(frozen=True)
class Reference:
    """A level to compare with, such as a card's capacity or a deadline, in base units."""

    label: str
    value: float
    quantity: str = ""


@dataclass(frozen=True)
class Frame:
    """The plotting area in user units, and the marks of its value axis in the unit shown."""

    left: float
    top: float
    right: float
    bottom: float
    unit: Unit
    marks: Ticks

    @property
    def width(self) -> float:
        """From the value axis to the right edge."""
        return self.right - self.left

    def height_at(self, value: float) -> float:
        """The vertical place of a value in base units."""
        share = value / self.unit.size / self.marks.end
        return self.bottom - share * (self.bottom - self.top)


@dataclass(frozen=True)
class Axes:
    """What the two axes measure; the unit of the vertical one is added where it is printed."""

    vertical: str
    horizontal: str


def frame_for(
    largest: float, units: UnitSystem, top: float, margin_texts: Sequence[str], reference: Reference | None
) -> Frame:
    """The plotting area under `top`, with room for the value marks at its left and labels at its right."""
    unit = units.suiting(largest)
    marks = ticks(largest / unit.size)
    labels = [*margin_texts, *(reference_words(reference, unit) if reference else ())]
    room = max([text_width(label, TEXT_SIZE, SEMIBOLD) for label in labels], default=-LABEL_GAP)
    left = max(text_width(marks.label(value), TEXT_SIZE) for value in marks.values) + LABEL_GAP
    # Above the plot: one line for the axis name, one for the totals over the bars.
    bottom = HEIGHT - 2 * LINE_HEIGHT - GAP
    return Frame(left, top + 2 * LINE_HEIGHT, WIDTH - LABEL_GAP - room, bottom, unit, marks)


def heading(title: str) -> tuple[list[str], float]:
    """The title's lines and where the next thing may begin."""
    lines = wrap(title, WIDTH, TITLE_SIZE, SEMIBOLD)
    shapes = [text((0, TITLE_SIZE + LINE_HEIGHT * index), words, TITLE) for index, words in enumerate(lines)]
    return shapes, LINE_HEIGHT * len(lines) + GAP


def legend(names: Sequence[str], fills: Sequence[Fill], prefix: str, top: float) -> tuple[list[str], float]:
    """Swatches with names, as many to a line as fit, and where the plot may begin."""
    shapes: list[str] = []
    x, y = 0.0, top
    for name, fill in zip(names, fills, strict=True):
        words = shorten(name, WIDTH - SWATCH - GAP, TEXT_SIZE)
        entry = SWATCH + GAP + text_width(words, TEXT_SIZE)
        if x and x + entry > WIDTH:
            x, y = 0.0, y + LINE_HEIGHT + 2
        shapes.append(rectangle((x, y + 1), (SWATCH, SWATCH), paint(fill, prefix), INK))
        shapes.append(text((x + SWATCH + GAP, y + SWATCH - 1), words))
        x += entry + 2 * LABEL_GAP
    return shapes, y + LINE_HEIGHT + GAP


def value_axis(frame: Frame, measure: str) -> list[str]:
    """Grid lines with their values, and the axis name with its unit above."""
    name = shorten(f"{measure} ({frame.unit.label})", frame.right, TEXT_SIZE)
    shapes = [text((0, frame.top - LINE_HEIGHT - HALF_TEXT), name, Lettering(colour=MUTED))]
    for value in frame.marks.values:
        y = frame.height_at(value * frame.unit.size)
        shapes.append(line((frame.left, y), (frame.right, y), Stroke(INK if value == 0 else GRID, 0.8)))
        mark = frame.marks.label(value)
        shapes.append(text((frame.left - GAP, y + HALF_TEXT), mark, Lettering("end", colour=MUTED)))
    return shapes


def category_name(frame: Frame, name: str) -> str:
    """The name of the horizontal axis, in the middle under its labels."""
    words = shorten(name, frame.width, TEXT_SIZE)
    place = (frame.left + frame.width / 2, frame.bottom + 2 * LINE_HEIGHT)
    return text(place, words, Lettering("middle", colour=MUTED))


def reference_words(reference: Reference, unit: Unit) -> tuple[str, ...]:
    """The reference's label on at most two lines, then its value with its unit."""
    value = shown(reference.value / unit.size)
    rounded = value.rstrip("0").rstrip(".") if "." in value else value
    label = wrap(reference.label, WIDTH * MARGIN_LABEL_SHARE, TEXT_SIZE, SEMIBOLD)
    return (*label, f"{rounded} {unit.label}")


def reference_line(frame: Frame, reference: Reference) -> list[str]:
    """The dashed line of a reference, on a strip of paper so that it can be seen across dark bars."""
    y = frame.height_at(reference.value)
    return [
        line((frame.left, y), (frame.right, y), Stroke(PAPER, 3.2)),
        line((frame.left, y), (frame.right + GAP - 2, y), Stroke(ALARM, 1.6, "6 3")),
    ]


@dataclass(frozen=True)
class MarginLabel:
    """Lines of text in the right margin that want their middle at a height; a quantity goes with the last."""

    middle: float
    lines: tuple[str, ...]
    colour: str
    quantity: str = ""

    @property
    def size(self) -> float:
        """The height of all its lines."""
        return LINE_HEIGHT * len(self.lines)


def reference_label(frame: Frame, reference: Reference) -> MarginLabel:
    """A reference's label at the height of its line."""
    words = reference_words(reference, frame.unit)
    return MarginLabel(frame.height_at(reference.value), words, ALARM, reference.quantity)


def margin_labels(frame: Frame, labels: Iterable[MarginLabel]) -> list[str]:
    """Labels in the right margin, each near the height it wants and none over another."""
    ordered = sorted(labels, key=lambda label: label.middle)
    tops = _spread(ordered, frame.top - LINE_HEIGHT / 2, frame.bottom + LINE_HEIGHT / 2)
    return [shape for label, top in zip(ordered, tops, strict=True) for shape in _lettered(frame, label, top)]


def check_values(values: Iterable[float]) -> None:
    """Raise ValueError unless every value is finite and 0 or more."""
    wrong = [value for value in values if not (math.isfinite(value) and value >= 0)]
    if wrong:
        raise ValueError(f"a figure shows finite values of 0 or more, found {wrong}")


def _lettered(frame: Frame, label: MarginLabel, top: float) -> Iterable[str]:
    # A hair more than the room, which was measured from these words.
    room = WIDTH - frame.right - LABEL_GAP + 0.01
    for index, line_of_text in enumerate(label.lines):
        baseline = top + LINE_HEIGHT * (index + 0.5) + HALF_TEXT
        words = shorten(line_of_text, room, TEXT_SIZE, SEMIBOLD)
        quantity = label.quantity if index == len(label.lines) - 1 else ""
        lettering = Lettering(face=SEMIBOLD, colour=label.colour)
        yield text((frame.right + LABEL_GAP, baseline), words, lettering, quantity)


def _spread(labels: Sequence[MarginLabel], top: float, bottom: float) -> list[float]:
    """The upper edges of sorted labels, moved apart: down from the top first, then up from the bottom."""
    placed: list[float] = []
    free = top
    for label in labels:
        placed.append(max(label.middle - label.size / 2, free))
        free = placed[-1] + label.size
    limit = bottom
    for index in range(len(labels) - 1, -1, -1):
        placed[index] = limit = min(placed[index], limit - labels[index].size)
    return placed
