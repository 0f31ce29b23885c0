"""The contract that every input, constant, quantity and check of the estimator keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from reportgen.formula.check_units import unit_faults
from reportgen.formula.expression import Call, nesting, walk
from reportgen.formula.functions import FUNCTIONS
from reportgen.formula.quantity import Check, Entry, Input, Quantity
from reportgen.formula.sources import Assumption, Citation, Origin
from reportgen.formula.to_excel import to_excel
from reportgen.formula.units import TEXT, Kind, Unit
from reportgen.model import estimator
from reportgen.result import TABLES
from tests.model.cases import cases, verdicts

MODEL = estimator()
ENTRIES = MODEL.entries
ONE_WORD_NAMES = {"recompute", "optimizer", "accelerator", "framework", "schedule", "tuning"}
CELL = re.compile(r"[A-Z]{1,3}[0-9]+|R[0-9]*C[0-9]*|R[0-9]*|C[0-9]*", re.IGNORECASE)
RESERVED = {"true", "false", "nan", "null"}
LONGEST_EXCEL_NAME = 255
PUBLIC_NAMES = [
    "layer_count",
    "hidden_size",
    "head_count",
    "kv_head_count",
    "head_size",
    "ffn_size",
    "vocabulary_size",
    "sequence_length",
    "micro_batch_size",
    "global_batch_size",
    "training_tokens",
    "gpu_count",
    "tensor_parallel",
    "pipeline_stages",
    "context_parallel",
    "expert_parallel",
    "virtual_stages",
    "data_parallel",
    "zero_stage",
    "recompute",
    "kernel_profile",
    "framework",
    "optimizer",
    "accelerator",
    "model_parameters",
    "active_parameters",
    "trained_parameters",
    "peak_memory_bytes",
    "memory_headroom_bytes",
    "worst_stage",
    "model_flops_per_token",
    "hardware_flops_per_token",
    "training_days",
    "gpu_hours",
    "total_cost_usd",
    "checkpoint_bytes",
]
PUBLIC_TABLES = ("stages", "layer_kinds", "layers")
# Results that nothing else reads: what a person asks for, or sets beside another figure.
RESULTS = {
    "kind_hidden_multiple",
    "stage_gpu_parameters",
    "profile_hidden_multiple",
    "state_bytes_per_parameter",
    "layer_gradient_bytes",
    "layer_optimizer_bytes",
    "spare_memory_bytes",
    "tokens_per_second_per_gpu",
    "step_seconds",
    "step_count",
    "node_count",
    "pipeline_bubble_fraction",
    "deadline_gpus",
    "retained_checkpoint_bytes",
    "asynchronous_overhead_fraction",
    "goal_interval_seconds",
    "checkpoint_count",
    "sensitivity_cost_usd",
    "classic_eight_bit_state_bytes",
    "serving_weight_bytes",
    "classic_score_bytes",
    "classic_recomputed_layer_bytes",
    "activation_rule_ratio",
    "selective_rule_bytes",
}


class AsNames:
    """Formulas with names, as the base option of a workbook has them."""

    def value(self, name: str) -> str:
        return name

    def column(self, name: str) -> str:
        return f"{name}_column"


def names(entries: tuple[Entry, ...] | tuple[Check, ...]) -> list[str]:
    return [entry.name for entry in entries]


@pytest.mark.parametrize("entry", ENTRIES, ids=names(ENTRIES))
def test_name_is_legal_in_excel_and_says_what_it_is_in_two_words_or_more(entry: Entry) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", entry.name)
    assert not CELL.fullmatch(entry.name)
    assert entry.name not in RESERVED
    assert len(entry.name) <= LONGEST_EXCEL_NAME
    assert "_" in entry.name or entry.name in ONE_WORD_NAMES


@pytest.mark.parametrize("name", ["tp8", "h100", "r1c1", "r", "c", "fp16", "c4", "true", "nan", "xfd1"])
def test_names_that_excel_would_misread_are_told_apart(name: str) -> None:
    assert CELL.fullmatch(name) or name in RESERVED


def test_no_name_begins_as_a_cell_does() -> None:
    """r1_bytes and c4_tokens: some engines stop reading at the underscore and find a cell."""
    assert all(begins_as_a_cell(name) for name in ("r1_bytes", "c4_tokens", "fp16_bytes"))
    assert [entry.name for entry in ENTRIES if begins_as_a_cell(entry.name)] == []


def begins_as_a_cell(name: str) -> bool:
    return bool(CELL.fullmatch(name.split("_", maxsplit=1)[0]))


@pytest.mark.parametrize("entry", [*ENTRIES, *MODEL.checks], ids=[*names(ENTRIES), *names(MODEL.checks)])
def test_description_is_one_sentence(entry: Entry | Check) -> None:
    assert re.fullmatch(r"([A-Z0-9]|fp32|bf16)[^\n]*\.", entry.description), entry.description
    assert not re.search(r"\. [A-Z]", entry.description), "more than one sentence"
    assert not re.search(r"\b(will|shall)\b", entry.description), "not in the present tense"


@pytest.mark.parametrize("entry", ENTRIES, ids=names(ENTRIES))
def test_unit_is_one_that_units_can_be_worked_out_with(entry: Entry) -> None:
    assert isinstance(entry.unit, Unit) or entry.unit == TEXT
    assert isinstance(entry.unit, Unit | Kind)


@pytest.mark.parametrize("entry", ENTRIES, ids=names(ENTRIES))
def test_source_is_cited_at_a_place_or_reasoned(entry: Entry) -> None:
    assert said(entry.origin).strip()


def said(origin: Origin) -> str:
    if isinstance(origin, Citation):
        return origin.place if origin.source.address and origin.source.date and origin.source.title else ""
    return origin.reason if isinstance(origin, Assumption) else origin.words


def test_units_of_all_formulas_work_out() -> None:
    assert list(unit_faults(MODEL)) == []


@pytest.mark.parametrize("quantity", MODEL.quantities, ids=names(MODEL.quantities))
def test_formula_translates_to_excel_and_nests_at_most_once(quantity: Quantity) -> None:
    formula = to_excel(quantity.expression, AsNames())
    assert all(re.search(rf"\b{name}", formula) for name in quantity.parameters)
    assert nesting(quantity.expression) <= 1
    assert formula.isprintable()


@pytest.mark.parametrize("check", MODEL.checks, ids=names(MODEL.checks))
def test_check_translates_to_excel_and_says_what_to_do(check: Check) -> None:
    assert all(name in to_excel(check.comparison, AsNames()) for name in check.parameters)
    assert re.fullmatch(r"[A-Z].*\.", check.remedy)


def used() -> Iterator[str]:
    yield from (name for quantity in MODEL.quantities for name in quantity.parameters)
    yield from (name for check in MODEL.checks for name in check.parameters)
    for axis in MODEL.axes:
        yield from (name for name in (axis.count, axis.label) if name)
    yield from (declared.choices_from for declared in MODEL.inputs.values() if declared.choices_from)


def test_everything_is_used_or_is_a_known_result() -> None:
    known = set(used()) | RESULTS | set(PUBLIC_NAMES)
    assert [entry.name for entry in ENTRIES if entry.name not in known] == []


def test_every_known_result_exists_and_is_read_by_nothing() -> None:
    assert {name for name in RESULTS if name not in MODEL.by_name or name in set(used())} == set()


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_public_name_exists(name: str) -> None:
    assert name in MODEL.by_name


def test_public_tables_exist() -> None:
    assert set(PUBLIC_TABLES) <= {axis.table for axis in MODEL.axes}
    assert set(PUBLIC_TABLES) == set(TABLES)


@pytest.mark.parametrize("declared", MODEL.inputs.values(), ids=MODEL.inputs)
def test_default_of_an_input_lies_within_its_bounds(declared: Input) -> None:
    assert [value for value in defaults(declared) if not allowed(declared, value)] == []


def defaults(declared: Input) -> tuple[object, ...]:
    if isinstance(declared.default, tuple):
        return declared.default
    return () if declared.default is None else (declared.default,)


def allowed(declared: Input, value: object) -> bool:
    if isinstance(value, str):
        return value == declared.word or declared.kind == "text" or value in choices(declared)
    assert isinstance(value, int | float)
    assert declared.minimum is not None
    assert declared.maximum is not None
    return declared.minimum <= value <= declared.maximum


def choices(declared: Input) -> tuple[object, ...]:
    if declared.choices_from is None:
        return declared.choices
    return defaults(MODEL.inputs[declared.choices_from])


@pytest.mark.parametrize("declared", MODEL.inputs.values(), ids=MODEL.inputs)
def test_number_has_bounds_and_a_choice_has_choices(declared: Input) -> None:
    if declared.kind in ("number", "whole"):
        assert declared.minimum is not None
        assert declared.maximum is not None
        assert declared.minimum < declared.maximum
    elif declared.kind == "choice":
        assert declared.choices or declared.choices_from


def test_every_function_of_the_language_is_one_that_the_model_may_call() -> None:
    called = {
        node.function for quantity in MODEL.quantities for node in walk(quantity.expression) if isinstance(node, Call)
    }
    assert called <= set(FUNCTIONS)


def test_every_check_has_a_case_where_it_holds_and_one_where_it_fails() -> None:
    found = {(verdict.check, verdict.holds) for verdict in verdicts()}
    assert found == {(check.name, holds) for check in MODEL.checks for holds in (True, False)}


def test_every_case_is_of_a_quantity_that_exists_with_its_parameters() -> None:
    parameters = {quantity.name: set(quantity.parameters) for quantity in MODEL.quantities}
    assert [case.title for case in cases() if parameters.get(case.quantity) != set(case.given)] == []
