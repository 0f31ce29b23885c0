"""Parameter counts equal the modules', to the last one."""

from __future__ import annotations

import pytest

from tests.model.cases import preset, table, values_of


@pytest.mark.parametrize("row", table("parameters.csv"), ids=lambda row: row["model_preset"])
def test_counts_equal_the_real_module(row: dict[str, str]) -> None:
    values = values_of(preset(row["model_preset"]))
    assert {
        "total": int(row["total"]),
        "embedding": int(row["embedding"]),
        "lm_head": 0 if row["tied"] == "yes" else int(row["lm_head"]),
        "first_layer": int(row["first_layer"]),
    } == {
        "total": values["model_parameters"],
        "embedding": values["embedding_parameters"],
        "lm_head": values["head_parameters"] + values["head_bias_parameters"],
        "first_layer": values["layer_parameters"][0],
    }


@pytest.mark.parametrize("row", table("parameters.csv"), ids=lambda row: row["model_preset"])
def test_stages_hold_every_parameter_once_and_a_tied_head_twice(row: dict[str, str]) -> None:
    values = values_of(preset(row["model_preset"], pipeline_stages=2, gpu_count=16))
    copied = int(row["embedding"]) if row["tied"] == "yes" else 0
    assert sum(values["stage_parameters"]) == int(row["total"]) + copied


def test_file_has_all_models_of_the_catalogue_but_gpt3() -> None:
    assert len(table("parameters.csv")) == 54
