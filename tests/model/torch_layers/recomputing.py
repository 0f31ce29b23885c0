"""Operator recomputation as torchtitan sets it up: every second matrix product and attention are saved."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

from tests.model.torch_layers.layer import Layer

PRODUCT = torch.ops.aten.mm.default
ATTENTION = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default


class EverySecondProduct:
    """Says of each operation whether its result is saved; counts forward and recomputed products apart."""

    def __init__(self) -> None:
        self.products = {False: 0, True: 0}

    def __call__(self, context: Any, operation: Any, *_arguments: Any, **_keywords: Any) -> CheckpointPolicy:
        if operation == PRODUCT:
            self.products[context.is_recompute] += 1
        odd = self.products[context.is_recompute] % 2 == 1
        saved = operation == ATTENTION or (operation == PRODUCT and odd)
        return CheckpointPolicy.MUST_SAVE if saved else CheckpointPolicy.PREFER_RECOMPUTE


def saving_operators(layer: Layer, given: Tensor, positions: Tensor) -> Tensor:
    """The layer's output; what the policy does not save comes back in the backward pass."""

    def contexts() -> Any:
        return create_selective_checkpoint_contexts(EverySecondProduct())  # type: ignore[no-untyped-call]

    return checkpoint(layer, given, positions, use_reentrant=False, context_fn=contexts)  # type: ignore[no-any-return]
