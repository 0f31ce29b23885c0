"""Works out the sizes of one model: a name is a rule of the family, a key of the file, or the class's default."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from reportgen.architecture.config import MISSING, Config
from reportgen.architecture.expression import Expression, UnknownValueError, ValueProblemError, is_true
from reportgen.architecture.family import Block, Check, Family
from reportgen.architecture.kinds import LARGEST_LIST, Kind, is_per_layer
from reportgen.architecture.load_families import shelf
from reportgen.errors import Fault

LAYER: Final = "layer"
"""The name that stands for the index of a layer in the rules of a family."""
PREDICTION_LAYERS: Final = (
    "num_nextn_predict_layers",
    "mtp_num_hidden_layers",
    "num_mtp_modules",
    "num_mtp_layers",
)
"""Keys that count layers for multi-token prediction, which stand beyond the layers of the model."""
_REMEDY: Final = "correct the value in the config.json"
_ABSENT: Final = "add it from the config.json that was published with the model"


class _Unknown:
    """Stands in the record of known names for one whose fault is already told."""


_UNKNOWN: Final = _Unknown()


@dataclass(frozen=True)
class Names:
    """The names of one model, looked up when they are needed; lives as long as one count.

    `faults`, `assumed` and `doubts` fill while names are looked up: what the file lacks or has wrong, which defaults
    were taken, and which of them do not fit the rest. A name with a fault is unknown, and so is what depends on it;
    the rest is worked out, so that all faults of a file are found at once.
    """

    family: Family
    config: Config
    faults: dict[str, Fault] = field(default_factory=dict)
    assumed: dict[str, Any] = field(default_factory=dict)
    doubts: dict[str, str] = field(default_factory=dict)
    known: dict[tuple[str, int | None], Any] = field(default_factory=dict)

    def value(self, expression: Expression, layer: int | None = None) -> Any:
        """Return the value of an expression, for one layer or for the model; raise UnknownValueError."""
        try:
            return expression.value(lambda name: self.named(name, layer))
        except ValueProblemError as problem:
            self._refuse(expression, problem)
            raise UnknownValueError from problem

    def named(self, name: str, layer: int | None = None) -> Any:
        """Return the value of one name; a name that does not depend on the layer is worked out once."""
        if name == LAYER:
            return layer
        place = (name, layer if name in layered_names(self.family) else None)
        if place not in self.known:
            self.known[place] = self._worked_out(name, place[1])
        if self.known[place] is _UNKNOWN:
            raise UnknownValueError
        return self.known[place]

    def is_true(self, condition: Expression | None, layer: int | None = None) -> bool:
        """Return whether a condition holds; one that cannot be known does not, and its fault is told."""
        if condition is None:
            return True
        try:
            return is_true(self.value(condition, layer))
        except ValueProblemError as problem:
            self._refuse(condition, problem)
        except UnknownValueError:
            pass
        return False

    def size(self, expression: Expression, layer: int | None = None) -> int:
        """Return an expression's value as a dimension; raise UnknownValueError where it is no whole number from 1."""
        found = self.value(expression, layer)
        if isinstance(found, bool) or not isinstance(found, int) or found < 1:
            shown = _as_json_word(found)
            self._refuse(expression, ValueProblemError(f"{shown} for {expression.text}", "a whole number from 1"))
            raise UnknownValueError
        return found

    def known_size(self, expression: Expression, layer: int | None = None) -> int | None:
        """Return a dimension, or None where a fault stands in its way."""
        try:
            return self.size(expression, layer)
        except UnknownValueError:
            return None

    def optional_size(self, expression: Expression, layer: int | None) -> int | None:
        """Return a size for the record of a layer kind, or None where the model has none."""
        try:
            found = self.value(expression, layer)
        except UnknownValueError:
            return None
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    def layer_count(self) -> int:
        """Return the number of layers; where it is a fault, one layer stands for all, to find further faults."""
        try:
            found = self.named("layer_count")
        except UnknownValueError:
            return 1
        if not 1 <= found <= LARGEST_LIST:
            self.faults["layer_count"] = Fault(
                where=self.config.where,
                found=f"{found:,} layers",
                expected=f"1 to {LARGEST_LIST:,} layers",
                remedy=_REMEDY,
            )
            return 1
        return int(found)

    def check(self, check: Check, layer: int | None = None) -> None:
        """Note a fault where a relation between sizes does not hold; one between unknown sizes says nothing.

        Where a default of the class is to blame the class does build the model, and so it is counted, with a doubt.
        """
        try:
            holds = is_true(self.value(check.holds, layer))
        except UnknownValueError:
            return
        if holds:
            return
        numbers = ", ".join(self._numbers(check.holds))
        if not check.refuses or _keys_behind(self.family.name, check.holds) & set(self.assumed):
            self.doubts[check.holds.text] = f"{numbers}: expected {check.expected}, counted as the class builds it"
            return
        remedy = "correct the values in the config.json"
        self.faults.setdefault(
            check.holds.text,
            Fault(where=self.config.where, found=numbers, expected=check.expected, remedy=remedy),
        )

    def spellings(self, name: str) -> tuple[str, ...]:
        """Return the keys under which a file may hold a name."""
        return self.family.keys.get(name, (name,))

    def kind(self, name: str) -> Kind:
        """Return what a key may hold."""
        return self.family.kinds[name]

    def _worked_out(self, name: str, layer: int | None) -> Any:
        rule = self.family.names.get(name)
        try:
            return self._key(name) if rule is None else self.value(rule, layer)
        except UnknownValueError:
            return _UNKNOWN

    def _key(self, name: str) -> Any:
        null_seen = False
        for spelling in self.spellings(name):
            found = self.config.get(spelling)
            if found is not MISSING and found is not None:
                return self._checked(name, spelling, found)
            null_seen = null_seen or found is None
        # Where null is a value of its own it says that the model has none of it; elsewhere the class decides.
        return None if null_seen and self.kind(name).nullable else self._default(name)

    def _checked(self, name: str, spelling: str, found: Any) -> Any:
        kind = self.kind(name)
        if not kind.accepts(found):
            self._refuse_key(name, spelling, _shown(found), kind.expected)
        if isinstance(found, list | str) and is_per_layer(kind.text):
            self._check_length(name, spelling, len(found))
        return found

    def _check_length(self, name: str, spelling: str, entries: int) -> None:
        """Refuse a list that does not fit the layers; entries for prediction layers may follow those of the model."""
        layers = self.layer_count()
        if "layer_count" in self.faults or entries == layers:
            return
        further = (self.config.get(key) for key in PREDICTION_LAYERS)
        if entries - layers not in [more for more in further if isinstance(more, int) and more > 0]:
            self._refuse_key(name, spelling, f"{entries:,} entries", f"one for each of the {layers:,} layers")

    def _refuse_key(self, name: str, spelling: str, found: str, expected: str) -> None:
        self.faults[name] = Fault(
            where=self.config.where,
            found=f"{self.config.path_in_file(spelling)}: {found}",
            expected=expected,
            remedy=_REMEDY,
        )
        raise UnknownValueError

    def _default(self, name: str) -> Any:
        if name in self.family.usual:
            return self.value(self.family.usual[name])
        rule = self._assumable(name)
        if rule is None:
            null = [spelling for spelling in self.spellings(name) if self.config.get(spelling) is None]
            paths = [self.config.path_in_file(spelling) for spelling in null or self.spellings(name)]
            self.faults[name] = Fault(
                where=self.config.where,
                found=f"{paths[0]}: null" if null else f"no {' or '.join(paths)}",
                expected=f"the sizes of a {self.family.name} model",
                remedy=_ABSENT,
            )
            raise UnknownValueError
        self.assumed[name] = self.value(rule)
        return self.assumed[name]

    def _assumable(self, name: str) -> Expression | None:
        inside = self.family.inside.get(name) if self.config.inside else None
        return self.family.defaults.get(name, inside)

    def _refuse(self, expression: Expression, problem: ValueProblemError) -> None:
        about = ", ".join(self._numbers(expression))
        fault = Fault(
            where=self.config.where,
            found=f"{problem.found}{f' ({about})' if about else ''}",
            expected=problem.expected,
            remedy=_REMEDY,
        )
        self.faults.setdefault(expression.text, fault)

    def _numbers(self, expression: Expression) -> Iterator[str]:
        """Say which keys of the file an expression rests on, and what they hold."""
        for name in sorted(_keys_behind(self.family.name, expression)):
            for spelling in self.spellings(name):
                found = self.config.get(spelling)
                if isinstance(found, int | float | str) and not isinstance(found, bool):
                    yield f"{self.config.path_in_file(spelling)}: {_shown(found)}"
                    break
            else:
                if name in self.assumed and self.assumed[name] is not None:
                    yield f"{self.spellings(name)[0]}: missing, taken as {_shown(self.assumed[name])}"

    def assumption(self, name: str) -> str:
        """Say which value was taken for a key that is not in the file."""
        rule = self._assumable(name)
        worked_out = f"{rule.text} = " if rule is not None and rule.names else ""
        key = self.spellings(name)[0].removeprefix("outer.")
        absence = "null" if any(self.config.get(spelling) is None for spelling in self.spellings(name)) else "missing"
        return f"{key} is {absence}: taken as {worked_out}{_as_json_word(self.assumed[name])}"


def _as_json_word(value: Any) -> str:
    return json.dumps(value)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    longest = 60
    return text if len(text) <= longest else f"{text[:longest]}…"


@cache
def _keys_behind(family_name: str, expression: Expression) -> frozenset[str]:
    """Return the keys that an expression rests on, through all rules of the family."""
    family = _family(family_name)
    waiting, keys, seen = list(expression.names), set[str](), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name == LAYER:
            continue
        seen.add(name)
        if name in family.names:
            waiting.extend(family.names[name].names)
        else:
            keys.add(name)
    return frozenset(keys)


@cache
def _depends_on_layer(family_name: str) -> frozenset[str]:
    family = _family(family_name)
    layered = {LAYER}
    while True:
        more = {name for name, rule in family.names.items() if rule.names & layered} - layered
        if not more:
            return frozenset(layered)
        layered |= more


@cache
def _family(name: str) -> Family:
    return next(family for family in shelf().families if family.name == name)


def layered_names(family: Family) -> frozenset[str]:
    """Return the names whose value may differ from layer to layer."""
    return _depends_on_layer(family.name)


@cache
def _keys_of(family_name: str) -> frozenset[str]:
    family = _family(family_name)
    return frozenset(spelling for name in read_keys(family) for spelling in family.keys.get(name, (name,)))


def key_names(family: Family) -> frozenset[str]:
    """Return every key that a file of this family may hold, as far as the family's rules read it."""
    return _keys_of(family.name)


def read_keys(family: Family) -> frozenset[str]:
    """Return the names that a family's rules look up in the file, by the name the rules give them."""
    read = {"layer_count", *(name for expression in expressions(family) for name in expression.names)}
    return frozenset(read - set(family.names) - {LAYER})


def expressions(family: Family) -> Iterator[Expression]:
    """Yield every expression of a family: of its names, its defaults, its checks, its places and their blocks."""
    for table in (family.names, family.defaults, family.usual, family.inside):
        yield from table.values()
    yield from (check.holds for check in family.checks)
    for slot in (*family.embedding, *family.layer, *family.final_norm, *family.head, *family.beside):
        yield from filter(None, [slot.when, *block_expressions(slot.block)])


def block_expressions(block: Block) -> Iterator[Expression]:
    """Yield every expression of a block: of its sizes, its repetition, its checks, its tensors and their conditions."""
    yield from block.sizes.values()
    yield from block.routed or ()
    yield from filter(None, [block.copies])
    yield from (check.holds for check in block.checks)
    for rule in block.tensors:
        yield from filter(None, [*rule.shape, rule.when])
