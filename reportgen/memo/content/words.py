"""Sentences put together from words and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.memo.document import Printed, Words

Sentence = tuple[str | Printed, ...]


def sentence(*pieces: Words) -> Sentence:
    """Pieces in one row, those that are sentences themselves taken apart."""
    return tuple(piece for each in pieces for piece in _pieces(each))


def listed(items: Sequence[Words], last: str = "and") -> Sentence:
    """Items in a row: "a", "a and b", "a, b and c"."""
    if len(items) == 1:
        return sentence(items[0])
    between = [piece for item in items[:-1] for piece in (", ", item)][1:]
    return sentence(*between, f" {last} ", items[-1])


def plain(words: Words) -> str:
    """A sentence as text, for tests and for places that print no markup."""
    return "".join(piece.text if isinstance(piece, Printed) else piece for piece in _pieces(words))


def _pieces(words: Words) -> Iterator[str | Printed]:
    if isinstance(words, tuple):
        yield from words
    else:
        yield words
