"""Units are read, multiplied and written as products of powers."""

from __future__ import annotations

import re

import pytest

from reportgen.formula.units import PURE, TEXT, Unit, unit


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("byte", "byte"),
        ("byte/GPU", "byte/GPU"),
        ("FLOP/second/GPU", "FLOP/GPU/second"),
        ("GPU*hour", "GPU*hour"),
        ("hour*GPU", "GPU*hour"),
        ("byte*sequence/token^2", "byte*sequence/token^2"),
        ("1/second", "1/second"),
        ("byte/byte", "1"),
        ("1", "1"),
        ("text", "text"),
    ],
)
def test_a_unit_is_read_and_written(text: str, written: str) -> None:
    assert str(unit(text)) == written


@pytest.mark.parametrize("text", ["bytes", "byte//GPU", "", "byte^GPU", "byte per GPU", "Byte", "byte^-1", "truth"])
def test_an_unknown_unit_is_refused_with_the_known_ones(text: str) -> None:
    known = "FLOP, GPU, USD, byte, day, hour, node, parameter, second, sequence, step, token, value"
    with pytest.raises(ValueError, match=rf"^unknown unit '.*'; known are {re.escape(known)}$"):
        unit(text)


def test_units_multiply_divide_and_rise() -> None:
    byte, gpu = Unit((("byte", 1),)), Unit((("GPU", 1),))
    assert byte / gpu == unit("byte/GPU")
    assert byte / gpu * gpu == byte
    assert (byte / gpu) ** 2 == unit("byte^2/GPU^2")
    assert byte / byte == PURE


def test_text_is_no_unit() -> None:
    assert unit("text") is TEXT
