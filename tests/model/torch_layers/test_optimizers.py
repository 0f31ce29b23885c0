"""Optimizers of torch.optim: the bytes that they hold after a step, against the table of optimizers."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from tests.model.cases import preset, values_of
from tests.model.torch_layers.cases import Case
from tests.model.torch_layers.layer import Layer
from tests.model.torch_layers.shape import Kernels, Shape

WIDE = Shape(hidden_size=256, head_count=16, kv_head_count=4, head_size=16, ffn_size=896)


def test_adamw_and_momentum_hold_the_bytes_of_their_rows() -> None:
    """AdamW beside them one step count, 4 bytes a tensor."""
    weights = fp32_weights()
    parameters = sum(weight.numel() for weight in weights)
    adamw = state_bytes(torch.optim.AdamW(weights))
    momentum = state_bytes(torch.optim.SGD(weights, momentum=0.9))
    assert adamw - 4 * len(weights) == parameters * optimizer_row("adamw")["optimizer_state_column"]
    assert momentum == parameters * optimizer_row("sgd with momentum")["optimizer_state_column"]


def test_muon_holds_one_momentum_of_each_matrix_and_takes_nothing_else() -> None:
    """Norms, two vectors of a layer, are left to AdamW; the estimator gives them Muon's 4 bytes as well."""
    matrices = [weight for weight in fp32_weights() if weight.dim() == 2]
    held = state_bytes(torch.optim.Muon(matrices))
    assert held == sum(weight.numel() for weight in matrices) * optimizer_row("muon")["optimizer_state_column"]
    with pytest.raises(ValueError, match="2D"):
        torch.optim.Muon(fp32_weights())


def test_adafactor_holds_a_mean_for_each_row_and_column_and_whole_vectors() -> None:
    """The estimator takes every matrix for as tall and as wide as the model: 8 bytes over the width a parameter.

    True of a square matrix. Exactly it is 4 bytes for each row and column, and for each entry of a vector, and 4 for
    each tensor's step count: a fifth off for this layer, of a figure that is a thousandth of AdamW's.
    """
    weights = fp32_weights()
    held = state_bytes(torch.optim.Adafactor(weights)) - 4 * len(weights)
    parameters = sum(weight.numel() for weight in weights)
    estimated = parameters * Case("wide", WIDE).values(optimizer="adafactor")["factored_bytes_per_parameter"]
    assert held == sum(4 * sum(weight.shape) for weight in weights)
    assert held == pytest.approx(estimated, rel=0.2)
    assert max(held, estimated) < parameters * 8 / 250


def fp32_weights() -> list[nn.Parameter]:
    return list(Layer(WIDE, Kernels()).parameters())


def optimizer_row(name: str) -> dict[str, Any]:
    """The row of the optimizer table."""
    values = values_of(preset("llama3-8b"))
    place = values["optimizer_name"].index(name)
    return {column: values[column][place] for column in ("optimizer_state_column", "optimizer_factored_column")}


def state_bytes(optimizer: torch.optim.Optimizer) -> int:
    """Bytes of all tensors that the optimizer holds after a step."""
    for group in optimizer.param_groups:
        for weight in group["params"]:
            weight.grad = torch.zeros_like(weight)
    optimizer.step()
    held = [value for state in optimizer.state.values() for value in state.values() if isinstance(value, Tensor)]
    return sum(tensor.untyped_storage().nbytes() for tensor in held)
