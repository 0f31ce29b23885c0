"""Rows of nanotron: fp32 accumulation and master weights, stages cut by compute, the first stage measured."""

from __future__ import annotations

from math import inf
from typing import Any

from reportgen.accuracy.cells import Row
from reportgen.accuracy.setup import Setup, defaults, layout, stage_said, with_framework, zero_stage_of
from reportgen.accuracy.shape import shape_of
from reportgen.catalog import accelerator_named

# Equal layouts in the published runs fall into two groups, which their speed tells apart: beyond what its products take
# at a usual utilisation, a layer and micro-batch needs a few hundredths of a second in one, tenths to seconds in the
# other. The source does not print which code or setting each run had, so what follows is inferred from the runs: in the
# quick ones buffers that the host has freed stay pending, and a stage closes at an exact tie (runs without tensor
# parallelism show that alone). Pipelined runs were made again, two stages last (scripts/scaling_benchmarks.py), and
# those hold nothing pending.
MOST_SECONDS = 0.08
RUN_AGAIN_LAST = 2  # pipeline stages
TRAINING_FLOPS = 6  # per parameter and token: forward, and twice backward


def nanotron(row: Row) -> Setup:
    """A nanotron run as the estimator sees it."""
    shape = shape_of(row)
    placed = layout(row, zero_stage_of(row.text("sharding")))
    early = is_early(row, shape)
    pending = early and placed["pipeline_stages"] != RUN_AGAIN_LAST
    inputs: dict[str, Any] = {
        **shape,
        **placed,
        **(closed_at_tie(shape, placed["pipeline_stages"]) if early else {}),
        **({} if pending else nothing_pending()),
        "framework": "nanotron",
        "kernel_profile": "fused norms",
        "stage_split": "by compute",
        "gradient_bytes_per_parameter": 4,
        "recompute": "full" if row.text("recompute").startswith("full") else "none",
    }
    instead = nothing_pending() if pending else {}
    return Setup(inputs, stage_said(row, "first"), "nanotron", reserved=True, instead=instead)


def nothing_pending() -> dict[str, Any]:
    """The table of frameworks with a host that waits for the GPU."""
    return with_framework("framework_queue_column", "nanotron", 0)


def is_early(row: Row, shape: dict[str, Any]) -> bool:
    """Whether a run is of the earlier code, by its seconds beyond computing; not where no speed is given."""
    speed = row.number("tokens_per_s_per_gpu")
    if not speed:
        return False
    tokens = row.count("mbs") * row.count("seq") / row.count("tp")
    return bool(tokens / (speed * shape["layer_count"]) - computing_seconds(shape, tokens) < MOST_SECONDS)


def computing_seconds(shape: dict[str, Any], tokens: float) -> float:
    """Seconds that one layer's products take for some tokens on the runs' H100, at a usual utilisation."""
    card = accelerator_named(defaults()["accelerator"])
    peak = (card and card.peak_flops_bf16) or inf
    return TRAINING_FLOPS * layer_parameters(shape) * tokens / (peak * float(defaults()["flops_utilization"]))


def layer_parameters(shape: dict[str, Any]) -> int:
    """Parameters of one layer's matrices: attention with grouped heads, and the gated MLP."""
    heads = 2 * (shape["head_count"] + shape["kv_head_count"]) * shape["head_size"]
    return int((heads + 3 * shape["ffn_size"]) * shape["hidden_size"])


def closed_at_tie(shape: dict[str, Any], stages: int) -> dict[str, Any]:
    """The first stage's layers where they weigh exactly a stage's share, which quick runs took as full."""
    layer = (4 * shape["head_count"] * shape["head_size"] + 3 * shape["ffn_size"]) * shape["hidden_size"]
    whole = shape["layer_count"] * layer + shape["vocabulary_size"] * shape["hidden_size"]
    if stages == 1 or whole % (layer * stages):
        return {}
    return {"stage_layers_override": (whole // (layer * stages), *defaults()["stage_layers_override"][1:])}
