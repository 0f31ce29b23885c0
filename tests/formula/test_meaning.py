"""Sides of checks in words: inputs by name, results by what they are, columns with how their rows are taken."""

from __future__ import annotations

import pytest

from reportgen.formula.expression import Call, Column
from reportgen.formula.meaning import clause, meaning
from reportgen.formula.parse import parse_text
from reportgen.model import estimator
from tests.formula.small_model import small_model


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("A layer has experts.", "a layer has experts"),
        ("The GPUs form whole copies.", "the GPUs form whole copies"),
        ("GPUs form whole copies.", "GPUs form whole copies"),
        ("ZeRO shards state.", "ZeRO shards state"),
        ("Megatron-LM demands it.", "Megatron-LM demands it"),
    ],
)
def test_a_sentence_inside_another_keeps_only_the_capitals_of_names(sentence: str, words: str) -> None:
    assert clause(sentence) == words


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("gpu_count", "GPU count"),
        ("gpu_count * stage_count", "GPU count × stage count"),
        ("peak_bytes", "the greatest of all stages"),
        ("total_bytes", "bytes of all stages, as they are kept"),
    ],
)
def test_a_side_is_said_by_what_it_reads(formula: str, words: str) -> None:
    assert meaning(small_model(), parse_text(formula)) == words


@pytest.mark.parametrize(
    ("function", "words"),
    [("total", "all stages together"), ("largest", "the most of all stages"), ("smallest", "the least of all stages")],
)
def test_the_rows_of_a_column_are_said_to_be_taken_together(function: str, words: str) -> None:
    side = Call(function, (Column("stage_gpu_bytes"),))
    assert meaning(small_model(), side) == f"bytes of a stage on one GPU, {words}"


def test_what_a_description_adds_behind_a_colon_or_semicolon_is_left_out() -> None:
    assert meaning(estimator(), parse_text("used_adapter_rank")) == "rank of the adapters"
    assert meaning(estimator(), parse_text("end_parameters")) == "parameters outside the layers"
