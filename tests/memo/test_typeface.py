"""The memo's typeface prints what memos say, and measures it."""

from __future__ import annotations

import pytest

from reportgen.memo.typeface import (
    FACES,
    ITALIC,
    REGULAR,
    Face,
    inlined_faces,
    linked_faces,
    missing_characters,
    shorten,
    text_width,
    wrap,
)

LATIN = "".join(chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x100)) if code != 0xAD)
SIGNS = "× ÷ − – — ≤ ≥ · … “ ” ‘ ’ → √ µ ½ ² ³ ⁄ ∙ ✓ € £ ≈ \u202f"


@pytest.mark.parametrize("face", FACES)
def test_every_face_prints_latin_letters_and_the_signs_of_formulas(face: Face) -> None:
    assert missing_characters(LATIN + SIGNS, face) == ()


def test_upright_faces_print_sigma_and_italic_does_not() -> None:
    upright = [missing_characters("Σ", face) for face in FACES if face.style == "normal"]
    assert (upright, missing_characters("Σ", ITALIC)) == ([(), (), ()], ("Σ",))


def test_upright_faces_print_the_same_characters() -> None:
    everything = "".join(chr(code) for code in range(0x20, 0x2FFF) if not 0xD800 <= code < 0xE000)
    missing = {missing_characters(everything, face) for face in FACES if face.style == "normal"}
    assert len(missing) == 1


@pytest.mark.parametrize("face", FACES)
def test_all_digits_of_a_face_have_one_width(face: Face) -> None:
    assert len({text_width(digit, 1000, face) for digit in "0123456789"}) == 1


def test_missing_characters_are_told_once_in_order() -> None:
    assert missing_characters("a漢b字漢") == ("漢", "字")


def test_a_text_that_fits_is_left_alone() -> None:
    assert shorten("stage", 100, 10) == "stage"


def test_a_text_that_does_not_fit_ends_in_an_ellipsis_within_the_room() -> None:
    shortened = shorten("a very long label indeed", 60, 10)
    assert shortened == "a very long l…"
    assert text_width(shortened, 10) <= 60


def test_no_line_of_a_wrapped_text_is_wider_than_the_room() -> None:
    lines = wrap("Capacity of one accelerator with everything_in_one_word_that_does_not_end at all", 80, 10)
    assert len(lines) == 2
    assert max(text_width(line, 10) for line in lines) <= 80


def test_linked_faces_name_private_addresses_only() -> None:
    assert linked_faces().count('url("memo-font:SourceSansPro-') == len(FACES)


def test_inlined_faces_carry_the_files() -> None:
    assert inlined_faces().count('url("data:font/ttf;base64,AAEAAA') == len(FACES)


def test_regular_is_the_face_of_a_measure_without_one() -> None:
    assert text_width("12.5 GB", 10) == text_width("12.5 GB", 10, REGULAR)
