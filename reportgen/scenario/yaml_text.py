"""Bytes of a scenario file to clean text: size, encoding and characters, checked before any YAML is read."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from reportgen.errors import Fault, ScenarioError

MAXIMUM_BYTES = 1024 * 1024
MAXIMUM_CHARACTER_FAULTS = 20

# YAML's own line breaks. U+0085, U+2028 and U+2029 break lines in YAML 1.1 only, so they are refused: two
# readers would number the lines differently.
LINE_BREAK = re.compile(r"\r\n|\r|\n")
REFUSED = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"  # control characters but tab and line breaks
    r"|[\u2028\u2029\ufeff\ufffd\ufffe\uffff]"  # line separators, a stray byte order mark, undecodable text
    r"|[\ud800-\udfff]"  # halves of surrogate pairs
)


def file_text(path: Path) -> str:
    """The text of a file; raises ScenarioError when it is missing, unreadable, too large or not UTF-8."""
    if not path.is_file():
        raise ScenarioError([Fault(str(path), *_not_a_file(path))])
    return decoded(_bytes(path), str(path))


def _not_a_file(path: Path) -> tuple[str, str, str]:
    if path.is_dir():
        return "a folder", "a YAML file", "name the file inside the folder"
    if path.exists():
        return "a device or a pipe", "a YAML file", "save the scenario as a plain file"
    return "no such file", "a YAML file", "check the path and the working folder"


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAXIMUM_BYTES + 1)
    except OSError as error:
        found = f"a file that cannot be read ({error.strerror})"
        fault = Fault(str(path), found, "a readable YAML file", "check its permissions")
        raise ScenarioError([fault]) from None


def decoded(data: bytes, name: str) -> str:
    """UTF-8 bytes as text, without a leading byte order mark; raises ScenarioError for too many or others."""
    if len(data) > MAXIMUM_BYTES:
        raise ScenarioError([too_large(name)])
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        found = f"the byte 0x{data[error.start]:02X} at column {_column(before)}"
        fault = Fault(f"{name}:{_line(before)}", found, "UTF-8 text", "save the file with the encoding UTF-8")
        raise ScenarioError([fault]) from None


def too_large(name: str) -> Fault:
    """The fault of a text above the size limit."""
    found = f"more than {MAXIMUM_BYTES:,} bytes"
    expected = f"at most {MAXIMUM_BYTES:,} bytes"
    return Fault(name, found, expected, "keep data and long texts outside the scenario")


def character_faults(text: str, name: str) -> list[Fault]:
    """One fault for each refused character with its line and column; past the first 20 only their number."""
    matches = list(REFUSED.finditer(text))
    faults = [_character_fault(text, match.start(), name) for match in matches[:MAXIMUM_CHARACTER_FAULTS]]
    more = len(matches) - MAXIMUM_CHARACTER_FAULTS
    if more > 0:
        found = f"{more:,} more refused characters"
        faults.append(Fault(name, found, "printable text", "check that this is a text file"))
    return faults


def _character_fault(text: str, start: int, name: str) -> Fault:
    before = text[:start]
    found = f"{described(text[start])} at column {_column(before)}"
    where = f"{name}:{_line(before)}"
    return Fault(where, found, "printable text", "delete the character or type it again")


def _line(before: str) -> int:
    """The line, counted from 1, of the character that follows this text."""
    return len(LINE_BREAK.findall(before)) + 1


def _column(before: str) -> int:
    """The column, counted from 1, of the character that follows this text."""
    return len(LINE_BREAK.split(before)[-1]) + 1


def described(character: str) -> str:
    """A refused character by code and kind, since it cannot be shown."""
    kinds = {"Cc": "a control character", "Cs": "half of a surrogate pair", "Zl": "a line separator"}
    kinds |= {"Zp": "a paragraph separator", "So": "a replacement character", "Cf": "a byte order mark"}
    kind = kinds.get(unicodedata.category(character), "not a character")
    return f"U+{ord(character):04X} ({kind})"
