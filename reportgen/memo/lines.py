"""The line chart: such as training time against GPU count, one line per MFU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from reportgen.memo.axis import DAYS, Ticks, UnitSystem, ticks
from reportgen.memo.drawing import (
    MUTED,
    PAPER,
    TEXT_SIZE,
    Lettering,
    Stroke,
    drawing,
    polygon,
    polyline,
    text,
)
from reportgen.memo.frame import (
    LINE_HEIGHT,
    MARGIN_LABEL_SHARE,
    WIDTH,
    Axes,
    Frame,
    MarginLabel,
    Reference,
    category_name,
    check_values,
    frame_for,
    heading,
    margin_labels,
    reference_label,
    reference_line,
    value_axis,
)
from reportgen.memo.typeface import SEMIBOLD, shorten

NAME_ROOM = 2 * MARGIN_LABEL_SHARE * WIDTH


@dataclass(frozen=True)
class Point:
    """A point of a line: x as printed on the axis, y in base units."""

    x: float
    y: float


@dataclass(frozen=True)
class Series:
    """A named line through points from left to right; `quantity` names the value that its name holds."""

    name: str
    points: tuple[Point, ...]
    quantity: str = ""


@dataclass(frozen=True)
class Style:
    """How a line is drawn: colour, dash, and the corners of its marker around the point."""

    colour: str
    dash: str
    corners: tuple[tuple[float, float], ...]
    hollow: bool


SQUARE = ((-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0))
TRIANGLE = ((0.0, -4.0), (3.8, 3.0), (-3.8, 3.0))
DIAMOND = ((0.0, -4.4), (4.4, 0.0), (0.0, 4.4), (-4.4, 0.0))
STYLES = (
    Style("#1f3a5f", "", SQUARE, hollow=False),
    Style("#8a5a00", "7 3", TRIANGLE, hollow=False),
    Style("#2f6b4f", "2 2.5", DIAMOND, hollow=False),
    Style("#4f7cac", "9 3 2 3", SQUARE, hollow=True),
    Style("#6b3f87", "4 4", TRIANGLE, hollow=True),
    Style("#55606e", "12 3", DIAMOND, hollow=True),
)


def line_chart(
    title: str,
    series: Sequence[Series],
    axes: Axes,
    reference: Reference | None = None,
    units: UnitSystem = DAYS,
) -> Markup:
    """Lines named at their right ends, each with its dash and marker, and a level such as a deadline.

    One to six lines of one point or more each; x and y are finite and 0 or more. ValueError otherwise.
    """
    _check_series(series)
    points = [point for each in series for point in each.points]
    heights = [point.y for point in points] + ([reference.value] if reference else [])
    check_values(heights + [point.x for point in points])
    title_shapes, top = heading(title)
    names = [shorten(each.name, NAME_ROOM, TEXT_SIZE, SEMIBOLD) for each in series]
    across = ticks(max(point.x for point in points))
    # The last mark of the horizontal axis reaches into the right margin, so the margin is at least as wide.
    frame = frame_for(max(heights), units, top, [*names, across.label(across.end)], reference)
    parts = [
        *title_shapes,
        *value_axis(frame, axes.vertical),
        *_across_axis(frame, across, axes.horizontal),
        *(reference_line(frame, reference) if reference else ()),
        *_lines(frame, across, series),
        *_names(frame, series, names, reference),
    ]
    return drawing(f"{title}, in {frame.unit.label}", WIDTH, frame.bottom + 2 * LINE_HEIGHT + 6, parts)


def _check_series(series: Sequence[Series]) -> None:
    if not 1 <= len(series) <= len(STYLES):
        raise ValueError(f"a line chart tells 1 to {len(STYLES)} lines apart, found {len(series)}")
    empty = [each.name for each in series if not each.points]
    if empty:
        raise ValueError(f"a line goes through at least one point, found none for {empty}")


def _across(frame: Frame, marks: Ticks, value: float) -> float:
    return frame.left + frame.width * value / marks.end


def _across_axis(frame: Frame, marks: Ticks, measure: str) -> list[str]:
    baseline = frame.bottom + LINE_HEIGHT
    labels = [
        text((_across(frame, marks, value), baseline), marks.label(value), Lettering("middle", colour=MUTED))
        for value in marks.values
    ]
    return [*labels, category_name(frame, measure)]


def _lines(frame: Frame, marks: Ticks, series: Sequence[Series]) -> list[str]:
    styled = zip(series, STYLES, strict=False)
    return [shape for each, style in styled for shape in _line(frame, marks, each, style)]


def _line(frame: Frame, marks: Ticks, series: Series, style: Style) -> list[str]:
    places = [(_across(frame, marks, point.x), frame.height_at(point.y)) for point in series.points]
    inside = PAPER if style.hollow else style.colour
    edge = Stroke(style.colour, 1.2)
    markers = [polygon(((x + dx, y + dy) for dx, dy in style.corners), inside, edge) for x, y in places]
    return [polyline(places, Stroke(style.colour, 1.6, style.dash)), *markers]


def _names(frame: Frame, series: Sequence[Series], names: Sequence[str], reference: Reference | None) -> list[str]:
    """The name of each line at the height of its end, and the reference's label, none over another."""
    ends = [
        MarginLabel(frame.height_at(each.points[-1].y), (name,), style.colour, each.quantity)
        for each, name, style in zip(series, names, STYLES, strict=False)
    ]
    return margin_labels(frame, [*ends, *([reference_label(frame, reference)] if reference else [])])
