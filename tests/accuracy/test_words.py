"""Words of a row about sharding, recomputation, optimizer and precision are understood, or told as guessed."""

from __future__ import annotations

from typing import Any

import pytest

from reportgen.accuracy.cells import NotEstimatedError
from reportgen.accuracy.frameworks import reading_of
from reportgen.accuracy.guesses import guesses
from reportgen.accuracy.predict import compare
from reportgen.accuracy.recompute_words import Recomputed, recomputation_of
from reportgen.accuracy.sharding_words import sharding_of
from reportgen.accuracy.state_words import optimizer_of, precision_of
from tests.accuracy.tables import row


def inputs(**cells: str) -> dict[str, Any]:
    """What a row's reader makes of it."""
    return dict(reading_of(cells["framework"]).read(row(**cells)).inputs)


@pytest.mark.parametrize(
    ("words", "stage"),
    [
        ("ZeRO-1", 1),
        ("zero: 1", 1),
        ("ZeRO stage 2", 2),
        ("DeepSpeed ZeRO-3", 3),
        ("zero2", 2),
        ("distributed-optimizer (ZeRO-1)", 1),
        ("distributed optimizer", 1),
        ("optimizer state sharding", 1),
        ("hybrid ZeRO", 1),
        ("FSDP2 full shard (ZeRO-3), fp32 master params sharded", 3),
        ("FSDP", 3),
        ("HSDP", 3),
        ("FULL_SHARD", 3),
        ("HYBRID_SHARD", 3),
        ("fully sharded", 3),
        ("ZeRO++", 3),
        ("FSDP shard_grad_op", 2),
        ("SHARD_GRAD_OP", 2),
        ("none (DDP)", 0),
        ("single GPU", 0),
        ("", 0),
    ],
)
def test_sharding_says_a_zero_stage(words: str, stage: int) -> None:
    found = sharding_of(words)
    assert (found.zero_stage, found.is_known) == (stage, True)


def test_sharding_that_nobody_understands_is_none_and_told() -> None:
    assert not sharding_of("sliced thinly").is_known
    assert any("sliced thinly" in told for told in guesses(row(framework="nanotron", sharding="sliced thinly")))


@pytest.mark.parametrize(
    ("words", "group"),
    [("ZeRO-1 (zero1 size=8)", 8), ("HSDP dp_shard=8", 8), ("hsdp (4)", 4), ("FSDP size 64", 64), ("ZeRO-1", None)],
)
def test_sharding_may_name_its_group(words: str, group: int | None) -> None:
    assert sharding_of(words).group == group


def test_group_smaller_than_the_copies_is_the_estimators_shard_group() -> None:
    cells = {"framework": "torchtitan", "gpus": "16", "dp": "16", "gbs": "16"}
    assert inputs(**cells, sharding="HSDP dp_shard=8")["shard_group_size"] == 8
    assert "shard_group_size" not in inputs(**cells, sharding="FSDP size 64")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("none", Recomputed("none")),
        ("off", Recomputed("none")),
        ("False", Recomputed("none")),
        ("no recompute", Recomputed("none")),
        ("baseline no recompute", Recomputed("none")),
        ("full uniform 1", Recomputed("full")),
        ("yes", Recomputed("full")),
        ("True", Recomputed("full")),
        ("activation checkpointing", Recomputed("full")),
        ("activation ckpt", Recomputed("full")),
        ("activation recomputation", Recomputed("full")),
        ("gradient checkpointing on (finetune.sh default)", Recomputed("full")),
        ("every layer", Recomputed("full")),
        ("every 2nd layer", Recomputed("full", 2)),
        ("every third layer", Recomputed("full", 3)),
        ("selective (op SAC)", Recomputed("selective")),
        ("unknown", None),
        ("not sure", None),
        ("whole blocks", None),
        ("", None),
    ],
)
def test_recomputation_says_what_is_computed_again(words: str, expected: Recomputed | None) -> None:
    assert recomputation_of(words) == expected


@pytest.mark.parametrize(
    ("framework", "words", "expected"),
    [
        ("torchtitan", "off", "none"),
        ("torchtitan", "selective", "operators"),
        ("torchtitan", "", "operators"),
        ("torchtitan", "every 2nd layer", "full"),
        ("megatron", "yes", "full"),
        ("megatron", "activation checkpointing", "full"),
        ("megatron", "core_attn", "selective"),
        ("nanotron", "yes", "full"),
        ("deepspeed", "every layer", "full"),
        ("internevo", "activation ckpt", "full"),
        ("megatron-deepspeed", "activation recomputation", "full"),
    ],
)
def test_every_reader_takes_the_words_alike(framework: str, words: str, expected: str) -> None:
    assert inputs(framework=framework, recompute=words)["recompute"] == expected


@pytest.mark.parametrize("column", ["sharding", "recompute", "optimizer", "precision", "hardware"])
def test_words_that_nobody_understands_are_told(column: str) -> None:
    told = list(guesses(row(framework="deepspeed", **{column: "everything"})))
    assert any(f'{column} "everything"' in each for each in told)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("AdamW fp32 states (fused)", {}),
        ("adamw8bit", {"optimizer": "adamw 8-bit"}),
        ("bnb 8-bit AdamW", {"optimizer": "adamw 8-bit"}),
        ("Lion", {"optimizer": "lion"}),
        ("Adafactor", {"optimizer": "adafactor"}),
        ("Muon", {"optimizer": "muon"}),
        ("SGD", {"optimizer": "sgd"}),
        ("SGD with momentum", {"optimizer": "sgd with momentum"}),
        ("AdamW (bf16 moments)", {"optimizer": "adamw bf16"}),
        ("CPUAdam (offload)", {"optimizer_offload": "host memory"}),
        ("AdamW, offload to NVMe", {"optimizer_offload": "nvme"}),
    ],
)
def test_optimizer_is_read(words: str, expected: dict[str, str]) -> None:
    assert optimizer_of(row(optimizer=words)) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("fp32", {"weight_bytes_per_parameter": 4, "gradient_bytes_per_parameter": 4, "master_bytes_per_parameter": 0}),
        ("bf16 params, fp32 grad accumulation + fp32 master", {}),
        ("bf16-true", {"master_bytes_per_parameter": 0}),
        ("bf16", {}),
    ],
)
def test_precision_is_read(words: str, expected: dict[str, int]) -> None:
    assert precision_of(row(precision=words)) == expected


def test_full_precision_of_a_tuning_tool_is_sixteen_bytes_a_parameter() -> None:
    fp32 = inputs(framework="torchtune", precision="fp32", name="full finetune")
    parts = ("weight_bytes_per_parameter", "gradient_bytes_per_parameter", "master_bytes_per_parameter", "optimizer")
    assert [fp32[part] for part in parts] == [4, 4, 0, "adamw"]


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ({"framework": "nanotron", "sharding": "ZeRO-2", "dp": "2"}, "The framework has the ZeRO stage"),
        ({"framework": "transformers", "tp": "2"}, "this tool splits no layers"),
        ({"framework": "torchtune", "pp": "2"}, "this tool splits no layers"),
    ],
)
def test_layout_that_the_framework_does_not_have_is_refused(cells: dict[str, str], words: str) -> None:
    with pytest.raises(NotEstimatedError, match=words):
        compare(row(**cells))
