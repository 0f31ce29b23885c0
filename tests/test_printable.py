"""A text that the memo could not print is refused before anything is built."""

from __future__ import annotations

from dataclasses import replace

import pytest

import reportgen
from reportgen.errors import ScenarioError
from reportgen.printable import refuse_unprintable

SCENARIO = reportgen.load("scenarios/llama3-70b-8k.yaml")


@pytest.mark.parametrize("title", ["Größe 70B × 8k – naïve “π”", "Модель", "Μοντέλο", "=cmd", "€ 5"])
def test_texts_that_the_typeface_has_are_taken(title: str) -> None:
    refuse_unprintable([replace(SCENARIO, title=title)])


def test_every_text_with_missing_characters_is_told_at_once() -> None:
    with pytest.raises(ScenarioError) as caught:
        refuse_unprintable([replace(SCENARIO, title="模型 70B", story="שלום")])
    assert [str(fault) for fault in caught.value.faults] == [
        "llama3-70b-8k: title: found characters that the memo's typeface lacks: U+6A21 '模', U+578B '型'; "
        "expected Latin, Greek or Cyrillic letters and common signs; write it with those",
        "llama3-70b-8k: the first comment line: found characters that the memo's typeface lacks: U+05E9 'ש', "
        "U+05DC 'ל', U+05D5 'ו', U+05DD 'ם'; "
        "expected Latin, Greek or Cyrillic letters and common signs; write it with those",
    ]
