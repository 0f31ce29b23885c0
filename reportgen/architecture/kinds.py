"""What a key of a config.json may hold: whole numbers, truth values, lists with one entry per layer, fixed words."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

LARGEST_SIZE: Final = 2**31
"""No width, count or vocabulary of a published model comes near; larger values are mistakes."""
LARGEST_LIST: Final = 4096
"""Longest list that is taken as one entry per layer."""


@dataclass(frozen=True)
class Kind:
    """One sort of value: how it is told to a person, and whether a value is of it.

    `nullable` says that null is a value of its own here; for all others null is the same as a missing key.
    """

    text: str
    expected: str
    accepts: Callable[[Any], bool]
    nullable: bool = False


def _is_whole(value: Any, lowest: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= LARGEST_SIZE


def _is_ratio(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(value) and 0 < value <= LARGEST_SIZE


_WORDS: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "size": (f"a whole number from 1 to {LARGEST_SIZE:,}", lambda value: _is_whole(value, 1)),
    "count": (f"a whole number from 0 to {LARGEST_SIZE:,}", lambda value: _is_whole(value, 0)),
    "index": (f"a whole number from -1 to {LARGEST_SIZE:,}", lambda value: _is_whole(value, -1)),
    "ratio": (f"a number above 0, at most {LARGEST_SIZE:,}", _is_ratio),
    "switch": ("0 or 1", lambda value: _is_whole(value, 0) and value <= 1),
    "flag": ("true or false", lambda value: isinstance(value, bool)),
    "off": ("false", lambda value: value is False),
    "object": ("an object", lambda value: isinstance(value, dict)),
    "null": ("null", lambda value: value is None),
}


@cache
def kind(text: str) -> Kind:
    """Read `size or null`, `per_layer 'a'|'b'`, `list count`, `letters LG`; raise ValueError for anything else."""
    kinds = [_simple(part) for part in text.split(" or ")]
    return Kind(
        text=text,
        expected=", or ".join(one.expected for one in kinds),
        accepts=lambda value: any(one.accepts(value) for one in kinds),
        nullable="null" in text.split(" or "),
    )


def _simple(text: str) -> Kind:
    word, _, rest = text.partition(" ")
    if word in {"per_layer", "list"}:
        return _listed(text, rest, "with one entry per layer" if word == "per_layer" else "of entries")
    if word == "letters":
        return Kind(text, f"a text of the letters {rest}", lambda value: _is_text_of(value, rest))
    if text in _WORDS:
        return Kind(text, *_WORDS[text])
    if text.startswith("'"):
        words = [word.strip("'") for word in text.split("|")]
        return Kind(text, " or ".join(map(json.dumps, words)), lambda value: isinstance(value, str) and value in words)
    raise ValueError(f"{text!r} is no kind of value")


def _listed(text: str, entries: str, what: str) -> Kind:
    inner = _simple(entries)
    return Kind(text, f"a list {what}, each {inner.expected}", lambda value: _is_list_of(value, inner))


def _is_list_of(value: Any, inner: Kind) -> bool:
    return isinstance(value, list) and len(value) <= LARGEST_LIST and all(map(inner.accepts, value))


def _is_text_of(value: Any, letters: str) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LARGEST_LIST and set(value) <= set(letters)


def is_per_layer(text: str) -> bool:
    """Return whether a list or text of this kind must have one entry per layer."""
    return "per_layer" in text
