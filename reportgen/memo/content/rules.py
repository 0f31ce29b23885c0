"""The rules of thumb beside the itemised figures, and why they differ."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.memo.content.say import Teller
from reportgen.memo.content.words import Sentence, listed, sentence
from reportgen.memo.document import Column, Row, Table, Words

STATE = "State of all GPUs together"
PROFILES = ("fused", "eager")
RULES = (
    (STATE, "classic_state_bytes", "state_bytes_per_parameter * model_parameters"),
    ("Activations of all layers", "classic_activation_bytes", "itemised_activation_bytes"),
    ("Logits of one micro-batch", "rule_logit_bytes", "logit_value_bytes * micro_batch_tokens * vocabulary_size"),
)


def rules_of_thumb(teller: Teller) -> Table:
    """Each rule of thumb beside its itemised figure."""
    columns = (
        Column("Whole model, nothing split", align="left"),
        Column("By the rule"),
        Column("Itemised"),
        Column("Itemised to rule"),
    )
    rows = tuple(
        Row((words, teller.say(rule), teller.say(itemised, "byte"), teller.share(f"({itemised}) / ({rule})")))
        for words, rule, itemised in RULES
        if words != STATE or teller.value("tuning") == "full"  # the rule knows no frozen weights
    )
    return Table("Rules of thumb as a cross-check", columns, rows, note=_note(teller))


def why_rules_differ(teller: Teller) -> Sentence:
    """The rule of 34 bytes against the itemised figure, with what makes the difference."""
    return sentence(
        "The classic rule of ", teller.cell("classic_activation_factor"), "·s·b·h bytes gives ",
        teller.say("classic_layer_bytes"), " for a layer; tensor by tensor the first layer keeps ",
        teller.say("layer_whole_bytes[0]"), ", ", teller.cell(first_kind(teller, "kind_hidden_multiple")),
        "·s·b·h. The rule stands for a layer with dropout, a plain MLP and as many KV heads as query heads; here ",
        listed(list(_differences(teller))), ".", _by_profile(teller),
    )  # fmt: skip


def _by_profile(teller: Teller) -> Sentence:
    """What the kernels of each profile make of the multiple, where the layer is one that profiles tell of."""
    names = teller.value("profile_name")
    if not set(PROFILES) <= set(names):
        return ()
    fused, eager = (f"profile_hidden_multiple[{names.index(name)}]" for name in PROFILES)
    chosen = teller.value("kernel_profile")
    own = sentence(
        "; the chosen profile keeps ", teller.cell(f"profile_hidden_multiple[{names.index(chosen)}]"), "·s·b·h"
    )
    return sentence(
        " A dense layer of this width keeps ", teller.cell(fused), "·s·b·h with fused kernels and ",
        teller.cell(eager), "·s·b·h with eager ones, which also keep an fp32 copy of what each norm reads and the "
        "activated gate", own if chosen not in PROFILES else "", ".",
    )  # fmt: skip


def first_kind(teller: Teller, quantity: str) -> str:
    """A quantity of the kind that the first layer is of."""
    kind = teller.value("kind_name").index(teller.value("layer_kind[0]"))
    return f"{quantity}[{kind}]"


def _differences(teller: Teller) -> Iterator[Words]:
    if not teller.value("dropout_value_bytes"):
        yield "no dropout masks are kept"
    yield MLPS[teller.value(first_kind(teller, "kind_mlp"))](teller)
    attention = teller.value(first_kind(teller, "kind_attention"))
    if attention in MIXERS:
        yield MIXERS[attention]
    elif teller.value("kv_head_count") < teller.value("head_count"):
        yield sentence(teller.count("head_count", "query head"), " share ", teller.count("kv_head_count", "KV head"))
    if teller.value("flash_attention") == "off":
        yield "the attention scores are stored too"


def _dense(teller: Teller) -> Sentence:
    gate = (
        "gated, with three wide tensors kept where the rule has two" if teller.value("mlp_kind") == "gated" else "plain"
    )
    width = teller.cell(f"{first_kind(teller, 'kind_ffn_size')} / hidden_size")
    return sentence("the MLP is ", gate, ", and ", width, " times as wide as the model")


def _experts(teller: Teller) -> Sentence:
    return sentence("each token goes to ", teller.say("experts_per_token"), " of ", teller.say("expert_count"), " MLPs")


def _no_mlp(_: Teller) -> Sentence:
    return sentence("there is no MLP")


MLPS = {"dense": _dense, "experts": _experts, "none": _no_mlp}
MIXERS = {
    "latent": "attention is latent",
    "other": "the mixer is no attention",
    "none": "there is no attention",
}


def _note(teller: Teller) -> Sentence:
    return sentence(
        _state(teller), "Logits: the rule counts the fp32 copy alone, the itemised figure every copy that the loss "
        "holds.",
    )  # fmt: skip


def _state(teller: Teller) -> Sentence:
    if teller.value("tuning") != "full":
        return ()
    rule, itemised = teller.say("classic_state_bytes_per_parameter"), teller.say("state_bytes_per_parameter")
    return sentence("State: ", rule, " by the rule, ", itemised, " here. ")
