"""A model's config.json as a checked value: strict JSON in, keys looked up by dotted path."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NoReturn

from reportgen.errors import Fault, ReportgenError

MAX_BYTES: Final = 4_000_000
"""Largest config.json that is read: the largest published ones, with long quantisation lists, are about 1 MB."""
MAX_DEPTH: Final = 40
"""Deepest nesting that is read; published files stay below 10."""
_REMEDY: Final = "give the config.json that was published with the model"


class _Missing:
    """The one value that says a key is not in the file; null is a value like any other."""

    def __repr__(self) -> str:
        return "missing"


MISSING: Final = _Missing()


@dataclass(frozen=True)
class Config:
    """The values of one config.json, and where they came from, for messages.

    `outer` holds the whole file where the language model's part is nested in it, `inside` the path to that part
    (`text_config`); in other files `inside` is empty.
    """

    where: str
    values: Mapping[str, Any]
    outer: Mapping[str, Any] = field(default_factory=dict)
    inside: str = ""

    def get(self, path: str) -> Any:
        """Return the value at a dotted path, or MISSING; a leading `outer.` starts at the top of the file."""
        start, rest = (self.outer, path[6:]) if path.startswith("outer.") else (self.values, path)
        return _descend(start, rest.split("."))

    def with_value(self, path: str, value: Any) -> Config:
        """Return the same file with another value at a path, for the question what the model would be then."""
        if path.startswith("outer."):
            return replace(self, outer=_changed(self.outer, path[6:].split("."), value))
        return replace(self, values=_changed(self.values, path.split("."), value))

    def path_in_file(self, path: str) -> str:
        """Return where a key stands in the file, for messages."""
        if path.startswith("outer."):
            return path[6:]
        return f"{self.inside}.{path}" if self.inside else path

    def texts(self, path: str) -> tuple[str, ...]:
        """Return the text or texts at a path; anything else there counts as none."""
        found = self.get(path)
        candidates = found if isinstance(found, list) else [found]
        return tuple(text for text in candidates if isinstance(text, str))


def _descend(start: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        if not isinstance(start, Mapping) or key not in start:
            return MISSING
        start = start[key]
    return start


def _changed(values: Any, keys: Sequence[str], value: Any) -> dict[str, Any]:
    own = values if isinstance(values, Mapping) else {}
    first, *rest = keys
    return {**own, first: _changed(own.get(first), rest, value) if rest else value}


def read_config(path: str | Path) -> Config:
    """Read a config.json strictly; raise ReportgenError where it is not one."""
    name = str(path)
    values = _parse(_text(Path(path), name), name)
    if not isinstance(values, dict):
        _refuse(name, f"JSON of type {type(values).__name__}", "one JSON object with the model's sizes")
    return Config(where=name, values=values, outer=values)


def _text(path: Path, name: str) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        _refuse(name, f"a file that cannot be read ({reason})", "a readable config.json")
    if len(raw) > MAX_BYTES:
        _refuse(name, f"more than {MAX_BYTES:,} bytes", f"a config.json of at most {MAX_BYTES:,} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse(name, f"a byte that is no UTF-8 at position {error.start:,}", "JSON in UTF-8")


def _parse(text: str, name: str) -> Any:
    try:
        parsed = json.loads(
            text, object_pairs_hook=_without_duplicates, parse_constant=_constant, parse_int=_whole_number
        )
    except json.JSONDecodeError as error:
        _refuse(f"{name}:{error.lineno}", f"text that is no JSON ({error.msg})", "strict JSON")
    except RecursionError:
        _refuse(name, f"values nested more than {MAX_DEPTH} deep", f"at most {MAX_DEPTH} levels")
    except _BadValueError as error:
        _refuse(name, error.found, error.expected)
    if _is_deeper(parsed, MAX_DEPTH):
        _refuse(name, f"values nested more than {MAX_DEPTH} deep", f"at most {MAX_DEPTH} levels")
    return parsed


class _BadValueError(ValueError):
    """A value that JSON's own grammar lets through and that no config.json holds."""

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(found)
        self.found = found
        self.expected = expected


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen = dict(pairs)
    if len(seen) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _BadValueError(f"{twice!r} twice in one object", "each key once")
    return seen


def _constant(text: str) -> float:
    # Published files of state-space models hold "time_step_limit": [0.0, Infinity]; no size may be infinite,
    # which is checked where a size is used.
    if text == "NaN":
        raise _BadValueError("NaN", "a number")
    return float(text)


def _whole_number(text: str) -> int:
    # Longer digit strings are never sizes, and turning millions of digits into a number takes minutes.
    longest = 40
    if len(text) > longest:
        raise _BadValueError(f"a number of {len(text):,} digits", f"numbers of at most {longest} digits")
    return int(text)


def _is_deeper(value: Any, levels: int) -> bool:
    layer = [value]
    for _ in range(levels):
        layer = [inner for outer in layer for inner in _children(outer)]
    return bool(layer)


def _children(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else ()


def _refuse(where: str, found: str, expected: str) -> NoReturn:
    raise ReportgenError([Fault(where=where, found=found, expected=expected, remedy=_REMEDY)])
