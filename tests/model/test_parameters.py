"""Parameter counts equal the modules', to the last one, for every model of the catalogue."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest

from reportgen.catalog import model_named, models
from tests.model.cases import preset, table, values_of

EXACT = table("parameters.csv")
PUBLISHED = table("published_sizes.csv")
MIXTURES = [row for row in EXACT if row["active"] and row["active"] != row["total"]]


@pytest.mark.parametrize("row", EXACT, ids=lambda row: row["model_preset"])
def test_counts_equal_the_real_module(row: dict[str, str]) -> None:
    values = values_of(preset(row["model_preset"]))
    layers = values["layer_parameters"]
    found = {
        "total": values["model_parameters"],
        "active": values["active_parameters"],
        "first_layer": layers[0],
        "middle_layer": layers[len(layers) // 2],
        "last_layer": layers[-1],
    }
    assert {part: int(row[part]) for part in found if row[part]} == {part: found[part] for part in found if row[part]}


# OPT 350M embeds in half the width of its layers, which the inputs only correct in sum.
@pytest.mark.parametrize(
    "row", [row for row in EXACT if row["model_preset"] != "opt-350m"], ids=lambda row: row["model_preset"]
)
def test_embedding_and_head_equal_the_real_module(row: dict[str, str]) -> None:
    values = values_of(preset(row["model_preset"]))
    head = 0 if row["tied"] == "yes" else int(row["lm_head"])
    assert values["embedding_parameters"] == int(row["embedding"])
    assert values["head_parameters"] + values["head_bias_parameters"] == head


@pytest.mark.parametrize("row", EXACT, ids=lambda row: row["model_preset"])
def test_stages_hold_every_parameter_once_and_a_tied_head_twice(row: dict[str, str]) -> None:
    values = values_of(preset(row["model_preset"], pipeline_stages=2, gpu_count=16))
    copied = values["embedding_parameters"] if row["tied"] == "yes" else 0
    assert sum(values["stage_parameters"]) == int(row["total"]) + copied


@pytest.mark.parametrize("name", [row.key for row in models()])
def test_every_preset_is_estimated_and_holds_what_the_catalogue_says(name: str) -> None:
    values, row = values_of(preset(name)), model_named(name)
    assert row is not None
    assert (values["model_parameters"], values["active_parameters"]) == (
        row.expected_parameters,
        row.expected_active_parameters,
    )
    assert 0 < values["peak_memory_bytes"] < math.inf


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row['model_preset']} {row['measure']}")
def test_what_no_module_confirms_agrees_with_its_published_size(row: dict[str, str]) -> None:
    found = measured(values_of(preset(row["model_preset"])), row["measure"])
    assert abs(found / 1e9 - float(row["billions"])) <= float(row["within"])


def measured(values: Mapping[str, Any], measure: str) -> float:
    """A size as publications state it."""
    if measure == "without embeddings":
        return float(values["model_parameters"] - values["embedding_parameters"] - values["head_parameters"])
    return float(values[{"total": "model_parameters", "active": "active_parameters"}[measure]])


def test_every_preset_is_confirmed_by_a_module_or_marked_and_compared_with_a_publication() -> None:
    confirmed, compared = ({row["model_preset"] for row in rows} for rows in (EXACT, PUBLISHED))
    marked = {row.key for row in models() if row.unverified}
    assert confirmed == {row.key for row in models()} - marked
    assert compared == marked


def test_active_leaves_out_the_idle_experts_of_the_layers_that_have_any() -> None:
    # DeepSeek V3: 58 layers with 256 experts of 3 x 7168 x 2048 each, of which 8 work on a token.
    values = values_of(preset("deepseek-v3"))
    assert values["model_parameters"] - values["active_parameters"] == 58 * (256 - 8) * 3 * 7168 * 2048
    assert len(MIXTURES) >= 15
