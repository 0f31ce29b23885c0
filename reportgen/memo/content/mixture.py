"""Experts, adapters, offload and what is not modelled: told where a model or a run has them, else left out."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.memo.content.say import Teller
from reportgen.memo.content.words import Sentence, sentence

TARGETS = {"attention": "the matrices of attention", "all linear": "all matrices of attention and dense MLPs"}
FROZEN = {"lora": "frozen weights", "qlora": "frozen weights in a 4-bit form"}
PLACES = {"host memory": "host memory", "nvme": "NVMe"}


def active(teller: Teller) -> Sentence:
    """How many of the parameters work on a token, where not all do."""
    if teller.value("active_parameters") == teller.value("model_parameters"):
        return ()
    return sentence(", of which ", teller.say("active_parameters"), " work on each token,")


def experts(teller: Teller) -> Iterator[Sentence]:
    """How tokens go to experts, over how many GPUs these are shared out, and what they keep."""
    if not teller.value("expert_layers"):
        return
    kind = teller.value("kind_expert_layers").index(next(filter(None, teller.value("kind_expert_layers"))))
    yield sentence(
        "In ", teller.count("expert_layers", "layer"), " each token goes to ", teller.say("experts_per_token"), " of ",
        teller.count("expert_count", "routed expert"), ". ", _shared_out(teller), " For one micro-batch such a layer "
        "keeps ", teller.say(f"kind_routed_bytes[{kind}] * gpu_tokens", "byte/GPU"), " of routed tokens on one GPU",
        _load(teller), ".",
    )  # fmt: skip


def _shared_out(teller: Teller) -> Sentence:
    if teller.value("expert_parallel") == 1:
        where = sentence("Every tensor-parallel group holds all of them")
    else:
        where = sentence(
            "They are shared out over ", teller.count("expert_parallel", "expert-parallel rank"), ", ",
            teller.say("expert_count / expert_parallel", "1"), " on each",
        )  # fmt: skip
    if teller.value("zero_stage") == 0:
        return sentence(where, ".")
    groups = teller.count("expert_zero_shards", "way", "ways")
    return sentence(where, ", and ZeRO splits what belongs to them ", groups, ".")


def _load(teller: Teller) -> Sentence:
    if teller.value("expert_load_factor") == 1:
        return sentence(", if routing is balanced")
    return sentence(", the busiest one taking ", teller.cell("expert_load_factor"), " times the mean")


def adapters(teller: Teller) -> Sentence:
    """What is trained where it is not all weights."""
    tuning = teller.value("tuning")
    if tuning == "full":
        return ()
    return sentence(
        " Trained are ", teller.say("trained_parameters"), ": adapters of rank ", teller.say("adapter_rank"), " on ",
        TARGETS[teller.value("adapter_targets")], " beside ", FROZEN[tuning], ".",
    )  # fmt: skip


def offload(teller: Teller) -> Iterator[Sentence]:
    """What lies off the GPUs, where anything does."""
    place = teller.value("optimizer_offload")
    if place == "none":
        return
    yield sentence(
        "The optimizer's state lies in ", PLACES[place], ", not on the GPUs: ", teller.say("node_offloaded_bytes"),
        " of ", teller.say("offload_capacity_bytes"), " there.",
    )  # fmt: skip


def unmodelled(teller: Teller) -> Iterator[Sentence]:
    """That a mixer's activations are known in part only, where a layer has such a mixer."""
    if teller.value("unmodelled_layers"):
        yield sentence(
            "Not modelled: what the scans of state-space or linear mixers keep in ",
            teller.count("unmodelled_layers", "layer"), "; of these mixers the projections alone are counted.",
        )  # fmt: skip
