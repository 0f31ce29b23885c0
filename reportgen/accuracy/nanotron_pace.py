"""Which code a published nanotron run had, and whether its host ran ahead of its GPU, as its measured speed tells."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from reportgen.accuracy.cells import Row
from reportgen.accuracy.setup import defaults
from reportgen.catalog import accelerator_named

# The source does not print which code a run had, so what follows is inferred from the runs and from the code's history.
# One state of parallel/pipeline_parallel/p2p.py asks every tenth of a second whether a message of metadata has gone:
# two for each of a forward pass's two tensors, two for the gradient that comes back.
POLLED_SECONDS = 0.1
POLLED_MESSAGES = 6
# With small batches the seconds of a layer and micro-batch come to a floor, which is the host's: 16, 25, 55 and over
# 110 ms with 4, 8, 16 and 32 tensor-parallel ranks in some runs (each collective is checked among the ranks there), a
# quarter of that in others. The first had a host too slow to be ahead; the bound between them is set midway.
HOST_SECONDS_PER_RANK = 0.002
# With larger batches the GPU sets the pace, whatever the host: norms and collectives take half as long again as the
# products. Set with the measured runs in view: they part between 0.39 and 0.41.
COMPUTING_SHARE = 0.4
TRAINING_FLOPS = 6  # per parameter and token: forward, and twice backward


@dataclass(frozen=True)
class Pace:
    """Seconds of a layer and micro-batch on a GPU, as measured and of its products; ranks, stages, layers, batches."""

    seconds: float
    computing: float
    tensor_parallel: int
    stages: int
    layers: int
    micro_batches: float

    @property
    def is_polled(self) -> bool:
        """Whether stages ask now and then for what their neighbours send, so that the host never runs ahead."""
        beyond = (self.seconds - self.computing) * self.layers / self.stages
        return self.stages > 1 and beyond >= POLLED_SECONDS * POLLED_MESSAGES

    @property
    def is_gpu_behind(self) -> bool:
        """Whether products take their share of the time without the pipeline's bubble, for long enough to fall back."""
        busy = self.seconds * self.micro_batches / (self.micro_batches + self.stages - 1)
        lasting = self.stages == 1 or self.micro_batches > self.stages
        return lasting and self.computing >= COMPUTING_SHARE * busy

    @property
    def is_host_ahead(self) -> bool:
        """Whether the host runs ahead of the GPU, so that buffers of collectives stay pending."""
        quick = self.seconds - self.computing < HOST_SECONDS_PER_RANK * self.tensor_parallel
        return quick or self.is_gpu_behind


def pace_of(row: Row, shape: dict[str, Any]) -> Pace:
    """The pace of a run; without a speed it counts as slow without bound."""
    tokens = row.count("mbs") * row.count("seq") / row.count("tp")
    speed = row.number("tokens_per_s_per_gpu")
    seconds = tokens / (speed * shape["layer_count"]) if speed else inf
    batches = (row.number("gbs") or 1) / (row.count("mbs") * row.count("dp"))
    return Pace(
        seconds, computing_seconds(shape, tokens), row.count("tp"), row.count("pp"), shape["layer_count"], batches
    )


def computing_seconds(shape: dict[str, Any], tokens: float) -> float:
    """Seconds that one layer's products take for some tokens on the runs' H100, at a usual utilisation."""
    card = accelerator_named(defaults()["accelerator"])
    peak = (card and card.peak_flops_bf16) or inf
    return TRAINING_FLOPS * layer_parameters(shape) * tokens / (peak * float(defaults()["flops_utilization"]))


def layer_parameters(shape: dict[str, Any]) -> int:
    """Parameters of one layer's matrices: attention with grouped heads, and the gated MLP."""
    heads = 2 * (shape["head_count"] + shape["kv_head_count"]) * shape["head_size"]
    return int((heads + 3 * shape["ffn_size"]) * shape["hidden_size"])
