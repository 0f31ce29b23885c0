"""A preset as the inputs that it stands for: its row of models.csv, and its file in layers/ where it has one.

The table stays one line a model, to be read and compared at a glance; what few models have (kinds of layer, experts,
latents) would be fifty mostly blank columns, so it is written there as a scenario would write it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from reportgen.catalog.rows import ModelPreset

# The columns that describe the row itself, or check it; all others are inputs.
NO_INPUTS = frozenset({
    "model_preset", "description", "maximum_sequence_length",
    "expected_parameters", "expected_active_parameters", "unverified", "source",
})  # fmt: skip


def inputs_of(preset: ModelPreset) -> dict[str, Any]:
    """Every input that a preset gives, by name; columns as lists of their first rows, or row by row."""
    row = {name: value for name, value in vars(preset).items() if name not in NO_INPUTS}
    return {**row, **_layers_of(preset.key)}


@cache
def _layers_of(key: str) -> Mapping[str, Any]:
    """What a preset's file holds; most models have none, as all their layers are alike."""
    file = files("reportgen.catalog").joinpath("layers", f"{key}.yaml")
    if not file.is_file():
        return {}
    held = yaml.safe_load(file.read_text(encoding="utf-8"))
    if not isinstance(held, Mapping):
        raise TypeError(f"layers/{key}.yaml: found {type(held).__name__}, expected the names of inputs with values")
    return held
