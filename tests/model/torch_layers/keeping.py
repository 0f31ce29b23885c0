"""What autograd keeps: bytes of the unique storages that a forward pass saves, and the most that are alive at once."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class Alive(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Watches each storage that an operation returns until it is freed, and notes the most bytes alive at once."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.now = self.peak = 0
        self._storages: dict[int, weakref.finalize[Any, Any]] = {}

    def __torch_dispatch__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
        given = {_storage(tensor) for tensor in tree_leaves((arguments, keywords)) if isinstance(tensor, Tensor)}
        result = function(*arguments, **(keywords or {}))
        for tensor in tree_leaves(result):
            if isinstance(tensor, Tensor) and _storage(tensor) not in given:
                self._watch(tensor.untyped_storage())
        return result

    def _watch(self, storage: torch.UntypedStorage) -> None:
        if (known := self._storages.get(storage._cdata)) is not None and known.alive:
            return
        self.now += storage.nbytes()
        self.peak = max(self.peak, self.now)
        self._storages[storage._cdata] = weakref.finalize(storage, self._free, storage.nbytes())

    def _free(self, size: int) -> None:
        self.now -= size


def kept_bytes(forward: Callable[[], Any], besides: Iterable[Tensor]) -> int:
    """Bytes of each storage that the forward pass saves, once; those of `besides` (weights, positions) apart."""
    # The tensors are held, not their addresses: the meta device has none, and an address may be given out twice.
    saved: list[Tensor] = []

    def pack(tensor: Tensor) -> Tensor:
        saved.append(tensor)
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        result = forward()
    apart = {_storage(tensor) for tensor in besides}
    sizes = {_storage(tensor): tensor.untyped_storage().nbytes() for tensor in saved if _of_activations(tensor)}
    del result  # until here the graph had to live: what it saved is what is counted
    return sum(size for storage, size in sizes.items() if storage not in apart)


def _of_activations(tensor: Tensor) -> bool:
    """A view of a weight, or an empty stand-in, is no activation."""
    return not isinstance(tensor, torch.nn.Parameter) and tensor.numel() > 0


def _storage(tensor: Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)
