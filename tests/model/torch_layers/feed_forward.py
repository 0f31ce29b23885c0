"""MLP modules: plain, gated, and routed experts with a router and shared experts."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.model.torch_layers.kernels import gated, gelu
from tests.model.torch_layers.shape import Kernels, Shape


class PlainMlp(nn.Module):
    """Up, GELU, down."""

    def __init__(self, shape: Shape, kernels: Kernels) -> None:
        super().__init__()
        self.kernels, bias = kernels, shape.mlp_bias == "yes"
        self.up = nn.Linear(shape.hidden_size, shape.ffn_size, bias=bias)
        self.down = nn.Linear(shape.ffn_size, shape.hidden_size, bias=bias)

    def forward(self, values: Tensor) -> Tensor:
        return self.down(gelu(self.up(values), self.kernels))  # type: ignore[no-any-return]


class GatedMlp(nn.Module):
    """Gate and up, SwiGLU, down."""

    def __init__(self, hidden: int, width: int, kernels: Kernels) -> None:
        super().__init__()
        self.kernels = kernels
        self.gate, self.up = (nn.Linear(hidden, width, bias=False) for _ in range(2))
        self.down = nn.Linear(width, hidden, bias=False)

    def forward(self, values: Tensor) -> Tensor:
        return self.down(gated(self.gate(values), self.up(values), self.kernels))  # type: ignore[no-any-return]


class ExpertMlp(nn.Module):
    """Routed experts behind a top-K router, and shared ones beside them."""

    def __init__(self, shape: Shape, kernels: Kernels) -> None:
        super().__init__()
        self.chosen, self.kernels = shape.experts_per_token, kernels
        hidden, width = shape.hidden_size, shape.expert_ffn_size
        self.router = nn.Linear(hidden, shape.expert_count, bias=shape.router_bias == "yes")
        self.into = nn.Parameter(torch.randn(shape.expert_count, hidden, 2 * width) / hidden)
        self.out_of = nn.Parameter(torch.randn(shape.expert_count, width, hidden) / width)
        self.shared = GatedMlp(hidden, shape.shared_ffn_size, kernels) if shape.shared_ffn_size else None
        self.shared_gate = nn.Linear(hidden, 1, bias=False) if shape.shared_expert_gate == "yes" else None

    def forward(self, values: Tensor) -> Tensor:
        tokens = values.flatten(0, 1)
        routed = self.grouped(tokens) if self.kernels.grouped_experts else self.one_by_one(tokens)
        if self.shared is None:
            return routed.view_as(values)
        shared: Tensor = self.shared(tokens)
        if self.shared_gate is not None:
            shared = self.shared_gate(tokens).sigmoid() * shared
        return (routed + shared).view_as(values)

    def routes(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """The share and the number of each expert that works on a token."""
        shares, experts = self.router(tokens).float().softmax(-1).topk(self.chosen, dim=-1)
        return (shares / shares.sum(-1, keepdim=True)).to(tokens.dtype), experts

    def grouped(self, tokens: Tensor) -> Tensor:
        """Tokens sorted by expert, and one grouped matrix product for all experts."""
        shares, experts = self.routes(tokens)
        order = experts.flatten().argsort()
        counts = (experts.flatten().unsqueeze(-1) == torch.arange(len(self.into), device=tokens.device)).sum(0)
        ends = counts.cumsum(0).to(torch.int32)
        inner = functional.grouped_mm(tokens[order // self.chosen], self.into, offs=ends)
        outer = functional.grouped_mm(self.activated(inner), self.out_of, offs=ends)
        weighed = outer * shares.flatten()[order].unsqueeze(-1)
        return weighed[order.argsort()].view(len(tokens), self.chosen, -1).sum(1)

    def one_by_one(self, tokens: Tensor) -> Tensor:
        """A loop over experts, as eager libraries write it."""
        shares, experts = self.routes(tokens)
        result = torch.zeros_like(tokens)
        for expert, (into, out_of) in enumerate(zip(self.into, self.out_of, strict=True)):
            at, place = torch.where(experts == expert)
            inner = tokens[at] @ into
            outer = self.activated(inner) @ out_of
            result.index_add_(0, at, outer * shares[at, place].unsqueeze(-1))
        return result

    def activated(self, inner: Tensor) -> Tensor:
        """Gate and up, which one matrix product made, through SwiGLU."""
        gate, up = inner.chunk(2, dim=-1)
        return gated(gate, up, self.kernels)
