"""One given value against the input it is for: the value to compute with, or what is wrong with it."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reportgen.formula.quantity import Input, Value

KIND_TEXT = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+/()@-]{0,79}")
SHOWN_CHARACTERS = 60
EXACT_BELOW = 2**53  # from here on a float is no longer one certain whole number
ALIKE = 0.7  # of two words' letters, from which one may have been meant for the other


@dataclass(frozen=True)
class Problem:
    """What was found, what was expected and what to do; the place is added by whoever knows it."""

    found: str
    expected: str
    remedy: str


def accept(declared: Input, given: Any, choices: Sequence[str]) -> Value | Problem:
    """The canonical value of one cell of an input, or what is wrong with it.

    `choices` lists what a choice may be. Case does not matter in words, as it does not in a spreadsheet.
    """
    if declared.word is not None and isinstance(given, str) and given.casefold() == declared.word.casefold():
        return declared.word
    if declared.kind == "choice":
        return _choice(given, [*choices, *([declared.word] if declared.word else [])])
    return _text(given) if declared.kind == "text" else _number(declared, given)


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word that has all of this one's parts, else the one most like it, if any is like it at all."""
    folded = {name.casefold(): name for name in known}
    parts = word.casefold().split()
    holding = [name for name in folded if parts and all(part in name.split() for part in parts)]
    found = sorted(holding, key=len) or difflib.get_close_matches(word.casefold(), list(folded), n=1, cutoff=ALIKE)
    return folded[found[0]] if found else None


def shown(given: Any) -> str:
    """A value as a message shows it: its type in words, one line, not endless."""
    if isinstance(given, str):
        text = given if len(given) <= SHOWN_CHARACTERS else f"{given[:SHOWN_CHARACTERS]}…"
        return f'the text "{text}"' if text.isprintable() else f"the text {text!a}"
    if given is None:
        return "nothing"
    if isinstance(given, bool):
        return f"the truth value {str(given).lower()}"
    if isinstance(given, dict | list | tuple):
        return "a list or mapping"
    return _figure(given) if isinstance(given, int | float) else repr(given)


def _figure(number: float) -> str:
    """A number in full where it is whole: 1e9 is "1,000,000,000"."""
    whole = math.isfinite(number) and number == int(number) and abs(number) < EXACT_BELOW
    return f"{int(number):,}" if whole else f"{number!r}"


def _choice(given: Any, choices: Sequence[str]) -> Value | Problem:
    for choice in choices:
        if isinstance(given, str) and given.casefold() == choice.casefold():
            return choice
    close = nearest(str(given), choices)
    remedy = f'did you mean "{close}"?' if close else "choose one of them"
    if isinstance(given, bool):
        remedy = "write the word in quotes"
    return Problem(shown(given), _listed(choices), remedy)


def _listed(choices: Sequence[str], most: int = 12) -> str:
    rest = f" and {len(choices) - most} more" if len(choices) > most else ""
    return "one of " + ", ".join(f'"{choice}"' for choice in choices[:most]) + rest


def _text(given: Any) -> Value | Problem:
    if isinstance(given, str) and KIND_TEXT.fullmatch(given):
        return given
    return Problem(shown(given), "a name of letters, digits, spaces and hyphens", "write a short name")


def _number(declared: Input, given: Any) -> Value | Problem:
    expected = expectation(declared)
    if isinstance(given, str):
        return Problem(shown(given), expected, _number_remedy(given))
    if isinstance(given, bool) or not isinstance(given, int | float):
        return Problem(shown(given), expected, "write a number")
    if not math.isfinite(given):
        return Problem(shown(given), expected, "write a finite number")
    return _bounded(declared, given, expected)


def _bounded(declared: Input, given: float, expected: str) -> Value | Problem:
    if declared.minimum is not None and given < declared.minimum:
        return Problem(shown(given), expected, f"raise it to {_figure(declared.minimum)} or more")
    if declared.maximum is not None and given > declared.maximum:
        return Problem(shown(given), expected, f"lower it to {_figure(declared.maximum)} or less")
    if declared.kind == "whole" and given != int(given):
        return Problem(shown(given), expected, "round it to a whole number")
    return int(given) if given == int(given) and abs(given) < EXACT_BELOW else given


def _number_remedy(given: str) -> str:
    if re.fullmatch(r"[-+]?[0-9_]+", given) and "_" in given:
        return "leave the underscores out, or write it as 1.5e13"
    if re.fullmatch(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?", given):
        return "remove the quotes"
    return "write a number, in base units and without the unit"


def expectation(declared: Input) -> str:
    """What an input may be, in words."""
    if declared.kind in ("choice", "text"):
        return "a word"
    noun = "a whole number" if declared.kind == "whole" else "a number"
    unit = "" if str(declared.unit) == "1" else f" ({declared.unit})"
    word = f', or "{declared.word}"' if declared.word else ""
    if declared.minimum is None or declared.maximum is None:
        return f"{noun}{unit}{word}"
    return f"{noun} from {_figure(declared.minimum)} to {_figure(declared.maximum)}{unit}{word}"
