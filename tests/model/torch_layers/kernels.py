"""Norms, activations and attention cores: as eager PyTorch computes them, and with what fused kernels save."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

from tests.model.torch_layers.shape import Kernels

EPSILON = 1e-6
MASKED = -1e9


class FusedNorm(torch.autograd.Function):
    """An RMSNorm in one kernel: it saves its input and the reciprocal deviation, as Apex and Liger do."""

    @staticmethod
    def forward(context: Any, values: Tensor, weight: Tensor) -> Tensor:
        reciprocal = values.float().pow(2).mean(-1, keepdim=True).add(EPSILON).rsqrt()
        context.save_for_backward(values, weight, reciprocal)
        return (values.float() * reciprocal).to(values.dtype) * weight

    @staticmethod
    @once_differentiable
    def backward(context: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        values, weight, reciprocal = context.saved_tensors
        normed = values.float() * reciprocal
        inner = gradient.float() * weight
        back = reciprocal * (inner - normed * (inner * normed).mean(-1, keepdim=True))
        return back.to(values.dtype), (gradient * normed).flatten(0, -2).sum(0).to(weight.dtype)


class FusedGate(torch.autograd.Function):
    """SwiGLU in one kernel: it saves gate and up, never the activated gate, as Liger does."""

    @staticmethod
    def forward(context: Any, gate: Tensor, up: Tensor) -> Tensor:
        context.save_for_backward(gate, up)
        return functional.silu(gate) * up

    @staticmethod
    @once_differentiable
    def backward(context: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        gate, up = context.saved_tensors
        share = gate.sigmoid()
        return gradient * up * share * (1 + gate * (1 - share)), gradient * functional.silu(gate)


class Flash(torch.autograd.Function):
    """FlashAttention: it saves queries, keys, values, output and one fp32 log-sum-exp a head, never the scores.

    PyTorch's own kernel for CPUs keeps the same, but wants values as wide as keys, and no meta device.
    """

    @staticmethod
    def forward(context: Any, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        scores = masked_scores(queries, keys)
        # Laid out by tokens, so that joining the heads is a view and the output projection keeps the same storage.
        output = by_groups(scores.softmax(-1), values).transpose(1, 2).contiguous().transpose(1, 2)
        context.save_for_backward(queries, keys, values, output, scores.float().logsumexp(-1))
        return output


class Norm(nn.Module):
    """RMSNorm: fused, or eager with an fp32 copy."""

    def __init__(self, size: int, kernels: Kernels) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.fused = kernels.fused_norm

    def forward(self, values: Tensor) -> Tensor:
        if self.fused:
            return FusedNorm.apply(values, self.weight)  # type: ignore[no-any-return, no-untyped-call]
        copy = values.float()
        normed = copy * (copy.pow(2).mean(-1, keepdim=True) + EPSILON).rsqrt()
        return self.weight * normed.to(values.dtype)


def gated(gate: Tensor, up: Tensor, kernels: Kernels) -> Tensor:
    """SwiGLU."""
    if kernels.fused_gate:
        return FusedGate.apply(gate, up)  # type: ignore[no-any-return, no-untyped-call]
    return functional.silu(gate) * up


def gelu(values: Tensor, kernels: Kernels) -> Tensor:
    """GELU, or the tanh formula written out, each step a kernel."""
    if kernels.fused_gelu:
        return functional.gelu(values)
    return 0.5 * values * (1 + torch.tanh(0.7978845608 * (values + 0.044715 * torch.pow(values, 3))))


def dropped(values: Tensor, kernels: Kernels) -> Tensor:
    """Dropout by the kernel that GPUs run: its mask is one byte a value; the CPU's own keeps 16 bits."""
    return torch.native_dropout(values, kernels.dropout, train=True)[0] if kernels.dropout else values


def attend(queries: Tensor, keys: Tensor, values: Tensor, kernels: Kernels) -> Tensor:
    """Causal attention; queries [batch, heads, tokens, width], keys and values with as many heads or fewer."""
    if kernels.own_flash:
        return functional.scaled_dot_product_attention(queries, keys, values, is_causal=True, enable_gqa=True)
    if kernels.flash:
        return Flash.apply(queries, keys, values)  # type: ignore[no-any-return, no-untyped-call]
    if kernels.dropout:
        return by_groups(dropped(masked_scores(queries, keys).softmax(-1), kernels), values)
    scores = masked_scores(queries, repeated(keys, queries))
    return by_groups(scores.softmax(-1, dtype=torch.float32).to(scores.dtype), repeated(values, queries))


def repeated(shared: Tensor, queries: Tensor) -> Tensor:
    """Keys or values once for each query head, as eager models write them out."""
    times = queries.shape[1] // shared.shape[1]
    return shared if times == 1 else shared.repeat_interleave(times, dim=1)


def masked_scores(queries: Tensor, keys: Tensor) -> Tensor:
    """Scores of each query with the keys before it and its own."""
    batch, heads, tokens, width = queries.shape
    grouped = queries.reshape(batch, keys.shape[1], -1, width) @ keys.transpose(-1, -2)
    later = torch.full((tokens, tokens), MASKED, dtype=queries.dtype, device=queries.device).triu(1)
    return grouped.view(batch, heads, tokens, tokens) / math.sqrt(width) + later


def by_groups(shares: Tensor, values: Tensor) -> Tensor:
    """Values weighed by the scores, each group of query heads with the values that it shares."""
    batch, heads, tokens, _ = shares.shape
    return (shares.view(batch, values.shape[1], -1, tokens) @ values).view(batch, heads, tokens, -1)
