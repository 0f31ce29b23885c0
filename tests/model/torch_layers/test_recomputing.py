"""What recomputation keeps and computes again, by torch.utils.checkpoint, against the estimator."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

from tests.model.torch_layers.cases import Built, Case, build
from tests.model.torch_layers.examples import SMALL
from tests.model.torch_layers.keeping import Alive, kept_bytes
from tests.model.torch_layers.recomputing import saving_operators

PROJECTED_AT_ONCE = ["llama", "qwen3, norms per head", "heads wider than the model"]


@pytest.mark.parametrize("reentrant", [True, False], ids=["reentrant", "not reentrant"])
@pytest.mark.parametrize("name", SMALL)
def test_full_recomputation_keeps_the_input_of_a_layer(name: str, reentrant: bool) -> None:
    case = Case(name, SMALL[name], "eager")
    built = build(case)

    def forward() -> Tensor:
        return checkpoint(built.layer, built.given, built.positions, use_reentrant=reentrant)  # type: ignore[no-any-return]

    kept = kept_bytes(forward, built.besides())
    assert kept == case.values(recompute="full")["layer_activation_bytes"][0]


@pytest.mark.parametrize("name", PROJECTED_AT_ONCE)
def test_operator_recomputation_holds_the_input_and_what_its_policy_saves(name: str) -> None:
    """The caller holds the layer's input; PyTorch's own count of what is alive ends with the layer's output, too."""
    case, built = saved_operators(name)
    with Alive() as alive:
        output = saving_operators(built.layer, built.given, built.positions)
        held = alive.now - output.untyped_storage().nbytes() + built.given.untyped_storage().nbytes()
    assert held == case.values(recompute="operators")["layer_activation_bytes"][0]


@pytest.mark.parametrize("name", PROJECTED_AT_ONCE)
def test_operator_recomputation_computes_again_what_it_did_not_save(name: str) -> None:
    """Keys, attention's output and one matrix of the MLP; not queries, values, the other two, and attention."""
    case, built = saved_operators(name)
    with FlopCounterMode(display=False) as forward:
        output = saving_operators(built.layer, built.given, built.positions)
    with FlopCounterMode(display=False) as backward:
        torch.autograd.backward(output.sum())
    again = backward.get_total_flops() - 2 * forward.get_total_flops()
    assert again == case.values(recompute="operators")["layer_recomputed_flops"][0] * case.all_tokens


def saved_operators(name: str) -> tuple[Case, Built]:
    case = Case(name, SMALL[name], "eager", own_flash=True)
    return case, build(case)
