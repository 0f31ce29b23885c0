"""Routed experts of a row: how many, how wide, and in which layers."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from reportgen.accuracy.cells import NotEstimatedError, Row, as_whole
from reportgen.accuracy.presets import preset_for, preset_inputs
from reportgen.accuracy.setup import defaults

EXPERTS_AND_SHARED = re.compile(r"^(\d+)\s*\+\s*(\d+)\s*shared$", re.IGNORECASE)
LAYER_PATTERN = re.compile(r"\[([01])\]\*(\d+)")
EXPERT_KIND = "experts"


def has_experts(row: Row) -> bool:
    """Whether the row, or the preset of its model, has routed experts."""
    return bool(row.text("experts")) or "expert_count" in preset_inputs(preset_for(row.text("model")))


def expert_inputs(row: Row, given: dict[str, Any], further_layers: int = 0) -> dict[str, Any]:
    """Routed experts: how many, how wide, and in which layers."""
    words = row.text("experts")
    both = EXPERTS_AND_SHARED.match(words)
    count = as_whole(both.group(1)) if both else row.whole("experts") or 0
    if count < 2:  # noqa: PLR2004 - one expert is a dense layer
        return {}
    width = row.count("expert_ffn", given.get("expert_ffn_size", given["ffn_size"]))
    pattern = row.text("moe_layer_freq")
    known = "kind_mlp" in given and not pattern
    shared = row.whole("shared_expert_ffn") or (as_whole(both.group(2)) * width if both else 0)
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
    if words.isdecimal() and as_whole(words) > 0:
        return [layer % as_whole(words) == 0 for layer in range(layer_count)]
    parts = LAYER_PATTERN.finditer(words)
    each = (part[1] == "1" for part in parts for _ in range(as_whole(part[2], layer_count + 1)))
    marks = list(islice(each, layer_count + 1))
    if len(marks) != layer_count:
        raise NotEstimatedError(f"moe_layer_freq does not name {layer_count} layers: {words:.40}")
    return marks
