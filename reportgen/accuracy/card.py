"""The accelerator that a row's hardware names, and what of its memory there is to use."""

from __future__ import annotations

import re
from functools import cache
from math import inf

from reportgen.catalog import accelerators


@cache
def card_bytes(hardware: str) -> float:
    """Usable memory of the accelerator that some words name; without bound where the catalogue has none of them."""
    said = set(re.findall(r"[a-z0-9]+", hardware.casefold()))
    known = [(len(said & set(card.key.casefold().split())), card) for card in accelerators() if _named(card.key, said)]
    best = max(known, key=lambda pair: pair[0], default=None)
    return (best[1].memory_bytes_usable if best else None) or inf


def _named(key: str, said: set[str]) -> bool:
    """Whether some words have the model's number, such as h100, of an accelerator."""
    return any(re.fullmatch(r"[a-z]+\d+[a-z]*", word) and word in said for word in key.casefold().split())


def is_known_card(hardware: str) -> bool:
    """Whether some words name an accelerator of the catalogue."""
    said = set(re.findall(r"[a-z0-9]+", hardware.casefold()))
    return any(_named(card.key, said) for card in accelerators())
