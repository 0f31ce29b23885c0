"""Attention modules: heads projected from the residual stream, and latent attention."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tests.model.torch_layers.kernels import Norm, attend
from tests.model.torch_layers.shape import Kernels, Shape


def heads(values: Tensor, width: int) -> Tensor:
    """Heads apart: [batch, heads, tokens, width]."""
    return values.view(*values.shape[:2], -1, width).transpose(1, 2)


def together(values: Tensor) -> Tensor:
    """Heads joined again: [batch, tokens, heads x width]."""
    return values.transpose(1, 2).flatten(2)


def rotated(values: Tensor, positions: Tensor) -> Tensor:
    """Rotary positions on the last dimension; positions holds cosines and sines."""
    half = values.shape[-1] // 2
    turned = torch.cat((-values[..., half:], values[..., :half]), dim=-1)
    return values * positions[0] + turned * positions[1]


class PlainAttention(nn.Module):
    """Multi-head or grouped-query attention, with rotary positions, biases and norms as the shape has them."""

    def __init__(self, shape: Shape, kernels: Kernels) -> None:
        super().__init__()
        self.shape, self.kernels = shape, kernels
        hidden, bias = shape.hidden_size, shape.qkv_bias == "yes"
        query, key = shape.head_count * shape.head_size, shape.kv_head_count * shape.head_size
        self.query, self.key, self.value = (nn.Linear(hidden, size, bias=bias) for size in (query, key, key))
        self.output = nn.Linear(query, hidden, bias=shape.attention_output_bias == "yes")
        normed = {"per head": (shape.head_size, shape.head_size), "full": (query, key)}.get(shape.qk_norm)
        self.norms = nn.ModuleList(Norm(size, kernels) for size in normed or ())

    def forward(self, values: Tensor, positions: Tensor) -> Tensor:
        queries, keys = self.normed(self.query(values), self.key(values))
        mixed = attend(
            rotated(queries, positions), rotated(keys, positions), self.heads(self.value(values)), self.kernels
        )
        return self.output(together(mixed))  # type: ignore[no-any-return]

    def heads(self, values: Tensor) -> Tensor:
        return heads(values, self.shape.head_size)

    def normed(self, queries: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
        """Queries and keys by heads, behind their norms where they have any."""
        if self.shape.qk_norm == "full":
            return self.heads(self.norms[0](queries)), self.heads(self.norms[1](keys))
        by_heads = self.heads(queries), self.heads(keys)
        return (self.norms[0](by_heads[0]), self.norms[1](by_heads[1])) if len(self.norms) else by_heads


class LatentAttention(nn.Module):
    """Multi-head latent attention as DeepSeek-V2 describes it: queries through a latent or at once."""

    def __init__(self, shape: Shape, kernels: Kernels) -> None:
        super().__init__()
        self.shape, self.kernels = shape, kernels
        hidden, source = shape.hidden_size, shape.query_latent_size or shape.hidden_size
        if shape.query_latent_size:
            self.query_down = nn.Linear(hidden, shape.query_latent_size, bias=False)
            self.query_norm = Norm(shape.query_latent_size, kernels)
        self.query = nn.Linear(source, shape.head_count * shape.head_size, bias=False)
        self.down = nn.Linear(hidden, shape.key_value_latent_size + shape.rotary_head_size, bias=False)
        self.norm = Norm(shape.key_value_latent_size, kernels)
        inner = shape.head_count * (shape.unrotated + shape.values)
        self.up = nn.Linear(shape.key_value_latent_size, inner, bias=False)
        self.output = nn.Linear(shape.head_count * shape.values, hidden, bias=False)

    def forward(self, values: Tensor, positions: Tensor) -> Tensor:
        keys, mixed_values = self.keys_and_values(values, positions)
        return self.output(together(attend(self.queries(values, positions), keys, mixed_values, self.kernels)))  # type: ignore[no-any-return]

    def queries(self, values: Tensor, positions: Tensor) -> Tensor:
        if self.shape.query_latent_size:
            values = self.query_norm(self.query_down(values))
        widths = [self.shape.unrotated, self.shape.rotary_head_size]
        plain, turning = torch.split(heads(self.query(values), self.shape.head_size), widths, dim=-1)
        return torch.cat((plain, rotated(turning, positions)), dim=-1)

    def keys_and_values(self, values: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        shape = self.shape
        latent_widths = [shape.key_value_latent_size, shape.rotary_head_size]
        latent, turning = torch.split(self.down(values), latent_widths, dim=-1)
        up = heads(self.up(self.norm(latent)), shape.unrotated + shape.values)
        plain, mixed = torch.split(up, [shape.unrotated, shape.values], dim=-1)
        shared = rotated(turning.unsqueeze(1), positions).expand(-1, shape.head_count, -1, -1)
        return torch.cat((plain, shared), dim=-1), mixed
