"""What a plain scalar means: the YAML 1.2 core schema, less what a person could read in two ways.

YAML 1.1 readers take `NO` and `on` for truth values, `1:30` for 90 and `15_000` for a number; the core schema
of 1.2 (section 10.3.2) takes all of them for text, and so does this reader. An underscored number therefore
arrives as text, and the schema, which knows that a number belongs there, says so; guessing here would turn
names such as `2024_01` into numbers. Octal and hexadecimal numbers (`0o17`, `0x1F`) are refused: the core
schema reads them as numbers, most people as text. So are infinity, not-a-number and numbers beyond a float.
"""

from __future__ import annotations

import math
import re

Scalar = str | int | float | bool | None

MAXIMUM_NUMBER_CHARACTERS = 100

CONSTANTS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
INTEGER = re.compile(r"[-+]?[0-9]+")
NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


def plain_value(text: str) -> Scalar:
    """The value of a plain scalar that has no `plain_fault`; what is no constant and no number is text."""
    if text in CONSTANTS:
        return CONSTANTS[text]
    if INTEGER.fullmatch(text):
        return int(text)
    return float(text) if NUMBER.fullmatch(text) else text


def plain_fault(text: str) -> tuple[str, str, str] | None:
    """What was found, expected and to be done when a plain scalar is refused; None when it is fine."""
    if OTHER_BASE.fullmatch(text):
        remedy = "write it in decimal, or in quotes if it is text"
        return f"`{text}`, an octal or hexadecimal number", "a decimal number", remedy
    if NOT_FINITE.fullmatch(text):
        return f"`{text}`", "a finite number", "write a finite number, or leave the key out"
    if not NUMBER.fullmatch(text):
        return None
    if len(text) > MAXIMUM_NUMBER_CHARACTERS:
        found, expected = (
            f"a number of {len(text):,} characters",
            f"at most {MAXIMUM_NUMBER_CHARACTERS} characters",
        )
        return found, expected, "write it with an exponent such as 1e12, or in quotes if it is text"
    if not math.isfinite(float(text)):
        remedy = "write a smaller number, or put it in quotes if it is text"
        return f"`{text}`, too large for a number", "a finite number", remedy
    return None
