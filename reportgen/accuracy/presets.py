"""The catalogue's preset of a row's model, found by name whatever its spelling, as the estimator's inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from reportgen.accuracy.setup import defaults
from reportgen.catalog import ModelPreset, inputs_of, models


@cache
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
