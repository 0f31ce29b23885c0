"""The strict YAML reader: a file in, plain values and the line of each key out, or every fault at once.

A subset of YAML 1.2: one document, keys with values, lists, and the scalars of the core schema, for which see
`yaml_scalar`. No anchors, tags, merge keys, directives or duplicate keys. Quoted and block scalars are always
text, and so is `=anything`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from reportgen.errors import Fault, ScenarioError
from reportgen.scenario.yaml_checks import tree_faults
from reportgen.scenario.yaml_nodes import Node, tree
from reportgen.scenario.yaml_scalar import Scalar, plain_value
from reportgen.scenario.yaml_text import MAXIMUM_BYTES, character_faults, file_text, too_large

Value = Scalar | list["Value"] | dict[str, "Value"]
KeyPath = tuple[str | int, ...]


@dataclass(frozen=True)
class Document:
    """Plain values of a YAML file, and where each of them stands."""

    name: str
    values: dict[str, Value]
    lines: Mapping[KeyPath, int]

    def line(self, path: KeyPath) -> int:
        """The line of the key or list item at `path`, or of the nearest one above it that the file has."""
        known = (path[:length] for length in range(len(path), -1, -1))
        return next(self.lines[part] for part in known if part in self.lines)

    def where(self, path: KeyPath) -> str:
        """`file:line` of a path, as a fault wants it."""
        return f"{self.name}:{self.line(path)}"


def read(path: Path | str) -> Document:
    """The document in a file; raises ScenarioError with every fault found in it."""
    return read_text(file_text(Path(path)), str(path))


def read_text(text: str, name: str) -> Document:
    """The document in a text, which faults call `name`; raises ScenarioError with every fault found in it."""
    _raise_if_any(character_faults(text, name))
    if len(text.encode("utf-8")) > MAXIMUM_BYTES:
        raise ScenarioError([too_large(name)])
    document = tree(text, name)
    _raise_if_any(tree_faults(document, name))
    return _document(name, document.root or Node("mapping", document.line))


def _document(name: str, root: Node) -> Document:
    values = {key.text: _value(value) for key, value in root.pairs}
    return Document(name, values, {(): root.line, **dict(_lines(root, ()))})


def _raise_if_any(faults: list[Fault]) -> None:
    if faults:
        raise ScenarioError(faults)


def _value(node: Node) -> Value:
    if node.kind == "mapping":
        return {key.text: _value(value) for key, value in node.pairs}
    if node.kind == "list":
        return [_value(item) for item in node.items]
    return plain_value(node.text) if node.plain else node.text


def _lines(node: Node, path: KeyPath) -> Iterator[tuple[KeyPath, int]]:
    """The path and line of every key and list item below a node."""
    keyed: list[tuple[str | int, int, Node]] = [(key.text, key.line, value) for key, value in node.pairs]
    listed: list[tuple[str | int, int, Node]] = [(index, item.line, item) for index, item in enumerate(node.items)]
    for part, line, child in keyed + listed:
        yield (*path, part), line
        yield from _lines(child, (*path, part))
