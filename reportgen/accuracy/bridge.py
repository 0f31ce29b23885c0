"""Runs of Megatron Bridge: what its recipe for a model sets and no table of runs prints."""

from __future__ import annotations

import re
from typing import Any

from reportgen.accuracy.cells import Row

# The precision-aware optimizer: gradients and both moments in bf16, the master weights in fp32.
BF16_STATE = {"gradient_bytes_per_parameter": 2, "optimizer": "adamw bf16"}
# By how a model's name begins. Recipes that are not named here keep all of it in fp32, as Megatron-LM does.
RECIPES: dict[str, dict[str, Any]] = {
    "moonlight": {**BF16_STATE, "loss_head": "fused"},  # recipes/moonlight/moonlight_16b.py, pretrain
    "deepseekv3": BF16_STATE,  # recipes/deepseek/deepseek_v3.py, pretrain
}


def recipe(row: Row) -> dict[str, Any]:
    """The inputs that the recipe of the row's model sets; none for other runs, and for a row with its arguments."""
    said = f"{row.text('framework')} {row.text('source')}".casefold()
    adapted = "lora" in row.text("precision").casefold()
    if "megatron-bridge" not in said or adapted or row.text("raw_args"):
        return {}
    model = re.sub(r"[^a-z0-9]", "", row.text("model").casefold())
    return next((inputs for name, inputs in RECIPES.items() if model.startswith(name)), {})
