"""Every weight of a model, with its shape and what splits it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.model.brute_force.given import Kind, Model, Run


@dataclass(frozen=True)
class Tensor:
    """A weight; `split` where GPUs that share a matrix cut it, `expert` the routed expert that it belongs to."""

    name: str
    shape: tuple[int, ...]
    split: bool = False
    expert: int | None = None

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def is_matrix(self) -> bool:
        return len(self.shape) > 1


def size(tensors: Iterable[Tensor]) -> int:
    return sum(tensor.size for tensor in tensors)


def norm(name: str, width: int, *, bias: bool = False) -> Iterator[Tensor]:
    yield Tensor(f"{name}.weight", (width,))
    if bias:
        yield Tensor(f"{name}.bias", (width,))


def into(name: str, outputs: int, inputs: int, *, bias: bool = False, expert: int | None = None) -> Iterator[Tensor]:
    """A matrix away from the residual stream: its outputs are split, and its bias with them."""
    yield Tensor(f"{name}.weight", (outputs, inputs), split=True, expert=expert)
    if bias:
        yield Tensor(f"{name}.bias", (outputs,), split=True, expert=expert)


def back(name: str, outputs: int, inputs: int, *, bias: bool = False, expert: int | None = None) -> Iterator[Tensor]:
    """A matrix back to the residual stream: its inputs are split, its bias is not."""
    yield Tensor(f"{name}.weight", (outputs, inputs), split=True, expert=expert)
    if bias:
        yield Tensor(f"{name}.bias", (outputs,), expert=expert)


def plain_attention(model: Model, kind: Kind) -> Iterator[Tensor]:
    query, key = kind.heads * kind.head_size, kind.kv_heads * kind.head_size
    value_size = model.value_size(kind)
    yield from into("query", query, model.hidden, bias=model.qkv_bias)
    yield from into("key", key, model.hidden, bias=model.qkv_bias)
    yield from into("value", kind.kv_heads * value_size, model.hidden, bias=model.qkv_bias)
    yield from back("output", model.hidden, kind.heads * value_size, bias=model.output_bias)
    if model.qk_norm != "none":
        wide = model.qk_norm == "full"
        yield from norm("query norm", query if wide else kind.head_size)
        yield from norm("key norm", key if wide else kind.head_size)


def latent_attention(model: Model, kind: Kind) -> Iterator[Tensor]:
    """Down to latents on every GPU, up to heads split by heads; one rotary key that all heads share; no biases."""
    latent, value_size = model.latent, model.value_size(kind)
    query_source = model.hidden
    if latent.query:
        query_source = latent.query
        yield Tensor("query down", (latent.query, model.hidden))
        yield from norm("query latent norm", latent.query)
    yield from into("query up", kind.heads * kind.head_size, query_source)
    yield Tensor("key-value down", (latent.key_value, model.hidden))
    yield Tensor("rotary key", (latent.rotary, model.hidden))
    yield from norm("key-value latent norm", latent.key_value)
    yield from into("key up", kind.heads * (kind.head_size - latent.rotary), latent.key_value)
    yield from into("value up", kind.heads * value_size, latent.key_value)
    yield from back("output", model.hidden, kind.heads * value_size)


def mlp(model: Model, name: str, width: int, *, bias: bool, expert: int | None = None) -> Iterator[Tensor]:
    for part in ("gate", "up") if model.gated else ("up",):
        yield from into(f"{name} {part}", width, model.hidden, bias=bias, expert=expert)
    yield from back(f"{name} down", model.hidden, width, bias=bias, expert=expert)


def routed(model: Model) -> Iterator[Tensor]:
    experts = model.experts
    yield Tensor("router.weight", (experts.count, model.hidden))
    if experts.router_bias:
        yield Tensor("router.bias", (experts.count,))
    for number in range(experts.count):
        yield from mlp(model, f"expert {number}", experts.ffn, bias=experts.bias, expert=number)
    if experts.shared_ffn:
        yield from mlp(model, "shared experts", experts.shared_ffn, bias=False)
    if experts.shared_gate:
        yield Tensor("shared experts' gate", (model.hidden,))


def layer(model: Model, kind: Kind) -> list[Tensor]:
    """All weights of one layer."""
    found: list[Tensor] = []
    if kind.attention == "attention":
        found += plain_attention(model, kind)
    if kind.attention == "latent":
        found += latent_attention(model, kind)
    if kind.mlp == "dense":
        found += mlp(model, "mlp", kind.ffn, bias=model.mlp_bias)
    if kind.mlp == "experts":
        found += routed(model)
    for number in range(kind.norms):
        found += norm(f"norm {number}", model.hidden, bias=model.norm_bias)
    found += into("further matrices", kind.further_width, model.hidden)
    found.append(Tensor("whatever else", (kind.further_parameters,)))
    return found


def first(model: Model) -> list[Tensor]:
    """Weights before the first layer."""
    found = [Tensor("embedding", (model.held_vocabulary, model.hidden), split=True)]
    found.append(Tensor("positions", (model.positions, model.hidden)))
    found.append(Tensor("whatever else", (model.further_parameters,)))
    if model.embedding_norm:
        found += norm("embedding norm", model.hidden, bias=model.norm_bias)
    return found


def last(model: Model, *, shares_stage: bool) -> list[Tensor]:
    """Weights behind the last layer; a tied head is the embedding itself where both stand on one stage."""
    found = list(norm("final norm", model.hidden, bias=model.norm_bias))
    if not (model.tied and shares_stage):
        found.append(Tensor("head", (model.held_vocabulary, model.hidden), split=True))
    if model.head_bias:
        found.append(Tensor("head bias", (model.vocabulary,), split=True))
    return found


def whole(model: Model) -> int:
    """Parameters of the model, vocabulary not padded."""
    layers = sum(size(layer(model, kind)) for kind in model.kinds)
    padding = (model.held_vocabulary - model.vocabulary) * model.hidden
    ends = size([*first(model), *last(model, shares_stage=True)])
    return layers + ends - padding * (1 if model.tied else 2)


def at_work(model: Model, kind: Kind) -> list[Tensor]:
    """Weights of one layer that work on one token: of the routed experts the first few, being all alike."""
    chosen = [None, *range(model.experts.per_token)]
    return [tensor for tensor in layer(model, kind) if tensor.expert in chosen]


def adapters(model: Model, run: Run, kind: Kind) -> list[Tensor]:
    """Two low-rank matrices beside each adapted one: A takes its inputs, B gives its outputs."""
    if run.tuning == "full":
        return []
    names = {"query", "key", "value", "output"} if kind.attention == "attention" else set()
    if run.adapted == "all linear" and kind.mlp == "dense":
        names |= {"mlp gate", "mlp up", "mlp down"}
    found: list[Tensor] = []
    for tensor in layer(model, kind):
        name = tensor.name.removesuffix(".weight")
        if name in names and len(tensor.shape) > 1:
            outputs, inputs = tensor.shape
            goes_back = name in ("output", "mlp down")
            found.append(Tensor(f"{name} A", (run.rank, inputs), split=goes_back))
            found.append(Tensor(f"{name} B", (outputs, run.rank), split=not goes_back))
    return found
