"""Rows of nanotron: fp32 accumulation and master weights, stages cut by compute, the first stage measured."""

from __future__ import annotations

from typing import Any

from reportgen.accuracy.cells import Row
from reportgen.accuracy.layout import layout
from reportgen.accuracy.nanotron_pace import pace_of
from reportgen.accuracy.recompute_words import recompute_inputs
from reportgen.accuracy.setup import Setup, defaults, stage_said, with_framework
from reportgen.accuracy.shape import shape_of
from reportgen.accuracy.sharding_words import sharding_of
from reportgen.accuracy.state_words import optimizer_of


def nanotron(row: Row) -> Setup:
    """A nanotron run as the estimator sees it."""
    shape = shape_of(row)
    placed = layout(row, sharding_of(row.text("sharding")))
    pace = pace_of(row, shape)
    waits = pace.is_polled and not pace.is_host_ahead
    inputs: dict[str, Any] = {
        **shape,
        **placed,
        **(closed_at_tie(shape, placed["pipeline_stages"]) if not pace.is_polled else {}),
        **(nothing_pending() if waits else {}),
        "host_pace": "ahead" if pace.is_host_ahead else "behind",
        "framework": "nanotron",
        "kernel_profile": "fused norms",
        "stage_split": "by compute",
        "gradient_bytes_per_parameter": 4,
        **recompute_inputs(row.text("recompute")),
        **optimizer_of(row),
    }
    instead = {} if waits else nothing_pending()
    return Setup(inputs, stage_said(row, "first"), "nanotron", reserved=True, instead=instead)


def nothing_pending() -> dict[str, Any]:
    """The table of frameworks with a host that waits for the GPU."""
    return with_framework("framework_queue_column", "nanotron", 0)


def closed_at_tie(shape: dict[str, Any], stages: int) -> dict[str, Any]:
    """Each stage's layers where some weigh exactly a stage's share, which quick runs took as full."""
    layer = (4 * shape["head_count"] * shape["head_size"] + 3 * shape["ffn_size"]) * shape["hidden_size"]
    whole = shape["layer_count"] * layer + shape["vocabulary_size"] * shape["hidden_size"]
    if stages == 1 or whole % (layer * stages):
        return {}
    each = whole // (layer * stages)
    filled = tuple(max(0, min(each, shape["layer_count"] - stage * each)) for stage in range(stages))
    return {"stage_layers_override": (*filled, *defaults()["stage_layers_override"][stages:])}
