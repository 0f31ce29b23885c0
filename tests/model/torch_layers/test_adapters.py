"""Adapters beside frozen matrices: their parameters, and what they keep."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from tests.model.torch_layers.attention import PlainAttention
from tests.model.torch_layers.cases import BF16, Built, Case, build, count
from tests.model.torch_layers.examples import PUBLISHED, SMALL
from tests.model.torch_layers.feed_forward import GatedMlp, PlainMlp
from tests.model.torch_layers.layer import adapt


@pytest.mark.parametrize("name", ["llama", "qwen2, biases", "gpt", "heads wider than the model"])
@pytest.mark.parametrize("targets", ["attention", "all linear"])
def test_adapters_have_as_many_parameters_as_counted(name: str, targets: str) -> None:
    case = Case(name, SMALL[name])
    values = case.values(tuning="lora", adapter_rank=8, adapter_targets=targets)
    layer = adapted(case, targets, rank=8).layer
    trained = sum(weight.numel() for weight in layer.parameters() if weight.requires_grad)
    assert trained == values["kind_adapter_parameters"][0]
    assert count(layer) - trained == values["layer_parameters"][0]


def test_adapters_keep_nothing_beside_the_layer_but_their_narrow_middle() -> None:
    """16 bits for each rank of each of seven adapters, under a thousandth of what a published layer keeps."""
    case = Case("llama3-70b", PUBLISHED["llama3-70b"], device="meta", tokens=4096)
    estimated = case.values(tuning="lora", adapter_rank=8)["kind_token_bytes"][0] * case.all_tokens
    middles = 7 * 8 * 2 * case.all_tokens
    assert adapted(case, "all linear", rank=8).kept() == estimated + middles
    assert middles < estimated / 1000


def test_frozen_mlp_without_adapters_does_not_keep_what_its_matrices_read() -> None:
    """Its norm's output and its product are read by frozen matrices alone; gate, halves and the rest are kept."""
    case = Case("llama3-70b", PUBLISHED["llama3-70b"], device="meta", tokens=4096)
    values = case.values(tuning="lora", adapter_rank=8, adapter_targets="attention")
    estimated = values["layer_activation_bytes"][0]
    middles = 4 * 8 * 2 * case.all_tokens
    assert adapted(case, "attention", rank=8).kept() == estimated + middles


def adapted(case: Case, targets: str, rank: int) -> Built:
    """The layer of a case, frozen, with adapters beside its matrices."""
    built = build(case)
    modules: tuple[type[nn.Module], ...] = (PlainAttention,)
    if targets == "all linear":
        modules = (PlainAttention, GatedMlp, PlainMlp)
    with torch.device(case.device):
        adapt(built.layer, rank, modules)
    built.layer.to(BF16)
    return built
