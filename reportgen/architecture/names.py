"""Works out the sizes of one model: a name is a rule of the family, a key of the file, or the class's default."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from reportgen.architecture.config import MISSING, Config
from reportgen.architecture.expression import Expression, ValueProblemError
from reportgen.architecture.family import Block, Family
from reportgen.architecture.load_families import shelf

LARGEST_SIZE: Final = 2**31
"""No width, count or vocabulary of a published model comes near; larger values are mistakes."""
LARGEST_LIST: Final = 4096
"""Longest list that is taken as one entry per layer."""
_STAND_IN: Final = 3360
"""Taken for a missing size so that all missing ones are found at once; most head counts divide it."""
LAYER: Final = "layer"
"""The name that stands for the index of a layer in the rules of a family."""


@dataclass(frozen=True)
class Names:
    """The names of one model, looked up when they are needed; lives as long as one count.

    `missing` and `assumed` fill while names are looked up: what the file lacks, and which defaults were taken.
    """

    family: Family
    config: Config
    missing: dict[str, None] = field(default_factory=dict)
    assumed: dict[str, Any] = field(default_factory=dict)
    known: dict[tuple[str, int | None], Any] = field(default_factory=dict)

    def value(self, expression: Expression, layer: int | None = None) -> Any:
        """Return the value of an expression, for one layer or for the model; raise ValueProblemError."""
        return expression.value(lambda name: self.named(name, layer))

    def named(self, name: str, layer: int | None = None) -> Any:
        """Return the value of one name; a name that does not depend on the layer is worked out once."""
        if name == LAYER:
            return layer
        place = (name, layer if name in layered_names(self.family) else None)
        if place not in self.known:
            rule = self.family.names.get(name)
            self.known[place] = self._key(name) if rule is None else self.value(rule, place[1])
        return self.known[place]

    def size(self, expression: Expression, layer: int | None = None) -> int:
        """Return an expression's value as a dimension: a whole number from 1; raise ValueProblemError."""
        found = self.value(expression, layer)
        if isinstance(found, bool) or not isinstance(found, int) or found < 1:
            raise ValueProblemError(f"{found!r} for {expression.text}, which must be a whole number from 1")
        return found

    def optional_size(self, expression: Expression, layer: int | None) -> int | None:
        """Return a size for the record of a layer kind, or None where the model has none."""
        found = self.value(expression, layer)
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    def layer_count(self) -> int:
        """Return the number of layers; raise ValueProblemError where it cannot be one."""
        found = self.named("layer_count")
        if "layer_count" in self.missing:
            return 1
        if isinstance(found, bool) or not isinstance(found, int) or not 1 <= found <= LARGEST_LIST:
            raise ValueProblemError(f"{found!r} layers, where 1 to {LARGEST_LIST:,} are possible")
        return found

    def spellings(self, name: str) -> tuple[str, ...]:
        """Return the keys under which a file may hold a name."""
        return self.family.keys.get(name, (name,))

    def _key(self, name: str) -> Any:
        null_seen = False
        for spelling in self.spellings(name):
            found = self.config.get(spelling)
            if found is not MISSING and found is not None:
                return _checked(spelling, found)
            null_seen = null_seen or found is None
        # null says that the model has none of it; a key that is not there leaves it to the class.
        return None if null_seen else self._default(name)

    def _default(self, name: str) -> Any:
        if name in self.family.usual:
            return self.value(self.family.usual[name])
        if name not in self.family.defaults:
            self.missing[name] = None
            return _STAND_IN
        rule = self.family.defaults[name]
        found = self.value(rule)
        self.assumed[name] = found
        return found

    def assumption(self, name: str) -> str:
        """Say which value was taken for a key that is not in the file."""
        rule = self.family.defaults[name]
        worked_out = f"{rule.text} = " if rule.names else ""
        key = self.spellings(name)[0].removeprefix("outer.")
        return f"{key} is missing: taken as {worked_out}{_as_json_word(self.assumed[name])}"


def _as_json_word(value: Any) -> str:
    return json.dumps(value)


def _checked(key: str, value: Any) -> Any:
    if isinstance(value, list | str):
        if len(value) > LARGEST_LIST:
            raise ValueProblemError(f"{key} with {len(value):,} entries, where at most {LARGEST_LIST:,} are possible")
        for entry in value if isinstance(value, list) else ():
            _checked(key, entry)
    if isinstance(value, int | float) and not isinstance(value, bool):
        lowest = -1 if key in shelf().signed else 0
        if not lowest <= value <= LARGEST_SIZE:
            raise ValueProblemError(f"{key}: {value}, where {lowest} to {LARGEST_SIZE:,} is possible")
    return value


@cache
def _depends_on_layer(family_name: str) -> frozenset[str]:
    family = next(family for family in shelf().families if family.name == family_name)
    layered = {LAYER}
    while True:
        more = {name for name, rule in family.names.items() if rule.names & layered} - layered
        if not more:
            return frozenset(layered)
        layered |= more


def layered_names(family: Family) -> frozenset[str]:
    """Return the names whose value may differ from layer to layer."""
    return _depends_on_layer(family.name)


@cache
def _keys_of(family_name: str) -> frozenset[str]:
    family = next(family for family in shelf().families if family.name == family_name)
    read = {"layer_count", *(name for expression in expressions(family) for name in expression.names)}
    keys = read - set(family.names) - {LAYER}
    return frozenset(spelling for name in keys for spelling in family.keys.get(name, (name,)))


def key_names(family: Family) -> frozenset[str]:
    """Return every key that a file of this family may hold, as far as the family's rules read it."""
    return _keys_of(family.name)


def expressions(family: Family) -> Iterator[Expression]:
    """Yield every expression of a family: of its names, its defaults, its places and their blocks."""
    for table in (family.names, family.defaults, family.usual):
        yield from table.values()
    for slot in (*family.embedding, *family.layer, *family.final_norm, *family.head, *family.beside):
        yield from filter(None, [slot.when, *block_expressions(slot.block)])


def block_expressions(block: Block) -> Iterator[Expression]:
    """Yield every expression of a block: of its sizes, its repetition, its tensors and their conditions."""
    yield from block.sizes.values()
    yield from block.routed or ()
    yield from filter(None, [block.copies])
    for rule in block.tensors:
        yield from filter(None, [*rule.shape, rule.when])
