"""One decoder layer, a loss head, and adapters on a layer's matrices."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.model.torch_layers.attention import LatentAttention, PlainAttention
from tests.model.torch_layers.feed_forward import ExpertMlp, GatedMlp, PlainMlp
from tests.model.torch_layers.kernels import Norm, dropped
from tests.model.torch_layers.shape import Kernels, Shape


class Layer(nn.Module):
    """Norm, attention, norm, MLP, each pair on the residual stream."""

    def __init__(self, shape: Shape, kernels: Kernels) -> None:
        super().__init__()
        self.kernels = kernels
        self.attention_norm, self.mlp_norm = norm(shape, kernels), norm(shape, kernels)
        self.attention = (LatentAttention if shape.kind_attention == "latent" else PlainAttention)(shape, kernels)
        self.mlp = mlp(shape, kernels)

    def forward(self, values: Tensor, positions: Tensor) -> Tensor:
        values = values + dropped(self.attention(self.attention_norm(values), positions), self.kernels)
        return values + dropped(self.mlp(self.mlp_norm(values)), self.kernels)


class Head(nn.Module):
    """Final norm, output matrix and an eager cross-entropy on fp32 logits; the logits are handed out with the loss."""

    def __init__(self, shape: Shape, kernels: Kernels) -> None:
        super().__init__()
        self.norm = norm(shape, kernels)
        self.output = nn.Linear(shape.hidden_size, shape.vocabulary_size, bias=False)

    def forward(self, values: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        logits = self.output(self.norm(values))
        return functional.cross_entropy(logits.flatten(0, 1).float(), labels.flatten()), logits


class Adapted(nn.Module):
    """A frozen matrix with a low-rank adapter beside it."""

    def __init__(self, frozen: nn.Linear, rank: int) -> None:
        super().__init__()
        self.frozen = frozen.requires_grad_(requires_grad=False)
        self.down = nn.Linear(frozen.in_features, rank, bias=False)
        self.up = nn.Linear(rank, frozen.out_features, bias=False)

    def forward(self, values: Tensor) -> Tensor:
        return self.frozen(values) + self.up(self.down(values))  # type: ignore[no-any-return]


def norm(shape: Shape, kernels: Kernels) -> nn.Module:
    """A LayerNorm where norms have a bias, else an RMSNorm."""
    return nn.LayerNorm(shape.hidden_size) if shape.norm_bias == "yes" else Norm(shape.hidden_size, kernels)


def mlp(shape: Shape, kernels: Kernels) -> nn.Module:
    """The MLP that the shape describes."""
    if shape.kind_mlp == "experts":
        return ExpertMlp(shape, kernels)
    return (
        PlainMlp(shape, kernels) if shape.mlp_kind == "plain" else GatedMlp(shape.hidden_size, shape.ffn_size, kernels)
    )


def adapt(module: nn.Module, rank: int, targets: tuple[type[nn.Module], ...]) -> None:
    """Freezes all weights of a layer and puts adapters beside the matrices of the target modules."""
    module.requires_grad_(requires_grad=False)
    for part in [part for part in module.modules() if isinstance(part, targets)]:
        for name, matrix in [(name, child) for name, child in part.named_children() if isinstance(child, nn.Linear)]:
            setattr(part, name, Adapted(matrix, rank))


def rotary_positions(width: int, tokens: int, dtype: torch.dtype, device: str) -> Tensor:
    """Cosines and sines of each position, shared by all layers."""
    angles = torch.arange(tokens, device=device).unsqueeze(-1) * torch.logspace(0, -4, width, device=device)
    return torch.stack((angles.cos(), angles.sin())).to(dtype)
