"""Axes have round marks, suitable units and numbers that a person reads at a glance."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.memo.axis import BINARY_BYTES, DECIMAL_BYTES, US_DOLLARS, evenly_shown, shown, ticks


@pytest.mark.parametrize(
    ("largest", "labels"),
    [
        (80, ["0", "20", "40", "60", "80"]),
        (81, ["0", "20", "40", "60", "80", "100"]),
        (0.3, ["0.0", "0.1", "0.2", "0.3"]),
        (1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (9500, ["0", "2,000", "4,000", "6,000", "8,000", "10,000"]),
        (0.047, ["0.00", "0.01", "0.02", "0.03", "0.04", "0.05"]),
    ],
)
def test_marks_stand_at_ones_twos_and_fives(largest: float, labels: list[str]) -> None:
    marks = ticks(largest)
    assert [marks.label(value) for value in marks.values] == labels


@given(st.floats(min_value=1e-6, max_value=1e21))
def test_the_axis_reaches_the_largest_value_with_few_different_marks(largest: float) -> None:
    marks = ticks(largest)
    labels = {marks.label(value) for value in marks.values}
    assert marks.end >= largest * (1 - 1e-8)
    assert 2 <= len(labels) == len(marks.values) <= 7


@pytest.mark.parametrize("largest", [-1, math.nan, math.inf])
def test_an_axis_to_nowhere_is_refused(largest: float) -> None:
    with pytest.raises(ValueError, match="an axis from zero ends at a finite value of 0 or more, found"):
        ticks(largest)


@pytest.mark.parametrize(
    ("largest", "unit"),
    [(0, "B"), (999, "B"), (1000, "kB"), (80e9, "GB"), (1e12, "TB"), (3e18, "EB"), (5e21, "EB")],
)
def test_bytes_are_shown_from_bytes_to_exabytes(largest: float, unit: str) -> None:
    assert DECIMAL_BYTES.suiting(largest).label == unit


def test_binary_and_decimal_units_part_where_their_sizes_do() -> None:
    units = (
        BINARY_BYTES.suiting(1000).label,
        BINARY_BYTES.suiting(1024).label,
        BINARY_BYTES.suiting(80e9).label,
    )
    assert units == ("B", "KiB", "GiB")


def test_dollars_are_shown_in_thousands_millions_and_billions() -> None:
    labels = [US_DOLLARS.suiting(value).label for value in (900, 4e3, 5.1e6, 2e9)]
    assert labels == ["USD", "thousand USD", "million USD", "billion USD"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (71.52, "71.5"),
        (9.996, "10.0"),
        (999.6, "1,000"),
        (1234567, "1,230,000"),
        (0.00456, "0.00456"),
        (-3.14159, "−3.14"),
    ],
)
def test_three_significant_digits_are_shown(value: float, text: str) -> None:
    assert shown(value) == text


def test_values_to_compare_have_the_decimals_of_the_largest() -> None:
    assert evenly_shown([71.52, 8, 0.26]) == ("71.5", "8.0", "0.3")


def test_a_small_value_beside_a_large_one_does_not_read_zero() -> None:
    assert evenly_shown([31.2, 0.02, 0]) == ("31.2", "0.02", "0.0")
    assert evenly_shown([4120, 0.4]) == ("4,120", "0.4")
