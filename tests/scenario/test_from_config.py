"""A model from its config.json: equal to its exact count, layer by layer, or refused with what is not held."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import reportgen
from reportgen.architecture.config import read_config
from reportgen.architecture.count import count
from reportgen.errors import ScenarioError

LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 160,
    "num_hidden_layers": 3,
    "vocab_size": 1000,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "tie_word_embeddings": False,
}
GEMMA = {**LLAMA, "model_type": "gemma2", "head_dim": 32, "sliding_window": 128, "tie_word_embeddings": True}
QWEN = {**LLAMA, "model_type": "qwen3", "head_dim": 16}
GPT = {"model_type": "gpt2", "n_embd": 64, "n_layer": 3, "n_head": 4, "vocab_size": 1000, "n_positions": 128}
MIXTRAL = {**LLAMA, "model_type": "mixtral", "num_local_experts": 4, "num_experts_per_tok": 2}


def load(folder: Path, config: dict[str, Any]) -> reportgen.Scenario:
    """A scenario beside a config.json."""
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    path = folder / "run.yaml"
    path.write_text("title: x\ndate: 2026-11-30\nmodel:\n  config: config.json\n", encoding="utf-8")
    return reportgen.load(path)


@pytest.mark.parametrize("config", [LLAMA, GEMMA, QWEN, GPT], ids=lambda config: str(config["model_type"]))
def test_parameters_equal_the_exact_count(tmp_path: Path, config: dict[str, Any]) -> None:
    result = reportgen.estimate(load(tmp_path, config))
    counted = count(read_config(tmp_path / "config.json"))
    assert result["model_parameters"] == counted.total
    assert result["layer_parameters"] == [counted.layer_parameters(index) for index in range(3)]


def test_alternating_windows_become_kinds_of_layer(tmp_path: Path) -> None:
    result = reportgen.estimate(load(tmp_path, GEMMA))
    assert result["kind_name"] == ["local", "dense"]
    assert result["kind_window"] == [128, "whole sequence"]
    assert result["layer_kind"] == ["local", "dense", "local"]


def test_the_source_is_the_file(tmp_path: Path) -> None:
    result = reportgen.estimate(load(tmp_path, LLAMA))
    assert result.origin("hidden_size").startswith("config.json, family llama (huggingface/transformers")


def test_layers_that_are_not_estimated_yet_are_refused_with_what_they_have(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path, MIXTRAL)
    assert len(caught.value.faults) == 1
    told = str(caught.value)
    assert told.startswith(f"{tmp_path / 'run.yaml'}:4: model.config: found {tmp_path / 'config.json'}: ")
    assert "experts.down_proj (attention + experts)" in told
    assert "count it with `reportgen params`" in told


def test_a_missing_config_is_a_fault_of_its_line(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("title: x\ndate: 2026-11-30\nmodel:\n  config: nowhere.json\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"run.yaml:4: model.config: found .*nowhere.json"):
        reportgen.load(path)


def test_a_preset_and_a_config_do_not_go_together(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("title: x\ndate: 2026-11-30\nmodel: {preset: llama3-8b, config: x.json}\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match="found a preset as well; expected a preset or a config"):
        reportgen.load(path)
