"""Words of a row that nothing is known of are told, with what was taken instead; known ones are not."""

from __future__ import annotations

import pytest

from reportgen.accuracy.guesses import guesses
from reportgen.accuracy.table import read_table
from tests.accuracy.readme_table import MEASURED
from tests.accuracy.tables import row


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ({"framework": "nanotron", "sharding": "ZeRO-1", "recompute": "none"}, []),
        (
            {"framework": "MyFramework", "sharding": "", "recompute": ""},
            ['framework "MyFramework": read as textbook, which has state and activations alone'],
        ),
        (
            {"framework": "megatron", "sharding": "banana", "recompute": "sometimes"},
            [
                'sharding "banana": read as not sharded; say ZeRO-1, ZeRO-3, FSDP or none',
                'recompute "sometimes": read as the framework has it by default; say none, selective or full',
            ],
        ),
    ],
)
def test_unknown_words_are_told_with_what_was_taken_instead(cells: dict[str, str], told: list[str]) -> None:
    assert list(guesses(row(**cells))) == told


def test_nothing_is_guessed_of_the_kept_runs() -> None:
    assert [guess for kept in read_table(MEASURED) for guess in guesses(kept)] == []
