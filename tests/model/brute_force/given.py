"""What brute force is given: a model, layer by layer, and a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """One kind of layer; no window means the whole sequence."""

    name: str
    heads: int
    kv_heads: int
    head_size: int
    ffn: int
    norms: int
    attention: str = "attention"
    mlp: str = "dense"
    window: int | None = None
    further_width: int = 0
    further_parameters: int = 0


@dataclass(frozen=True)
class Experts:
    """Routed experts of a layer, and those that all tokens share."""

    count: int = 1
    per_token: int = 1
    ffn: int = 4
    shared_ffn: int = 0
    router_bias: bool = False
    bias: bool = False
    shared_gate: bool = False


@dataclass(frozen=True)
class Latent:
    """Latent attention: what queries, keys and values are compressed to; a query width of 0 compresses none."""

    query: int = 0
    key_value: int = 4
    rotary: int = 2


@dataclass(frozen=True)
class Model:
    """An architecture, layer by layer."""

    kinds: tuple[Kind, ...]
    hidden: int
    value_head_size: int | None
    vocabulary: int
    held_vocabulary: int
    latent: Latent = Latent()
    experts: Experts = Experts()
    gated: bool = True
    tied: bool = False
    qkv_bias: bool = False
    output_bias: bool = False
    mlp_bias: bool = False
    head_bias: bool = False
    norm_bias: bool = False
    qk_norm: str = "none"
    positions: int = 0
    embedding_norm: bool = False
    further_parameters: int = 0

    def value_size(self, kind: Kind) -> int:
        """Width of one head's values."""
        return self.value_head_size or kind.head_size


@dataclass(frozen=True)
class Layout:
    """How GPUs share the work."""

    tensor: int = 1
    sequence_parallel: bool = True
    stages: int = 1
    chunks: int = 1
    context: int = 1
    copies: int = 1
    expert: int = 1
    expert_tensor: int = 1
    zero: int = 0
    group: int | None = None
    schedule: str = "1f1b"
    stage_layers: tuple[int, ...] = ()
    split_costs: tuple[int, int] | None = None

    @property
    def replicas(self) -> int:
        """GPUs that hold the same weights."""
        return self.context * self.copies

    @property
    def between(self) -> int:
        """GPUs that share what lies between the matrix products."""
        return self.tensor if self.sequence_parallel else 1


@dataclass(frozen=True)
class Recompute:
    """What the backward pass computes again."""

    what: str = "none"
    interval: int = 1
    group: int = 1
    norms: bool = False
    mlp_activation: bool = False
    latent: bool = False
    experts: str = "none"


@dataclass(frozen=True)
class Bytes:
    """Bytes of a parameter's weight, gradient, master copy and moments, and of what is gathered or copied."""

    weight: float = 2
    gradient: float = 2
    master: float = 4
    moments: float = 8
    end_moments: float = 8
    factored: float = 0
    quantised: float = 0.5
    unquantised: float | None = None
    copy: float = 0
    gathered: float | None = None


@dataclass(frozen=True)
class Run:
    """How the model is trained."""

    sequence: int
    micro_batch: int
    micro_batches: int
    layout: Layout = Layout()
    recompute: Recompute = Recompute()
    bytes: Bytes = Bytes()
    profile: str = "fused"
    flash: bool = True
    gathered_layers: int = 1
    gathered_copies: int = 1
    inputs_kept: bool = False
    load: float = 1
    loss_head: str = "vocabulary-parallel"
    loss_chunks: int = 1
    tuning: str = "full"
    rank: int = 1
    adapted: str = "attention"
    offload: bool = False
    node_gpus: int = 8

    @property
    def tokens(self) -> float:
        """Tokens of one micro-batch on one GPU."""
        return self.sequence * self.micro_batch / self.layout.context
