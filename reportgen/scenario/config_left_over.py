"""What the inputs' sizes leave over of a layer kind: each tensor that they count too little or too much of, by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reportgen.scenario.config_sizes import Formed


@dataclass(frozen=True)
class LeftOver:
    """Parameters of one tensor beyond what the sizes count, below 0 where they count what is not there.

    `width` is the other side of a matrix to or from the residual stream, 0 for anything else.
    """

    kind: str
    tensor: str
    parameters: int
    width: int


def left_over(kinds: Sequence[Formed], model: Mapping[str, Any]) -> tuple[LeftOver, ...]:
    """All that is left over, kind by kind."""
    return tuple(rest for one in kinds for rest in _of_kind(one, model))


def _of_kind(one: Formed, model: Mapping[str, Any]) -> Iterator[LeftOver]:
    hidden, counted = model["hidden_size"], Counter(_counted(one, model))
    present = Counter[str]()
    matrices = Counter[str]()
    for tensor in one.kind.tensors:
        present[tensor.name] += tensor.parameters
        matrices[tensor.name] += tensor.parameters if len(tensor.shape) == 2 and hidden in tensor.shape else 0  # noqa: PLR2004
    for name in dict.fromkeys((*present, *counted)):
        over = present[name] - counted[name]
        is_matrix = over > 0 and matrices[name] == present[name] and over % hidden == 0
        if over:
            yield LeftOver(one.form.name, name, over, over // hidden if is_matrix else 0)


def _counted(one: Formed, model: Mapping[str, Any]) -> dict[str, int]:
    """Parameters by tensor as the estimator's formulas count them for the kind, with nothing further."""
    parts = {
        "attention": _attention,
        "latent": _latent,
    }
    mlps = {"dense": _dense, "experts": _experts}
    norms = (one.kind.sizes.norm_count or 0) * model["hidden_size"]
    return {
        "norms.weight": norms,
        "norms.bias": norms if model["norm_bias"] == "yes" else 0,
        **(parts[one.form.attention](one, model) if one.form.attention in parts else {}),
        **(mlps[one.form.mlp](one, model) if one.form.mlp in mlps else {}),
    }


def _value_size(one: Formed, model: Mapping[str, Any]) -> int:
    given = model.get("value_head_size", "as head_size")
    return one.kind.sizes.head_size or 0 if given == "as head_size" else int(given)


def _attention(one: Formed, model: Mapping[str, Any]) -> dict[str, int]:
    heads, head, value = one.kind.sizes.query_heads or 0, one.kind.sizes.head_size or 0, _value_size(one, model)
    query, key, values = heads * head, one.key_value_heads * head, one.key_value_heads * value
    hidden, biased = model["hidden_size"], model["qkv_bias"] == "yes"
    norms = {"none": (0, 0), "per head": (head, head), "full": (query, key)}[model["qk_norm"]]
    return {
        **{f"{name}_proj.weight": size * hidden for name, size in (("q", query), ("k", key), ("v", values))},
        **{f"{name}_proj.bias": size for name, size in (("q", query), ("k", key), ("v", values)) if biased},
        "o_proj.weight": heads * value * hidden,
        "o_proj.bias": hidden if model["attention_output_bias"] == "yes" else 0,
        "q_norm.weight": norms[0],
        "k_norm.weight": norms[1],
    }


def _latent(one: Formed, model: Mapping[str, Any]) -> dict[str, int]:
    heads, head, value = one.kind.sizes.query_heads or 0, one.kind.sizes.head_size or 0, _value_size(one, model)
    hidden, latent, rotary = model["hidden_size"], model["key_value_latent_size"], model["rotary_head_size"]
    query_latent = model["query_latent_size"]
    queries = {
        "q_a_proj.weight": query_latent * hidden,
        "q_a_layernorm.weight": query_latent,
        "q_b_proj.weight": query_latent * heads * head,
    }
    return {
        **(queries if query_latent else {"q_proj.weight": hidden * heads * head}),
        "kv_a_proj_with_mqa.weight": (latent + rotary) * hidden,
        "kv_a_layernorm.weight": latent,
        "kv_b_proj.weight": latent * heads * (head - rotary + value),
        "o_proj.weight": heads * value * hidden,
    }


def _dense(one: Formed, model: Mapping[str, Any]) -> dict[str, int]:
    width, hidden, inward = one.form.ffn_size, model["hidden_size"], _inward(model)
    if one.kind.sizes.shared_ffn_size:  # a dense MLP that its family calls shared experts
        return _shared(width, hidden, inward)
    biased = model["mlp_bias"] == "yes"
    into = ("gate_proj", "up_proj") if inward > 1 else ("up_proj",)
    return {
        **{f"{name}.weight": width * hidden for name in (*into, "down_proj")},
        **{f"{name}.bias": width for name in into if biased},
        "down_proj.bias": hidden if biased else 0,
    }


def _experts(one: Formed, model: Mapping[str, Any]) -> dict[str, int]:
    """Router, routed experts and what works beside them: shared experts, or a dense MLP, or both."""
    names = {tensor.name for tensor in one.kind.tensors}
    hidden, experts, inward = model["hidden_size"], model["expert_count"], _inward(model)
    router = next((name for name in ("router.weight", "router.classifier.weight") if name in names), "gate.weight")
    into = "experts.up_proj" if "experts.up_proj" in names else "experts.gate_up_proj"
    routed, biased = experts * model["expert_ffn_size"], model["expert_bias"] == "yes"
    return {
        router: experts * hidden,
        "router.bias": experts if model["router_bias"] == "yes" else 0,
        into: inward * routed * hidden,
        "experts.down_proj": routed * hidden,
        "experts.gate_up_proj_bias": inward * routed if biased else 0,
        "experts.down_proj_bias": experts * hidden if biased else 0,
        "shared_expert_gate.weight": hidden if model["shared_expert_gate"] == "yes" else 0,
        **_beside_experts(one, model),
    }


def _beside_experts(one: Formed, model: Mapping[str, Any]) -> dict[str, int]:
    """The width that works on every token, first as the dense MLP beside the experts, the rest as shared experts."""
    width, hidden, inward = model["shared_ffn_size"], model["hidden_size"], _inward(model)
    dense = min(width, one.form.ffn_size - (one.kind.sizes.shared_ffn_size or 0))
    into = ("gate_proj", "up_proj") if inward > 1 else ("up_proj",)
    return {
        **{f"{name}.weight": dense * hidden for name in (*into, "down_proj")},
        **_shared(width - dense, hidden, inward),
    }


def _shared(width: int, hidden: int, inward: int) -> dict[str, int]:
    return {"shared_experts.gate_up_proj": inward * width * hidden, "shared_experts.down_proj": width * hidden}


def _inward(model: Mapping[str, Any]) -> int:
    """Matrices into the inner width of an MLP: two where it is gated."""
    return 2 if model["mlp_kind"] == "gated" else 1
