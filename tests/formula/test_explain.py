"""Formulas in words, then in numbers, then their result."""

from __future__ import annotations

import pytest

import reportgen
from reportgen.formula.evaluate import evaluate
from reportgen.formula.explain import derive, feeds, in_words, label, with_numbers
from reportgen.formula.expression import Expression, Name
from reportgen.formula.parse import parse_text
from reportgen.model import estimator
from tests.formula.configurations import BASE
from tests.formula.small_model import INPUTS, small_model

MODEL = small_model()
VALUES = evaluate(MODEL, INPUTS)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("peak_memory_bytes", "peak memory bytes"),
        ("gpu_count", "GPU count"),
        ("gpus_per_node", "GPUs per node"),
        ("kv_head_count", "KV head count"),
        ("peak_flops", "peak FLOPs"),
        ("mlp_matrices", "MLP matrices"),
        ("ffn_size", "FFN size"),
        ("total_cost_usd", "total cost USD"),
        ("qkv_bias", "QKV bias"),
        ("qk_norm", "QK norm"),
        ("zero_stage", "ZeRO stage"),
        ("six_n_flops_per_token", "six N FLOPs per token"),
    ],
)
def test_a_label_is_the_name_with_the_fields_capitals(name: str, text: str) -> None:
    assert label(name) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("weight_bytes * parameters / shards", "weight bytes × parameters ÷ shards"),
        ("a - (b - c)", "a − (b − c)"),
        ("a - (b + c)", "a − (b + c)"),
        ("a + (b - c)", "a + b − c"),
        ("a * (b / c)", "a × b ÷ c"),
        ("a / (b * c)", "a ÷ (b × c)"),
        ("(a + b) * c", "(a + b) × c"),
        ("-a * b", "(−a) × b"),
        ("-(a + b)", "−(a + b)"),
        ("a - -b", "a − (−b)"),
        ("a ** 2", "a²"),
        ("hidden_size ** 2", "(hidden size)²"),
        ("(a + b) ** 3", "(a + b)³"),
        ("-a ** 4", "−a⁴"),
        ("(-a) ** 2", "(−a)²"),
        ("(a ** 2) ** 3", "(a²)³"),
        ("a * 1000000", "a × 1,000,000"),
        ("a if b > c else 0", "a if b is above c, else 0"),
        ("a if b == 'on' else c", "a if b is “on”, else c"),
        ("a if b != 0 else c if d <= 1 else e", "a if b is not 0, else c if d is at most 1, else e"),
        ("(a if b < 1 else c) * d", "(a if b is below 1, else c) × d"),
        ("(a if b >= 1 else c) if d > 0 else e", "(a if b is at least 1, else c) if d is above 0, else e"),
        ("a < 1 and (b < 1 or not c < 1)", "a is below 1 and (b is below 1 or not (c is below 1))"),
        ("a + b <= c * 2", "a + b is at most c × 2"),
        ("ceil(a / b) * c", "((a ÷ b) rounded up) × c"),
        ("floor(a)", "a rounded down"),
        ("remainder(a, b)", "what is left of a after whole steps of b"),
        ("min(a, b + c)", "the least of a and b + c"),
        ("max(a, b, c - d)", "the greatest of a, b and c − d"),
        ("abs(a - b)", "the size of (a − b)"),
        ("sqrt(a)", "the square root of a"),
        ("is_number(a)", "a is a number"),
        ("total(layer_bytes) + a", "(the sum of layer bytes) + a"),
        ("largest(a)", "the greatest of a"),
        ("smallest(a)", "the least of a"),
        ("count_where(a, b)", "the number of rows where a is b"),
        ("count_below(a, b + 1)", "the number of rows where a is below (b + 1)"),
        ("total_where(a, b, c)", "the sum of a where b is c"),
        ("total_up_to(a, b, c)", "the sum of a where b is at most c"),
        ("lookup(a, b, c)", "c in the row where b is a"),
    ],
)
def test_a_formula_in_words(text: str, words: str) -> None:
    assert in_words(parse_text(text)) == words


def test_labels_may_be_given() -> None:
    assert in_words(parse_text("a * b"), str.upper) == "A × B"


def test_a_formula_in_numbers() -> None:
    def shown(part: Expression) -> str | None:
        return {"a": "2 GB", "b": "4"}.get(part.name) if isinstance(part, Name) else None

    assert with_numbers(parse_text("a * (b + 1) ** 2 - a ** 2"), shown) == "2 GB × (4 + 1)² − (2 GB)²"


def test_feeds_are_the_quantities_and_checks_that_read_a_name() -> None:
    assert feeds(MODEL, "peak_bytes") == ("peak_stage", "fits")
    assert feeds(MODEL, "peak_stage") == ()


def test_a_derivation_of_a_scalar() -> None:
    assert derive(MODEL, VALUES, "kept_share").lines() == (
        ("Quantity", "kept share"),
        ("Name", "kept_share"),
        ("Meaning", "The share that is kept."),
        ("Formula", "rule share if share override is “as rule”, else share override"),
        ("In numbers", "0.5 if share override is “as rule” (it is), else “as rule”"),
        ("Result", "0.5"),
        ("Unit", "1"),
        ("Source", "Follows by definition"),
        ("Reads", "share override: “as rule”; rule share: 0.5"),
        ("Feeds", "stage GPU bytes, total bytes"),
    )


def test_a_derivation_of_a_column_is_of_its_first_row() -> None:
    assert derive(MODEL, VALUES, "stage_gpu_bytes").lines()[:7] == (
        ("Quantity", "stage GPU bytes, row 0"),
        ("Name", "stage_gpu_bytes"),
        ("Meaning", "Bytes of a stage on one GPU."),
        ("Formula", "stage bytes × kept share × (1 + stage index) ÷ GPU count"),
        ("In numbers", "8 GB × 0.5 × (1 + 0) ÷ 4 GPUs"),
        ("Result", "1 GB (0.9313 GiB)"),
        ("Unit", "byte/GPU"),
    )


def test_a_derivation_of_a_given_row() -> None:
    found = derive(MODEL, VALUES, "stage_gpu_bytes", row=1)
    assert (found.row, found.numbers, found.result) == (
        1,
        "12 GB × 0.5 × (1 + 1) ÷ 4 GPUs",
        "3 GB (2.794 GiB)",
    )
    assert found.source == "A. Writer (2020), A paper, section 1"


def test_a_reduction_alone_is_told_in_words_with_its_rows() -> None:
    found = derive(MODEL, VALUES, "peak_bytes")
    assert (found.words, found.numbers) == (
        "the greatest of stage GPU bytes",
        "the greatest of stage GPU bytes (2 rows)",
    )
    assert found.reads == (("stage_gpu_bytes", "2 rows"),)


def test_a_reduction_inside_a_formula_has_its_value_before_its_words() -> None:
    assert derive(MODEL, VALUES, "total_bytes").numbers == (
        "20 GB (the sum of stage bytes (2 rows)) × (0.5 if sharding is “on” (it is), else 1)"
    )


def test_a_word_that_is_another_is_told() -> None:
    values = evaluate(MODEL, {**INPUTS, "sharding": "off"})
    assert derive(MODEL, values, "total_bytes").numbers.endswith("(0.5 if sharding is “on” (it is “off”), else 1)")


def test_a_lookup_is_told_with_its_key() -> None:
    assert derive(MODEL, VALUES, "peak_stage").numbers == "stage index in the row where stage GPU bytes is 3 GB"


@pytest.mark.parametrize(
    ("name", "words", "result"),
    [("gpu_count", "an input", "4 GPUs"), ("rule_share", "a constant", "0.5"), ("stage_index", "", "0")],
)
def test_what_has_no_formula_is_said_to_have_none(name: str, words: str, result: str) -> None:
    found = derive(MODEL, VALUES, name)
    assert (found.words, found.numbers, found.result, found.reads) == (words, "", result, ())


def test_a_row_that_does_not_exist_is_refused() -> None:
    with pytest.raises(IndexError, match=r"^stage_gpu_bytes has rows 0 to 1, not 2$"):
        derive(MODEL, VALUES, "stage_gpu_bytes", row=2)


def test_a_column_without_rows_has_no_value() -> None:
    values = evaluate(MODEL, {**INPUTS, "stage_count": 0}, frozenset({"stage_gpu_bytes"}))
    assert derive(MODEL, values, "stage_gpu_bytes").result == "–"


def test_everything_that_the_estimator_knows_can_be_derived() -> None:
    model = estimator()
    values = evaluate(model, reportgen.load(BASE).live_inputs())
    for name in (*model.by_name, *model.index_axes):
        found = derive(model, values, name)
        assert found.words or name in model.index_axes
        assert "None" not in found.numbers
