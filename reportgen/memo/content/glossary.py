"""Words that a director may not know, only those that the memo uses."""

from __future__ import annotations

from reportgen.memo.document import Detail

GLOSSARY = (
    Detail("Activations", "What the forward pass keeps for the backward pass."),
    Detail("FlashAttention", "Attention computed in pieces that stay on the chip, so that scores are never stored."),
    Detail("Goodput", "The share of wall time that makes progress; failures, restarts and stalls take the rest."),
    Detail("List cost", "List price times quantity, before any discount or commitment; quoted cost, the quoted price."),
    Detail(
        "MFU", "Model FLOP/s utilisation: the useful operations, by a stated convention, over the card's dense peak."
    ),
    Detail("HFU", "The same with recomputed operations counted."),
    Detail("Micro-batch", "The sequences that go through the pipeline together."),
    Detail("Pipeline stage", "A run of layers that sits on one group of GPUs."),
    Detail("Recomputation", "Dropping activations and computing them again in the backward pass."),
    Detail("Unmodelled headroom", "Memory kept free for what the estimate does not itemise, a line of its own."),
    Detail("ZeRO", "Splitting optimizer states, gradients or weights over the copies of the model."),
)
