"""The layer kinds of a counted model in the words of the inputs: mixer, MLP, a short name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportgen.architecture.result import LayerKind, ParameterCount

# Labels of a kind that say something else than how its tokens meet.
NO_MIXERS = frozenset({
    "sliding window", "chunked", "feed-forward", "experts", "shared experts", "channel mixing",
    "linear in place of feed-forward", "first norm", "empty",
})  # fmt: skip
# Mixers beside attention by the word that a person would use.
MIXER_WORDS = {
    "linear attention": "linear",
    "linear recurrence": "recurrence",
    "linear in place of attention": "linear",
}


@dataclass(frozen=True)
class Form:
    """What one layer kind is made of: `attention` and `mlp` as kind_attention and kind_mlp have them.

    `ffn_size` is the width of the MLP that works on every token: the dense one, or with experts the shared ones and
    a dense one beside them together. `mlp_matrices` is 0 without any MLP.
    """

    name: str
    attention: str
    mlp: str
    ffn_size: int
    mlp_matrices: int


def labels_of(kind: LayerKind) -> tuple[str, ...]:
    """The parts that a kind is named after, without the number that tells equal names apart."""
    return tuple(re.sub(r" \(\d+\)$", "", kind.name).split(" + "))


def forms_of(counted: ParameterCount) -> tuple[Form, ...]:
    """The form of every kind, each with a name of its own."""
    forms = [_form(kind) for kind in counted.kinds]
    names = list(_distinct([form.name for form in forms]))
    return tuple(
        Form(name, form.attention, form.mlp, form.ffn_size, form.mlp_matrices)
        for name, form in zip(names, forms, strict=True)
    )


def _form(kind: LayerKind) -> Form:
    attention, mlp = _attention(kind), _mlp(kind)
    return Form(_name(kind, attention, mlp), attention, mlp, _ffn_size(kind), _matrices(kind))


def _attention(kind: LayerKind) -> str:
    names = names_of(kind)
    if "kv_a_proj_with_mqa.weight" in names:
        return "latent"
    if kind.sizes.query_heads and {"q_proj.weight", "o_proj.weight"} <= names:
        return "attention"
    return "other" if _mixers(kind) else "none"


def _mixers(kind: LayerKind) -> tuple[str, ...]:
    return tuple(label for label in labels_of(kind) if label not in NO_MIXERS)


def _mlp(kind: LayerKind) -> str:
    if kind.sizes.expert_count and kind.sizes.expert_ffn_size:
        return "experts"
    return "dense" if names_of(kind) & {"up_proj.weight", "shared_experts.down_proj"} else "none"


def _ffn_size(kind: LayerKind) -> int:
    dense = kind.sizes.ffn_size or 0 if "up_proj.weight" in names_of(kind) else 0
    return dense + (kind.sizes.shared_ffn_size or 0)


def _matrices(kind: LayerKind) -> int:
    """Matrices of one MLP: 3 where it is gated, 2 where it is plain."""
    sizes = kind.sizes
    if sizes.ffn_matrices or sizes.expert_matrices:
        return sizes.ffn_matrices or sizes.expert_matrices or 0
    fused = sum(tensor.shape[0] for tensor in kind.tensors if tensor.name == "shared_experts.gate_up_proj")
    return 1 + fused // sizes.shared_ffn_size if sizes.shared_ffn_size else 0


def _name(kind: LayerKind, attention: str, mlp: str) -> str:
    """Short words: the mixer unless it is plain attention, the MLP unless it is the dense one of local attention."""
    mixer = _mixer_word(kind, attention)
    if mlp == "none":
        return mixer or "attention"
    if attention == "none":
        return "MLP" if mlp == "dense" else mlp
    if mlp == "dense" and mixer in ("local", "chunked"):
        return mixer
    return f"{mixer} + {mlp}" if mixer else mlp


def _mixer_word(kind: LayerKind, attention: str) -> str:
    labels = labels_of(kind)
    if attention == "other":
        return MIXER_WORDS.get(_mixers(kind)[0], _mixers(kind)[0])
    if attention == "latent":
        return "latent"
    if "state space" in labels:
        return "state space and attention"
    return "chunked" if "chunked" in labels else "local" if kind.sizes.attention_window else ""


def names_of(kind: LayerKind) -> frozenset[str]:
    """The names of all tensors of a kind."""
    return frozenset(tensor.name for tensor in kind.tensors)


def _distinct(names: Sequence[str]) -> Iterator[str]:
    """The names, the second of equal ones with a 2, and so on."""
    for place, name in enumerate(names):
        earlier = names[:place].count(name)
        yield f"{name} {earlier + 1}" if earlier else name
