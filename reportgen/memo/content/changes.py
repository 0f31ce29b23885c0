"""Changes of a layout in words, each number with its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reportgen.formula.explain import label
from reportgen.memo.content.say import Teller
from reportgen.memo.content.words import Sentence, listed, sentence


def changes_in_words(changes: Mapping[str, Any], teller: Teller) -> Sentence:
    """What was changed, as the teller of the changed run says it: "a micro-batch of 2 sequences and ZeRO stage 2"."""
    return listed([_change(name, teller) for name in changes])


def _change(name: str, teller: Teller) -> Sentence:
    phrase = PHRASES.get(name)
    return phrase(teller) if phrase else sentence(f"{label(name)} of ", teller.say(name))


def _recomputation(teller: Teller) -> Sentence:
    return sentence(teller.say("recompute"), " recomputation")


def _flash_attention(teller: Teller) -> Sentence:
    return sentence("FlashAttention ", teller.say("flash_attention"))


PHRASES: dict[str, Callable[[Teller], Sentence]] = {
    "zero_stage": lambda teller: sentence("ZeRO stage ", teller.say("zero_stage")),
    "recompute": _recomputation,
    "flash_attention": _flash_attention,
    "micro_batch_size": lambda teller: sentence("a micro-batch of ", teller.say("micro_batch_size")),
    "tensor_parallel": lambda teller: sentence("tensor parallelism over ", teller.say("tensor_parallel")),
    "context_parallel": lambda teller: sentence("context parallelism over ", teller.count("context_parallel", "GPU")),
    "pipeline_stages": lambda teller: teller.count("pipeline_stages", "pipeline stage"),
    "gpu_count": lambda teller: sentence(teller.say("gpu_count")),
}
