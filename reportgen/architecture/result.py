"""What a count says: total and active parameters, the parts, every layer kind with its tensors and sizes."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Tensor:
    """One weight of the model: its name, shape, how often it occurs and which share of it a token uses.

    `routed` is (experts per token, experts) for the weights of routed experts, which a token uses in part.
    """

    name: str
    shape: tuple[int, ...]
    copies: int = 1
    routed: tuple[int, int] | None = None

    @property
    def parameters(self) -> int:
        """Parameters of all copies."""
        return prod(self.shape) * self.copies

    @property
    def inactive(self) -> int:
        """Parameters that one token does not use: (E - k)/E of routed experts, of all others none."""
        if self.routed is None:
            return 0
        chosen, experts = self.routed
        return self.parameters * (experts - chosen) // experts


@dataclass(frozen=True)
class KindSizes:
    """The widths of one layer kind, in elements; None where they do not apply to it.

    query_size, key_size, value_size and output_size are the widths of the projections, all heads together;
    shared_ffn_size is the width of all shared experts together; norm_count counts norms over the hidden size.
    """

    hidden_size: int | None = None
    query_heads: int | None = None
    key_value_heads: int | None = None
    head_size: int | None = None
    value_head_size: int | None = None
    query_size: int | None = None
    key_size: int | None = None
    value_size: int | None = None
    output_size: int | None = None
    attention_window: int | None = None
    query_latent_size: int | None = None
    key_value_latent_size: int | None = None
    rotary_head_size: int | None = None
    unrotated_head_size: int | None = None
    ffn_size: int | None = None
    ffn_matrices: int | None = None
    expert_count: int | None = None
    experts_per_token: int | None = None
    expert_ffn_size: int | None = None
    expert_matrices: int | None = None
    shared_ffn_size: int | None = None
    norm_count: int | None = None
    query_key_norm_size: int | None = None
    state_inner_size: int | None = None
    state_size: int | None = None
    state_heads: int | None = None
    state_groups: int | None = None
    convolution_width: int | None = None


@dataclass(frozen=True)
class LayerKind:
    """All layers that are built alike: what they are, how many, what one holds."""

    name: str
    layers: int
    tensors: tuple[Tensor, ...]
    sizes: KindSizes

    @property
    def parameters(self) -> int:
        """Parameters of one layer."""
        return sum(tensor.parameters for tensor in self.tensors)

    @property
    def inactive(self) -> int:
        """Parameters of one layer that one token does not use."""
        return sum(tensor.inactive for tensor in self.tensors)


@dataclass(frozen=True)
class ParameterCount:
    """The exact parameters of one model; buffers and multi-token-prediction layers are no part of it.

    `active` is the total less (E - k)/E of the routed experts' weights: embeddings, head, router and shared experts
    are in it. `head` is the size of the output projection, which `total` counts once where it is tied to the
    embedding. `beside` holds what stands outside the layers: positions, embedding norms, projections, a vision tower.
    `layers` gives the kind of each layer as an index into `kinds`. Each doubt is one sentence.
    """

    family: str
    source: str
    total: int
    active: int
    embedding: int
    head: int
    tied: bool
    final_norm: int
    beside: tuple[Tensor, ...]
    kinds: tuple[LayerKind, ...]
    layers: tuple[int, ...]
    doubts: tuple[str, ...]

    def layer_parameters(self, index: int) -> int:
        """Parameters of one layer, counted from 0; negative indexes count from the end."""
        return self.kinds[self.layers[index]].parameters
