"""Figures of every size keep their labels apart and inside the frame, and say what they show."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import pytest
from defusedxml.ElementTree import fromstring
from markupsafe import Markup

from reportgen.memo.axis import BINARY_BYTES
from reportgen.memo.figures import (
    Axes,
    Bar,
    Part,
    Point,
    Reference,
    Series,
    horizontal_bars,
    line_chart,
    stacked_bars,
)
from reportgen.memo.typeface import REGULAR, SEMIBOLD, text_width
from tests.memo.sample import CAPACITY, cost_figure, memory_figure, stage_bars, time_figure

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><image href='file:///etc/hostname'/> & \"a label that goes on, and on, and on, and on, and on\""
MEMORY = Axes("Memory per GPU", "Pipeline stage")


@dataclass(frozen=True)
class Box:
    """The place that a text takes up."""

    words: str
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > 0.05 and down > 0.05


def text_boxes(svg: str) -> list[Box]:
    """The boxes of all texts, from baseline to cap height."""
    return [_box(element.attrib, element.text) for element in fromstring(svg).iter(f"{SVG}text")]


def _box(attributes: dict[str, str], words: str) -> Box:
    size, x, y = (float(attributes[name]) for name in ("font-size", "x", "y"))
    width = text_width(words, size, SEMIBOLD if attributes["font-weight"] == "600" else REGULAR)
    left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[attributes["text-anchor"]] * width
    return Box(words, left, y - 0.7 * size, left + width, y)


def texts(svg: str) -> list[str]:
    return [box.words for box in text_boxes(svg)]


def hostile_bars(count: int) -> tuple[Bar, ...]:
    return tuple(Bar(HOSTILE, (Part(HOSTILE, 1e9), Part(HOSTILE + "2", 2e9))) for _ in range(count))


def few_parts(*totals: float) -> tuple[Bar, ...]:
    return tuple(Bar(str(index), (Part("All", total),)) for index, total in enumerate(totals))


LINES = tuple(Series(f"{HOSTILE} {index}", (Point(10, 9e6), Point(20, 9e6 + index))) for index in range(6))

FIGURES: dict[str, Markup] = {
    **{f"{count} stages": memory_figure(count).svg for count in (1, 2, 4, 8, 16, 31, 32, 64)},
    **{f"hostile, {count}": stacked_bars(HOSTILE, hostile_bars(count), MEMORY, CAPACITY) for count in (1, 5, 64)},
    "capacity far above": stacked_bars("Low", few_parts(1e6, 2e6), MEMORY, CAPACITY),
    "capacity far below": stacked_bars("High", few_parts(5e15, 1e15), MEMORY, CAPACITY),
    "capacity at zero": stacked_bars("No room", few_parts(5e9, 1e9), MEMORY, Reference("None", 0)),
    "nothing": stacked_bars("Nothing", few_parts(0, 0), MEMORY),
    "close to capacity": stacked_bars("Close", few_parts(79.9e9, 80e9, 80.1e9, 77e9, 83e9), MEMORY, CAPACITY),
    "exabytes": stacked_bars("Large", few_parts(3.2e18, 1e18), MEMORY, Reference("Store", 9e18)),
    "binary": stacked_bars("Binary", few_parts(60e9), MEMORY, CAPACITY, BINARY_BYTES),
    "lines": time_figure().svg,
    "hostile lines": line_chart(HOSTILE, LINES, Axes(HOSTILE, HOSTILE), Reference(HOSTILE, 9e6)),
    "one point": line_chart("P", (Series("s", (Point(1, 1),)),), Axes("Time", "GPUs")),
    "costs": cost_figure().svg,
    "hostile costs": horizontal_bars(HOSTILE, (Part(HOSTILE, 3e6), Part("b", 0)), measure=HOSTILE),
}


@pytest.mark.parametrize("name", FIGURES)
def test_no_two_texts_overlap(name: str) -> None:
    boxes = text_boxes(FIGURES[name])
    assert [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])] == []


@pytest.mark.parametrize("name", FIGURES)
def test_no_text_leaves_the_frame(name: str) -> None:
    frame = fromstring(FIGURES[name])
    width, height = float(frame.get("width")), float(frame.get("height"))
    outside = [
        box
        for box in text_boxes(FIGURES[name])
        if box.left < -0.05 or box.right > width + 0.05 or box.top < 0 or box.bottom > height - 2
    ]
    assert outside == []


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_titled_text_without_addresses_or_spans(name: str) -> None:
    figure = fromstring(FIGURES[name])
    tags = {element.tag.removeprefix(SVG) for element in figure.iter()}
    assert figure.get("role") == "img"
    assert figure[0].tag == f"{SVG}title"
    assert tags <= {
        "svg",
        "title",
        "text",
        "rect",
        "line",
        "polyline",
        "polygon",
        "defs",
        "pattern",
        "path",
        "circle",
    }
    assert [element for element in figure.iter() if "href" in "".join(element.attrib)] == []


def test_the_same_values_give_the_same_figure() -> None:
    assert memory_figure(16) == memory_figure(16)


@pytest.mark.parametrize(("count", "printed"), [(1, 1), (16, 16), (32, 16), (64, 16)])
def test_stages_are_all_named_while_there_is_room(count: int, printed: int) -> None:
    labels = [words for words in texts(memory_figure(count).svg) if words in {str(stage) for stage in range(count)}]
    in_axis_marks = len({"0", "20", "40", "60", "80"} & {str(stage) for stage in range(count)})
    assert len(labels) - in_axis_marks == printed


def test_the_capacity_is_a_dashed_line_with_its_value() -> None:
    svg = memory_figure(4).svg
    assert [words for words in texts(svg) if "card" in words or words == "80 GB"] == [
        "Capacity of the card",
        "80 GB",
    ]
    assert svg.count('stroke-dasharray="6 3"') == 1


def test_the_dashed_line_strikes_no_total_through() -> None:
    svg = FIGURES["close to capacity"]
    level = next(float(each.get("y1")) for each in fromstring(svg).iter(f"{SVG}line") if each.get("stroke-dasharray"))
    struck = [box.words for box in text_boxes(svg) if box.top <= level <= box.bottom and box.right < 500]
    assert struck == ["80"]  # the axis mark beside the line


def test_the_totals_carry_the_name_of_their_quantity() -> None:
    svg = fromstring(memory_figure(2).svg)
    named = [(text.text, text.get("data-quantity")) for text in svg.iter(f"{SVG}text") if text.get("data-quantity")]
    assert named == [
        ("71.5", "stage_bytes"),
        ("54.5", "stage_bytes"),
        ("80 GB", "accelerator_memory_bytes"),
    ]


def test_the_title_says_the_unit() -> None:
    titles = [fromstring(FIGURES[name])[0].text for name in ("exabytes", "binary", "lines", "costs")]
    assert titles == [
        "Large, in EB",
        "Binary, in GiB",
        "Training time against GPU count, in days",
        "Effective cost by part, in million USD",
    ]


def test_bars_are_as_high_as_their_values() -> None:
    svg = fromstring(stacked_bars("Bars", few_parts(40e9, 80e9), MEMORY))
    bars = [float(bar.get("height")) for bar in svg.iter(f"{SVG}rect")][1:]  # the first is the legend's
    assert bars[1] == pytest.approx(2 * bars[0], abs=0.02)


def test_every_part_of_a_stack_has_its_own_fill() -> None:
    svg = fromstring(stacked_bars("Bars", stage_bars(1), MEMORY))
    fills = [shape.get("fill") for shape in svg.findall(f"{SVG}rect")]
    assert len(set(fills)) == 6
    assert fills[:6] == fills[6:]


@pytest.mark.parametrize(
    ("bars", "message"),
    [
        ((), "a bar chart needs at least one bar"),
        ((Bar("0", (Part("a", -1),)),), r"a figure shows finite values of 0 or more, found \[-1\]"),
        (
            (Bar("0", (Part("a", float("nan")),)),),
            r"a figure shows finite values of 0 or more, found \[nan\]",
        ),
        (
            (Bar("0", (Part("a", 1),)), Bar("1", (Part("b", 1),))),
            "all bars have the same parts in the same order",
        ),
        ((Bar("0", tuple(Part(str(i), 1) for i in range(9))),), "a figure tells 8 series apart"),
    ],
)
def test_bars_that_cannot_be_drawn_are_refused(bars: tuple[Bar, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        stacked_bars("Bars", bars, MEMORY)


def test_a_reference_label_is_not_torn_apart_by_the_names_of_lines() -> None:
    words = texts(FIGURES["hostile lines"])
    place = next(index for index, each in enumerate(words) if each.endswith("days"))
    assert words[place - 2 : place] == ["</text><image", "href='file:///etc/hostna…"]


def test_a_seventh_line_is_refused() -> None:
    with pytest.raises(ValueError, match="a line chart tells 1 to 6 lines apart, found 7"):
        line_chart("Lines", (*LINES, LINES[0]), MEMORY)


def test_a_line_without_points_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a line goes through at least one point, found none for \['empty'\]"):
        line_chart("Lines", (Series("empty", ()),), MEMORY)


def test_costs_without_parts_are_refused() -> None:
    with pytest.raises(ValueError, match="a bar chart needs at least one part"):
        horizontal_bars("Costs", (), measure="Cost")
