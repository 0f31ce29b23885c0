"""Every tensor that one layer keeps for the backward pass when nothing is recomputed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tests.model.brute_force.given import Kind, Model, Run
from tests.model.brute_force.kernels import (
    DROPOUT_MASKS,
    GATED_TENSORS,
    HEAD_NORM_TENSORS,
    NORM_TENSORS,
    PLAIN_TENSORS,
    REPEATS_KEYS,
    ROUTED_TENSORS,
    SCORE_TENSORS,
    by_profile,
)

READERS = ("attention", "mlp")


@dataclass(frozen=True)
class Kept:
    """Something kept: bytes of one token, over how many GPUs it is split, and what could recompute it."""

    name: str
    token_bytes: float
    shards: float
    modules: tuple[str, ...] = ()


def held(kept: Iterable[Kept], run: Run) -> float:
    """Bytes on one GPU for one micro-batch."""
    return sum(tensor.token_bytes * run.tokens / tensor.shards for tensor in kept)


def norm(name: str, width: int, run: Run, shards: int, statistics: int = 1) -> Iterator[Kept]:
    for part, size in by_profile(NORM_TENSORS, run).items():
        yield Kept(f"{name} {part}", size * width, shards)
    yield Kept(f"{name} statistics", 4 * statistics, shards)


def hidden_norm(name: str, model: Model, run: Run) -> Iterator[Kept]:
    """A norm over the hidden width: with a bias it keeps the mean beside the deviation."""
    return norm(name, model.hidden, run, run.layout.between, 2 if model.norm_bias else 1)


def layer_norms(model: Model, run: Run, kind: Kind) -> Iterator[Kept]:
    """A layer's norms: two are read by matrices, any more only by additions, which keep nothing of them."""
    for number in range(kind.norms):
        for tensor in hidden_norm(f"norm {number}", model, run):
            if not tensor.name.endswith("output"):
                yield tensor
            elif number < len(READERS):
                yield replace(tensor, modules=("norm outputs", f"read by {READERS[number]}"))


def attention_core(model: Model, run: Run, kind: Kind) -> Iterator[Kept]:
    """Queries, keys, values, output, and log-sum-exp or scores; in latent attention the first three come from above."""
    cut, value_size = run.layout.tensor, model.value_size(kind)
    up = ("latent up",) if kind.attention == "latent" else ()
    key_heads = kind.heads if by_profile(REPEATS_KEYS, run) and not run.flash else kind.kv_heads
    yield Kept("query", 2 * kind.heads * kind.head_size, cut, up)
    yield Kept("key", 2 * key_heads * kind.head_size, cut, up)
    yield Kept("value", 2 * key_heads * value_size, cut, up)
    yield Kept("attention output", 2 * kind.heads * value_size, cut)
    if run.flash:
        yield Kept("log-sum-exp", 4 * kind.heads, cut)
    else:
        for name, size in by_profile(SCORE_TENSORS, run).items():
            yield Kept(name, size * kind.heads * run.sequence, cut, ("scores",))


def head_norms(model: Model, run: Run, kind: Kind) -> Iterator[Kept]:
    """Norms on queries and keys: one a head, or one over all heads."""
    for name, heads in (("query", kind.heads), ("key", kind.kv_heads)):
        for part, size in by_profile(HEAD_NORM_TENSORS, run).items():
            yield Kept(f"{name} norm {part}", size * heads * kind.head_size, run.layout.tensor)
        yield Kept(f"{name} norm statistics", 4 * (1 if model.qk_norm == "full" else heads), run.layout.tensor)


def latents(model: Model, run: Run, kind: Kind) -> Iterator[Kept]:
    """Latents with their norms, the shared rotary key, and keys as projected up, which live beside values' views."""
    between, latent = run.layout.between, model.latent
    yield from norm("key-value latent", latent.key_value, run, between)
    if latent.query:
        yield from norm("query latent", latent.query, run, between)
    yield Kept("rotary key", 2 * latent.rotary, between)
    if run.flash:
        yield Kept("key up", 2 * kind.heads * (kind.head_size - latent.rotary), run.layout.tensor, ("latent up",))


def mlp_inside(model: Model, run: Run) -> dict[str, int]:
    """Bytes per value of an MLP's width, tensor by tensor."""
    return by_profile(GATED_TENSORS if model.gated else PLAIN_TENSORS, run)


def everywhere_mlp(model: Model, run: Run, width: int, modules: tuple[str, ...] = ()) -> Iterator[Kept]:
    """The MLP that works on every token."""
    for name, size in mlp_inside(model, run).items():
        again = (*modules, "mlp product", "read by mlp") if name == "product" else modules
        yield Kept(f"mlp {name}", size * width, run.layout.tensor, again)


def experts(model: Model, run: Run) -> Iterator[Kept]:
    """Router, shared experts with their gate, and each routed expert that a token goes to."""
    between, whole = run.layout.between, ("experts",)
    yield Kept("router probabilities", 4 * model.experts.count, between, whole)
    yield from everywhere_mlp(model, run, model.experts.shared_ffn, whole)
    if model.experts.shared_gate:
        yield Kept("shared experts' output", 2 * model.hidden, between, whole)
        yield Kept("shared experts' gate", 2, between, whole)
    for number in range(model.experts.per_token):
        yield from (replace(tensor, name=f"expert {number} {tensor.name}") for tensor in routed(model, run))


def routed(model: Model, run: Run) -> Iterator[Kept]:
    """What one routed expert keeps of a token that goes to it.

    A GPU has its share of the tokens; GPUs that share an expert gather the inputs of theirs, each works on all of them
    with its part of the inner width, and what each adds to the outputs is handed back.
    """
    gathered, mine = run.load * run.layout.expert_tensor, run.load
    for name, size in by_profile(ROUTED_TENSORS, run).items():
        copies = gathered if name == "input" else mine
        yield Kept(name, copies * size * model.hidden, run.layout.tensor, ("experts",))
    for name, size in mlp_inside(model, run).items():
        again = ("experts", "routed product") if name == "product" else ("experts",)
        part = model.experts.ffn / run.layout.expert_tensor
        yield Kept(f"inner {name}", gathered * size * part, run.layout.tensor, again)


def gathered_inputs(model: Model, run: Run, kind: Kind) -> Iterator[Kept]:
    """The other GPUs' parts of the inputs of attention and MLP, where they are kept."""
    if run.inputs_kept:
        others = 1 - 1 / run.layout.between
        for name in ("attention", "mlp"):
            if getattr(kind, name) != "none":
                yield Kept(f"gathered input of {name}", 2 * model.hidden * others, 1)


def layer(model: Model, run: Run, kind: Kind) -> list[Kept]:
    """Everything that one layer keeps when nothing is recomputed."""
    masks = by_profile(DROPOUT_MASKS, run)
    found = [Kept(f"dropout mask {place}", model.hidden, run.layout.between) for place in masks]
    found += layer_norms(model, run, kind)
    if kind.attention in ("attention", "latent"):
        found += attention_core(model, run, kind)
    if kind.attention == "attention" and model.qk_norm != "none":
        found += head_norms(model, run, kind)
    if kind.attention == "latent":
        found += latents(model, run, kind)
    if kind.mlp == "dense":
        found += everywhere_mlp(model, run, kind.ffn)
    if kind.mlp == "experts":
        found += experts(model, run)
    found.append(Kept("further matrices", 2 * kind.further_width, run.layout.tensor))
    return [*found, *gathered_inputs(model, run, kind)]
