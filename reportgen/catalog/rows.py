"""The shapes of the shipped facts: one frozen row each for an accelerator, a price and a model preset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

YesNo = Literal["yes", "no"]


@dataclass(frozen=True)
class Accelerator:
    """One accelerator, in bytes, bytes or FLOP per second, and watts; None where no source has the figure.

    Peaks are dense. `memory_bytes_marketing` reads a printed GB as 1e9 bytes, never more than a driver shows.
    `memory_bytes_usable` is what a driver shows. `unverified` names the fields that no source was found for.
    """

    accelerator: str
    vendor: str
    memory_bytes_marketing: int | None
    memory_bytes_usable: int | None
    memory_bytes_per_second: int | None
    peak_flops_bf16: int | None
    peak_flops_fp8: int | None
    peak_flops_fp4: int | None
    peak_flops_fp32: int | None
    measured_flops_bf16: int | None
    measured_flops_fp8: int | None
    interconnect_bytes_per_second_per_direction: int | None
    interconnect: str | None
    power_watts: int | None
    unverified: str | None
    source: str
    source_url: str
    notes: str | None

    @property
    def key(self) -> str:
        """The name that a scenario uses for this row."""
        return self.accelerator


@dataclass(frozen=True)
class Price:
    """One dated price in USD per GPU and hour: either `usd_per_gpu_hour`, or `price_low` and `price_high`.

    `accelerator` is a key of the accelerators where the quote makes it clear, else the words of the quote.
    """

    price_key: str
    provider: str
    instance: str | None
    accelerator: str
    gpus_per_instance: int
    usd_per_gpu_hour: float | None
    price_low: float | None
    price_high: float | None
    term: str
    region: str | None
    date: str
    confidence: str
    source: str
    source_url: str | None
    notes: str | None

    @property
    def key(self) -> str:
        """The name that a scenario uses for this row."""
        return self.price_key


@dataclass(frozen=True)
class ModelPreset:
    """One model: the sizes that every model has; what its layers have besides is in layers/ (see presets.py).

    `norms_per_layer` counts norms as wide as the hidden size; `learned_positions` is the rows of that table.
    `qk_norm` is "per head" (two vectors of `head_size` a layer) or "full" (one over all queries, one over all
    keys). A model of experts alone has their width as its `ffn_size`.
    `maximum_sequence_length` is None where the cited file states none, or only that of one deployment.
    `expected_parameters` is the exact total, `expected_active_parameters` the total less the routed experts that a
    token does not use. `unverified` names those that no built model and no published exact count confirms: they are
    counted from the shapes alone.
    """

    model_preset: str
    description: str
    layer_count: int
    hidden_size: int
    head_count: int
    kv_head_count: int
    head_size: int
    ffn_size: int
    vocabulary_size: int
    mlp_kind: Literal["gated", "plain"]
    embedding_tying: Literal["tied", "untied"]
    qkv_bias: YesNo
    attention_output_bias: YesNo
    mlp_bias: YesNo
    head_bias: YesNo
    norm_bias: YesNo
    norms_per_layer: int
    learned_positions: int
    embedding_norm: YesNo
    qk_norm: Literal["none", "per head", "full"]
    maximum_sequence_length: int | None
    expected_parameters: int
    expected_active_parameters: int
    unverified: str | None
    source: str

    @property
    def key(self) -> str:
        """The name that a scenario uses for this row."""
        return self.model_preset
