"""What a row says of recomputation: nothing, the attention core, whole layers, and one of how many."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

What = Literal["none", "selective", "full"]
NUMBERED_LAYERS = re.compile(r"\bevery\s+(\d+)(?:st|nd|rd|th)?\s+layers?\b|\bevery\s+(second|third|fourth)\s+layer\b")
ORDINALS = {"second": 2, "third": 3, "fourth": 4}
EVERY_LAYER = re.compile(r"\bevery\s+layer\b")
NOT_KNOWN = re.compile(r"\b(?:unknown|unsure|not\s+(?:sure|known|stated|in\s+table|given)|see\s+text)\b|\?")
NONE = re.compile(r"^(?:none|no|off|false|without|0)\b|\bno\s+(?:recompute|recomputation|checkpointing)\b")
SELECTIVE = re.compile(r"\bselective\b")
FULL = re.compile(r"\b(?:full|on|yes|true|enabled)\b|\b(?:checkpointing|ckpt|recomputation|recompute)\b")


@dataclass(frozen=True)
class Recomputed:
    """What is computed again, and of how many layers one."""

    what: What
    interval: int = 1


def recomputation_of(words: str) -> Recomputed | None:
    """What some words say; None where they are blank or say nothing that is understood."""
    said = words.casefold().strip()
    numbered = NUMBERED_LAYERS.search(said)
    if numbered:
        digits, ordinal = numbered.groups()
        return Recomputed("full", int(digits) if digits else ORDINALS[ordinal])
    if EVERY_LAYER.search(said):
        return Recomputed("full")
    if NOT_KNOWN.search(said):
        return None
    for pattern, what in ((NONE, "none"), (SELECTIVE, "selective"), (FULL, "full")):
        if pattern.search(said):
            return Recomputed(what)  # type: ignore[arg-type]
    return None


def recompute_inputs(words: str, selective: str = "selective", otherwise: str = "none") -> dict[str, Any]:
    """The estimator's inputs: `selective` is what a framework means by that, `otherwise` what it does where unsaid."""
    said = recomputation_of(words)
    if said is None:
        return {"recompute": otherwise}
    return {"recompute": selective if said.what == "selective" else said.what, "recompute_interval": said.interval}
