"""Blanks and words of a row that nothing is known of are told, with what was taken instead; known ones are not."""

from __future__ import annotations

import pytest

from reportgen.accuracy.guesses import guesses
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
    assert list(guesses(row(**cells, gpus="1"))) == told


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ({"cp": "1"}, []),
        ({}, ["cp blank: read as 1"]),
        ({"tp": "", "pp": "?", "dp": "4"}, ["tp, pp, cp blank: read as 1"]),
        ({"tp": "", "pp": "", "dp": "4", "gpus": "4"}, []),  # four copies on four GPUs leave nothing to guess
        ({"tp": "", "pp": "", "dp": "", "gpus": "1"}, []),
        ({"tp": "2", "pp": "2", "dp": "", "gpus": "4"}, []),
        ({"tp": "2", "pp": "2", "dp": "", "gpus": "8"}, ["cp blank: read as 1"]),
        ({"dp": "", "cp": "1"}, ["gpus and dp are blank: read as one copy of the model"]),
        ({"cp": "1", "experts": "8"}, ["ep blank: read as 1"]),
        ({"cp": "1", "model": "mixtral-8x7b"}, ["ep blank: read as 1"]),
        ({"cp": "1", "experts": "8", "ep": "1"}, []),
        ({"experts": "8", "gpus": "1"}, []),
        (
            {"cp": "1", "dp": "8", "gbs": "2", "mbs": "2"},
            ["gbs gives work to 1 of 8 copies of the model: read as a run of so many"],
        ),
    ],
)
def test_sizes_left_blank_are_told_unless_the_others_settle_them(cells: dict[str, str], told: list[str]) -> None:
    assert list(guesses(row(framework="nanotron", **cells))) == told
