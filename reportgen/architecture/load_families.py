"""Reads the family files: YAML tables in, checked Family values out, each with what it inherits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml

from reportgen.architecture.expression import Expression, parse
from reportgen.architecture.family import Block, Check, Family, Slot, TensorRule
from reportgen.architecture.kinds import kind

_TABLES: Final = ("keys", "defaults", "usual", "inside", "names", "kinds", "checks", "doubted")
_PLACES: Final = ("embedding", "layer", "final_norm", "head", "beside")
_KNOWN: Final = {*_TABLES, *_PLACES, "family", "like", "source", "model_types", "architectures", "note", "blocks"}
_COMMON: Final = "common.yaml"

Table = Mapping[str, Any]


@dataclass(frozen=True)
class Shelf:
    """All families, and how to find one by the names that a config.json gives itself."""

    families: tuple[Family, ...]
    by_architecture: Mapping[str, Family]
    by_model_type: Mapping[str, Family]
    nested: tuple[str, ...]
    layer_lists: tuple[str, ...]
    expert_keys: tuple[str, ...]
    always_checked: tuple[str, ...]


@cache
def shelf() -> Shelf:
    """Read all family files once; raise ValueError where one of them is not as it should be."""
    common, tables = _read_files()
    blocks = {name: _block(name, table) for name, table in common["blocks"].items()}
    raw = {table["family"]: table for table in tables}
    families = tuple(_family(_with_inherited(table, raw, common), blocks) for table in tables)
    return Shelf(
        families=families,
        by_architecture=_index(families, "architectures"),
        by_model_type=_index(families, "model_types"),
        nested=tuple(common["nested"]),
        layer_lists=tuple(common["layer_lists"]),
        always_checked=tuple(common["always_checked"]),
        expert_keys=tuple(common["keys"]["expert_count"]),
    )


def _read_files() -> tuple[Table, list[Table]]:
    # The C loader reads all files in a tenth of the time; it is missing where PyYAML was built without libyaml.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    found = sorted(
        (file for file in files(f"{__package__}.families").iterdir() if file.name.endswith(".yaml")),
        key=lambda file: file.name,
    )
    contents = {file.name: yaml.load(file.read_text(encoding="utf-8"), Loader=loader) for file in found}  # noqa: S506
    common = contents.pop(_COMMON)
    return common, [table for tables in contents.values() for table in tables]


def _with_inherited(table: Table, raw: Mapping[str, Table], common: Table) -> Table:
    """Return a family's table with the tables of its parent under its own; places are taken whole."""
    unknown = set(table) - _KNOWN
    if unknown:
        raise ValueError(f"family {table['family']}: unknown entries {sorted(unknown)}")
    parent = _with_inherited(raw[table["like"]], raw, common) if "like" in table else common
    merged = {name: {**parent.get(name, {}), **table.get(name, {})} for name in (*_TABLES, "blocks")}
    # What a class takes for the sizes of the model itself is its own: a family like another one has other sizes.
    merged["inside"] = table.get("inside", {})
    # What the child says of a missing key replaces what its parent says, in whichever of the two tables.
    for own, other in (("defaults", "usual"), ("usual", "defaults")):
        for key in table.get(own, {}):
            if key not in table.get(other, {}):
                merged[other].pop(key, None)
    places = {place: table.get(place, parent.get(place, [])) for place in _PLACES}
    return {**merged, **places, **{name: table[name] for name in table if name not in merged and name not in places}}


def _family(table: Table, common_blocks: Mapping[str, Block]) -> Family:
    own = {
        name: _block(name, rules)
        for name, rules in table["blocks"].items()
        if name not in common_blocks or rules is not None
    }
    blocks = {**common_blocks, **own}
    return Family(
        name=table["family"],
        parent=table.get("like"),
        source=table["source"],
        model_types=frozenset(table.get("model_types", [])),
        architectures=frozenset(table.get("architectures", [])),
        note=table.get("note", ""),
        keys={name: tuple(spellings) for name, spellings in table["keys"].items()},
        defaults=_expressions(table["defaults"]),
        usual=_expressions(table["usual"]),
        inside=_expressions(table["inside"]),
        names=_expressions(table["names"]),
        kinds={name: kind(text) for name, text in table["kinds"].items()},
        checks=(*_checks(table["checks"]), *_checks(table["doubted"], refuses=False)),
        **{place: tuple(_slot(text, blocks) for text in table[place]) for place in _PLACES},
    )


def _block(name: str, table: Table) -> Block:
    routed = table.get("routed")
    return Block(
        name=name,
        label=table.get("label", ""),
        tensors=tuple(_tensor(tensor, text) for tensor, text in table.get("tensors", {}).items()),
        sizes=_expressions(table.get("sizes", {})),
        routed=(_expression(routed[0]), _expression(routed[1])) if routed else None,
        copies=_expression(table["copies"]) if "copies" in table else None,
        checks=_checks(table.get("checks", {})),
    )


def _checks(table: Table, *, refuses: bool = True) -> tuple[Check, ...]:
    """Read `condition: what is expected`; a child of a family drops a check by giving null for it."""
    return tuple(Check(parse(text), expected, refuses) for text, expected in table.items() if expected)


def _tensor(name: str, text: Any) -> TensorRule:
    shape, condition = _split_condition(str(text))
    return TensorRule(name=name, shape=tuple(parse(size) for size in shape.split(" x ")), when=condition)


def _slot(text: str, blocks: Mapping[str, Block]) -> Slot:
    """Read `block`, `block as label`, either with ` when condition` after it."""
    head, condition = _split_condition(text)
    name, _, label = head.partition(" as ")
    block = blocks[name.strip()]
    return Slot(block=block, label=label.strip() or block.label, when=condition)


def _split_condition(text: str) -> tuple[str, Expression | None]:
    head, separator, condition = text.partition(" when ")
    return head, parse(condition) if separator else None


def _expressions(table: Table) -> dict[str, Expression]:
    return {name: _expression(value) for name, value in table.items()}


def _expression(value: Any) -> Expression:
    """Parse text; YAML's own true, false, null and numbers stand for themselves."""
    literals: Sequence[tuple[Any, str]] = ((True, "true"), (False, "false"), (None, "null"))
    for literal, text in literals:
        if value is literal:
            return parse(text)
    return parse(str(value))


def _index(families: Sequence[Family], attribute: str) -> dict[str, Family]:
    found: dict[str, Family] = {}
    for name, family in _names(families, attribute):
        if found.get(name, family) is not family:
            raise ValueError(f"{attribute}: {name} belongs to {found[name].name} and {family.name}")
        found[name] = family
    return found


def _names(families: Sequence[Family], attribute: str) -> Iterator[tuple[str, Family]]:
    for family in families:
        for name in getattr(family, attribute):
            yield name, family
