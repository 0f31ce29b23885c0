"""The sizes of a counted model as the inputs have them: one value for the model, and where kinds differ, overrides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reportgen.architecture.result import LayerKind, ParameterCount
from reportgen.scenario.config_kinds import Form, names_of

POSITIONS = "embed_positions.weight"
EMBEDDING_NORM = "word_embeddings_layernorm"
NARROW_EMBEDDING = "project_in.weight"
# Sizes that the model has once: a model whose kinds differ in one of them cannot be described.
COMMON_SIZES = {
    "expert_count": "expert_count",
    "experts_per_token": "experts_per_token",
    "expert_ffn_size": "expert_ffn_size",
    "query_latent_size": "query_latent_size",
    "key_value_latent_size": "key_value_latent_size",
    "rotary_head_size": "rotary_head_size",
}


@dataclass(frozen=True)
class Formed:
    """One layer kind beside its form."""

    kind: LayerKind
    form: Form

    @property
    def has_heads(self) -> bool:
        """Whether attention of either sort meets tokens here."""
        return self.form.attention in ("attention", "latent")

    @property
    def key_value_heads(self) -> int:
        """Key and value heads; a kind that borrows another layer's keys and values is given the least, one."""
        names = names_of(self.kind)
        if self.form.attention == "attention" and "k_proj.weight" not in names:
            return 1
        return self.kind.sizes.key_value_heads or self.kind.sizes.query_heads or 1


def model_sizes(counted: ParameterCount, kinds: Sequence[Formed]) -> dict[str, Any]:
    """The inputs of the section model: sizes, biases, norms, latents and experts; what is left over comes later."""
    sizes = {
        "layer_count": len(counted.layers),
        "hidden_size": _hidden(counted),
        "vocabulary_size": _vocabulary(counted),
        "embedding_tying": "tied" if counted.tied else "untied",
        "head_bias": _yes(counted.head > counted.embedding),
        "mlp_kind": "plain" if _first(kinds, lambda one: one.form.mlp_matrices or None) == 2 else "gated",  # noqa: PLR2004
        **_heads(kinds),
        **_widths(kinds),
        **_biases(kinds),
        **_common(kinds),
    }
    return {**sizes, **_before_layers(counted, sizes["norm_bias"])}


def kind_sizes(kinds: Sequence[Formed], model: dict[str, Any]) -> dict[str, list[Any]]:
    """The columns of the section layers: what each kind is, and where it differs from the model."""

    def override(values: Iterator[int | None], of_model: int) -> list[Any]:
        return ["as model" if value is None or value == of_model else value for value in values]

    headed = [one if one.has_heads else None for one in kinds]
    heads = (one.kind.sizes.query_heads if one else None for one in headed)
    head_sizes = (one.kind.sizes.head_size if one else None for one in headed)
    return {
        "kind_name": [one.form.name for one in kinds],
        "kind_attention": [one.form.attention for one in kinds],
        "kind_mlp": [one.form.mlp for one in kinds],
        "kind_window": [one.kind.sizes.attention_window or "whole sequence" for one in kinds],
        "kind_head_override": override(heads, model["head_count"]),
        "kind_kv_override": override((one.key_value_heads if one else None for one in headed), model["kv_head_count"]),
        "kind_head_size_override": override(head_sizes, model["head_size"]),
        "kind_ffn_override": override(
            (one.form.ffn_size if one.form.mlp == "dense" else None for one in kinds), model["ffn_size"]
        ),
        "kind_norm_override": override((one.kind.sizes.norm_count or 0 for one in kinds), model["norms_per_layer"]),
    }


def differing(kinds: Sequence[Formed]) -> tuple[str, ...]:
    """The sizes that the model has once but its kinds have differently."""
    return tuple(name for name, size in COMMON_SIZES.items() if len(_stated(kinds, size)) > 1)


def _stated(kinds: Sequence[Formed], size: str) -> set[int]:
    """The values of a size over the kinds that it applies to: no query latent beside one counts as 0."""
    of_latents = size == "query_latent_size"
    values = {getattr(one.kind.sizes, size) for one in kinds if not of_latents or one.form.attention == "latent"}
    return {value or 0 for value in values} if of_latents else values - {None}


def _common(kinds: Sequence[Formed]) -> dict[str, int]:
    """The sizes of latents and experts, where the model has any."""
    found = {name: values for name, size in COMMON_SIZES.items() if (values := _stated(kinds, size))}
    shared = [one.form.ffn_size for one in kinds if one.form.mlp == "experts"]
    common = {name: min(values) for name, values in found.items()}
    if shared:  # more experts for a token than there are means all of them
        chosen = min(common["experts_per_token"], common["expert_count"])
        common |= {"experts_per_token": chosen, "shared_ffn_size": min(shared)}
    return common


def _heads(kinds: Sequence[Formed]) -> dict[str, Any]:
    """Heads of the first kind that has any; a model without attention is given one head that no kind uses."""
    first = next((one for one in kinds if one.has_heads), None)
    if first is None:
        return {"head_count": 1, "kv_head_count": 1, "head_size": 1}
    sizes = first.kind.sizes
    alike = all(one.kind.sizes.value_head_size == one.kind.sizes.head_size for one in kinds if one.has_heads)
    own = next((one for one in kinds if one.has_heads and "k_proj.weight" in names_of(one.kind)), first)
    return {
        "head_count": sizes.query_heads,
        "kv_head_count": own.key_value_heads,
        "head_size": sizes.head_size,
        "value_head_size": "as head_size" if alike else sizes.value_head_size,
    }


def _widths(kinds: Sequence[Formed]) -> dict[str, int]:
    """MLP width and norms; a model of experts alone has their width, as its file calls it, and uses it nowhere."""
    dense = _first(kinds, lambda one: one.form.ffn_size if one.form.mlp == "dense" else None)
    experts = _first(kinds, lambda one: one.kind.sizes.expert_ffn_size)
    return {"ffn_size": dense or experts or 1, "norms_per_layer": kinds[0].kind.sizes.norm_count or 0}


def _biases(kinds: Sequence[Formed]) -> dict[str, str]:
    """Biases and small norms: said of the model only where all kinds that may have them do."""
    plain = [names_of(one.kind) for one in kinds if one.form.attention == "attention"]
    dense = [names_of(one.kind) for one in kinds if one.form.mlp == "dense"]
    routed = [names_of(one.kind) for one in kinds if one.form.mlp == "experts"]
    normed = [names_of(one.kind) for one in kinds if "norms.weight" in names_of(one.kind)]
    owning = [names for names in plain if "k_proj.weight" in names]
    return {
        "qkv_bias": _in_all(owning, "q_proj.bias", "k_proj.bias", "v_proj.bias"),
        "attention_output_bias": _in_all(plain, "o_proj.bias"),
        "mlp_bias": _in_all(dense, "up_proj.bias", "down_proj.bias"),
        "norm_bias": _in_all(normed, "norms.bias"),
        "qk_norm": _query_key_norm(kinds),
        "router_bias": _in_all(routed, "router.bias"),
        "expert_bias": _in_all(routed, "experts.gate_up_proj_bias", "experts.down_proj_bias"),
        "shared_expert_gate": _in_all(routed, "shared_expert_gate.weight"),
    }


def _query_key_norm(kinds: Sequence[Formed]) -> str:
    """One word for all kinds of attention that project keys: "none" unless all have the same sort."""
    owning = [one.kind for one in kinds if one.form.attention == "attention" and "k_proj.weight" in names_of(one.kind)]
    sorts = {_norm_sort(kind) for kind in owning}
    return sorts.pop() if len(sorts) == 1 else "none"


def _norm_sort(kind: LayerKind) -> str:
    shapes = {tensor.name: tensor.shape for tensor in kind.tensors}
    widths, sizes = (shapes.get("q_norm.weight"), shapes.get("k_norm.weight")), kind.sizes
    if widths == ((sizes.head_size,), (sizes.head_size,)):
        return "per head"
    return "full" if widths == ((sizes.query_size,), (sizes.key_size,)) else "none"


def _before_layers(counted: ParameterCount, norm_bias: str) -> dict[str, Any]:
    """Learned positions and a norm after the embedding, where they are as the inputs mean them."""
    shapes = {tensor.name: tensor.shape for tensor in counted.beside}
    positions = shapes.get(POSITIONS, (0, _hidden(counted)))
    normed = {f"{EMBEDDING_NORM}.weight"} | ({f"{EMBEDDING_NORM}.bias"} if norm_bias == "yes" else set())
    return {
        "learned_positions": positions[0] if positions[1] == _hidden(counted) else 0,
        "embedding_norm": _yes(normed <= set(shapes)),
    }


def _hidden(counted: ParameterCount) -> int:
    return counted.kinds[0].sizes.hidden_size or 1


def _vocabulary(counted: ParameterCount) -> int:
    """Entries of the vocabulary; some models embed them narrower than the residual stream."""
    narrow = next((tensor.shape[1] for tensor in counted.beside if tensor.name == NARROW_EMBEDDING), None)
    return counted.embedding // (narrow or _hidden(counted))


def _first(kinds: Sequence[Formed], value: Callable[[Formed], int | None]) -> int | None:
    return next((found for one in kinds if (found := value(one)) is not None), None)


def _in_all(kinds: Sequence[frozenset[str]], *names: str) -> str:
    return _yes(bool(kinds) and all(set(names) <= held for held in kinds))


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
