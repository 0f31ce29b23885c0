"""A model's config.json to the estimator's model inputs, for the layers that the estimator holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reportgen.architecture.config import read_config
from reportgen.architecture.count import count
from reportgen.architecture.result import LayerKind, ParameterCount
from reportgen.errors import Fault, ScenarioError
from reportgen.formula.evaluate import evaluate
from reportgen.model import estimator
from reportgen.model.axes import LAYER_KIND
from reportgen.model.inputs_model import KIND_NAMES
from reportgen.scenario.scenario import ConfiguredModel

# The tensors of a layer that the estimator has a place for; any other makes a kind that it does not hold yet.
HELD = frozenset(
    f"{matrix}_proj.{part}" for matrix in ("q", "k", "v", "o", "gate", "up", "down") for part in ("weight", "bias")
) | {"norms.weight", "norms.bias", "q_norm.weight", "k_norm.weight"}
POSITIONS = "embed_positions.weight"
EMBEDDING_NORM = ("word_embeddings_layernorm.weight", "word_embeddings_layernorm.bias")
HEAD_BIAS = "lm_head.bias"
BESIDE = frozenset({POSITIONS, HEAD_BIAS, *EMBEDDING_NORM})


def model_from_config(path: Path, defaults: dict[str, Any]) -> ConfiguredModel:
    """The model inputs of a file, equal to its exact parameter count to the last one.

    `defaults` are all inputs, which what the file says is laid over. Raises ReportgenError for a file that cannot be
    counted, or whose layers the estimator does not hold.
    """
    counted = count(read_config(path))
    strange = sorted(_strange(counted))
    if strange or len(counted.kinds) > LAYER_KIND.rows or len(counted.layers) > _most_layers():
        raise _not_held(path, ", ".join(strange) or f"{len(counted.kinds)} kinds, {len(counted.layers)} layers")
    inputs = _inputs(counted)
    held = evaluate(estimator(), {**defaults, **inputs}, frozenset({"model_parameters"}))["model_parameters"]
    if held != counted.total:
        raise _not_held(path, f"{counted.total:,} parameters, of which the estimator would hold {held:,}")
    return ConfiguredModel(inputs, f"{path.name}, family {counted.family} ({counted.source})", counted.doubts)


def _most_layers() -> int:
    return int(estimator().inputs["layer_count"].maximum or 0)


def _not_held(path: Path, found: str) -> ScenarioError:
    expected = "attention and MLP layers as dense decoders have them"
    remedy = "count it with `reportgen params`; such layers are not estimated yet"
    return ScenarioError([Fault(str(path), found, expected, remedy)])


def _strange(counted: ParameterCount) -> Iterator[str]:
    """What the estimator has no place for: a tensor of another name, or a kind that is unlike the first beside it."""
    for kind in counted.kinds:
        yield from {f"{tensor.name} ({kind.name})" for tensor in kind.tensors} - {
            f"{name} ({kind.name})" for name in HELD
        }
    yield from (tensor.name for tensor in counted.beside if tensor.name not in BESIDE)


def _inputs(counted: ParameterCount) -> dict[str, Any]:
    first = counted.kinds[0]
    sizes, names = first.sizes, _tensors(first)
    beside = {tensor.name: tensor for tensor in counted.beside}
    hidden = sizes.hidden_size or 1
    return {
        "layer_count": len(counted.layers),
        "hidden_size": hidden,
        "head_count": sizes.query_heads,
        "kv_head_count": sizes.key_value_heads or sizes.query_heads,
        "head_size": sizes.head_size,
        "ffn_size": sizes.ffn_size,
        "vocabulary_size": counted.embedding // hidden,
        "mlp_kind": "gated" if "gate_proj.weight" in names else "plain",
        "embedding_tying": "tied" if counted.tied else "untied",
        "qkv_bias": _yes("q_proj.bias" in names),
        "attention_output_bias": _yes("o_proj.bias" in names),
        "mlp_bias": _yes("down_proj.bias" in names),
        "head_bias": _yes(HEAD_BIAS in beside or counted.head > counted.embedding),
        "norm_bias": _yes("norms.bias" in names),
        "norms_per_layer": sizes.norm_count,
        "qk_norm": _qk_norm(first),
        "learned_positions": beside[POSITIONS].shape[0] if POSITIONS in beside else 0,
        "embedding_norm": _yes(EMBEDDING_NORM[0] in beside),
        **_kinds(counted),
    }


def _kinds(counted: ParameterCount) -> dict[str, Any]:
    """Kinds beside the first as overrides of single layers; the first is the main one."""
    names = (*(_kind_name(kind.name) for kind in counted.kinds), *KIND_NAMES[len(counted.kinds) :])
    windows = [kind.sizes.attention_window or "whole sequence" for kind in counted.kinds]
    rest = LAYER_KIND.rows - len(counted.kinds)
    rows = ["as rule" if kind == 0 else names[kind] for kind in counted.layers]
    return {
        "layer_kind_count": len(counted.kinds),
        "kind_name": names,
        "main_layer_kind": names[0],
        "leading_layer_kind": names[0],
        "pattern_layer_kind": names[0],
        "kind_window": (*windows, *["whole sequence"] * rest),
        "kind_head_override": _overrides(counted, "query_heads", rest),
        "kind_kv_override": _overrides(counted, "key_value_heads", rest),
        "kind_ffn_override": _overrides(counted, "ffn_size", rest),
        "kind_override": (*rows, *["as rule"] * (_most_layers() - len(rows))),
    }


def _kind_name(name: str) -> str:
    return "local" if name.startswith("sliding window") else "dense" if name == "attention + feed-forward" else name


def _overrides(counted: ParameterCount, size: str, rest: int) -> tuple[Any, ...]:
    first = getattr(counted.kinds[0].sizes, size)
    sizes = [getattr(kind.sizes, size) for kind in counted.kinds]
    return (*("as model" if one == first else one for one in sizes), *["as model"] * rest)


def _tensors(kind: LayerKind) -> frozenset[str]:
    return frozenset(tensor.name for tensor in kind.tensors)


def _qk_norm(kind: LayerKind) -> str:
    if "q_norm.weight" not in _tensors(kind):
        return "none"
    shapes = {tensor.name: tensor.shape for tensor in kind.tensors}
    return "per head" if shapes["q_norm.weight"] == (kind.sizes.head_size,) else "full"


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
