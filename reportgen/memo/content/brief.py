"""The first words of a source, for places that have no room for all of it."""

from __future__ import annotations

import re

SOURCE_CHARACTERS = 90
# A commit is told by its first seven characters.
COMMIT = re.compile(r"(@[0-9a-f]{7})[0-9a-f]+")


def brief(source: str, characters: int = SOURCE_CHARACTERS) -> str:
    """The first words of a source; the workbook has it whole."""
    source = COMMIT.sub(r"\1", source)
    if len(source) <= characters:
        return source
    # A first word that is longer than all there is stays whole: half an address leads nowhere.
    end = source.rfind(" ", 0, characters + 1)
    end = end if end > 0 else source.find(" ")
    return source if end < 0 else source[:end].rstrip(" ,;:(") + "…"
