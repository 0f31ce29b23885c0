"""The loss head: what autograd keeps of it, and the most that is alive at once."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.model.torch_layers.cases import BF16, Case
from tests.model.torch_layers.keeping import Alive, kept_bytes
from tests.model.torch_layers.layer import Head
from tests.model.torch_layers.shape import Shape


@pytest.mark.parametrize("profile", ["eager", "fused"])
def test_loss_head_keeps_fp32_log_probabilities_the_norm_and_the_labels(profile: str) -> None:
    """4 bytes a vocabulary entry; 8 for a label; one fp32 number, the weight of all labels together."""
    case, head, given, labels = head_of(profile, vocabulary=8192)
    kept = kept_bytes(lambda: head(given, labels), head.parameters())
    norm = case.values()["norm_activation_bytes"]
    assert kept == case.all_tokens * (4 * case.shape.vocabulary_size + norm + 8) + 4


def test_loss_head_holds_at_its_peak_what_the_eager_framework_row_says() -> None:
    """Backward: bf16 logits 2, log-probabilities 4, and two fp32 gradients of 4 each, one made from the other.

    Two vocabularies are compared, so that whatever does not grow with the vocabulary drops out.
    """
    small, large = (peaks(vocabulary) for vocabulary in (4096, 8192))
    case = head_of("eager", vocabulary=4096)[0]
    values = case.values(framework="transformers", loss_head="plain")
    forward, both = ((after - before) / 4096 / case.all_tokens for before, after in zip(small, large, strict=True))
    assert forward == 2 + 4 + 4
    assert both == 2 + 4 + 4 + 4
    assert values["loss_logit_bytes"] == both * case.all_tokens * 4096


def peaks(vocabulary: int) -> tuple[int, int]:
    """The most bytes alive at once in the forward pass, and in both."""
    _, head, given, labels = head_of("eager", vocabulary)
    with Alive() as alive:
        loss, logits = head(given, labels)
        forward = alive.peak
        torch.autograd.backward(loss)
    del logits  # held until here, as a caller that gets them back holds them
    return forward, alive.peak


def head_of(profile: str, vocabulary: int) -> tuple[Case, Head, Tensor, Tensor]:
    torch.manual_seed(0)
    case = Case("head", Shape(vocabulary_size=vocabulary), profile)
    given = torch.randn(case.sequences, case.tokens, case.shape.hidden_size, dtype=BF16, requires_grad=True)
    labels = torch.zeros(case.sequences, case.tokens, dtype=torch.long)
    return case, Head(case.shape, case.kernels).to(BF16), given, labels
