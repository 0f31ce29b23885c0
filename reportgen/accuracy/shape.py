"""The model of a row: its columns, the blanks filled from the catalogue's preset of that name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from reportgen.accuracy.cells import IncompleteError, NotEstimatedError, Row
from reportgen.accuracy.setup import defaults
from reportgen.catalog import ModelPreset, inputs_of, models
from reportgen.model.axes import LAYER

# The columns of a table and the inputs that they are.
COLUMNS = {
    "layers": "layer_count",
    "hidden": "hidden_size",
    "heads": "head_count",
    "kv_heads": "kv_head_count",
    "head_dim": "head_size",
    "ffn": "ffn_size",
    "vocab": "vocabulary_size",
}
ESSENTIAL = ("layers", "hidden", "heads", "ffn", "vocab")
EXPERTS_AND_SHARED = re.compile(r"^(\d+)\s*\+\s*(\d+)\s*shared$", re.IGNORECASE)
EXPERT_KIND = "experts"


def shape_of(row: Row, further_layers: int = 0) -> dict[str, Any]:
    """The architecture's inputs; raises IncompleteError with every column that is missing.

    `further_layers` stand behind the last one and are like it.
    """
    preset = preset_for(row.text("model"))
    given = {**preset_inputs(preset), **_sizes(row), **_latent(row)}
    missing = [column for column in ESSENTIAL if COLUMNS[column] not in given]
    if missing:
        raise IncompleteError(f"incomplete: {', '.join(missing)} blank, and no preset of this model in the catalogue")
    given.setdefault("kv_head_count", given["head_count"])
    given.setdefault("head_size", given["hidden_size"] // given["head_count"])
    given["layer_count"] += further_layers
    if given["layer_count"] > LAYER.rows:
        raise NotEstimatedError(f"{given['layer_count']} layers, of at most {LAYER.rows}")
    return {**given, **_words(row), **expert_inputs(row, given, further_layers)}


def preset_for(name: str) -> ModelPreset | None:
    """The preset that a model's name means, whatever its spelling; None where there is none."""
    spellings = [_plain(words) for words in (name, _core(name))]
    return next((preset for plain in spellings for preset in models() if plain and _plain(preset.key) == plain), None)


def preset_inputs(preset: ModelPreset | None) -> dict[str, Any]:
    """The inputs that a preset gives, columns as all their rows."""
    given = inputs_of(preset) if preset else {}
    labels = given.get("kind_name", ())
    return {
        name: _rows(name, value, labels) for name, value in given.items() if name in defaults() and value is not None
    }


def _rows(name: str, value: Any, labels: Sequence[str]) -> Any:
    """A column with the rows that a preset gives, a list of the first or by number or label; a scalar as it is."""
    whole = defaults()[name]
    if not isinstance(whole, tuple):
        return value
    if isinstance(value, Mapping):
        by_number = {labels.index(row) if row in labels else int(row): cell for row, cell in value.items()}
        return tuple(by_number.get(row, cell) for row, cell in enumerate(whole))
    return (*value, *whole[len(value) :])


def _core(name: str) -> str:
    """A name without its publisher and without what fine-tuning has added to it."""
    return re.sub(r"(?i)[\s_-]*\b(?:instruct|chat|base|hf|it|meta|sft)\b", "", name.rsplit("/", maxsplit=1)[-1])


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _sizes(row: Row) -> dict[str, Any]:
    """The sizes that the row itself gives; words in their place, such as a tokenizer's name, are no size."""
    found: dict[str, Any] = {}
    for column, name in COLUMNS.items():
        try:
            value = row.number(column)
        except NotEstimatedError:
            if column not in ("head_dim", "vocab"):
                raise
            value = None
        if value:
            found[name] = row.count(column)
    return found


def _latent(row: Row) -> dict[str, Any]:
    """Latent attention, where the row has its sizes."""
    if not row.text("kv_lora_rank"):
        return {}
    rotary = row.count("qk_pos_head_dim", 64)
    plain = row.count("qk_head_dim", 128)
    return {
        "kv_head_count": row.count("heads"),
        "head_size": plain + rotary,
        "rotary_head_size": rotary,
        "value_head_size": row.count("v_head_dim", plain),
        "key_value_latent_size": row.count("kv_lora_rank"),
        "query_latent_size": int(row.number("q_lora_rank") or 0),
        "kind_attention": ("latent",) * len(defaults()["kind_attention"]),
    }


def _words(row: Row) -> dict[str, Any]:
    """What yes and no say of the model."""
    found: dict[str, Any] = {}
    if row.text("swiglu"):
        found["mlp_kind"] = "gated" if row.text("swiglu") == "yes" else "plain"
    if row.text("untied"):
        found["embedding_tying"] = "untied" if row.text("untied") == "yes" else "tied"
    positions = row.number("learned_positions")
    return {**found, "learned_positions": int(positions)} if positions else found


def expert_inputs(row: Row, given: dict[str, Any], further_layers: int = 0) -> dict[str, Any]:
    """Routed experts: how many, how wide, and in which layers."""
    words = row.text("experts")
    both = EXPERTS_AND_SHARED.match(words)
    count = int(both.group(1)) if both else int(row.number("experts") or 0)
    if count < 2:  # noqa: PLR2004 - one expert is a dense layer
        return {}
    width = row.count("expert_ffn", given.get("expert_ffn_size", given["ffn_size"]))
    pattern = row.text("moe_layer_freq")
    known = "kind_mlp" in given and not pattern
    shared = int(row.number("shared_expert_ffn") or (int(both.group(2)) * width if both else 0))
    return {
        "expert_count": count,
        "experts_per_token": row.count("topk", given.get("experts_per_token", 2)),
        "expert_ffn_size": width,
        "shared_ffn_size": shared or given.get("shared_ffn_size", 0),
        **({} if known else expert_layers(pattern, given["layer_count"], further_layers)),
    }


def expert_layers(pattern: str, layer_count: int, further_layers: int = 0) -> dict[str, Any]:
    """Which layers have experts: all, or those that a pattern such as ([0]*3+[1]*11) marks."""
    has_experts = pattern_of(pattern, layer_count - further_layers)
    has_experts += has_experts[-1:] * further_layers
    names, mlps, windows = (list(defaults()[name]) for name in ("kind_name", "kind_mlp", "kind_window"))
    names[1], mlps[1], windows[1] = EXPERT_KIND, "experts", "whole sequence"
    overrides = list(defaults()["kind_override"])
    overrides[:layer_count] = [EXPERT_KIND if mark else names[0] for mark in has_experts]
    return {
        "layer_kind_count": 2,
        "leading_layer_count": 0,
        "pattern_layer_count": 0,
        "main_layer_kind": names[0],
        "kind_name": tuple(names),
        "kind_mlp": tuple(mlps),
        "kind_window": tuple(windows),
        "kind_override": tuple(overrides),
    }


def pattern_of(words: str, layer_count: int) -> list[bool]:
    """True for each layer with experts; raises NotEstimatedError for a pattern that does not fit the layers."""
    if not words:
        return [True] * layer_count
    if words.isdigit() and int(words) > 0:
        return [layer % int(words) == 0 for layer in range(layer_count)]
    parts = re.findall(r"\[([01])\]\*(\d+)", words)
    marks = [mark == "1" for mark, times in parts for _ in range(min(int(times), layer_count + 1))]
    if len(marks) != layer_count:
        raise NotEstimatedError(f"moe_layer_freq does not name {layer_count} layers: {words:.40}")
    return marks
