"""Scenario files: what is accepted, and the full message for everything that is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import reportgen
from reportgen.errors import ScenarioError
from reportgen.scenario.load import load, load_text, scenario_hash

GOOD = """# A tiny run
title: Tiny
date: 2026-11-30
model:
  preset: llama3-8b
run:
  gpu_count: 16
  global_batch_size: 64
"""


def messages(text: str) -> list[str]:
    """Every fault of a scenario text, as printed."""
    with pytest.raises(ScenarioError) as caught:
        load_text(text, "tiny.yaml")
    return [str(fault) for fault in caught.value.faults]


def test_a_good_scenario_has_every_input() -> None:
    scenario = load_text(GOOD, "tiny")
    assert scenario.title == "Tiny"
    assert scenario.story == "A tiny run"
    assert scenario.inputs["layer_count"] == 32
    assert scenario.inputs["gpu_count"] == 16
    assert scenario.inputs["recompute"] == "none"
    assert None not in scenario.inputs.values()


def test_1e12_is_a_number() -> None:
    assert load_text(GOOD + "  training_tokens: 1e12\n").inputs["training_tokens"] == 10**12


def test_a_word_in_another_case_is_the_same_word() -> None:
    assert load_text(GOOD + "  recompute: FULL\n").inputs["recompute"] == "full"


def test_an_unknown_key_names_the_nearest_known_one() -> None:
    told = messages(GOOD + "  pipeline_stagse: 2\n")
    assert len(told) == 1
    assert told[0].startswith('tiny.yaml:9: run.pipeline_stagse: found the unknown key "pipeline_stagse"; expected')
    assert told[0].endswith('; did you mean "pipeline_stages"?')


def test_a_key_of_another_section_is_told_where_it_belongs() -> None:
    assert messages(GOOD.replace("preset: llama3-8b", "preset: llama3-8b\n  gpu_count: 8")) == [
        'tiny.yaml:6: model.gpu_count: found the key "gpu_count"; expected a key of this section; '
        "move it to the section run"
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "zero_stage: '2'",
            'tiny.yaml:9: run.zero_stage: found the text "2"; expected a whole number from 0 to 3; remove the quotes',
        ),
        (
            "micro_batch_size: -1",
            "tiny.yaml:9: run.micro_batch_size: found -1; expected a whole number from 1 to 1,048,576 (sequence); "
            "raise it to 1 or more",
        ),
        (
            "micro_batch_size: 1.5",
            "tiny.yaml:9: run.micro_batch_size: found 1.5; expected a whole number from 1 to 1,048,576 (sequence); "
            "round it to a whole number",
        ),
        (
            "training_tokens: 15_000",
            'tiny.yaml:9: run.training_tokens: found the text "15_000"; expected a number from 1 to 1e+18 (token); '
            "leave the underscores out, or write it as 1.5e13",
        ),
        (
            "training_tokens: .inf",
            "tiny.yaml:9: found `.inf`; expected a finite number; write a finite number, or leave the key out",
        ),
        (
            "recompute: fall",
            'tiny.yaml:9: run.recompute: found the text "fall"; expected one of "none", "selective", '
            '"operators", "full"; did you mean "full"?',
        ),
        (
            "sequence_parallel: true",
            "tiny.yaml:9: run.sequence_parallel: found the truth value true; expected one of "
            '"on", "off"; write the word in quotes',
        ),
        (
            "gpu_count: 8",
            "tiny.yaml:9: found the key `gpu_count` again (first on line 7); expected each key once; "
            "delete or rename one of them",
        ),
        (
            "tensor_parallel: [1, 2]",
            "tiny.yaml:9: run.tensor_parallel: found a list or mapping; expected a whole number from 1 to 1,024 (GPU); "
            "write a number",
        ),
    ],
)
def test_a_wrong_value_says_where_what_and_what_to_do(line: str, message: str) -> None:
    assert messages(f"{GOOD}  {line}\n") == [message]


def test_a_layout_that_does_not_divide_names_the_input_to_change() -> None:
    assert messages(GOOD.replace("gpu_count: 16", "gpu_count: 12\n  tensor_parallel: 8")) == [
        "tiny.yaml:7: run.gpu_count: found 4 GPUs (GPUs left over when all others form whole copies of the model); "
        "expected that the GPUs form whole copies of the model; "
        "make gpu_count a multiple of tensor_parallel x pipeline_stages x context_parallel",
        "tiny.yaml:9: run.global_batch_size: found 0.6667 (part of a micro-batch left over on each copy of the model "
        "when a step is shared out); "
        "expected that the global batch divides evenly into micro-batches on every copy of the model; "
        "make global_batch_size a multiple of micro_batch_size x data_parallel",
    ]


def test_all_faults_are_told_at_once() -> None:
    told = messages("title: 3\nbogus: 1\nmodel:\n  hidden_size: 0\nrun:\n  zero_stage: 9\n")
    assert [message.split(": found")[0] for message in told] == [
        "tiny.yaml:1: date",
        "tiny.yaml:2: bogus",
        "tiny.yaml:3: model.layer_count",
        "tiny.yaml:3: model.head_count",
        "tiny.yaml:3: model.kv_head_count",
        "tiny.yaml:3: model.head_size",
        "tiny.yaml:3: model.ffn_size",
        "tiny.yaml:3: model.vocabulary_size",
        "tiny.yaml:4: model.hidden_size",
        "tiny.yaml:6: run.zero_stage",
    ]


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a/b", "..", "A B", "", "=cmd"])
def test_a_name_that_is_no_folder_name_is_refused(name: str) -> None:
    told = messages(GOOD + f"name: '{name}'\n")
    assert len(told) == 1
    assert told[0].startswith("tiny.yaml:9: name: found the text")


def test_a_title_that_starts_with_an_equals_sign_is_only_text() -> None:
    assert load_text(GOOD.replace("Tiny", "\"=cmd|'/C calc'!A0\"")).title == "=cmd|'/C calc'!A0"


def test_an_accelerator_without_a_memory_figure_is_refused_where_it_is_needed() -> None:
    told = messages(GOOD + "hardware:\n  accelerator: NVIDIA B300 SXM\ncost:\n  price_override: 3\n")
    assert told == [
        "tiny.yaml:10: hardware.accelerator: found 1 (figures of the accelerator that the estimate needs and nobody "
        "has given); expected that memory and dense peak of the accelerator are known; choose an accelerator with "
        "these figures, or give accelerator_memory_override and peak_flops_override"
    ]


def test_a_missing_figure_that_the_scenario_gives_is_taken() -> None:
    text = GOOD + (
        "hardware:\n  accelerator: NVIDIA B300 SXM\n  accelerator_memory_override: 2.8e11\ncost:\n  price_override: 3\n"
    )
    assert reportgen.estimate(load_text(text))["accelerator_memory_bytes"] == 280_000_000_000


def test_a_price_of_another_accelerator_is_refused() -> None:
    told = messages(GOOD + "hardware:\n  accelerator: NVIDIA H200 SXM\n")
    assert len(told) == 1
    assert (
        "found NVIDIA H100 SXM (the accelerator that the price should be for) against NVIDIA H200 SXM (accelerator); "
        "expected that the price is that of the chosen accelerator" in told[0]
    )


def test_a_missing_file_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "nowhere.yaml")
    assert len(caught.value.faults) == 1


def test_a_range_switches_with_the_case() -> None:
    text = GOOD + "time:\n  flops_utilization: {low: 0.3, base: 0.4, high: 0.5}\n"
    scenario = load_text(text)
    days = {
        case: reportgen.estimate(scenario.with_inputs(active_case=case))["training_days"]
        for case in ("low", "base", "high")
    }
    assert days["low"] == pytest.approx(days["base"] * 4 / 3)
    assert days["high"] == pytest.approx(days["base"] * 4 / 5)


def test_with_inputs_refuses_what_a_file_may_not_hold() -> None:
    with pytest.raises(ScenarioError, match="layer_count: found 0; expected a whole number from 1 to 256"):
        load_text(GOOD).with_inputs(layer_count=0)


def test_the_hash_follows_every_input() -> None:
    scenario = load_text(GOOD)
    assert scenario_hash(scenario) == scenario_hash(load_text(GOOD))
    assert scenario_hash(scenario) != scenario_hash(scenario.with_inputs(gpu_count=32))
    assert scenario_hash(scenario) != scenario_hash(scenario.with_inputs(kind_override={3: "local"}))


def test_one_layer_can_be_of_another_kind() -> None:
    scenario = load_text(GOOD + "layers:\n  kind_override: {17: local}\n")
    result = reportgen.estimate(scenario)
    assert result["layer_kind"][17] == "local"
    assert result["kind_layers"] == [31, 1]


def test_low_and_high_are_the_ends_of_the_value() -> None:
    assert messages(GOOD + "time:\n  flops_utilization: {low: 0.6, base: 0.4, high: 0.2}\n") == [
        "tiny.yaml:10: time.flops_utilization: found low 0.6 above high 0.2; expected low <= high; "
        "low and high are the ends of the value, not of the result"
    ]


def test_base_lies_between_low_and_high() -> None:
    assert messages(GOOD + "time:\n  flops_utilization: {low: 0.3, base: 0.5, high: 0.4}\n") == [
        "tiny.yaml:10: time.flops_utilization: found base 0.5; expected a base from 0.3 to 0.4; "
        "widen the range, or move the base into it"
    ]


def test_a_row_that_nothing_uses_is_refused() -> None:
    assert messages(GOOD + "layers:\n  kind_override: {32: local}\n") == [
        "tiny.yaml:10: layers.kind_override.32: found row 32; expected a row from 0 to 31; "
        "raise layer_count, or remove it"
    ]


def test_a_shortened_name_is_completed() -> None:
    told = messages(GOOD + "hardware:\n  accelerator: H100\n")
    assert told[0].endswith('; did you mean "NVIDIA H100 NVL"?')


def test_a_mistyped_size_is_not_called_missing_as_well() -> None:
    told = messages(GOOD.replace("preset: llama3-8b", "layer_cout: 32"))
    assert [message.split(": found")[0] for message in told if "layer_co" in message] == [
        "tiny.yaml:5: model.layer_cout"
    ]


def test_changes_remember_what_the_scenario_has() -> None:
    scenario = load_text(GOOD)
    changed = scenario.with_inputs(gpu_count=32).with_inputs(recompute="full")
    assert changed.changes == {"gpu_count": 16, "recompute": "none"}
    assert changed.with_inputs(gpu_count=16).changes == {"recompute": "none"}


def test_a_kind_that_is_no_longer_described_is_refused_where_it_is_named() -> None:
    layers = "layers:\n  layer_kind_count: 1\n  pattern_layer_kind: local\n"
    told = messages(GOOD + layers)
    assert [message.split(": found")[0] for message in told] == ["tiny.yaml:11: layers.pattern_layer_kind"]
    assert load_text(GOOD + "layers:\n  layer_kind_count: 1\n").inputs["layer_kind_count"] == 1


def test_changing_the_count_of_kinds_looks_at_every_choice_again() -> None:
    scenario = load_text(GOOD + "layers:\n  pattern_layer_kind: local\n")
    with pytest.raises(ScenarioError, match='pattern_layer_kind: found the text "local"'):
        scenario.with_inputs(layer_kind_count=1)


def test_a_name_that_stands_twice_in_the_catalogue_is_refused() -> None:
    scenario = load_text(GOOD)
    with pytest.raises(ScenarioError, match="the accelerator's name stands once in the catalogue"):
        scenario.with_inputs(accelerator_name={"AMD MI300X": "NVIDIA H100 SXM"})
    with pytest.raises(ScenarioError, match="the listing's name stands once in the price list"):
        scenario.with_inputs(listing_name={0: scenario.inputs["price_listing"]})
