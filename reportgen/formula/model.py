"""The entries of a model put in order: who reads whom, what comes first, and what is refused when put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from types import ModuleType
from typing import Any

from reportgen.formula.expression import Column, Expression, Name, walk
from reportgen.formula.quantity import Axis, Check, Constant, Entry, Input, Quantity


class ModelError(Exception):
    """Definitions that do not fit together."""


@dataclass(frozen=True, eq=False)  # compared and hashed as itself, so that plans can be kept per model
class Model:
    """All definitions, in the order they were written; `order` is the order of computing."""

    entries: tuple[Entry, ...]
    checks: tuple[Check, ...]
    axes: tuple[Axis, ...]
    titles: dict[str, str]

    @cached_property
    def by_name(self) -> dict[str, Entry]:
        """Every input, constant and quantity."""
        return {entry.name: entry for entry in self.entries}

    @cached_property
    def inputs(self) -> dict[str, Input]:
        """What a person gives."""
        return {entry.name: entry for entry in self.entries if isinstance(entry, Input)}

    @cached_property
    def constants(self) -> tuple[Constant, ...]:
        """What nobody edits."""
        return tuple(entry for entry in self.entries if isinstance(entry, Constant))

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """What is computed, as written."""
        return tuple(entry for entry in self.entries if isinstance(entry, Quantity))

    @cached_property
    def index_axes(self) -> dict[str, Axis]:
        """The axes by the names of their row numbers."""
        return {axis.index: axis for axis in self.axes}

    @cached_property
    def order(self) -> tuple[Quantity, ...]:
        """The quantities, each after everything it reads.

        Raises ModelError for a circle.
        """
        graph = {quantity.name: self._needs(quantity) for quantity in self.quantities}
        try:
            names = tuple(TopologicalSorter(graph).static_order())
        except CycleError as error:
            raise ModelError(f"quantities read each other in a circle: {' -> '.join(error.args[1])}") from error
        found = (self.by_name.get(name) for name in names)
        return tuple(entry for entry in found if isinstance(entry, Quantity))

    @cached_property
    def readers(self) -> dict[str, tuple[str, ...]]:
        """For each name, the quantities that read it."""
        names = [*self.by_name, *self.index_axes]
        pairs = [(read, quantity.name) for quantity in self.quantities for read in quantity.parameters]
        return {name: tuple(reader for read, reader in pairs if read == name) for name in names}

    def axis_of(self, name: str) -> Axis | None:
        """The axis a name is a column of; None for a scalar."""
        if name in self.index_axes:
            return self.index_axes[name]
        return self.by_name[name].axis

    def columns(self, axis: Axis) -> tuple[str, ...]:
        """The index of an axis, then its inputs and quantities as written."""
        return (axis.index, *(entry.name for entry in self.entries if entry.axis == axis))

    def needed_for(self, names: Iterable[str]) -> set[str]:
        """The names and everything that they are computed from."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                entry = self.by_name.get(name)
                waiting.extend(self._needs(entry) if isinstance(entry, Quantity) else ())
        return found

    def _needs(self, quantity: Quantity) -> set[str]:
        counts = {axis.count for axis in self._axes_read(quantity) if axis.count}
        return set(quantity.parameters) | counts

    def _axes_read(self, quantity: Quantity) -> set[Axis]:
        own = {quantity.axis} if quantity.axis else set()
        return own | {axis for name in quantity.parameters if (axis := self.axis_of(name))}


def assemble(modules: Iterable[ModuleType], axes: Iterable[Axis]) -> Model:
    """The model that some modules declare.

    Raises ModelError for a name declared twice, an unknown name, a column read as a scalar, or a circle.
    """
    listed = tuple(modules)
    entries = tuple(entry for module in listed for entry in _declared(module, Input | Constant | Quantity))
    checks = tuple(entry for module in listed for entry in _declared(module, Check))
    titles = {module.__name__: (module.__doc__ or "").strip().split(":")[0].rstrip(".") for module in listed}
    model = Model(entries, checks, tuple(axes), titles)
    _refuse(list(_faults(model)))
    model.order  # noqa: B018 - computed here, so that a circle is found when the model is put together
    return model


def _declared(module: ModuleType, kinds: Any) -> Iterator[Any]:
    """What a module declares itself, not what it imports."""
    for name, value in vars(module).items():
        groups = value if isinstance(value, tuple) and name.isupper() else (value,)
        yield from (item for item in groups if isinstance(item, kinds) and _is_own(item, module))


def _is_own(item: Any, module: ModuleType) -> bool:
    return getattr(item, "module", module.__name__) == module.__name__


def _refuse(faults: list[str]) -> None:
    if faults:
        raise ModelError("\n".join(faults))


def _faults(model: Model) -> Iterator[str]:
    names = Counter(entry.name for entry in model.entries)
    yield from (f"{name} is declared {count} times" for name, count in names.items() if count > 1)
    formulas: list[tuple[str, Axis | None, Expression]] = [
        *((entry.name, entry.axis, entry.expression) for entry in model.quantities),
        *((check.name, None, check.comparison) for check in model.checks),
    ]
    for name, axis, expression in formulas:
        for node in walk(expression):
            if isinstance(node, Name | Column):
                yield from (f"{name}: {fault}" for fault in _reading_faults(model, axis, node))
        yield from (
            f"{name}: {both} is read as a column and as one value; read the value through a quantity of its own"
            for both in _read_both_ways(expression)
        )


def _read_both_ways(expression: Expression) -> list[str]:
    """Names that Python, which knows one argument of a name, could not tell apart."""
    nodes = set(walk(expression))
    return sorted(node.name for node in nodes if isinstance(node, Column) and Name(node.name) in nodes)


def _reading_faults(model: Model, axis: Axis | None, node: Name | Column) -> Iterator[str]:
    if node.name not in model.by_name and node.name not in model.index_axes:
        yield f"{node.name} is not declared anywhere"
        return
    own = model.axis_of(node.name)
    if isinstance(node, Column) and own is None:
        yield f"{node.name} is one value, and is read as a column"
    if isinstance(node, Name) and own is not None and own != axis:
        yield f"{node.name} is a column of {own.name}, and is read as one value; reduce it"
