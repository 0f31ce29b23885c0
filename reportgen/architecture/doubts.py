"""Says what a count leaves open: defaults that were taken, names that contradict, what is not counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from reportgen.architecture.fill import filled_or_none
from reportgen.architecture.load_families import shelf
from reportgen.architecture.names import PREDICTION_LAYERS, Names, key_names, read_keys
from reportgen.architecture.recognise import Recognised
from reportgen.architecture.result import ParameterCount

_TOWERS: Final = ("vision", "audio")


def doubts(recognised: Recognised, names: Names, counted: ParameterCount) -> Iterator[str]:
    """Yield every doubt about a count, one sentence each."""
    yield from _rival_doubts(recognised)
    yield from recognised.doubts
    if names.family.note:
        yield names.family.note
    for name in names.assumed:
        other = _other_answer(names, name, counted)
        if other is not None:
            yield f"{names.assumption(name)}, the default of {names.family.name}{other}"
    yield from names.doubts.values()
    yield from _two_spellings(names, counted)
    yield from _ignored_experts(names)
    yield from _ignored_entries(names, len(counted.layers))
    for tower in _TOWERS:
        inside = any(tensor.name.startswith(tower) for tensor in counted.beside)
        if isinstance(names.config.get(f"outer.{tower}_config"), dict) and not inside:
            yield f"the {tower} tower is not counted: the total is of the language model alone"
    for key in PREDICTION_LAYERS:
        layers = names.config.get(key)
        if isinstance(layers, int) and layers > 0:
            yield f"{key} is {layers}: layers for multi-token prediction are not counted"


def _other_answer(names: Names, name: str, counted: ParameterCount) -> str | None:
    """Say what the model comes to with the other likely value of a missing key; None where the count is the same."""
    others = list(_others(names, name))
    counts = [
        filled_or_none(names.family, names.config.with_value(names.spellings(name)[0], other)) for other in others
    ]
    if others and all(found is not None and _is_same(found, counted) for found in counts):
        return None
    for other, found in zip(others, counts, strict=True):
        if found is not None and not _is_same(found, counted) and (other is None or isinstance(other, bool)):
            return f"; with {json.dumps(other)} the total is {found.total:,}"
    return ""


def _others(names: Names, name: str) -> Iterator[object]:
    """Yield what else a missing key may have meant; of a number any other one, to see whether it counts at all."""
    taken = names.assumed[name]
    if isinstance(taken, bool):
        yield not taken
    elif isinstance(taken, int):
        if names.kind(name).nullable:
            yield None
        yield 2 * taken + 1


def _is_same(left: ParameterCount, right: ParameterCount) -> bool:
    return (left.total, left.active) == (right.total, right.active)


def _two_spellings(names: Names, counted: ParameterCount) -> Iterator[str]:
    """Say that a file gives one size under two keys that differ, where the count rests on which one is taken."""
    for name in sorted(read_keys(names.family)):
        given = {key: names.config.get(key) for key in names.spellings(name)}
        sizes = {key: size for key, size in given.items() if isinstance(size, int) and not isinstance(size, bool)}
        for key, size in list(sizes.items())[1:]:
            first = next(iter(sizes))
            other = filled_or_none(names.family, names.config.with_value(first, size)) if size != sizes[first] else None
            if other is not None and not _is_same(other, counted):
                yield (
                    f"{first} is {sizes[first]} and {key} is {size}: counted with {first};"
                    f" with {key} the total is {other.total:,}"
                )


def _ignored_experts(names: Names) -> Iterator[str]:
    """Say that a file gives a dense family experts: its class passes over them."""
    if "expert_count" in read_keys(names.family):
        return
    for key in shelf().expert_keys:
        experts = names.config.get(key)
        if isinstance(experts, int) and not isinstance(experts, bool) and experts > 1:
            yield (
                f"{key} is {experts}, but {names.family.name} has no experts: counted as dense, as its class does;"
                " if the model has experts, architectures or model_type is wrong"
            )


def _ignored_entries(names: Names, layers: int) -> Iterator[str]:
    """Say that a list of layers names one that is not there: the class passes over it."""
    for key in shelf().layer_lists:
        listed = names.config.get(key) if key in key_names(names.family) else None
        entries = listed if isinstance(listed, list) else []
        beyond = [entry for entry in entries if isinstance(entry, int) and entry >= layers]
        if beyond:
            yield f"{key} names layer {beyond[0]}, and layers end at {layers - 1}: what lies beyond is ignored"


def _rival_doubts(recognised: Recognised) -> Iterator[str]:
    """Say what the family of `model_type` would come to, where `architectures` names another."""
    family, rival = recognised.family, recognised.rival
    if rival is not None:
        other = filled_or_none(rival, recognised.config)
        comes_to = f"as {rival.name} the total is {other.total:,}" if other else f"as {rival.name} there is no count"
        yield (f"architectures says {family.name}, model_type says {rival.name}: counted as {family.name}; {comes_to}")
