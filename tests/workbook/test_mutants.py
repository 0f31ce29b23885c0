"""Broken formulas are noticed: a mutant of a formula changes a cell that every build compares."""

from __future__ import annotations

import re
from itertools import islice
from random import Random
from typing import Any

import pytest

from reportgen.model import estimator
from reportgen.workbook.cells import Address
from reportgen.workbook.expected import agree, expected_values
from tests.engines.interface import CellValue
from tests.engines.ironcalc_engine import IronCalcEngine
from tests.workbook.books import Book, book
from tests.workbook.edits import Edit, draw

MUTANTS = 24
LEAST_KILLED = 0.8
DRAWN = 2
SWAPS = (
    *(("+", "-"), ("*", "/"), ("<=", "<"), (">=", ">"), ("=0", "=1"), (",0)", ",1)")),
    *(("SUM(", "MAX("), ("MAX(", "MIN(")),
)
SHEETS = ("Model", "Kinds", "Stages", "Layers")
EDITS: tuple[dict[str, Any], ...] = (
    {},
    {"recompute": "full", "zero_stage": 3, "mlp_kind": "plain", "mlp_bias": "yes", "qkv_bias": "yes"},
    {"recompute": "selective", "flash_attention": "off", "embedding_tying": "tied", "qk_norm": "per head"},
    {"flops_convention": "causal attention with head", "leading_layer_count": 1, "leading_layer_kind": "local"},
    {"pattern_period": 2, "pattern_layer_count": 1, "main_layer_kind": "local", "virtual_stages": 2, "zero_stage": 0},
    {"framework": "nanotron", "zero_stage": 0, "gathered_inputs": "kept", "kernel_profile": "gpt-dropout"},
    {"framework": "nanotron", "zero_stage": 1, "recompute": "selective", "flash_attention": "off"},
    {"framework": "torchtitan", "zero_stage": 3, "recompute": "operators", "compute_copy_bytes_per_parameter": 2},
    {"tuning": "lora", "schedule": "dualpipe", "optimizer": "muon", "optimizer_offload": "host memory"},
    {"tuning": "qlora", "optimizer": "adafactor", "loss_head": "chunked", "recompute_mlp_activation": "yes"},
    {
        "kind_mlp": {0: "experts"},
        "expert_count": 16,
        "experts_per_token": 2,
        "expert_parallel": 4,
        "expert_tensor_parallel": 2,
        "expert_load_factor": 1.5,
        "shared_ffn_size": 2048,
        "router_bias": "yes",
        "expert_bias": "yes",
        "shared_expert_gate": "yes",
        "recompute_experts": "activation",
    },
    {
        "kind_attention": {0: "latent"},
        "kv_head_count": 64,
        "query_latent_size": 1536,
        "value_head_size": 96,
        "recompute_latent": "yes",
        "recompute_norms": "yes",
        "kind_mlp": {0: "experts"},
        "expert_count": 8,
        "recompute_experts": "whole",
        "schedule": "gpipe",
        "head_bias": "yes",
        "kind_further_width": {0: 128},
        "kind_further_parameters": {0: 1e6},
    },
)


def test_most_mutants_of_formulas_are_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    made, random = book("llama3-70b-8k"), Random(3)  # noqa: S311  # not for secrets
    mutants = random.sample(_mutants(made), MUTANTS)
    alive = _survivors(made, mutants)
    with capsys.disabled():
        print(f"\nmutants of formulas: {1 - len(alive) / MUTANTS:.0%} of {MUTANTS} noticed")  # noqa: T201
    assert len(alive) <= (1 - LEAST_KILLED) * MUTANTS, alive


def _mutants(made: Book) -> list[tuple[Address, str]]:
    """One swap of an operator or function in the first row of each block."""
    return [
        (address, formula.text.replace(old, new, 1))
        for address, formula in made.layout.formulas.items()
        if address[0] in SHEETS and formula.key.row <= 0 and formula.key.name in _results()
        for old, new in SWAPS
        if old in re.sub(r'"[^"]*"', "", formula.text)
    ]


def _results() -> set[str]:
    """The quantities whose cells are broken: not those that are 0 as long as all is well."""
    return {quantity.name for quantity in estimator().quantities if ".checks_" not in quantity.module}


def _survivors(made: Book, mutants: list[tuple[Address, str]]) -> list[tuple[Address, str]]:
    """The mutants whose cell, which is compared on every build, shows the same after every edit."""
    alive = mutants
    for edit in (*(Edit(valid=True, changes=changes) for changes in EDITS), *_drawn(made)):
        outcome = edit.outcome(made.result.scenario)
        if outcome is None:
            assert edit.changes not in EDITS, "an edit that was chosen to reach formulas has become a fault"
            continue
        expected = expected_values(made.layout, outcome, made.result)
        with IronCalcEngine() as engine:
            engine.open(made.addressed).edit(edit.cells(made.layout))
            alive = [mutant for mutant in alive if agree(expected[mutant[0]], _shown(engine, made, *mutant))]
    return alive


def _drawn(made: Book) -> list[Edit]:
    """Some random edits, for what the chosen ones do not reach."""
    random = Random(5)  # noqa: S311  # not for secrets
    return list(islice(draw(made.result.scenario, random), DRAWN))


def _shown(engine: IronCalcEngine, made: Book, address: Address, text: str) -> CellValue:
    """What a cell shows with another formula, which is put back."""
    model, place = engine._opened(), engine._position(address)
    model.set_user_input(*place, f"={text}")
    model.evaluate()
    found: CellValue = model.get_cell_value(*place)
    model.set_user_input(*place, f"={made.layout.formulas[address].text}")
    return found
