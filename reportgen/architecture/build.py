"""Fills the places of a family with the sizes of one model: tensors, layer kinds, the kind of each layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reportgen.architecture.expression import Expression, parse
from reportgen.architecture.family import Block, Slot
from reportgen.architecture.names import Names, block_expressions, layered_names
from reportgen.architecture.result import KindSizes, LayerKind, Tensor


@dataclass(frozen=True)
class _Layer:
    """One layer before layers are grouped: layers of one kind are equal."""

    name: str
    tensors: tuple[Tensor, ...]
    sizes: KindSizes


def outside_tensors(slots: Iterable[Slot], names: Names) -> tuple[Tensor, ...]:
    """Return the tensors of a place outside the layers."""
    filled = tuple(_filled(slots, names, None))
    for slot in filled:
        _check(slot.block, names, None)
    return tuple(tensor for slot in filled for tensor in _tensors(slot.block, names, None))


def layer_kinds(slots: Sequence[Slot], names: Names) -> tuple[tuple[LayerKind, ...], tuple[int, ...]]:
    """Return the layer kinds in order of appearance, and for each layer the index of its kind."""
    layers = list(_layers(slots, names))
    distinct = list(dict.fromkeys(layers))
    places = {layer: place for place, layer in enumerate(distinct)}
    order = tuple(places[layer] for layer in layers)
    titles = _distinct_titles([layer.name for layer in distinct])
    kinds = tuple(
        LayerKind(name=title, layers=order.count(place), tensors=layer.tensors, sizes=layer.sizes)
        for place, (title, layer) in enumerate(zip(titles, distinct, strict=True))
    )
    return kinds, order


def _layers(slots: Sequence[Slot], names: Names) -> Iterator[_Layer]:
    """Build layer by layer; blocks that cannot differ between layers are built once."""
    same_everywhere = {slot.block.name: not _is_layered(slot.block, names) for slot in slots}
    built: dict[tuple[int, ...], _Layer] = {}
    for index in range(names.layer_count()):
        filled = tuple(_filled(slots, names, index))
        places = tuple(slots.index(slot) for slot in filled)
        if all(same_everywhere[slot.block.name] for slot in filled):
            if places not in built:
                built[places] = _layer(filled, names, index)
            yield built[places]
        else:
            yield _layer(filled, names, index)


def _layer(filled: Sequence[Slot], names: Names, index: int) -> _Layer:
    labels = dict.fromkeys(slot.label for slot in filled if slot.label)
    for slot in filled:
        _check(slot.block, names, index)
    return _Layer(
        name=" + ".join(labels) or "empty",
        tensors=tuple(tensor for slot in filled for tensor in _tensors(slot.block, names, index)),
        sizes=_sizes(filled, names, index),
    )


def _filled(slots: Iterable[Slot], names: Names, layer: int | None) -> Iterator[Slot]:
    return (slot for slot in slots if names.is_true(slot.when, layer))


def _check(block: Block, names: Names, layer: int | None) -> None:
    for check in block.checks:
        names.check(check, layer)


def _tensors(block: Block, names: Names, layer: int | None) -> Iterator[Tensor]:
    """Yield the tensors of a block; one whose sizes are a fault is left out, for then nothing is counted in the end."""
    copies = 1 if block.copies is None else names.known_size(block.copies, layer)
    routed = _sizes_of(block.routed or (), names, layer)
    for rule in block.tensors:
        if names.is_true(rule.when, layer):
            shape = _sizes_of(rule.shape, names, layer)
            if shape is not None and copies is not None and routed is not None:
                yield Tensor(name=rule.name, shape=shape, copies=copies, routed=_routed(routed))


def _sizes_of(expressions: Iterable[Expression], names: Names, layer: int | None) -> tuple[int, ...] | None:
    """Return all sizes, or None where one of them is a fault; all are worked out, so that all faults are found."""
    sizes = [names.known_size(expression, layer) for expression in expressions]
    known = tuple(size for size in sizes if size is not None)
    return known if len(known) == len(sizes) else None


def _routed(sizes: tuple[int, ...]) -> tuple[int, int] | None:
    # More experts for a token than there are come from a default of the class alone, which is said as a doubt.
    return (min(sizes), sizes[1]) if sizes else None


def _sizes(filled: Sequence[Slot], names: Names, layer: int) -> KindSizes:
    """Put the sizes of all blocks of a layer together; each block names its own, and norms add up."""
    found: dict[str, int | None] = {"hidden_size": names.known_size(parse("hidden_size"))}
    for slot in filled:
        for size, expression in slot.block.sizes.items():
            value = names.optional_size(expression, layer)
            found[size] = (found.get(size) or 0) + (value or 0) if size == "norm_count" else value
    return KindSizes(**found)


def _is_layered(block: Block, names: Names) -> bool:
    layered = layered_names(names.family)
    return any(expression.names & layered for expression in block_expressions(block))


def _distinct_titles(titles: Sequence[str]) -> list[str]:
    """Number titles that occur twice: layers with the same parts and other widths."""
    return [
        title if titles.count(title) == 1 else f"{title} ({titles[: place + 1].count(title)})"
        for place, title in enumerate(titles)
    ]
