"""A model family as the data files describe it: how keys are named, what follows from them, which tensors there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reportgen.architecture.expression import Expression
from reportgen.architecture.kinds import Kind


@dataclass(frozen=True)
class TensorRule:
    """One tensor: its name, the expressions of its dimensions, and the condition under which it exists."""

    name: str
    shape: tuple[Expression, ...]
    when: Expression | None


@dataclass(frozen=True)
class Check:
    """What must hold between sizes, and how that is told to a person.

    Without it no model can exist, unless `refuses` is false: then the class builds one all the same.
    """

    holds: Expression
    expected: str
    refuses: bool


@dataclass(frozen=True)
class Block:
    """A named group of tensors; `routed` is (experts per token, experts), `copies` how often it is repeated.

    `checks` are asked wherever the block is used.
    """

    name: str
    label: str
    tensors: tuple[TensorRule, ...]
    sizes: Mapping[str, Expression]
    routed: tuple[Expression, Expression] | None
    copies: Expression | None
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class Slot:
    """A place for a block in a layer or beside the layers, and the condition under which it is filled."""

    block: Block
    label: str
    when: Expression | None


@dataclass(frozen=True)
class Family:
    """One family: which files it answers for and how its tensors follow from their keys.

    `keys` gives the spellings of a key, `defaults` what the class takes for a missing one (said as a doubt),
    `usual` the same where a missing key is normal (nothing is said), `names` what is worked out from others.
    `inside` gives further defaults for a file that holds the model inside another: such a part is written with what
    differs from the class alone. `kinds` says what a key may hold, `checks` what must hold between keys.
    """

    name: str
    parent: str | None
    source: str
    model_types: frozenset[str]
    architectures: frozenset[str]
    note: str
    keys: Mapping[str, tuple[str, ...]]
    defaults: Mapping[str, Expression]
    usual: Mapping[str, Expression]
    inside: Mapping[str, Expression]
    names: Mapping[str, Expression]
    kinds: Mapping[str, Kind]
    checks: tuple[Check, ...]
    embedding: tuple[Slot, ...]
    layer: tuple[Slot, ...]
    final_norm: tuple[Slot, ...]
    head: tuple[Slot, ...]
    beside: tuple[Slot, ...]
