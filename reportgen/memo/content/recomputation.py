"""What recomputation saves, or would save, and what it costs: each by the estimate with and without it."""

from __future__ import annotations

from reportgen.memo.content.say import Teller
from reportgen.memo.content.variants import changed
from reportgen.memo.content.words import Sentence, listed, sentence

MORE_COMPUTE = "hardware_flops_per_token / model_flops_per_token - 1"
NEXT_TO_NOTHING = (
    "With FlashAttention the attention scores are never stored, so selective recomputation saves almost nothing"
)


# What can be recomputed of a layer by itself: the input, the value that leaves it alone, and the words for it.
MODULES: tuple[tuple[str, str, str], ...] = (
    ("recompute_norms", "no", "norm outputs"),
    ("recompute_mlp_activation", "no", "the output of the MLP's activation function"),
    ("recompute_latent", "no", "the up-projections of latent attention"),
    ("recompute_experts", "none", "what routed experts keep"),
)


def recomputation(teller: Teller) -> Sentence:
    """One paragraph for the recomputation that is planned."""
    return PARAGRAPHS[teller.value("recompute")](teller)


def _modules(teller: Teller) -> Sentence:
    """Which modules are recomputed by themselves, and what the peak would be if they were not."""
    planned = [(name, off, words) for name, off, words in MODULES if teller.value(name) != off]
    if not planned:
        return ()
    without = changed(teller.result, **{name: off for name, off, _ in planned})
    return sentence(
        "Of each layer are recomputed: ", listed([words for _, _, words in planned]),
        "; without that the peak would be ", without.say("peak_memory_bytes"), ".",
    )  # fmt: skip


def _none(teller: Teller) -> Sentence:
    full = changed(teller.result, recompute="full")
    return sentence(
        _modules(teller) or "Nothing is recomputed.", " ", _selective_would(teller),
        " With full recomputation the peak would be ", full.say("peak_memory_bytes"), ", for ",
        full.share(MORE_COMPUTE), " more compute.",
    )  # fmt: skip


def _selective_would(teller: Teller) -> Sentence:
    if teller.value("flash_attention") == "on":
        return sentence(NEXT_TO_NOTHING, ".")
    selective = changed(teller.result, recompute="selective")
    return sentence(
        "Without FlashAttention the attention scores are stored; selective recomputation would drop them and bring "
        "the peak down to ", selective.say("peak_memory_bytes"), ".",
    )  # fmt: skip


def _selective(teller: Teller) -> Sentence:
    full = changed(teller.result, recompute="full")
    return sentence(
        _selective_does(teller), " With full recomputation the peak would be ", full.say("peak_memory_bytes"),
        ", for ", full.share(MORE_COMPUTE), " more compute.",
    )  # fmt: skip


def _selective_does(teller: Teller) -> Sentence:
    none = changed(teller.result, recompute="none")
    if teller.value("flash_attention") == "on":
        return sentence(
            NEXT_TO_NOTHING, ": the peak is ", teller.say("peak_memory_bytes"), " with it and ",
            none.say("peak_memory_bytes"), " without.",
        )  # fmt: skip
    return sentence(
        "Selective recomputation drops the attention scores: without it the peak would be ",
        none.say("peak_memory_bytes"), ".",
    )  # fmt: skip


def _full(teller: Teller) -> Sentence:
    none = changed(teller.result, recompute="none")
    return sentence(
        "Full recomputation keeps ", _kept_inputs(teller), " and computes the rest again, for ",
        teller.share(MORE_COMPUTE),
        " more compute, which the stated MFU has to bear; without it the peak would be ",
        none.say("peak_memory_bytes"), ".",
    )  # fmt: skip


def _kept_inputs(teller: Teller) -> Sentence:
    if teller.value("recompute_interval") > 1:
        return sentence("the input of one layer in ", teller.say("recompute_interval"))
    if teller.value("recompute_group_layers") > 1:
        return sentence("one input for every ", teller.say("recompute_group_layers"), " layers")
    return sentence("each layer's input")


def _operators(teller: Teller) -> Sentence:
    none = changed(teller.result, recompute="none")
    return sentence(
        "Operator recomputation keeps attention and every other matrix product and computes the rest again, for ",
        teller.share(MORE_COMPUTE), " more compute; without it the peak would be ", none.say("peak_memory_bytes"), ".",
    )  # fmt: skip


PARAGRAPHS = {"none": _none, "selective": _selective, "operators": _operators, "full": _full}
