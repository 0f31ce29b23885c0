"""A preset fills a scenario with its sizes and kinds of layer, which a person may then change by their names."""

from __future__ import annotations

import pytest

from reportgen.catalog import ModelPreset, models, presets
from reportgen.scenario import sections
from reportgen.scenario.load import load_text
from tests.model.cases import values_of

DATE = "date: 2026-11-30\n"


def test_a_presets_kinds_can_be_changed_by_their_names() -> None:
    scenario = load_text(
        f"{DATE}model: {{preset: gpt-oss-20b}}\nlayers:\n  kind_window: {{local + experts: 256}}\n  pattern_period: 4\n"
    )
    values = values_of(scenario)
    assert list(values["kind_window"])[:2] == [256, "whole sequence"]
    assert list(values["layer_kind"])[:4] == [*["local + experts"] * 3, "experts"]


def test_kinds_named_in_a_scenario_may_be_used_in_it_whatever_the_order() -> None:
    scenario = load_text(
        f"{DATE}model: {{preset: llama3-8b}}\nlayers:\n  leading_layer_count: 1\n  leading_layer_kind: wide\n"
        "  main_layer_kind: narrow\n  pattern_layer_kind: narrow\n  kind_name: [wide, narrow]\n"
    )
    assert list(values_of(scenario)["layer_kind"])[:2] == ["wide", "narrow"]


def test_a_size_of_the_scenario_goes_before_the_presets() -> None:
    values = values_of(load_text(f"{DATE}model: {{preset: mixtral-8x7b, expert_count: 16}}\n"))
    # 32 layers, each with 8 more experts of 3 x 4096 x 14336, and as many more rows in the router.
    assert values["model_parameters"] == 46_702_792_704 + 32 * 8 * (3 * 4096 * 14336 + 4096)


@pytest.mark.parametrize(
    ("held", "message"),
    [
        ({"expert_count": 0}, "preset gpt2: expert_count: 0, not a whole number from 1 to 65,536"),
        ({"expert_kount": 8}, "preset gpt2: expert_kount: no input is called so"),
    ],
)
def test_a_fault_in_a_preset_is_the_catalogues(
    held: dict[str, int], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def odd(preset: ModelPreset) -> dict[str, object]:
        return {**presets.inputs_of(preset), **held}

    monkeypatch.setattr(sections, "inputs_of", odd)
    with pytest.raises(ValueError, match=f"^{message}$"):
        load_text(f"{DATE}model: {{preset: gpt2}}\n")


def test_every_preset_has_sizes_that_its_inputs_accept() -> None:
    for row in models():
        assert load_text(f"{DATE}model: {{preset: {row.key}}}\n").preset == row.key
