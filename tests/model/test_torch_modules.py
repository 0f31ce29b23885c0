"""The estimator against PyTorch itself: layers built from torch.nn, their parameters, kept bytes and FLOPs.

Nothing here is measured once and written down: each test builds the module, runs it, and counts what PyTorch holds.
Beside these modules, in torch_layers, stand tests of recomputation, adapters, the loss head and optimizers.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from tests.model.torch_layers.cases import BF16, Case, build, count
from tests.model.torch_layers.examples import PUBLISHED, SMALL
from tests.model.torch_layers.keeping import kept_bytes
from tests.model.torch_layers.kernels import attend
from tests.model.torch_layers.shape import PROFILES, Kernels, Shape

LLAMA_PROFILES = ("fused", "eager", "fused norms")
GPT_PROFILES = ("gpt-dropout", "gpt-gelu", "fused")


@pytest.mark.parametrize("case", [Case(name, shape) for name, shape in SMALL.items()], ids=str)
def test_small_layer_has_as_many_parameters_as_counted(case: Case) -> None:
    assert count(build(case).layer) == case.values()["layer_parameters"][0]


@pytest.mark.parametrize("case", [Case(*named, device="meta") for named in PUBLISHED.items()], ids=str)
def test_published_layer_has_as_many_parameters_as_counted(case: Case) -> None:
    assert count(build(case).layer) == case.values()["layer_parameters"][0]


def stores_scores(profile: str) -> bool:
    """Whether the profile's row speaks of scores as these layers store them: fused kernels have FlashAttention."""
    return "fused" not in profile


def profiles_of(shape: Shape) -> tuple[str, ...]:
    return GPT_PROFILES if shape.norm_bias == "yes" else LLAMA_PROFILES


def kept_cases() -> Iterator[Case]:
    for device, shapes, tokens in (("cpu", SMALL, 32), ("meta", PUBLISHED, 4096)):
        for name, shape in shapes.items():
            # PyTorch's LayerNorm for CPUs keeps its statistics in 16 bits, for GPUs and the meta device in 32.
            place = "meta" if shape.norm_bias == "yes" else device
            for profile in profiles_of(shape):
                for flash in (True, False) if stores_scores(profile) else (True,):
                    yield Case(name, shape, profile, flash, device=place, tokens=tokens)


@pytest.mark.parametrize("case", list(kept_cases()), ids=str)
def test_autograd_keeps_what_the_profile_says(case: Case) -> None:
    estimated = case.values()["kind_token_bytes"][0] * case.all_tokens
    named = routing_bytes(case) - grouped_after_all(case) - latent_not_kept(case)
    assert build(case).kept() == estimated + named


@pytest.mark.parametrize("name", PUBLISHED)
def test_named_differences_are_below_a_thousandth_of_a_published_layer(name: str) -> None:
    """At 4096 tokens, with FlashAttention; fused kernels, experts grouped."""
    case = Case(name, PUBLISHED[name], device="meta", tokens=4096)
    estimated = case.values()["kind_token_bytes"][0] * case.all_tokens
    assert routing_bytes(case) + latent_not_kept(case) <= estimated / 1000


def routing_bytes(case: Case) -> int:
    """What a router keeps beside its probabilities: numbers and places of the chosen experts, and their shares.

    8 bytes an index, 4 an fp32 share and 4 their sum, 2 a 16-bit share. Grouped: the choice and three orders of it,
    and for each expert where its tokens end, 4. Looped: the choice, and each token's place in it, a pair.
    """
    if case.shape.kind_mlp != "experts":
        return 0
    indices, ends = (4, 4 * case.shape.expert_count) if case.kernels.grouped_experts else (3, 0)
    return case.all_tokens * (case.shape.experts_per_token * (8 * indices + 4 + 2) + 4) + ends


def grouped_after_all(case: Case) -> int:
    """The eager profile loops over experts and keeps one input more of each; on the meta device they are grouped."""
    if case.kernels.grouped_experts and not PROFILES[case.profile].grouped_experts:
        return case.all_tokens * 2 * routed_hidden(case.shape)
    return 0


def routed_hidden(shape: Shape) -> int:
    return shape.experts_per_token * shape.hidden_size if shape.kind_mlp == "experts" else 0


def latent_not_kept(case: Case) -> int:
    """What latent attention lets go of in eager kernels: an eager norm copies the latent out of the joint projection.

    The rotary key, which is the rest of that projection, then lives on as its rotated copy alone.
    """
    if case.shape.kind_attention != "latent" or case.kernels.fused_norm:
        return 0
    return case.all_tokens * 2 * case.shape.rotary_head_size


def test_flash_attention_of_pytorch_keeps_what_the_simulated_one_keeps() -> None:
    torch.manual_seed(0)
    queries, keys, values = (torch.randn(2, heads, 64, 16, dtype=BF16, requires_grad=True) for heads in (8, 2, 2))

    def real() -> Tensor:
        return attend(queries, keys, values, Kernels(own_flash=True))

    def simulated() -> Tensor:
        return attend(queries, keys, values, Kernels())

    assert kept_bytes(real, []) == kept_bytes(simulated, [])
    assert torch.allclose(real(), simulated(), atol=0.02)


@pytest.mark.parametrize("name", ["llama", "qwen3, norms per head", "deepseek, latent queries"])
def test_fused_kernels_compute_what_eager_ones_do_forward_and_backward(name: str) -> None:
    results = []
    for profile in LLAMA_PROFILES:
        built = build(Case(name, SMALL[name], profile, flash=False), torch.float32)
        output = built.forward()
        torch.autograd.backward(output.square().sum())
        assert built.given.grad is not None
        results.append((output, built.given.grad))
    for output, gradient in results[1:]:
        assert torch.allclose(output, results[0][0], atol=1e-5)
        assert torch.allclose(gradient, results[0][1], rtol=1e-4, atol=1e-4)


def flop_cases() -> Iterator[Case]:
    """Scores stored, for PyTorch counts no FlashAttention on a CPU; experts one by one, for it counts no groups."""
    for name, shape in SMALL.items():
        yield Case(name, shape, "eager", flash=False)
    for name, shape in PUBLISHED.items():
        if shape.kind_mlp == "dense":
            yield Case(name, shape, "eager", flash=False, device="meta", tokens=4096)


@pytest.mark.parametrize("case", list(flop_cases()), ids=str)
def test_matrix_products_and_attention_have_the_flops_counted(case: Case) -> None:
    """A third of them forward, the rest backward."""
    built, values = build(case), case.values()
    with FlopCounterMode(display=False) as forward:
        output = built.forward()
    with FlopCounterMode(display=False) as backward:
        torch.autograd.backward(output.sum())
    whole = (values["kind_matmul_flops"][0] + values["kind_full_attention_flops"][0]) * case.all_tokens
    gate = shared_gate_flops(case)
    assert forward.get_total_flops() == whole / 3 + gate
    assert backward.get_total_flops() == whole * 2 / 3 + 2 * gate


def shared_gate_flops(case: Case) -> int:
    """The gate of shared experts, one column wide, is no matrix to the estimator."""
    return 2 * case.shape.hidden_size * case.all_tokens if case.shape.shared_expert_gate == "yes" else 0
