"""The command line as a person uses it: output, exit codes, and nothing half-written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from reportgen.cli import main

SCENARIO = "scenarios/llama3-70b-8k.yaml"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of one call."""
    capsys.readouterr()
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_estimate_json_has_the_contract_keys(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "estimate", SCENARIO, "--json")
    data = json.loads(out)
    assert code == 0
    assert list(data) == ["scenario", "values", "units", "fullest_stage", "tables", "checks", "assumptions"]
    assert list(data["tables"]) == ["layer_kinds", "stages", "layers"]
    assert len(data["tables"]["layers"]) == data["values"]["layer_count"] == 80
    assert data["values"]["model_parameters"] == 70_553_706_496
    assert data["units"]["peak_memory_bytes"] == "byte/GPU"
    assert set(data["values"]) - set(data["units"]) == {"flops_utilization_base", "goodput_fraction_base"}


def test_json_takes_the_fullest_stage_apart(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(run(capsys, "estimate", SCENARIO, "--json", "--set", "framework=nanotron")[1])
    fullest = data["fullest_stage"]
    assert (fullest["stage_index"], fullest["kernel_profile"], fullest["framework"]) == (0, "fused", "nanotron")
    assert sum(fullest["parts"].values()) == pytest.approx(data["values"]["peak_memory_bytes"])
    assert sum(fullest["buffer_terms"].values()) == pytest.approx(fullest["parts"]["stage_buffer_bytes"])


def test_estimate_prints_the_terms_of_the_fullest_stage_that_are_not_zero(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = run(capsys, "estimate", SCENARIO, "--set", "framework=megatron-lm")[1]
    listed = out.split("Buffers of stage 0, the fullest")[1].split("Model")[0]
    assert [line.split()[0] for line in listed.splitlines() if line.strip()] == ["workspace", "context"]
    assert "megatron-lm" in out.split("Layout")[0]


def test_set_changes_an_input(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "estimate", SCENARIO, "--json", "--set", "layer_count=96")
    assert json.loads(out)["values"]["layer_count"] == 96


def test_set_changes_one_row_of_a_column(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "estimate", SCENARIO, "--json", "--set", "kind_override[17]=local")
    kinds = [row["layer_kind"] for row in json.loads(out)["tables"]["layers"]]
    assert (kinds[16], kinds[17], kinds.count("local")) == ("dense", "local", 1)


def test_estimate_prints_the_headlines_and_every_stage(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "estimate", SCENARIO)
    assert code == 0
    assert "Llama 3 70B at 8k on 512 H100" in out
    assert "Peak memory per GPU" in out
    assert "Memory by pipeline stage" in out


def test_a_run_that_does_not_fit_says_what_would(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "estimate", "scenarios/llama3-70b-too-small.yaml")
    assert code == 0
    assert "would fit with ZeRO stage 1" in out


def test_explain_shows_words_numbers_source_and_readers(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain", SCENARIO, "gpu_hours")
    assert code == 0
    assert "training days" in out
    assert "GPU cost" in out


def test_explain_names_the_nearest_quantity(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "explain", SCENARIO, "gpu_hour")
    assert code == 2
    assert "did you mean gpu_hours?" in err


@pytest.mark.parametrize("name", ["date", "preset", "x"])
def test_explain_suggests_nothing_where_no_name_is_like_it(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, _, err = run(capsys, "explain", SCENARIO, name)
    assert code == 2
    assert "did you mean" not in err
    assert "see the names in `reportgen estimate --json`" in err


def test_advice_has_the_value_of_a_result_in_place_of_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Late: take 2,784 GPUs, or move the deadline." in advice(capsys, SCENARIO, "deadline_days=5")


@pytest.mark.parametrize(
    ("scenario", "settings", "words"),
    [
        (SCENARIO, ["zero_stage=2"], "Lower ZeRO stage (2) to 1: most frameworks"),
        (
            SCENARIO,
            ["framework=nanotron", "gradient_bytes_per_parameter=2"],
            "Raise gradient bytes per parameter (2 bytes per parameter) to 4 bytes per parameter, as this framework",
        ),
        ("scenarios/mixtral-8x7b.yaml", ["sequence_parallel=off"], "Set sequence parallel (off) to on: Megatron-LM"),
        (
            "scenarios/qlora-70b.yaml",
            ["tuning=full", "optimizer_offload=nvme", "node_disk_capacity=1e9", "zero_stage=1"],
            "Give nodes more memory or disk, shard with ZeRO over more nodes, or go on from host memory to NVMe.",
        ),
        (
            "scenarios/checkpoint-405b.yaml",
            ["checkpoint_interval_seconds=30"],
            "Backs up: lengthen checkpoint interval seconds (30 s) or raise the storage bandwidth.",
        ),
        (SCENARIO, ["kind_attention[0]=other"], "Raise memory reserve fraction (10 %): of state-space and"),
        ("scenarios/mixtral-8x7b.yaml", ["tuning=lora"], "Raise memory reserve fraction (10 %): adapters are counted"),
        (
            SCENARIO,
            ["schedule=dualpipe", "global_batch_size=64"],
            "Raise global batch size (64 sequences per step) to two micro-batches for each stage on every copy",
        ),
    ],
)
def test_advice_reads_as_a_sentence(
    capsys: pytest.CaptureFixture[str], scenario: str, settings: Sequence[str], words: str
) -> None:
    assert words in advice(capsys, scenario, *settings)


def advice(capsys: pytest.CaptureFixture[str], scenario: str, *settings: str) -> str:
    """What is printed of the findings, in one line."""
    _, out, _ = run(capsys, "estimate", scenario, *(word for setting in settings for word in ("--set", setting)))
    return " ".join(out.split())


def test_check_says_so_when_there_are_no_faults(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "check", SCENARIO) == (0, "llama3-70b-8k: no faults\n", "")


@pytest.mark.parametrize("table", ["accelerators", "models", "prices", "inputs"])
def test_catalog_prints_each_table(capsys: pytest.CaptureFixture[str], table: str) -> None:
    code, out, _ = run(capsys, "catalog", table)
    assert code == 0
    assert len(out.splitlines()) > 40


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["estimate", SCENARIO, "--set", "gpu_count"], "NAME=VALUE"),
        (["estimate", SCENARIO, "--set", "gpu_cuont=8"], "did you mean gpu_count?"),
        (["estimate", SCENARIO, "--set", "gpu_count=-8"], "raise it to 1 or more"),
        (["estimate", SCENARIO, "--set", "gpus=8"], "see `reportgen catalog inputs`"),
        (["estimate", SCENARIO, "--set", "date=2026-01-01"], "write it into the scenario, at the top of the file"),
        (["estimate", SCENARIO, "--set", "title=x"], "a key of the scenario file"),
        (["estimate", SCENARIO, "--set", "preset=x"], "write it into the scenario, in the section model of the file"),
        (["estimate", SCENARIO, "--set", "purpose=x"], "write it into the scenario, in the section memo of the file"),
        (["estimate", SCENARIO, "--set", "run=x"], "name an input of that section"),
        (["estimate", SCENARIO, "--set", "peak_memory_bytes=1"], "a result or a constant, which is computed"),
        (["estimate", SCENARIO, "--set", "flops_utilization_base=0.3"], "set flops_utilization: that changes its base"),
        (["estimate", SCENARIO, "--set", "flops_utilization_low=0.3"], "as `low` below flops_utilization"),
        (["estimate", SCENARIO, "--set", "active_case=lo"], "one of low, base, high"),
        (["estimate", SCENARIO, "--set", "gpu_count[3]=8"], "leave the brackets out"),
        (["estimate", SCENARIO, "--set", "training_tokens=.inf"], "a finite number"),
        (["estimate", SCENARIO, "--set", "gpu_count=500"], "make gpu_count a multiple"),
        (["estimate", "nowhere.yaml"], "nowhere.yaml"),
        (["estimate"], "Missing argument"),
        (["build", SCENARIO, "--only", "slides"], "slides"),
        (["explain", SCENARIO, "gpu_hours", "--row", "3"], "this is one value"),
        (["explain", SCENARIO, "stage_peak_bytes", "--row", "9"], "a row from 0 to 3"),
        (["unknown"], "No such command"),
    ],
)
def test_bad_arguments_exit_with_2_and_say_what_to_do(
    capsys: pytest.CaptureFixture[str], arguments: Sequence[str], message: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_faults_of_all_scenarios_are_told_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / f"{name}.yaml").write_text("title: x\n", encoding="utf-8")
    code, _, err = run(capsys, "check", str(tmp_path / "first.yaml"), str(tmp_path / "second.yaml"))
    assert code == 2
    assert "first.yaml" in err
    assert "second.yaml" in err


def test_build_writes_json_into_the_scenario_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "build", SCENARIO, "--only", "json", "--output", str(tmp_path))
    written = tmp_path / "llama3-70b-8k" / "llama3-70b-8k.json"
    assert code == 0
    assert str(written) in out
    assert json.loads(written.read_text(encoding="utf-8"))["scenario"]["name"] == "llama3-70b-8k"


def test_build_writes_nothing_where_one_scenario_is_bad(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("title: x\n", encoding="utf-8")
    output = tmp_path / "out"
    code, _, _ = run(capsys, "build", SCENARIO, str(bad), "--only", "json", "--output", str(output))
    assert code == 2
    assert not output.exists()


def test_build_refuses_two_scenarios_of_one_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, "build", SCENARIO, SCENARIO, "--only", "json", "--output", str(tmp_path))
    assert code == 2
    assert "2 scenarios called llama3-70b-8k" in err
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_is_no_folder_is_a_fault(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    blocked = tmp_path / "llama3-70b-8k"
    blocked.write_text("a file", encoding="utf-8")
    code, _, err = run(capsys, "build", SCENARIO, "--only", "json", "--output", str(tmp_path))
    assert code == 2
    assert "a place that can be written" in err
    assert blocked.read_text(encoding="utf-8") == "a file"


def test_params_counts_and_says_which_file_it_cannot(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    sizes = {"hidden_size": 64, "intermediate_size": 256, "num_hidden_layers": 2, "vocab_size": 1000}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "tie_word_embeddings": False}
    known.write_text(json.dumps({"model_type": "llama", **sizes, **heads}), encoding="utf-8")
    code, out, _ = run(capsys, "params", str(known), str(tmp_path / "nowhere.json"), "--json")
    counted, missing = json.loads(out)
    layer = 64 * 64 * 2 + 64 * 32 * 2 + 3 * 64 * 256 + 2 * 64
    assert code == 2
    assert counted["total"] == counted["active"] == 2 * 1000 * 64 + 2 * layer + 64
    assert (counted["embedding"], counted["head"]) == (64_000, 64_000)
    assert [kind["parameters"] for kind in counted["layer_kinds"]] == [layer]
    assert set(missing) == {"file", "error"}


def test_params_prints_a_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    known = tmp_path / "gpt2.json"
    known.write_text(
        '{"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "vocab_size": 50257, "n_positions": 1024}'
    )
    code, out, _ = run(capsys, "params", str(known))
    assert code == 0
    assert "124,439,808" in out


def test_what_was_written_before_a_late_fault_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    for path in (first, second):
        path.write_text("title: x\ndate: 2026-11-30\nmodel: {preset: llama3-8b}\n", encoding="utf-8")
    output = tmp_path / "out"
    (output / "second" / "second.json").mkdir(parents=True)
    code, _, err = run(capsys, "build", str(first), str(second), "--only", "json", "--output", str(output))
    assert code == 2
    assert err.endswith(f"1 fault; {output / 'first' / 'first.json'} was written.\n")


def test_check_refuses_a_title_that_the_memo_cannot_print(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "wide.yaml"
    path.write_text("title: 模型\ndate: 2026-11-30\nmodel: {preset: llama3-8b}\n", encoding="utf-8")
    code, out, err = run(capsys, "check", str(path))
    assert (code, out) == (2, "")
    assert "U+6A21" in err
