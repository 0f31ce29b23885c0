"""The parts of the memory of a stage, and which of them weighs most."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.breakdown import peak_parts
from reportgen.formula.explain import label
from reportgen.memo.content.say import Teller
from reportgen.memo.content.words import Sentence, sentence


@dataclass(frozen=True)
class StagePart:
    """One part of a stage's memory: its heading, the quantity, and how a sentence calls it (a plural)."""

    heading: str
    quantity: str
    plural: str


IN_WORDS = {
    "stage_weight_bytes": ("Weights", "Weights"),
    "stage_gradient_bytes": ("Gradients", "Gradients"),
    "stage_optimizer_bytes": ("Optimizer state", "Optimizer states"),
    "stage_activation_bytes": ("Activations", "Activations"),
    "stage_head_bytes": ("Loss head", "The loss head's logits"),
    "stage_head_excess_bytes": ("Loss head", "The loss head's logits"),
    "stage_buffer_bytes": ("Buffers", "Buffers and the framework"),
}


def _part(name: str) -> StagePart:
    heading, plural = IN_WORDS.get(name, (label(name), label(name)))
    return StagePart(heading, name, plural)


STAGE_PARTS = tuple(_part(name) for name in peak_parts())


def row_of(teller: Teller, quantity: str, stage: int | None = None) -> str:
    """A quantity of a stage, the fullest unless one is named."""
    return f"{quantity}[{teller.value('worst_stage') if stage is None else stage}]"


def largest_part(teller: Teller) -> tuple[str, str]:
    """The part that weighs most on the fullest stage: how a sentence calls it, and its formula."""
    part = max(STAGE_PARTS, key=lambda part: teller.value(row_of(teller, part.quantity)))
    return part.plural, row_of(teller, part.quantity)


def fullest_stage(teller: Teller) -> Sentence:
    """Where the fullest GPU is: "stage 2", "every GPU" where there is one stage, "the GPU" where there is one GPU."""
    if teller.value("pipeline_stages") > 1:
        return sentence("stage ", teller.say("worst_stage"))
    return sentence("the GPU" if teller.value("gpu_count") == 1 else "every GPU")
