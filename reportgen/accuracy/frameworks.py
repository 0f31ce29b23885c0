"""Which reading a framework's name takes, and why one without a profile of its own takes its neighbour's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reportgen.accuracy.cells import Row
from reportgen.accuracy.megatron import megatron
from reportgen.accuracy.nanotron import nanotron
from reportgen.accuracy.others import deepspeed, internevo, megatron_deepspeed, unknown
from reportgen.accuracy.setup import Setup
from reportgen.accuracy.torchtitan import torchtitan
from reportgen.accuracy.tuning import tuning


@dataclass(frozen=True)
class Reading:
    """How rows of a framework are read, and the reason for taking this reading."""

    read: Callable[[Row], Setup]
    reason: str


# The first name that a framework's name contains decides; so the longer ones come first.
READINGS = {
    "megatron-deepspeed": Reading(megatron_deepspeed, "Megatron's layers under DeepSpeed's ZeRO"),
    "megatron_deepspeed": Reading(megatron_deepspeed, "Megatron's layers under DeepSpeed's ZeRO"),
    "bigscience": Reading(megatron_deepspeed, "ran Megatron-DeepSpeed"),
    "megatron": Reading(megatron, "its own profile; Megatron Bridge and NeMo run Megatron Core"),
    "nemo": Reading(megatron, "runs Megatron Core"),
    "nanotron": Reading(nanotron, "its own profile"),
    "torchtitan": Reading(torchtitan, "its own profile"),
    "fsdp": Reading(torchtitan, "FSDP as torchtitan has it"),
    "torchtune": Reading(tuning, "fine-tunes with eager layers, as transformers does"),
    "litgpt": Reading(tuning, "fine-tunes with eager layers, as transformers does"),
    "transformers": Reading(tuning, "its own profile"),
    "peft": Reading(tuning, "works on layers of transformers"),
    "axolotl": Reading(tuning, "works on layers of transformers"),
    "llama-factory": Reading(tuning, "works on layers of transformers"),
    "internevo": Reading(internevo, "ZeRO within groups, as DeepSpeed has it, with sequences split as Megatron does"),
    "internlm": Reading(internevo, "ran InternEvo"),
    "deepspeed": Reading(deepspeed, "its own profile"),
}
TEXTBOOK = Reading(unknown, "nothing is known of this framework: state and activations alone")


def reading_of(framework: str) -> Reading:
    """The reading for a framework's name."""
    said = framework.casefold()
    return next((reading for name, reading in READINGS.items() if name in said), TEXTBOOK)
