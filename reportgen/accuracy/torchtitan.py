"""Rows of torchtitan: FSDP2 with fp32 weights gathered in bf16, the fullest GPU measured as reserved."""

from __future__ import annotations

import re
from typing import Any

from reportgen.accuracy.cells import Row
from reportgen.accuracy.layout import layout
from reportgen.accuracy.setup import Setup, stage_said, zero_stage_of
from reportgen.accuracy.shape import shape_of

COMPILED_LOSS_SINCE = 2025  # the loss is compiled with the model only in later versions (components/loss.py)
YEAR = re.compile(r"(20\d\d)\d\d(?!\d)")


def torchtitan(row: Row) -> Setup:
    """A torchtitan run as the estimator sees it."""
    compiled = "compile" in row.text("precision").casefold()
    inputs: dict[str, Any] = {
        **shape_of(row),
        **layout(row, zero_stage_of(row.text("sharding") or "fsdp")),
        "framework": "torchtitan",
        "kernel_profile": "fused" if compiled else "eager",
        "weight_bytes_per_parameter": 4,
        "gradient_bytes_per_parameter": 4,
        "master_bytes_per_parameter": 0,
        "gathered_bytes_per_parameter": 2,
        "recompute": recompute(row.text("recompute")),
        "loss_head": "fused" if compiled and not _is_old(row) else "vocabulary-parallel",
    }
    return Setup(inputs, stage_said(row, "fullest"), "torchtitan")


def recompute(words: str) -> str:
    """What is computed again: saved operators, which is torchtitan's own default, whole layers, or nothing."""
    said = words.casefold()
    return "full" if said.startswith("full") else "none" if said.startswith("none") else "operators"


def _is_old(row: Row) -> bool:
    found = YEAR.search(row.text("source"))
    return found is not None and int(found.group(1)) < COMPILED_LOSS_SINCE
