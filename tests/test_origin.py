"""No source stands beside a value that it does not hold."""

from __future__ import annotations

import reportgen

SCENARIO = reportgen.load("scenarios/llama3-70b-8k.yaml")


def origin(name: str, **changes: object) -> str:
    """Where a value comes from after some changes."""
    return reportgen.estimate(SCENARIO.with_inputs(**changes)).origin(name)


def test_a_noted_value_has_its_note() -> None:
    assert origin("flops_utilization") == "Llama 3 paper, table 4 (38 to 43 % in bf16)"


def test_a_changed_value_says_what_the_scenario_has() -> None:
    assert origin("flops_utilization", flops_utilization=0.55) == "Set for this estimate; the scenario has 0.4"


def test_a_given_value_is_the_scenarios() -> None:
    assert origin("gpu_count") == "Given by the scenario"


def test_a_preset_value_has_the_presets_source() -> None:
    assert "config.json" in origin("hidden_size")


def test_a_default_has_the_defaults_source() -> None:
    assert origin("zero_stage").startswith("Given by the scenario")
    assert origin("gathered_layers").startswith("Own assumption: ")


def test_a_listed_price_has_the_row_of_the_price_list() -> None:
    assert origin("gpu_hour_price").startswith("Lambda H100 SXM x8 on-demand 2026-05: Lambda")
    assert origin("gpu_hour_price", price_override=2) == "Set for this estimate; the scenario has as listed"


def test_the_cards_figures_have_the_row_of_the_catalogue() -> None:
    assert origin("peak_flops").startswith("NVIDIA H100 SXM: stas00/ml-engineering")
    assert origin("accelerator_memory_bytes").startswith("NVIDIA H100 SXM: ")
