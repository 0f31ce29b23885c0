"""What a row says of sharding: the ZeRO stage, the group that it is over, and whether the words were understood."""

from __future__ import annotations

import re
from dataclasses import dataclass

NUMBERED = re.compile(r"zero[\s:_-]*(?:stage)?[\s:_-]*([0-3])(?!\d)")
GROUP = re.compile(
    r"(?:\bsize|\bdp_shard|\bdp_shard_degree|\bshard_group|\bshard_group_size|\bgroup)\s*[=:]?\s*(\d+)"
    r"|\b(?:hsdp|fsdp)\s*\(\s*(\d+)\s*\)"
)
OPTIMIZER, GRADIENTS, WEIGHTS, NOTHING = 1, 2, 3, 0
# The first that fits decides.
MEANINGS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"\b(?:shard_)?grad_op\b|\bhybrid_zero2\b"), GRADIENTS),
    (
        re.compile(r"\b(?:fsdp\d?|hsdp|full_shard|hybrid_shard|fully_shard)\b|\bzero\+\+|\bfull(?:y)?[\s-]shard"),
        WEIGHTS,
    ),
    (
        re.compile(r"\bdistributed[\s_-]opt|\boptimi[sz]er[\s_-](?:state[s]?[\s_-])?shard|\bhybrid[\s_-]zero\b"),
        OPTIMIZER,
    ),
    (re.compile(r"\b(?:none|no|ddp|single|replicated|unsharded|data[\s-]parallel)\b"), NOTHING),
)


@dataclass(frozen=True)
class Sharded:
    """The ZeRO stage that is meant, GPUs of a group where one is named, and whether anything was understood."""

    zero_stage: int
    group: int | None
    is_known: bool


def sharding_of(words: str) -> Sharded:
    """What some words say of sharding; a blank is no sharding, and so is what nobody understands."""
    said = words.casefold()
    group = GROUP.search(said)
    size = int(next(filter(None, group.groups()))) if group else None
    numbered = NUMBERED.search(said)
    if numbered:
        return Sharded(int(numbered.group(1)), size, is_known=True)
    for pattern, stage in MEANINGS:
        if pattern.search(said):
            return Sharded(stage, size, is_known=True)
    return Sharded(NOTHING, size, is_known=not said)
