"""The memo's figures: pure functions from values to one SVG each (bars here, lines in `lines`).

Every figure has a visible title, its unit, a legend that survives black-and-white printing and a `<title>`
for screen readers. Values come in base units (byte, second, USD) and are shown in the unit that suits the
largest of them. Text is measured with the typeface it is printed in, so labels neither overlap nor leave the
frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from reportgen.memo.axis import BINARY_BYTES, DECIMAL_BYTES, US_DOLLARS, UnitSystem, evenly_shown
from reportgen.memo.drawing import (
    INK,
    MUTED,
    TEXT_SIZE,
    Fill,
    Lettering,
    Stroke,
    definitions,
    drawing,
    fill_for,
    identifier_prefix,
    line,
    paint,
    rectangle,
    text,
)
from reportgen.memo.frame import (
    GAP,
    HALF_TEXT,
    HEIGHT,
    LABEL_GAP,
    LINE_HEIGHT,
    WIDTH,
    Axes,
    Frame,
    Reference,
    category_name,
    check_values,
    frame_for,
    heading,
    legend,
    margin_labels,
    reference_label,
    reference_line,
    value_axis,
)
from reportgen.memo.lines import Point, Series, line_chart
from reportgen.memo.typeface import SEMIBOLD, shorten, text_width

__all__ = [
    "BINARY_BYTES", "DECIMAL_BYTES", "US_DOLLARS", "Axes", "Bar", "Part", "Point", "Reference", "Series",
    "horizontal_bars", "line_chart", "stacked_bars",
]  # fmt: skip

BAR_SHARE = 0.72
WIDEST_BAR = 64.0
ROW_HEIGHT = 24.0
NAME_SHARE = 0.36
# Labels under the bars wider than this are shortened before any is left out.
LABEL_WIDTH = 60.0
TOTAL_GAP = 4.0


@dataclass(frozen=True)
class Part:
    """One part of a bar in base units; `quantity` names the estimator's value it shows."""

    name: str
    value: float
    quantity: str = ""


@dataclass(frozen=True)
class Bar:
    """A stacked bar: its label, its parts from the bottom up, and the name of the quantity of its total."""

    label: str
    parts: tuple[Part, ...]
    quantity: str = ""

    @property
    def total(self) -> float:
        """The height of the whole bar in base units."""
        return math.fsum(part.value for part in self.parts)


def stacked_bars(
    title: str,
    bars: Sequence[Bar],
    axes: Axes,
    capacity: Reference | None = None,
    units: UnitSystem = DECIMAL_BYTES,
) -> Markup:
    """Stacked bars such as memory per pipeline stage, 1 to 64 of them, against a capacity as a dashed line.

    All bars have the same parts in the same order; values are finite and 0 or more. ValueError otherwise, and
    for more parts than there are fills.
    """
    names = _part_names(bars)
    check_values([part.value for bar in bars for part in bar.parts] + ([capacity.value] if capacity else []))
    fills = tuple(fill_for(index) for index in range(len(names)))
    prefix = identifier_prefix(title, *names)
    title_shapes, top = heading(title)
    legend_shapes, top = legend(names, fills, prefix, top)
    largest = max([bar.total for bar in bars] + ([capacity.value] if capacity else []))
    frame = frame_for(largest, units, top, (), capacity)
    parts = [
        definitions(fills, prefix),
        *title_shapes,
        *legend_shapes,
        *value_axis(frame, axes.vertical),
        *_stacks(frame, bars, fills, prefix),
        *_category_labels(frame, [bar.label for bar in bars]),
        category_name(frame, axes.horizontal),
        *(reference_line(frame, capacity) if capacity else ()),
        *_bar_totals(frame, bars, capacity),
        *(margin_labels(frame, [reference_label(frame, capacity)]) if capacity else ()),
    ]
    return drawing(f"{title}, in {frame.unit.label}", WIDTH, HEIGHT, parts)


def horizontal_bars(title: str, parts: Sequence[Part], *, measure: str, units: UnitSystem = US_DOLLARS) -> Markup:
    """One bar a part, such as the parts of a cost, each with its value in print.

    At least one part; values are finite and 0 or more. ValueError otherwise.
    """
    if not parts:
        raise ValueError("a bar chart needs at least one part")
    check_values([part.value for part in parts])
    title_shapes, top = heading(title)
    top += LINE_HEIGHT + GAP
    largest = max(part.value for part in parts)
    unit = units.suiting(largest)
    values = evenly_shown([part.value / unit.size for part in parts])
    left = min(WIDTH * NAME_SHARE, max(text_width(part.name, TEXT_SIZE) for part in parts)) + LABEL_GAP
    room = WIDTH - left - GAP - max(text_width(words, TEXT_SIZE, SEMIBOLD) for words in values)
    rows = [
        _row(part, words, top + ROW_HEIGHT * index, left, room / (largest or 1.0))
        for index, (part, words) in enumerate(zip(parts, values, strict=True))
    ]
    bottom = top + ROW_HEIGHT * len(parts)
    name = shorten(f"{measure} ({unit.label})", WIDTH - left, TEXT_SIZE)
    axis = [
        text((left, top - GAP), name, Lettering(colour=MUTED)),
        line((left, top), (left, bottom), Stroke(INK, 0.8)),
    ]
    return drawing(f"{title}, in {unit.label}", WIDTH, bottom + GAP, [*title_shapes, *rows, *axis])


def _part_names(bars: Sequence[Bar]) -> tuple[str, ...]:
    if not bars:
        raise ValueError("a bar chart needs at least one bar")
    names = {tuple(part.name for part in bar.parts) for bar in bars}
    if len(names) > 1:
        raise ValueError(f"all bars have the same parts in the same order, found {sorted(names)}")
    return names.pop()


def _middle(frame: Frame, count: int, index: int) -> float:
    """The middle of the place of one bar of so many."""
    return frame.left + frame.width / count * (index + 0.5)


def _stacks(frame: Frame, bars: Sequence[Bar], fills: Sequence[Fill], prefix: str) -> Iterable[str]:
    width = min(WIDEST_BAR, frame.width / len(bars) * BAR_SHARE)
    for index, bar in enumerate(bars):
        left = _middle(frame, len(bars), index) - width / 2
        below = 0.0
        for part, fill in zip(bar.parts, fills, strict=True):
            lower, upper = frame.height_at(below), frame.height_at(below + part.value)
            if part.value:
                yield rectangle((left, upper), (width, lower - upper), paint(fill, prefix), INK)
            below += part.value


def _category_labels(frame: Frame, labels: Sequence[str]) -> list[str]:
    """The labels under the bars; every second, fourth, eighth… if not all have room."""
    every = _stride(labels, frame.width / len(labels))
    room = every * frame.width / len(labels) - GAP
    return [
        _category_label(frame, _middle(frame, len(labels), index), label, room)
        for index, label in enumerate(labels)
        if index % every == 0
    ]


def _stride(labels: Sequence[str], room: float) -> int:
    """One of how many labels is printed: the smallest power of two at which the widest has room."""
    widest = min(max(text_width(label, TEXT_SIZE) for label in labels), LABEL_WIDTH) + GAP
    every = 1
    while every * room < widest and every < len(labels):
        every *= 2
    return every


def _category_label(frame: Frame, middle: float, label: str, room: float) -> str:
    """A label under the middle of its bar, shortened to its room and to what the drawing's edges leave."""
    words = shorten(label, min(room, 2 * middle, 2 * (WIDTH - middle)), TEXT_SIZE)
    return text((middle, frame.bottom + LINE_HEIGHT), words, Lettering("middle"))


def _bar_totals(frame: Frame, bars: Sequence[Bar], capacity: Reference | None) -> list[str]:
    """The total above each bar, if every one has room in its place; else above none."""
    totals = evenly_shown([bar.total / frame.unit.size for bar in bars])
    if max(text_width(words, TEXT_SIZE, SEMIBOLD) for words in totals) > frame.width / len(bars) - 3:
        return []
    return [
        text(
            (_middle(frame, len(bars), index), _total_baseline(frame, bar.total, capacity)),
            words,
            Lettering("middle", SEMIBOLD),
            bar.quantity,
        )
        for index, (bar, words) in enumerate(zip(bars, totals, strict=True))
    ]


def _total_baseline(frame: Frame, total: float, capacity: Reference | None) -> float:
    """Just above the bar, or just above the capacity's line where that would strike the figures through."""
    above_bar = frame.height_at(total) - TOTAL_GAP
    if capacity is None:
        return above_bar
    level = frame.height_at(capacity.value)
    struck = above_bar - TEXT_SIZE < level < above_bar + TOTAL_GAP
    return level - TOTAL_GAP if struck else above_bar


def _row(part: Part, words: str, top: float, left: float, scale: float) -> str:
    width = part.value * scale
    name = shorten(part.name, left - LABEL_GAP + 0.01, TEXT_SIZE)
    baseline = top + ROW_HEIGHT / 2 + HALF_TEXT
    return "".join(
        (
            text((left - LABEL_GAP, baseline), name, Lettering("end")),
            rectangle((left, top + 4), (width, ROW_HEIGHT - 8), fill_for(0).colour),
            text((left + width + GAP, baseline), words, Lettering(face=SEMIBOLD), part.quantity),
        )
    )
