"""Finds the family of a config.json by what the file calls itself, or says which family it resembles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from reportgen.architecture.config import Config
from reportgen.architecture.family import Family
from reportgen.architecture.load_families import shelf
from reportgen.architecture.names import key_names
from reportgen.errors import Fault


@dataclass(frozen=True)
class Recognised:
    """The family that a file belongs to, the part of the file it is about, and what speaks against it."""

    family: Family
    config: Config
    rival: Family | None
    doubts: tuple[str, ...]


def recognise(config: Config) -> Recognised | None:
    """Return the family of a file, or None; the class in `architectures` counts more than `model_type`.

    The class is what the weights were made with; a wrong `model_type` is a known trap in published files.
    """
    inner = _language_part(config)
    for candidate in (config, inner):
        by_class = next(filter(None, map(_by_architecture, candidate.texts("architectures"))), None)
        by_type = next(filter(None, map(_by_model_type, candidate.texts("model_type"))), None)
        family = by_class or by_type
        if family is not None:
            rival = by_type if by_type is not family else None
            return Recognised(family, inner, rival, tuple(_doubts(config, candidate)))
    return None


def _by_architecture(name: str) -> Family | None:
    return shelf().by_architecture.get(name)


def _by_model_type(name: str) -> Family | None:
    return shelf().by_model_type.get(name)


def _language_part(config: Config) -> Config:
    """Return the part of a multimodal file that describes the language model; other files are that part."""
    for path in shelf().nested:
        found = config.get(path)
        if isinstance(found, dict) and found:
            return replace(config, values=found, outer=config.values, inside=path)
    return config


def _doubts(config: Config, candidate: Config) -> Iterator[str]:
    own_names = [*config.texts("architectures"), *config.texts("model_type")]
    if not own_names:
        yield "the file says neither architectures nor model_type at its top"
    elif candidate is not config:
        yield f"{own_names[0]} is not known: the language model inside it is counted alone"


def refusal(config: Config) -> Fault:
    """Say that a file belongs to no known family, what is missing, and what it resembles."""
    names = [*config.texts("architectures"), *config.texts("model_type")]
    found = " and ".join(map(repr, names)) or "neither architectures nor model_type"
    by_keys, by_name = _nearest_by_keys(config), _nearest_by_name(names)
    resembles = f"its keys resemble {by_keys.name}" if by_keys else "its keys resemble no family"
    resembles += f", its name {by_name.name}" if by_name else ""
    return Fault(
        where=config.where,
        found=f"{found}, which is no known family ({resembles})",
        expected="a family whose tensors are known",
        remedy="set architectures or model_type to a known family if the model is built like it",
    )


def _nearest_by_keys(config: Config) -> Family | None:
    """Return the family that knows most of a file's keys, if any does; among equals the one others derive from."""
    own = set(_language_part(config).values)
    nearest = max(shelf().families, key=lambda family: _key_score(own, family))
    return nearest if own & key_names(nearest) else None


def _key_score(own: set[str], family: Family) -> tuple[int, int, bool]:
    known = key_names(family)
    foreign = sum(key not in own for key in known if "." not in key)
    return (len(own & known), -foreign if family.parent else 0, family.parent is None)


def _nearest_by_name(names: list[str]) -> Family | None:
    alike_from = 0.6
    scored = [
        (_likeness(name, known), family)
        for name in names
        for family in shelf().families
        for known in (*family.model_types, *family.architectures)
    ]
    alike = [pair for pair in scored if pair[0] >= alike_from]
    return max(alike, key=lambda pair: pair[0])[1] if alike else None


def _likeness(left: str, right: str) -> float:
    # Names of families are short; a longer text in the file is no name, and comparing it would take long.
    longest = 80
    return SequenceMatcher(None, left[:longest].casefold(), right.casefold()).ratio()
