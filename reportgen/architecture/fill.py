"""Adds up one model: what all places of its family come to with the sizes of its file, or every fault of the file."""

from __future__ import annotations

from reportgen.architecture.build import layer_kinds, outside_tensors
from reportgen.architecture.config import Config
from reportgen.architecture.expression import parse
from reportgen.architecture.family import Family
from reportgen.architecture.load_families import shelf
from reportgen.architecture.names import Names
from reportgen.architecture.result import LayerKind, ParameterCount, Tensor
from reportgen.errors import ReportgenError


def filled(names: Names) -> ParameterCount:
    """Return the count of one model, without doubts; raise ReportgenError with all faults of its file."""
    counted = _fill(names)
    if names.faults:
        raise ReportgenError(names.faults.values())
    return counted


def _fill(names: Names) -> ParameterCount:
    family = names.family
    for name in shelf().always_checked:
        names.optional_size(parse(name), None)
    for check in family.checks:
        names.check(check)
    embedding, final_norm, head, beside = (
        outside_tensors(place, names) for place in (family.embedding, family.final_norm, family.head, family.beside)
    )
    kinds, layers = layer_kinds(family.layer, names)
    outside = (*embedding, *final_norm, *head, *beside)
    total = _parameters(outside) + sum(kind.parameters * kind.layers for kind in kinds)
    tied = names.is_true(parse("tied"))
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


def filled_or_none(family: Family, config: Config) -> ParameterCount | None:
    """Return the count of a file as a model of a family, or None where it cannot be one."""
    try:
        return filled(Names(family=family, config=config))
    except ReportgenError:
        return None
