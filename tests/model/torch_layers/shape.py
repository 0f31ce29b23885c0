"""What a layer is made of, under the names that a scenario gives it, and how its kernels work."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from reportgen.model.axes import LAYER_KIND

OF_EACH_KIND = ("kind_attention", "kind_mlp")


@dataclass(frozen=True)
class Shape:
    """The widths of one layer; the field names are inputs of the estimator."""

    hidden_size: int = 64
    head_count: int = 4
    kv_head_count: int = 2
    head_size: int = 16
    ffn_size: int = 160
    vocabulary_size: int = 96
    mlp_kind: str = "gated"
    norm_bias: str = "no"
    qkv_bias: str = "no"
    attention_output_bias: str = "no"
    mlp_bias: str = "no"
    qk_norm: str = "none"
    kind_attention: str = "attention"
    kind_mlp: str = "dense"
    value_head_size: int | str = "as head_size"
    query_latent_size: int = 0
    key_value_latent_size: int = 1
    rotary_head_size: int = 0
    expert_count: int = 1
    experts_per_token: int = 1
    expert_ffn_size: int = 1
    shared_ffn_size: int = 0
    shared_expert_gate: str = "no"
    router_bias: str = "no"

    @property
    def values(self) -> int:
        """Width of one head's values."""
        return self.head_size if isinstance(self.value_head_size, str) else self.value_head_size

    @property
    def unrotated(self) -> int:
        """Width of the part of one latent head that carries no positions."""
        return self.head_size - self.rotary_head_size

    def inputs(self) -> dict[str, Any]:
        """The same as inputs of a scenario: all layers of one kind."""
        given = asdict(self)
        return given | {name: (given[name],) * LAYER_KIND.rows for name in OF_EACH_KIND}


@dataclass(frozen=True)
class Kernels:
    """How the layer computes, as far as that decides what is kept; own_flash is PyTorch's kernel, not a stand-in."""

    fused_norm: bool = True
    fused_gate: bool = True
    fused_gelu: bool = True
    flash: bool = True
    own_flash: bool = False
    dropout: float = 0
    grouped_experts: bool = True


PROFILES = {
    "fused": Kernels(),
    "eager": Kernels(fused_norm=False, fused_gate=False, grouped_experts=False),
    "gpt-dropout": Kernels(dropout=0.1),
    "fused norms": Kernels(fused_gate=False),
    "gpt-gelu": Kernels(fused_gelu=False, dropout=0.1),
}
