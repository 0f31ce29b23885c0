"""What a memo says of experts, adapters, offload, kernels and frameworks, and what it leaves out without them."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import pytest
from pypdf import PdfReader

from reportgen import Result, estimate, load
from reportgen.breakdown import buffer_terms, held_terms
from reportgen.memo import memo_pdf
from reportgen.memo.content import memo_of
from reportgen.memo.content.assumptions import assumptions
from reportgen.memo.content.demand import demand
from reportgen.memo.content.memory import memory
from reportgen.memo.content.rules import STATE
from reportgen.memo.content.words import plain
from reportgen.memo.document import Section, Table
from reportgen.resources import scenarios_directory
from reportgen.scenario.load import load_text
from tests.memo.reading import disagreement, printed_in

DEEPSEEK = """
title: DeepSeek V3 on 2,048 cards
date: 2026-11-30
model: {preset: deepseek-v3}
run:
  sequence_length: 4096
  global_batch_size: 8192
  training_tokens: 14.8e12
  gpu_count: 2048
  pipeline_stages: 16
  schedule: dualpipe
  expert_parallel: 64
  recompute_norms: "yes"
  recompute_latent: "yes"
"""
MIXERS = """
title: A hybrid
date: 2026-11-30
model: {preset: nemotron-h-56b}
run: {gpu_count: 8, tensor_parallel: 8, global_batch_size: 16}
"""


@cache
def shipped(name: str) -> Result:
    return estimate(load(scenarios_directory() / f"{name}.yaml"))


def changed(name: str = "llama3-70b-8k", **changes: Any) -> Result:
    return estimate(shipped(name).scenario.with_inputs(**changes))


@cache
def written(text: str) -> Result:
    return estimate(load_text(text))


def said(section: Section) -> str:
    return " ".join(plain(paragraph) for paragraph in section.paragraphs).replace("\u00a0", " ")


def table_of(section: Section, caption: str) -> Table | None:
    return next((table for table in section.tables if table.caption.startswith(caption)), None)


def test_a_dense_model_trained_in_full_is_told_without_experts_adapters_or_offload() -> None:
    words = said(demand(shipped("llama3-70b-8k"))) + said(memory(shipped("llama3-70b-8k")))
    assert [
        word for word in ("expert", "adapter", "work on each token", "host memory", "Not modelled") if word in words
    ] == []


def test_experts_are_told_with_their_tokens_their_ranks_and_their_shard_group() -> None:
    words = said(demand(shipped("mixtral-8x7b")))
    assert "46.7 billion parameters, of which 12.9 billion parameters work on each token," in words
    assert "In 32 layers each token goes to 2 of 8 routed experts." in words
    # 2 tensor-parallel x 8 data-parallel GPUs hold each stage: 16 over 8 expert-parallel ranks leaves 2 copies.
    assert "shared out over 8 expert-parallel ranks, 1 on each, and ZeRO splits what belongs to them 2 ways." in words
    assert "of routed tokens on one GPU, the busiest one taking 1.2 times the mean." in words


def test_adapters_are_told_with_what_is_frozen_and_no_rule_of_thumb_for_state() -> None:
    result = shipped("qlora-70b")
    # 80 layers x rank 16 x (query and output 2 x 16,384, key and value 2 x 9,216, MLP 3 x 36,864) = 207,093,760.
    assert "Trained are 207 million parameters: adapters of rank 16 on all matrices" in said(demand(result))
    assert "beside frozen weights in a 4-bit form." in said(demand(result))
    rules = table_of(memory(result), "Rules of thumb")
    assert rules is not None
    assert STATE not in [row.cells[0] for row in rules.rows]


@pytest.mark.parametrize(("place", "words"), [("host memory", "in host memory, not on"), ("nvme", "in NVMe, not on")])
def test_what_is_offloaded_is_told_with_where_it_lies(place: str, words: str) -> None:
    assert f"The optimizer's state lies {words} the GPUs:" in said(memory(changed(optimizer_offload=place)))


def test_mixers_whose_activations_are_not_modelled_have_a_line_of_their_own() -> None:
    assert "Not modelled: what the scans of state-space or linear mixers keep in" in said(memory(written(MIXERS)))


def test_kernel_profile_and_framework_are_named_and_a_single_term_is_told_in_the_sentence() -> None:
    section = memory(shipped("llama3-70b-8k"))
    assert "the kernel profile “fused”, with FlashAttention" in said(section)
    assert "the framework “textbook”: 1.07 GB, the memory that the CUDA context" in said(section)
    assert table_of(section, "What the buffers") is None


def test_the_multiples_of_each_profile_stand_beside_the_classic_one() -> None:
    words = said(memory(shipped("llama3-70b-8k")))
    assert "The classic rule of 34·s·b·h bytes" in words
    assert "keeps 33.53·s·b·h with fused kernels and 48.53·s·b·h with eager ones, which also keep an fp32 copy" in words


def test_a_profile_of_its_own_has_its_multiple_told_too() -> None:
    assert "; the chosen profile keeps" in said(memory(changed(kernel_profile="gpt-dropout")))
    assert "no dropout masks" not in said(memory(changed(kernel_profile="gpt-dropout")))


@pytest.mark.parametrize("framework", ["megatron-lm", "nanotron", "torchtitan"])
def test_every_term_of_the_buffers_that_is_not_zero_is_a_row_and_they_add_up(framework: str) -> None:
    result = changed(framework=framework)
    table = table_of(memory(result), "What the buffers of the fullest stage")
    assert table is not None
    assert len(table.rows) == len(held_terms(result)) < len(buffer_terms())
    stage = result["worst_stage"]
    assert sum(held_terms(result).values()) == pytest.approx(result["stage_buffer_bytes"][stage])
    assert all(plain(cell) for row in table.rows for cell in row.cells)


def test_inputs_that_nothing_hangs_on_are_no_assumptions() -> None:
    dense = {assumption.label for assumption in assumptions(shipped("llama3-70b-8k"))}
    assert dense & {"Expert parallel", "Adapter rank", "Loss chunks", "Gathered layers", "Shard group size"} == set()
    assert "Expert parallel" in {assumption.label for assumption in assumptions(shipped("mixtral-8x7b"))}
    assert "Gathered layers" in {
        assumption.label for assumption in assumptions(changed(pipeline_stages=1, zero_stage=3))
    }


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"recompute": "operators"}, "Operator recomputation keeps attention and every other matrix product"),
        ({"recompute": "full", "recompute_interval": 2}, "keeps the input of one layer in 2 and computes the rest"),
        ({"recompute": "full", "recompute_group_layers": 4}, "keeps one input for every 4 layers and computes"),
        ({"recompute_norms": "yes"}, "Of each layer are recomputed: norm outputs; without that the peak would be"),
        ({"schedule": "gpipe"}, "Under GPipe it holds"),
        ({"schedule": "dualpipe"}, "Under DualPipe it holds"),
    ],
)
def test_recomputation_and_schedule_are_told_as_planned(changes: dict[str, Any], words: str) -> None:
    assert words in said(memory(changed(**changes)))


def test_latent_attention_and_experts_are_what_the_rule_of_thumb_does_not_know() -> None:
    assert "attention is latent" in said(memory(written(DEEPSEEK)))


@pytest.mark.parametrize("text", [DEEPSEEK, MIXERS], ids=["experts and latent attention", "mixers"])
def test_every_number_of_their_memos_is_its_quantitys_value(text: str) -> None:
    result = written(text)
    assert [wrong for read in printed_in(memo_of(result)) if (wrong := disagreement(result, read))] == []


@pytest.mark.parametrize("text", [DEEPSEEK, MIXERS], ids=["experts and latent attention", "mixers"])
def test_their_memos_are_no_longer_than_others(text: str) -> None:
    assert 4 <= len(PdfReader(io.BytesIO(memo_pdf(written(text)))).pages) <= 7
