"""Rows of torchtitan: FSDP2 with fp32 weights gathered in bf16, the fullest GPU measured as reserved."""

from __future__ import annotations

import re
from typing import Any

from reportgen.accuracy.cells import Row
from reportgen.accuracy.layout import layout
from reportgen.accuracy.recompute_words import recompute_inputs
from reportgen.accuracy.setup import Setup, stage_said
from reportgen.accuracy.shape import shape_of
from reportgen.accuracy.sharding_words import sharding_of
from reportgen.accuracy.state_words import optimizer_of

OPERATORS = "operators"  # torchtitan's own selective recomputation, which is its default too
COMPILED_LOSS_SINCE = 2025  # the loss is compiled with the model only in later versions (components/loss.py)
YEAR = re.compile(r"(20\d\d)\d\d(?!\d)")


def torchtitan(row: Row) -> Setup:
    """A torchtitan run as the estimator sees it."""
    compiled = "compile" in row.text("precision").casefold()
    inputs: dict[str, Any] = {
        **shape_of(row),
        **layout(row, sharding_of(row.text("sharding") or "fsdp")),
        "framework": "torchtitan",
        "kernel_profile": "fused" if compiled else "eager",
        "weight_bytes_per_parameter": 4,
        "gradient_bytes_per_parameter": 4,
        "master_bytes_per_parameter": 0,
        "gathered_bytes_per_parameter": 2,
        **recompute_inputs(row.text("recompute"), selective=OPERATORS, otherwise=OPERATORS),
        **optimizer_of(row),
        "loss_head": "fused" if compiled and not _is_old(row) else "vocabulary-parallel",
    }
    return Setup(inputs, stage_said(row, "fullest"), "torchtitan")


def _is_old(row: Row) -> bool:
    found = YEAR.search(row.text("source"))
    return found is not None and int(found.group(1)) < COMPILED_LOSS_SINCE
