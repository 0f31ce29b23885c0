"""Rows of Megatron-LM and its kin: fp32 main gradients, distributed optimizer, the last stage measured."""

from __future__ import annotations

from typing import Any

from reportgen.accuracy import megatron_layers as layers
from reportgen.accuracy import megatron_model as model
from reportgen.accuracy import megatron_stages as stages
from reportgen.accuracy.bridge import recipe
from reportgen.accuracy.cells import NotEstimatedError, Row
from reportgen.accuracy.layout import layout
from reportgen.accuracy.megatron_arguments import Arguments, arguments_of, whole
from reportgen.accuracy.setup import Setup, defaults, stage_said, with_framework
from reportgen.accuracy.shape import shape_of
from reportgen.accuracy.sharding_words import sharding_of
from reportgen.accuracy.state_words import optimizer_of, precision_of

SOFTMAX_BYTES = 4  # per token and vocabulary entry, in fp32 (tensor_parallel/cross_entropy.py)


def megatron(row: Row) -> Setup:
    """A Megatron-LM run as the estimator sees it."""
    arguments = arguments_of(row)
    _refuse_other_models(arguments)
    placed = layout(row, sharding_of(row.text("sharding")))
    ahead = predicted_ahead(row, arguments)
    shape = shape_of(_with_vocabulary(row, arguments), ahead)
    inputs: dict[str, Any] = {
        **shape,
        **(model.model_words(arguments) if arguments else {}),
        **model.vocabulary(row, arguments),
        **placed,
        **stages.stage_placing(arguments, shape["layer_count"] - ahead, placed["pipeline_stages"]),
        **_logits(ahead),
        **layers.recompute(row, arguments),
        **(layers.kernels(arguments) if arguments else {}),
        **layers.workspaces(row, arguments),
        **_experts(row, arguments),
        **_shards(arguments, placed),
        "framework": "megatron-lm",
        "sequence_parallel": sequence_parallel(row, arguments),
        "gradient_bytes_per_parameter": 2 if arguments.get("fp16") else 4,
        "loss_head": "fused" if arguments.get("cross-entropy-loss-fusion") else "vocabulary-parallel",
        **({} if arguments else {**precision_of(row), **optimizer_of(row)}),
        **recipe(row),
    }
    return Setup(inputs, stage_said(row, "last" if arguments else "fullest"), "megatron-lm")


def _with_vocabulary(row: Row, arguments: Arguments) -> Row:
    """The row with the size of the vocabulary that its arguments or its tokenizer's name stand for."""
    size = arguments.get("vocab-size") or model.PADDED_TOKENIZERS.get(row.text("vocab"))
    return Row(row.line, {**row.cells, "vocab": str(size)}) if size else row


def _refuse_other_models(arguments: Arguments) -> None:
    """Raises NotEstimatedError for what is no decoder of attention layers."""
    if arguments.get("hybrid-layer-pattern") or arguments.get("hybrid-override-pattern"):
        raise NotEstimatedError("state-space layers: what they keep for the backward pass is not known")
    if "encoder-num-layers" in arguments:
        raise NotEstimatedError("an encoder beside the decoder: not a decoder alone")
    if arguments.get("model-provider"):
        provider = str(arguments["model-provider"])
        raise NotEstimatedError(f"a model of several parts ({provider:.20}): not a decoder alone")


def sequence_parallel(row: Row, arguments: Arguments) -> str:
    """Whether sequences are split: by the arguments, by the column, or on, as it is wherever experts or recipes are."""
    if arguments:
        return "on" if arguments.get("sequence-parallel") else "off"
    return "off" if row.text("seq_parallel").startswith("no") else "on"


def predicted_ahead(row: Row, arguments: Arguments) -> int:
    """Layers that predict further tokens ahead (multi-token prediction), each with logits of its own."""
    return row.whole("mtp_layers") or whole(arguments, "mtp-num-layers", 0)


def _logits(ahead: int) -> dict[str, Any]:
    """Bytes at the loss: the fp32 softmax of each further prediction waits for the backward pass beside the last."""
    if not ahead:
        return {}
    place = defaults()["framework_name"].index("megatron-lm")
    changed: dict[str, Any] = {}
    for column in ("framework_logit_column", "framework_fused_logit_column"):
        changed |= with_framework(column, "megatron-lm", defaults()[column][place] + SOFTMAX_BYTES * ahead)
    return changed


def _experts(row: Row, arguments: Arguments) -> dict[str, Any]:
    size = row.count("expert_tensor_parallel", whole(arguments, "expert-tensor-parallel-size", 0))
    return {"expert_tensor_parallel": size} if size else {}


def _shards(arguments: Arguments, placed: dict[str, Any]) -> dict[str, Any]:
    """The group that splits the optimizer's state, where there are several of it."""
    instances = whole(arguments, "num-distributed-optimizer-instances", 1)
    if instances < 2:  # noqa: PLR2004 - one instance is not divided
        return {}
    replicas = placed["gpu_count"] // (placed["tensor_parallel"] * placed["pipeline_stages"])
    if replicas % instances:
        raise NotEstimatedError(f"raw_args: {instances} instances of the optimizer do not share {replicas} GPUs evenly")
    return {"shard_group_size": replicas // instances}
