"""Counts the parameters of a model from its config.json, exactly, with every assumption said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from reportgen.architecture.build import layer_kinds, outside_tensors
from reportgen.architecture.config import Config
from reportgen.architecture.expression import ValueProblemError, parse
from reportgen.architecture.family import Family
from reportgen.architecture.load_families import shelf
from reportgen.architecture.names import Names
from reportgen.architecture.recognise import Recognised, recognise, refusal
from reportgen.architecture.result import LayerKind, ParameterCount, Tensor
from reportgen.errors import Fault, ReportgenError

_TOWERS: Final = ("vision", "audio")
_PREDICTION_LAYERS: Final = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules", "num_mtp_layers")


def count(config: Config) -> ParameterCount:
    """Count the parameters of the model; raise ReportgenError where the file does not say enough.

    Source of the shapes: the classes that each family file cites.
    """
    recognised = recognise(config)
    if recognised is None:
        raise ReportgenError([refusal(config)])
    names = Names(family=recognised.family, config=recognised.config)
    counted = _count(names)
    doubts = (*_rival_doubts(recognised), *recognised.doubts, *_doubts(names, counted))
    return replace(counted, doubts=doubts)


def _count(names: Names) -> ParameterCount:
    try:
        counted = _fill(names)
    except ValueProblemError as problem:
        raise ReportgenError(_missing(names) or [_fault(names.config, problem)]) from problem
    if names.missing:
        raise ReportgenError(_missing(names))
    return counted


def _fill(names: Names) -> ParameterCount:
    family = names.family
    # First what everything else is worked out from, so that a wrong value is said by its own name.
    for essential in ("hidden_size", "vocabulary_size"):
        names.size(parse(essential))
    embedding, final_norm, head, beside = (
        outside_tensors(place, names) for place in (family.embedding, family.final_norm, family.head, family.beside)
    )
    kinds, layers = layer_kinds(family.layer, names)
    outside = (*embedding, *final_norm, *head, *beside)
    total = _parameters(outside) + sum(kind.parameters * kind.layers for kind in kinds)
    tied = bool(names.named("tied"))
    return ParameterCount(
        family=family.name,
        source=family.source,
        total=total,
        active=total - _inactive(outside, kinds),
        embedding=_parameters(embedding),
        head=_parameters(head) + (_parameters(embedding) if tied else 0),
        tied=tied,
        final_norm=_parameters(final_norm),
        beside=beside,
        kinds=kinds,
        layers=layers,
        doubts=(),
    )


def _parameters(tensors: tuple[Tensor, ...]) -> int:
    return sum(tensor.parameters for tensor in tensors)


def _inactive(outside: tuple[Tensor, ...], kinds: tuple[LayerKind, ...]) -> int:
    return sum(tensor.inactive for tensor in outside) + sum(kind.inactive * kind.layers for kind in kinds)


def _doubts(names: Names, counted: ParameterCount) -> Iterator[str]:
    if names.family.note:
        yield names.family.note
    for name in names.assumed:
        yield f"{names.assumption(name)}, the default of {names.family.name}{_other_answer(names, name)}"
    for tower in _TOWERS:
        inside = any(tensor.name.startswith(tower) for tensor in counted.beside)
        if isinstance(names.config.get(f"outer.{tower}_config"), dict) and not inside:
            yield f"the {tower} tower is not counted: the total is of the language model alone"
    for key in _PREDICTION_LAYERS:
        layers = names.config.get(key)
        if isinstance(layers, int) and layers > 0:
            yield f"{key} is {layers}: layers for multi-token prediction are not counted"


def _other_answer(names: Names, name: str) -> str:
    """Say what the model comes to with the other likely value of a missing key, for the keys that are worth it."""
    if name not in shelf().two_answers:
        return ""
    taken = names.assumed[name]
    other = not taken if isinstance(taken, bool) else None
    words = "null" if other is None else str(other).lower()
    total = _total(names.family, _with_value(names.config, names.spellings(name)[0], other))
    return f"; with {words} the total is {total}"


def _with_value(config: Config, key: str, value: object) -> Config:
    if key.startswith("outer."):
        return replace(config, outer={**config.outer, key.removeprefix("outer."): value})
    return replace(config, values={**config.values, key: value})


def _total(family: Family, config: Config) -> str:
    try:
        return f"{_count(Names(family=family, config=config)).total:,}"
    except ReportgenError:
        return "no count"


def _rival_doubts(recognised: Recognised) -> Iterator[str]:
    """Say what the family of `model_type` would come to, where `architectures` names another."""
    family, rival = recognised.family, recognised.rival
    if rival is not None:
        yield (
            f"architectures says {family.name}, model_type says {rival.name}: counted as {family.name};"
            f" as {rival.name} the total is {_total(rival, recognised.config)}"
        )


def _missing(names: Names) -> list[Fault]:
    return [
        Fault(
            where=names.config.where,
            found=f"no {' or '.join(names.spellings(name))}",
            expected=f"the sizes of a {names.family.name} model",
            remedy="add it from the config.json that was published with the model",
        )
        for name in names.missing
    ]


def _fault(config: Config, problem: ValueProblemError) -> Fault:
    return Fault(
        where=config.where,
        found=str(problem),
        expected="the sizes of a model",
        remedy="correct the value in the config.json",
    )
