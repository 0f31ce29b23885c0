"""The rules of thumb beside the itemised figures, and why they differ."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.memo.content.say import Teller
from reportgen.memo.content.words import Sentence, listed, sentence
from reportgen.memo.document import Column, Row, Table, Words

RULES = (
    ("State of all GPUs together", "classic_state_bytes", "state_bytes_per_parameter * model_parameters"),
    ("Activations of all layers", "classic_activation_bytes", "itemised_activation_bytes"),
    ("Logits of one micro-batch", "rule_logit_bytes", "logit_copy_bytes * micro_batch_tokens * vocabulary_size"),
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
    )
    return Table("Rules of thumb as a cross-check", columns, rows, note=_note(teller))


def why_rules_differ(teller: Teller) -> Sentence:
    """The rule of 34 bytes against the itemised figure, with what makes the difference."""
    return sentence(
        "The classic rule of ", teller.cell("classic_activation_factor"), "·s·b·h bytes gives ",
        teller.say("classic_layer_bytes"), " for a layer; tensor by tensor the first layer keeps ",
        teller.say("layer_whole_bytes[0]"), ", ", teller.cell(first_kind(teller, "kind_hidden_multiple")),
        "·s·b·h. The rule stands for a layer with dropout, a plain MLP and as many KV heads as query heads; here ",
        listed(list(_differences(teller))), ".",
    )  # fmt: skip


def first_kind(teller: Teller, quantity: str) -> str:
    """A quantity of the kind that the first layer is of."""
    kind = teller.value("kind_name").index(teller.value("layer_kind[0]"))
    return f"{quantity}[{kind}]"


def _differences(teller: Teller) -> Iterator[Words]:
    yield "no dropout masks are kept"
    width = "ffn_size / hidden_size"
    gate = (
        "gated, with three wide tensors kept where the rule has two" if teller.value("mlp_kind") == "gated" else "plain"
    )
    yield sentence("the MLP is ", gate, ", and ", teller.cell(width), " times as wide as the model")
    if teller.value("kv_head_count") < teller.value("head_count"):
        yield sentence(teller.count("head_count", "query head"), " share ", teller.count("kv_head_count", "KV head"))
    if teller.value("flash_attention") == "off":
        yield "the attention scores are stored too"


def _note(teller: Teller) -> Sentence:
    rule = teller.say("classic_state_bytes_per_parameter")
    itemised = teller.say("state_bytes_per_parameter")
    return sentence(
        "State: ", rule, " by the rule, ", itemised, " here. Logits: the rule counts the fp32 copy alone, the itemised "
        "figure the bf16 logits and the gradient as well.",
    )  # fmt: skip
