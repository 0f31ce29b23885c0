"""The SVG toolkit writes the same bytes for the same values and escapes every text."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest

from reportgen.memo.drawing import (
    FILLS,
    Lettering,
    Stroke,
    definitions,
    drawing,
    fill_for,
    identifier_prefix,
    line,
    number,
    paint,
    polygon,
    polyline,
    rectangle,
    text,
)

HOSTILE = "<script>alert(\"1\")</script> & 'x'"


@pytest.mark.parametrize(
    ("value", "text_of_it"),
    [
        (1, "1"),
        (1.5, "1.5"),
        (0.1 + 0.2, "0.3"),
        (-0.001, "0"),
        (100, "100"),
        (2.345678, "2.35"),
        (1e6, "1000000"),
    ],
)
def test_coordinates_have_two_decimals_at_most(value: float, text_of_it: str) -> None:
    assert number(value) == text_of_it


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_coordinate_that_is_no_place_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=f"a coordinate must be finite, found {value}"):
        number(value)


def test_text_is_escaped_on_one_line_and_anchored() -> None:
    expected = (
        '<text x="1" y="2" text-anchor="end" font-size="10.5" font-weight="400" fill="#1b2430">'
        "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#x27;x&#x27; end</text>"
    )
    assert text((1, 2), HOSTILE + "\n end", Lettering("end")) == expected


def test_a_number_names_its_quantity() -> None:
    assert ' data-quantity="stage_bytes&quot;">8<' in text((0, 0), "8", quantity='stage_bytes"')


def test_shapes_are_written_plainly() -> None:
    shapes = (
        rectangle((1, 2), (3, 4), "#fff", "#000"),
        line((0, 0), (1, 1), Stroke("#000", 2, "5 3")),
        polyline([(0, 0), (1.25, 2)], Stroke("#000")),
        polygon([(0, 0), (1, 0), (0, 1)], "#fff", Stroke("#000", 1.2)),
    )
    assert shapes == (
        '<rect x="1" y="2" width="3" height="4" fill="#fff" stroke="#000" stroke-width="0.6"/>',
        '<line x1="0" y1="0" x2="1" y2="1" stroke="#000" stroke-width="2" stroke-dasharray="5 3"/>',
        '<polyline points="0,0 1.25,2" fill="none" stroke-linejoin="round" stroke="#000" stroke-width="1"/>',
        '<polygon points="0,0 1,0 0,1" fill="#fff" stroke="#000" stroke-width="1.2"/>',
    )


def test_a_drawing_has_a_role_and_an_escaped_title() -> None:
    svg = drawing(HOSTILE, 10, 20, [])
    assert svg.startswith(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="10" height="20" viewBox="0 0 10 20"'
    )
    assert "<title>&lt;script&gt;alert" in svg


def test_every_fill_differs_from_its_neighbours_by_hatching() -> None:
    marks = [fill.marks for fill in FILLS]
    assert all(one or other for one, other in pairwise(marks))
    assert len({mark for mark in marks if mark}) == len([mark for mark in marks if mark])


def test_every_hatched_fill_is_defined_under_the_name_it_is_used_by() -> None:
    used = {match for fill in FILLS for match in re.findall(r"url\(#(.+)\)", paint(fill, "p"))}
    defined = set(re.findall(r'<pattern id="([^"]+)"', definitions(FILLS, "p")))
    assert used == defined
    assert len(used) == 5


def test_a_ninth_series_is_refused() -> None:
    with pytest.raises(ValueError, match="a figure tells 8 series apart, found series number 9"):
        fill_for(8)


def test_identifiers_depend_on_the_names_alone() -> None:
    assert identifier_prefix("a", "b") == identifier_prefix("a", "b") != identifier_prefix("ab")
