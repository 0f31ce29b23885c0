"""What is asked for: the model, the tokens, the time, and the layout that is planned for them."""

from __future__ import annotations

from reportgen.memo.content.mixture import active, adapters, experts
from reportgen.memo.content.say import Teller
from reportgen.memo.content.standing import deadline_is_assumed
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Section
from reportgen.result import Result


def demand(result: Result) -> Section:
    """What is to be trained, and on what; how experts are shared out where there are any."""
    teller = Teller(result)
    return Section("Demand", paragraphs=(_work(teller), _layout(teller), *experts(teller)))


def _work(teller: Teller) -> Sentence:
    return sentence(
        "The model has ", teller.say("model_parameters"), active(teller), " in ", teller.count("layer_count", "layer"),
        " of width ", teller.say("hidden_size"), ". It is to be trained on ",
        teller.say("training_tokens"), " in sequences of ", _tokens(teller), ", which is ",
        teller.say("training_flops"), " counted as ", teller.say("flops_convention"), _within(teller),
        teller.span("deadline_days"), ".",
    )  # fmt: skip


def _within(teller: Teller) -> str:
    return ", within an assumed deadline of " if deadline_is_assumed(teller.result) else ", within "


def _each_on(teller: Teller) -> str:
    return " of the model on " if teller.value("data_parallel") == 1 else " of the model, each on "


def _tokens(teller: Teller) -> Sentence:
    return sentence(teller.cell("sequence_length"), " tokens" if teller.value("sequence_length") != 1 else " token")


def _layout(teller: Teller) -> Sentence:
    return sentence(
        "The plan is ", teller.say("gpu_count"), " (", teller.say("accelerator"), ") in ",
        teller.say("node_count"), ": ", teller.count("data_parallel", "copy", "copies"), _each_on(teller),
        teller.say("model_parallel_gpus"), _split(teller), ". A step takes ", _tokens_of_step(teller), " as ",
        teller.count("step_micro_batches", "micro-batch", "micro-batches"), " of ", teller.say("micro_batch_size"),
        " on each copy", ". ", _sharding(teller), "; ",
        teller.say("state_bytes_per_parameter"), " of state", _of_what(teller), " with the optimizer ",
        teller.say("optimizer"), ".",
        adapters(teller),
    )  # fmt: skip


def _of_what(teller: Teller) -> str:
    return "" if teller.value("tuning") == "full" else " for what is trained,"


def _sharding(teller: Teller) -> Sentence:
    stage = teller.say("zero_stage")
    if teller.value("zero_stage") == 0:
        return sentence("State is not sharded (ZeRO stage ", stage, ")")
    if teller.value("replica_shards") == 1:
        return sentence("There is one copy, over which ZeRO stage ", stage, " shards nothing")
    if teller.value("shard_group_size") != "all":
        return sentence("State is sharded at ZeRO stage ", stage, " in groups of ", teller.say("shard_group_size"))
    return sentence("State is sharded at ZeRO stage ", stage)


def _tokens_of_step(teller: Teller) -> Sentence:
    return sentence(teller.say("tokens_per_step * one_step", "token"))


def _split(teller: Teller) -> Sentence:
    """How one copy is split, if it is."""
    ways = [
        sentence(name, " ", teller.cell(quantity))
        for name, quantity in (
            ("tensor", "tensor_parallel"),
            ("pipeline", "pipeline_stages"),
            ("context", "context_parallel"),
        )
        if teller.value(quantity) > 1
    ]
    if not ways:
        return ()
    joined = [piece for way in ways for piece in (", ", *way)][1:]
    return sentence(" (", *joined, ")")
