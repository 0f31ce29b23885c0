"""What a layer keeps equals what autograd kept, byte for byte, kernel differences stated one by one.

The estimator counts fused kernels. Each row of activations.csv names what its kernels do otherwise, and the
measured figure has to be the estimator's figure with exactly those differences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.model.cases import preset, table, values_of

Values = Mapping[str, Any]
SHAPE = ("hidden_size", "head_count", "kv_head_count", "ffn_size", "micro_batch_size", "sequence_length")


def query(values: Values) -> int:
    return int(values["kind_query_size"][0])


def key(values: Values) -> int:
    return int(values["kind_kv_size"][0])


def eager_norms(values: Values) -> int:
    """Each norm keeps an fp32 copy of its input, 4 bytes, and the normed value, 2, instead of its input, 2."""
    normed = values["norms_per_layer"] * values["hidden_size"]
    return int(4 * (normed + (query(values) + key(values) if values["qk_norm"] != "none" else 0)))


def eager_gated_mlp(values: Values) -> int:
    """The gate after its activation function is kept too."""
    return 2 * int(values["ffn_size"])


def repeated_keys_and_values(values: Values) -> int:
    """Keys and values are kept once for each query head."""
    return 4 * (query(values) - key(values))


def fp32_softmax(values: Values) -> int:
    """Scores are kept in fp32 after the softmax, 4 bytes, and in bf16, 2, instead of the 5 with dropout."""
    return int(values["head_count"] * values["sequence_length"])


def dropout_masks(values: Values) -> int:
    """One byte for each value behind attention and behind the MLP."""
    return 2 * int(values["hidden_size"])


def no_dropout_scores(values: Values) -> int:
    """Without dropout only the softmax output is kept, 2 bytes instead of 5."""
    return -3 * int(values["head_count"] * values["sequence_length"])


def unfused_gelu(values: Values) -> int:
    """Six more tensors of the MLP's width stand between the parts of the tanh formula, 2 bytes each, 24h."""
    return 6 * int(values["ffn_size"])


DIFFERENCES: dict[str, Callable[[Values], int]] = {
    "eager norms": eager_norms,
    "eager gated mlp": eager_gated_mlp,
    "repeated keys and values": repeated_keys_and_values,
    "fp32 softmax": fp32_softmax,
    "dropout masks": dropout_masks,
    "no dropout scores": no_dropout_scores,
    "unfused gelu": unfused_gelu,
}
ROWS = table("activations.csv")
LAYERS = [row for row in ROWS if row["attention"] != "checkpoint"]
CHECKPOINTS = [row for row in ROWS if row["attention"] == "checkpoint"]


def title(row: dict[str, str]) -> str:
    kernels = row.get("differences", "") or "fused"
    size = f"s{row['sequence_length']}-b{row['micro_batch_size']}-h{row.get('hidden_size', '')}"
    return f"{row['model_preset']}-{size}-{row.get('attention', 'head')}-{kernels}"


def shaped(row: dict[str, str], **more: Any) -> Values:
    """The preset with the row's own shape: a published family in the size that was measured."""
    return values_of(preset(row["model_preset"], **{name: int(row[name]) for name in SHAPE}, **more))


@pytest.mark.parametrize("row", LAYERS, ids=title)
def test_layer_keeps_what_autograd_kept(row: dict[str, str]) -> None:
    values = shaped(row, flash_attention="off" if row["attention"] == "eager" else "on")
    differences = [DIFFERENCES[name](values) for name in row["differences"].split("; ") if name]
    per_token = values["kind_token_bytes"][0] + sum(differences)
    assert int(row["measured_bytes"]) == per_token * values["micro_batch_tokens"]


@pytest.mark.parametrize("row", CHECKPOINTS, ids=title)
def test_recomputed_layer_keeps_its_input(row: dict[str, str]) -> None:
    values = shaped(row, recompute="full")
    assert int(row["measured_bytes"]) == values["layer_activation_bytes"][0]


@pytest.mark.parametrize("row", table("loss_heads.csv"), ids=title)
def test_loss_head_is_what_autograd_kept_and_what_lives_beside_it_at_the_peak(row: dict[str, str]) -> None:
    """Autograd keeps fp32 log-probabilities, an eager norm and the labels; bf16 and fp32 logits live beside them.

    Per token 4 bytes a vocabulary entry, 8 a hidden value, 12 for statistic and label, and 12 bytes in all.
    """
    names = ("micro_batch_size", "sequence_length")
    values = values_of(preset(row["model_preset"], **{name: int(row[name]) for name in names}))
    beside = 6 * values["vocabulary_size"] - 4 * values["hidden_size"] - 8
    measured = int(row["measured_bytes"]) - 12
    assert measured + beside * values["micro_batch_tokens"] == values["loss_head_bytes"]


def test_classic_rule_is_the_gpt_layer_with_dropout_and_stored_scores() -> None:
    """34 h + 5 a s per token (Korthikanti et al. 2022, equation 1), measured to 0.02 %."""
    row = next(row for row in ROWS if row["model_preset"] == "gpt3-175b" and row["hidden_size"] == "12288")
    values = shaped(row)
    rule = values["classic_layer_bytes"] + values["classic_score_bytes"]
    assert rule == pytest.approx(int(row["measured_bytes"]), rel=0.0002)
