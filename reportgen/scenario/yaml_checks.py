"""What is refused in a YAML tree, and how a person is told: all faults at once, ordered by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from reportgen.errors import Fault
from reportgen.scenario.yaml_nodes import Node, Tree
from reportgen.scenario.yaml_scalar import plain_fault, plain_value
from reportgen.scenario.yaml_text import REFUSED, described

MAXIMUM_SCALAR_CHARACTERS = 8_192
MAXIMUM_SHOWN_CHARACTERS = 60
CORE_TAG = "tag:yaml.org,2002:"
ITSELF = "write the value itself in each place"
EMPTY = Node("scalar", line=1, plain=True)

# The line of a fault, then what was found, what was expected and what to do.
Told = tuple[int, tuple[str, str, str]]


def tree_faults(tree: Tree, name: str) -> list[Fault]:
    """Every fault of a document, ordered by line."""
    found = sorted(_tree_faults(tree), key=lambda fault: fault[0])
    return [Fault(f"{name}:{line}", *words) for line, words in found]


def _tree_faults(tree: Tree) -> Iterator[Told]:
    if tree.has_directives:
        yield tree.line, ("a directive (a line that starts with %)", "plain YAML 1.2", "delete that line")
    if tree.second_line is not None:
        remedy = "put it in a file of its own, or delete the `---`"
        yield tree.second_line, ("a second document", "one document", remedy)
    if tree.root is None or tree.root == replace(EMPTY, line=tree.root.line):
        yield 1, ("an empty file", "keys with values", "write the scenario into it")
        return
    if tree.root.kind in ("scalar", "list"):
        kind = "a list" if tree.root.kind == "list" else "a single value"
        remedy = "start with a key such as `name: first run`"
        yield tree.root.line, (f"{kind} at the top", "keys with values", remedy)
    yield from _node_faults(tree.root)


def _node_faults(node: Node) -> Iterator[Told]:
    yield from _mark_faults(node)
    if node.kind == "scalar":
        yield from _scalar_faults(node)
    yield from _key_faults(node)
    for key, value in node.pairs:
        yield from _node_faults(key)
        yield from _node_faults(value)
    for item in node.items:
        yield from _node_faults(item)


def _mark_faults(node: Node) -> Iterator[Told]:
    """Anchors, aliases and tags: what hides a value or makes a file grow when it is read."""
    if node.anchor is not None and node.kind != "alias":
        yield node.line, (f"the anchor `&{_shown(node.anchor)}`", "a plain value", ITSELF)
    if node.kind == "alias":
        yield node.line, (f"the alias `*{_shown(node.text)}`", "a plain value", ITSELF)
    if node.tag is not None:
        tag = _shown(node.tag.replace(CORE_TAG, "!!"))
        remedy = "delete the tag, and use quotes if the value is text"
        yield node.line, (f"the tag `{tag}`", "a plain value", remedy)


def _scalar_faults(node: Node) -> Iterator[Told]:
    if len(node.text) > MAXIMUM_SCALAR_CHARACTERS:
        found = f"a text of {len(node.text):,} characters"
        yield node.line, (found, f"at most {MAXIMUM_SCALAR_CHARACTERS:,} characters", "shorten it")
        return
    fault = plain_fault(node.text) if node.plain else None
    if fault:
        yield node.line, fault
    # The text of the file is clean by now, but an escape such as "\0" makes a character that no memo holds.
    for character in dict.fromkeys(REFUSED.findall(node.text)):
        escape = f"an escape for {described(character)}"
        yield node.line, (escape, "printable text", "delete the escape")


def _key_faults(node: Node) -> Iterator[Told]:
    keys = [key for key, _ in node.pairs]
    first = {key.text: key for key in reversed(keys) if key.kind == "scalar"}
    for key in keys:
        yield from _key_kind_faults(key)
        if key.kind == "scalar" and key is not first[key.text]:
            found = f"the key `{_shown(key.text)}` again (first on line {first[key.text].line})"
            yield key.line, (found, "each key once", "delete or rename one of them")


def _key_kind_faults(key: Node) -> Iterator[Told]:
    if key.kind in ("mapping", "list"):
        yield key.line, ("a list or a mapping as a key", "text as a key", "write a name before the colon")
    elif key.kind == "scalar" and key.plain and key.text == "<<":
        yield key.line, ("the merge key `<<`", "plain keys", "write the merged keys out")
    elif key.plain and not plain_fault(key.text) and not _names_something(key.text):
        found = f"the key `{key.text}`, which is not text" if key.text else "a colon without a key"
        yield key.line, (found, "text as a key", "write a name, or the key in quotes")


def _names_something(text: str) -> bool:
    """Text, or a whole number, which stands for a row of a table and is read as text."""
    value = plain_value(text)
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))


def _shown(text: str) -> str:
    """A name from the file as a message shows it: one line, printable, not endless."""
    short = text if len(text) <= MAXIMUM_SHOWN_CHARACTERS else f"{text[:MAXIMUM_SHOWN_CHARACTERS]}…"
    return short if short.isprintable() else ascii(short)[1:-1]
