"""What the memo's numbers stand on: no source beside a value that it does not hold, no sum that does not add up."""

from __future__ import annotations

import subprocess
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from reportgen import Result, estimate, load
from reportgen.memo import memo_pdf
from reportgen.memo.content.assumptions import assumptions
from reportgen.memo.content.brief import brief
from reportgen.memo.content.derivations import derivation
from reportgen.memo.content.layers import layers
from reportgen.memo.content.say import Teller
from reportgen.memo.content.words import plain
from reportgen.memo.document import Assumption, Printed
from reportgen.resources import scenarios_directory
from reportgen.scenario.load import load_text

SCENARIOS = sorted(scenarios_directory().glob("*.yaml"))
IDS = [path.stem for path in SCENARIOS]
SUMS = ("memory_headroom_bytes", "stage_peak_bytes[0]", "synchronous_stall_seconds")
BY_HAND = """
title: A model of our own
date: 2026-11-30
model: {layer_count: 4, hidden_size: 256, head_count: 4, kv_head_count: 4, head_size: 64, ffn_size: 1024,
        vocabulary_size: 1024}
run: {sequence_length: 512, micro_batch_size: 1, global_batch_size: 8, training_tokens: 1e7, gpu_count: 1}
"""


def text() -> str:
    return (scenarios_directory() / "llama3-70b-8k.yaml").read_text(encoding="utf-8")


def result(**changes: Any) -> Result:
    return estimate(load_text(text()).with_inputs(**changes))


def entry(found: Result, label: str) -> Assumption:
    return next(each for each in assumptions(found) if each.label == label)


def test_a_value_that_was_set_does_not_bear_the_papers_name() -> None:
    changed = entry(result(flops_utilization=0.42), "FLOPs utilization")
    assert changed.source == "Set for this estimate; the scenario has 40\u00a0%"
    assert changed.own


def test_a_base_outside_its_own_low_to_high_is_said_to_be() -> None:
    words = entry(result(flops_utilization=0.9), "FLOPs utilization").source
    assert words.endswith("; outside its own low to high of 35\u00a0% to 43\u00a0%")
    assert "outside" not in entry(result(), "FLOPs utilization").source


def test_in_another_case_the_source_is_said_to_be_the_bases() -> None:
    low = entry(result(active_case="low"), "Goodput fraction")
    assert low.source.startswith("The low of the scenario's range; its base is from: Llama 3 paper, section 3.3.4")
    assert low.own


def test_the_note_of_a_range_says_why_the_value_was_chosen() -> None:
    words = entry(result(), "FLOPs utilization").source
    assert "6N counts less, so the base is taken a little lower." in words


def test_a_value_that_the_scenario_gives_without_a_source_is_an_assumption_of_its_own() -> None:
    found = estimate(load(scenarios_directory() / "train-405b.yaml"))
    given = entry(found, "FLOPs utilization")
    assert given.source == "Given by the scenario, without a source"
    assert given.own


def test_a_deadline_is_an_assumption_only_where_nobody_gave_one() -> None:
    undated = estimate(load_text(text().replace("  deadline_days: 45\n", "")))
    assert entry(undated, "Deadline days").own
    assert "Deadline days" not in [each.label for each in assumptions(result())]


def test_no_assumption_bears_the_scenarios_date() -> None:
    assert result().scenario.date.isoformat() not in [each.date for each in assumptions(result())]


def test_a_card_that_is_described_outright_does_not_bear_the_catalogues_source() -> None:
    found = result(accelerator_memory_override=70e9)
    assert entry(found, "Usable memory of the card").source.startswith("Set for this estimate")
    assert entry(found, "Dense peak of the card").source.startswith("NVIDIA H100 SXM: ")


def test_a_model_written_by_hand_has_its_architecture_among_the_assumptions() -> None:
    assert entry(estimate(load_text(BY_HAND)), "Architecture").source == "by hand in the scenario"


def test_with_one_stage_nothing_is_on_the_last() -> None:
    assert "last stage" not in plain(layers(estimate(load_text(BY_HAND))).paragraphs[0])
    assert "on the last stage" in plain(layers(result()).paragraphs[0])


@pytest.mark.parametrize("source", ["a " * 60, "word, " * 40, "x" * 200, f"{'x' * 200} and more"])
def test_a_source_is_cut_between_words(source: str) -> None:
    cut = brief(source.strip())
    words = source.split()
    assert [word.strip(",") for word in cut.rstrip("…").split()] == [
        word.strip(",") for word in words[: len(cut.rstrip("…").split())]
    ]


@pytest.mark.parametrize("path", SCENARIOS, ids=IDS)
@pytest.mark.parametrize("formula", SUMS)
def test_a_sum_adds_up_as_it_is_printed(path: Path, formula: str) -> None:
    found = derivation(Teller(estimate(load(path))), formula)
    assert isinstance(found.result, Printed)
    assert signed_sum(found.numbers) == number(found.result)


def signed_sum(pieces: Any) -> Decimal:
    total, sign = Decimal(0), 1
    for piece in pieces:
        if isinstance(piece, Printed):
            total += sign * number(piece)
        else:
            sign = -1 if "−" in piece else 1
    return total


def number(printed: Printed) -> Decimal:
    return Decimal(printed.text.split("\u00a0")[0].replace(",", "").replace("−", "-"))


def test_a_page_is_headed_by_the_section_that_it_begins_in(tmp_path: Path) -> None:
    pdf = tmp_path / "memo.pdf"
    pdf.write_bytes(memo_pdf(result()))
    heads = [head_of(pdf, page) for page in range(2, len(PdfReader(pdf).pages) + 1)]
    assert heads[0] == "3 Memory per GPU"
    assert "9 Assumptions" in heads
    assert "10 Approval" not in heads


def head_of(pdf: Path, page: int) -> str:
    """What stands at the left of a page's head, which is 54 points high."""
    box = ("-f", str(page), "-l", str(page), "-x", "0", "-y", "0", "-W", "400", "-H", "53")
    return subprocess.run(["pdftotext", *box, str(pdf), "-"], capture_output=True, text=True, check=True).stdout.strip()


def test_a_model_from_its_config_is_not_called_described_by_hand(tmp_path: Path) -> None:
    sizes = '"hidden_size": 64, "intermediate_size": 160, "num_hidden_layers": 2, "vocab_size": 1000'
    heads = '"num_attention_heads": 4, "num_key_value_heads": 2, "tie_word_embeddings": false'
    (tmp_path / "config.json").write_text(f'{{"model_type": "llama", {sizes}, {heads}}}', encoding="utf-8")
    path = tmp_path / "run.yaml"
    path.write_text("title: x\ndate: 2026-11-30\nmodel: {config: config.json}\n", encoding="utf-8")
    architecture = assumptions(estimate(load(path)))[0]
    assert (architecture.label, architecture.value) == ("Architecture", "its own config.json")
    assert architecture.source.startswith("config.json, family llama")
