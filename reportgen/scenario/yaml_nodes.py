"""YAML text to a tree of nodes that know their lines, bounded in depth and number; nothing is interpreted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import yaml

from reportgen.errors import Fault, ScenarioError

MAXIMUM_DEPTH = 16
MAXIMUM_NODES = 10_000


@dataclass(frozen=True)
class Node:
    """One value or key; `plain` says that it stands without quotes, so that the core schema applies."""

    kind: Literal["mapping", "list", "scalar", "alias"]
    line: int
    text: str = ""
    plain: bool = False
    anchor: str | None = None
    tag: str | None = None
    pairs: tuple[tuple[Node, Node], ...] = ()
    items: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Tree:
    """The first document of a text (None: there is none), whether it has directives, the line of a second."""

    root: Node | None
    line: int = 1
    has_directives: bool = False
    second_line: int | None = None


def tree(text: str, name: str) -> Tree:
    """The node tree of a text; raises ScenarioError for a syntax error or too deep or too many nodes."""
    events = _events(text, name)
    next(events)
    start = next(events)
    if not isinstance(start, yaml.DocumentStartEvent):
        return Tree(root=None)
    root = _node(next(events), events)
    next(events)
    after = next(events)
    second = None if isinstance(after, yaml.StreamEndEvent) else _line(after)
    return Tree(root, _line(start), bool(start.version or start.tags), second)


def _events(text: str, name: str) -> Iterator[yaml.Event]:
    """The parser's events; raises ScenarioError at the first one beyond a limit or at a syntax error."""
    loader = yaml.SafeLoader(text)
    nodes = depth = 0
    while (event := _next_event(loader, name)) is not None:
        nodes += isinstance(event, yaml.NodeEvent)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        # Reading on would be slow: the parser's time grows with the square of the depth.
        if nodes > MAXIMUM_NODES or depth > MAXIMUM_DEPTH:
            raise ScenarioError([_beyond(name, _line(event), too_deep=depth > MAXIMUM_DEPTH)])
        yield event


def _next_event(loader: yaml.SafeLoader, name: str) -> yaml.Event | None:
    """The next event, None at the end; raises ScenarioError for a syntax error."""
    try:
        event: yaml.Event | None = loader.get_event()  # type: ignore[no-untyped-call]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line, mark.column) if mark else (loader.line, loader.column)
        raise ScenarioError([_syntax(name, line, column, error.problem or "not YAML")]) from None
    except ValueError:
        # The parser lets an escape beyond Unicode ("\U00110000") or an endless directive number fall through.
        found = "a character or number out of range"
        raise ScenarioError([_syntax(name, loader.line, loader.column, found)]) from None
    return event


def _line(event: yaml.Event) -> int:
    """The line, counted from 1, that an event starts on; every event of the parser has one."""
    return event.start_mark.line + 1 if event.start_mark else 1


def _beyond(name: str, line: int, *, too_deep: bool) -> Fault:
    if too_deep:
        found = f"values nested more than {MAXIMUM_DEPTH} deep"
        return Fault(f"{name}:{line}", found, f"at most {MAXIMUM_DEPTH} levels", "move them up")
    found, expected = f"more than {MAXIMUM_NODES:,} keys and values", f"at most {MAXIMUM_NODES:,}"
    return Fault(f"{name}:{line}", found, expected, "keep data outside the scenario")


def _syntax(name: str, line: int, column: int, problem: str) -> Fault:
    """A syntax error at a line and column counted from 0, in the parser's words."""
    found = f"a syntax error at column {column + 1} ({problem})"
    remedy = "check the indentation, colons and quotes of this line and the one before"
    return Fault(f"{name}:{line + 1}", found, "YAML", remedy)


def _node(event: yaml.Event, events: Iterator[yaml.Event]) -> Node:
    """The node that starts with this event; takes its children from the events that follow."""
    if isinstance(event, yaml.ScalarEvent):
        plain = event.style in {None, ""}
        return Node("scalar", _line(event), event.value, plain, event.anchor, event.tag)
    if isinstance(event, yaml.CollectionStartEvent):
        return _collection(event, tuple(_children(events)))
    return Node("alias", _line(event), text=getattr(event, "anchor", None) or "")


def _collection(event: yaml.CollectionStartEvent, children: tuple[Node, ...]) -> Node:
    if isinstance(event, yaml.SequenceStartEvent):
        return Node("list", _line(event), anchor=event.anchor, tag=event.tag, items=children)
    pairs = tuple(zip(children[::2], children[1::2], strict=True))
    return Node("mapping", _line(event), anchor=event.anchor, tag=event.tag, pairs=pairs)


def _children(events: Iterator[yaml.Event]) -> Iterator[Node]:
    for event in events:
        if isinstance(event, yaml.CollectionEndEvent):
            return
        yield _node(event, events)
