"""Cases: a layer, its kernels and where it runs; the module of each, and what the estimator makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from tests.model.cases import preset, values_of
from tests.model.torch_layers.keeping import kept_bytes
from tests.model.torch_layers.layer import Layer, rotary_positions
from tests.model.torch_layers.shape import PROFILES, Kernels, Shape

Values = Mapping[str, Any]
BF16 = torch.bfloat16
SWITCH = {True: "on", False: "off"}
# The tensors are small: threads would only wait for each other, and for those of a test that runs beside.
torch.set_num_threads(1)


@dataclass(frozen=True)
class Case:
    """A layer, how its kernels work, and where it runs: on real tensors, or on the meta device in published sizes."""

    name: str
    shape: Shape
    profile: str = "fused"
    flash: bool = True
    own_flash: bool = False
    device: str = "cpu"
    sequences: int = 2
    tokens: int = 32

    def __str__(self) -> str:
        return f"{self.name}-{self.profile}-flash {SWITCH[self.flash]}-{self.device}"

    @property
    def all_tokens(self) -> int:
        return self.sequences * self.tokens

    @property
    def kernels(self) -> Kernels:
        # A loop over experts asks which tokens each expert got, which the meta device cannot say.
        grouped = PROFILES[self.profile].grouped_experts or self.device == "meta"
        return replace(PROFILES[self.profile], flash=self.flash, own_flash=self.own_flash, grouped_experts=grouped)

    def values(self, **inputs: Any) -> Values:
        """What the estimator makes of the same layer."""
        run = {"micro_batch_size": self.sequences, "sequence_length": self.tokens}
        kernels = {"kernel_profile": self.profile, "flash_attention": SWITCH[self.flash]}
        return values_of(preset("llama3-8b", **self.shape.inputs(), **run, **kernels, **inputs))


@dataclass(frozen=True)
class Built:
    """The module of a case with an input and the positions."""

    layer: Layer
    given: Tensor
    positions: Tensor

    def forward(self) -> Tensor:
        return self.layer(self.given, self.positions)  # type: ignore[no-any-return]

    def kept(self) -> int:
        return kept_bytes(self.forward, self.besides())

    def besides(self) -> list[Tensor]:
        return [*self.layer.parameters(), self.positions]


def build(case: Case, dtype: torch.dtype = BF16) -> Built:
    torch.manual_seed(0)
    shape = case.shape
    with torch.device(case.device):
        layer = Layer(shape, case.kernels).to(dtype)
        given = torch.randn(case.sequences, case.tokens, shape.hidden_size, dtype=dtype, requires_grad=True)
    turning = shape.rotary_head_size or shape.head_size
    return Built(layer, given, rotary_positions(turning, case.tokens, dtype, case.device))


def count(module: nn.Module) -> int:
    return sum(weight.numel() for weight in module.parameters())
