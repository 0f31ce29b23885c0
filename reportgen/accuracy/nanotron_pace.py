"""Which code a published nanotron run had, and whether its host ran ahead of its GPU, as its measured speed tells."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from reportgen.accuracy.cells import Row
from reportgen.accuracy.setup import defaults
from reportgen.catalog import accelerator_named

# The source does not print which code a run had, so what follows is inferred from the runs. Beyond what its products
# take at a usual utilisation, a layer and micro-batch took either a few hundredths of a second or tenths to seconds;
# runs of the first kind closed a stage at an exact tie (those without tensor parallelism show that alone).
MOST_SECONDS = 0.08
# What a collective has used stays pending as long as the host is ahead of the GPU. With small batches the seconds of a
# layer and micro-batch come to a floor, which is the host's: 16, 25, 55 and over 110 ms with 4, 8, 16 and 32
# tensor-parallel ranks in some runs, a quarter of that in others. The first had a host too slow to be ahead; the bound
# between them is set midway.
HOST_SECONDS_PER_RANK = 0.002
# With larger batches the GPU sets the pace, whatever the host: norms and collectives take about twice as long as the
# products.
COMPUTING_SHARE = 1 / 3
# In a longer pipeline the GPU waits for its neighbours as well, and the host does not.
SHORT_PIPELINE = 2
TRAINING_FLOPS = 6  # per parameter and token: forward, and twice backward


@dataclass(frozen=True)
class Pace:
    """Seconds of one layer and micro-batch on one GPU: as measured, and what its products take; ranks and stages."""

    seconds: float
    computing: float
    tensor_parallel: int
    stages: int

    @property
    def is_early(self) -> bool:
        """Whether the run is of the first kind, which closes a stage at an exact tie."""
        return self.seconds - self.computing < MOST_SECONDS

    @property
    def is_host_ahead(self) -> bool:
        """Whether the host runs ahead of the GPU, so that buffers of collectives stay pending."""
        if self.computing >= COMPUTING_SHARE * self.seconds:
            return True
        if self.stages > SHORT_PIPELINE:
            return self.is_early
        return self.seconds - self.computing < HOST_SECONDS_PER_RANK * self.tensor_parallel and self.stages == 1


def pace_of(row: Row, shape: dict[str, Any]) -> Pace:
    """The pace of a run; without a speed it counts as slow without bound."""
    tokens = row.count("mbs") * row.count("seq") / row.count("tp")
    speed = row.number("tokens_per_s_per_gpu")
    seconds = tokens / (speed * shape["layer_count"]) if speed else inf
    return Pace(seconds, computing_seconds(shape, tokens), row.count("tp"), row.count("pp"))


def computing_seconds(shape: dict[str, Any], tokens: float) -> float:
    """Seconds that one layer's products take for some tokens on the runs' H100, at a usual utilisation."""
    card = accelerator_named(defaults()["accelerator"])
    peak = (card and card.peak_flops_bf16) or inf
    return TRAINING_FLOPS * layer_parameters(shape) * tokens / (peak * float(defaults()["flops_utilization"]))


def layer_parameters(shape: dict[str, Any]) -> int:
    """Parameters of one layer's matrices: attention with grouped heads, and the gated MLP."""
    heads = 2 * (shape["head_count"] + shape["kv_head_count"]) * shape["head_size"]
    return int((heads + 3 * shape["ffn_size"]) * shape["hidden_size"])
