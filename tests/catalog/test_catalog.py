"""The shipped facts are complete, sourced, in base units, and usable as keys in a spreadsheet."""

import csv
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Literal

import pytest

from reportgen.catalog import (
    Accelerator,
    ModelPreset,
    Price,
    accelerators,
    inputs_of,
    models,
    presets,
    prices,
    sources_of,
)
from reportgen.catalog.load import _value
from reportgen.catalog.presets import NO_INPUTS
from reportgen.catalog_tables import print_catalog
from reportgen.model import estimator
from reportgen.resources import catalog_directory
from tests.model.cases import preset, values_of

Row = Accelerator | Price | ModelPreset
CATALOGUES: dict[str, tuple[Row, ...]] = {
    "accelerators": accelerators(),
    "prices": prices(),
    "models": models(),
}
BY_NAME = {row.accelerator: row for row in accelerators()}
PRESETS = {row.model_preset: row for row in models()}
LAYERS = catalog_directory() / "layers"
COLUMNS = {field.name for field in fields(ModelPreset)} - NO_INPUTS

# Parts whose dense FP8 peak is more than twice BF16: their FP8 path is wider than their BF16 path.
WIDE_FP8 = {"NVIDIA Rubin SXM", "AWS Trainium3"}


@pytest.mark.parametrize("name", CATALOGUES)
def test_keys_are_unique_without_case(name: str) -> None:
    keys = [row.key.casefold() for row in CATALOGUES[name]]
    assert sorted(set(keys)) == sorted(keys)


@pytest.mark.parametrize("name", CATALOGUES)
def test_keys_hold_no_spreadsheet_wildcard_and_no_stray_space(name: str) -> None:
    assert [row.key for row in CATALOGUES[name] if re.search(r"[*?~]|^[\s=+@-]|\s$|\s\s", row.key)] == []


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_row_has_a_source(name: str) -> None:
    assert [row.key for row in CATALOGUES[name] if not sources_of(row)[0].strip()] == []


def test_every_accelerator_has_an_address() -> None:
    assert [row.key for row in accelerators() if len(sources_of(row)) < 2] == []


def test_sources_of_a_row_are_the_words_then_the_addresses() -> None:
    assert sources_of(BY_NAME["Google TPU v3"]) == (
        "Patterson et al. 2021, arXiv 2104.10350, table 4, by way of a secondary source",
        "https://arxiv.org/abs/2104.10350",
    )


def test_every_price_is_dated_and_graded() -> None:
    assert [row.key for row in prices() if not re.search(r"20\d\d", row.date) or not row.confidence] == []


def test_every_price_is_one_number_or_one_range() -> None:
    def shape(row: Price) -> tuple[bool, bool, bool]:
        return row.usd_per_gpu_hour is not None, row.price_low is not None, row.price_high is not None

    assert {shape(row) for row in prices()} == {(True, False, False), (False, True, True)}


def test_every_price_is_positive_and_every_range_rises() -> None:
    assert [row.key for row in prices() if row.usd_per_gpu_hour is not None and row.usd_per_gpu_hour <= 0] == []
    assert [row.key for row in prices() if (row.price_low or 0) > (row.price_high or 0)] == []


def test_lambda_h100_price_is_per_gpu_and_not_per_node() -> None:
    row = next(row for row in prices() if row.price_key == "Lambda H100 SXM x8 on-demand 2026-05")
    assert (row.usd_per_gpu_hour, row.gpus_per_instance, row.accelerator, row.date) == (
        3.99,
        8,
        "NVIDIA H100 SXM",
        "2026-05-28",
    )


def test_accelerator_of_a_price_is_a_catalogue_key_wherever_it_looks_like_one() -> None:
    vendors = tuple({row.vendor for row in accelerators()})
    named = {row.accelerator for row in prices() if row.accelerator.startswith(vendors)}
    assert sorted(named - set(BY_NAME)) == []


def test_h100_sxm_has_its_dense_peak_and_its_usable_memory() -> None:
    row = BY_NAME["NVIDIA H100 SXM"]
    assert (row.peak_flops_bf16, row.memory_bytes_usable) == (989 * 10**12, 81559 * 2**20)
    assert (row.memory_bytes_marketing, row.memory_bytes_per_second) == (80 * 10**9, 3_350_000_000_000)
    assert row.interconnect_bytes_per_second_per_direction == 450 * 10**9


def test_no_sparse_fp8_peak_slipped_in() -> None:
    both = [row for row in accelerators() if row.peak_flops_bf16 and row.peak_flops_fp8]
    assert {row.key for row in both if (row.peak_flops_fp8 or 0) > 2.1 * (row.peak_flops_bf16 or 0)} == WIDE_FP8


def test_nothing_measured_exceeds_its_peak() -> None:
    pairs = [(row.key, row.measured_flops_bf16, row.peak_flops_bf16) for row in accelerators()]
    pairs += [(row.key, row.measured_flops_fp8, row.peak_flops_fp8) for row in accelerators()]
    assert [key for key, measured, peak in pairs if measured and not measured < (peak or 0)] == []


def test_marketing_memory_never_exceeds_usable_memory_so_it_is_a_safe_stand_in() -> None:
    known = [row for row in accelerators() if row.memory_bytes_usable is not None]
    assert [row.key for row in known if (row.memory_bytes_marketing or 0) > (row.memory_bytes_usable or 0)] == []


def test_unknown_figures_stay_blank() -> None:
    assert BY_NAME["NVIDIA GB300 SXM"].memory_bytes_marketing is None
    assert BY_NAME["NVIDIA B300 SXM"].memory_bytes_usable is None
    assert BY_NAME["AWS Trainium2"].interconnect_bytes_per_second_per_direction is None


def test_unverified_names_filled_fields_only() -> None:
    named = [(row, field) for row in accelerators() for field in (row.unverified or "").split()]
    assert [(row.key, field) for row, field in named if getattr(row, field) is None] == []


def test_expected_parameters_match_the_published_counts() -> None:
    with Path(__file__).parent.parent.joinpath("cases", "parameters.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    confirmed = [row for row in PRESETS.values() if not row.unverified]
    assert {row.key: row.expected_parameters for row in confirmed} == {
        row["model_preset"]: int(row["total"]) for row in rows
    }
    active = {row["model_preset"]: int(row["active"]) for row in rows if row["active"]}
    assert {key: PRESETS[key].expected_active_parameters for key in active} == active


def test_a_count_is_unverified_in_total_and_active_or_not_at_all() -> None:
    assert {row.unverified for row in models()} == {None, "expected_parameters expected_active_parameters"}


def test_a_model_without_experts_uses_all_it_has() -> None:
    dense = [row for row in models() if "expert_count" not in inputs_of(row)]
    assert [row.key for row in dense if row.expected_parameters != row.expected_active_parameters] == []
    mixtures = [row for row in models() if "expert_count" in inputs_of(row)]
    assert [row.key for row in mixtures if row.expected_parameters <= row.expected_active_parameters] == []


def test_every_file_of_layers_is_a_presets_and_not_empty() -> None:
    files = sorted(LAYERS.iterdir())
    assert [file.name for file in files if file.suffix != ".yaml" or file.stem not in PRESETS] == []
    assert [file.name for file in files if len(inputs_of(PRESETS[file.stem])) <= len(COLUMNS)] == []


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_gives_inputs_by_their_names_and_says_no_default_twice(name: str) -> None:
    given = inputs_of(PRESETS[name])
    assert set(given) <= set(estimator().inputs)
    assert [key for key in set(given) - COLUMNS if given[key] == estimator().inputs[key].default] == []


def test_only_mixers_sinks_an_index_and_missing_norms_are_counted_apart() -> None:
    columns = {"kind_further_width", "kind_further_parameters"}
    apart = {row.key for row in models() if columns & set(inputs_of(row))}
    assert apart == {
        "deepseek-v3.2",  # an index that picks what attention sees
        "gpt-oss-120b",  # attention sinks, one number a head
        "gpt-oss-20b",
        "mimo-v2-flash",
        "nemotron-h-56b",  # state spaces
        "olmo-7b",  # norms without weights
        "qwen3-next-80b-a3b",  # linear attention, and attention with a gate
        "qwen3.5-27b",
    }


@pytest.mark.parametrize(
    ("name", "windows", "local"),
    [
        ("gemma2-9b", [4096, "whole sequence"], 21),
        ("gemma3-27b", [1024, "whole sequence"], 52),
        ("gpt-oss-120b", [128, "whole sequence"], 18),
        ("olmo3-32b", [4096, "whole sequence"], 48),
        ("mistral-7b-v0.1", [4096, "whole sequence"], 32),
        ("phi-3-mini", [2047, "whole sequence"], 32),
        ("llama4-maverick-400b", [8192, 8192, "whole sequence"], 36),
    ],
)
def test_models_with_windows_have_them(name: str, windows: list[int | str], local: int) -> None:
    values = values_of(preset(name))
    assert list(values["kind_window"])[: len(windows)] == windows
    wide = {kind for kind, window in zip(values["kind_name"], windows, strict=False) if window == "whole sequence"}
    assert len([kind for kind in values["layer_kind"] if kind not in wide]) == local


def test_a_file_of_layers_that_is_no_mapping_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "layers").mkdir()
    (tmp_path / "layers" / "odd.yaml").write_text("- 1\n", encoding="utf-8")
    monkeypatch.setattr(presets, "files", lambda _: tmp_path)
    with pytest.raises(TypeError, match=r"^layers/odd.yaml: found list, expected the names of inputs with values$"):
        inputs_of(replace(PRESETS["gpt2"], model_preset="odd"))


def test_llama3_70b_is_described_by_its_published_shape() -> None:
    row = PRESETS["llama3-70b"]
    assert (row.layer_count, row.hidden_size, row.head_count, row.kv_head_count, row.head_size) == (
        80,
        8192,
        64,
        8,
        128,
    )
    assert (row.ffn_size, row.vocabulary_size, row.expected_parameters) == (28672, 128256, 70_553_706_496)


def test_query_heads_are_a_multiple_of_kv_heads() -> None:
    assert [row.key for row in models() if row.head_count % row.kv_head_count] == []


def test_a_blank_in_a_required_column_is_refused() -> None:
    expected = "models.csv:2 layer_count: blank, but this column must be filled"
    with pytest.raises(ValueError, match=f"^{re.escape(expected)}$"):
        _value("models.csv:2 layer_count", "", int)


def test_an_unknown_choice_is_refused() -> None:
    expected = "models.csv:2 mlp_kind: 'gatd' is not one of gated, plain"
    with pytest.raises(ValueError, match=f"^{re.escape(expected)}$"):
        _value("models.csv:2 mlp_kind", "gatd", Literal["gated", "plain"])


def test_the_table_of_models_shows_total_and_active_in_full(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "240")
    print_catalog("models")
    lines = {line.split()[1]: line for line in capsys.readouterr().out.splitlines() if line.startswith("│")}
    assert "671,026,404,352" in lines["deepseek-v3"]
    assert "37,552,282,624" in lines["deepseek-v3"]
    assert "parameters in total, active on a token" in lines["deepseek-v2-236b"]
