"""Checkpoints: what is written, how long each hop takes, and what that costs the run."""

from __future__ import annotations

from reportgen.memo.content.say import Teller
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Column, Row, Section, Table
from reportgen.result import Result

HOPS = (
    ("Device to host memory, each GPU", "rank_checkpoint_bytes", "host_link_bandwidth", "host_copy_seconds"),
    ("Host memory to local disks, each node", "node_checkpoint_bytes", "node_disk_bandwidth", "disk_write_seconds"),
    ("Nodes to the shared store, all together", "checkpoint_bytes", "store_ingest_bandwidth", "store_write_seconds"),
)


def checkpoints(result: Result) -> Section:
    """Sizes, hops, stalls and the goal."""
    teller = Teller(result)
    return Section("Checkpoints", paragraphs=(_size(teller), _stalls(teller)), tables=(_hops(teller),))


def _size(teller: Teller) -> Sentence:
    return sentence(
        "A checkpoint holds ", teller.say("checkpoint_bytes"), ", ", teller.say("checkpoint_bytes_per_parameter"),
        _gradients(teller), ", written every ", teller.say("checkpoint_interval_seconds"), " by ",
        teller.say("checkpoint_writers"),
        "; ", teller.count("retained_checkpoints", "kept checkpoint"), _fill(teller),
        teller.say("retained_checkpoint_bytes"),
        ". An asynchronous one needs ", teller.say("node_checkpoint_bytes * one_node", "byte"),
        " of host memory in each node.",
    )  # fmt: skip


def _fill(teller: Teller) -> str:
    return " fills " if teller.value("retained_checkpoints") == 1 else " fill "


def _gradients(teller: Teller) -> str:
    return " with gradients" if teller.value("checkpoint_gradients") == "yes" else " without gradients"


def _stalls(teller: Teller) -> Sentence:
    return sentence(_synchronous(teller), " ", _asynchronous(teller))


def _synchronous(teller: Teller) -> Sentence:
    overhead, goal = teller.share("synchronous_overhead_fraction"), teller.share("checkpoint_goal_fraction")
    stall = sentence(
        "Written synchronously it stalls training for ", teller.say("synchronous_stall_seconds"), ", ", overhead
    )
    if teller.value("synchronous_overhead_fraction") <= teller.value("checkpoint_goal_fraction"):
        return sentence(stall, " of the wall time, within the goal of ", goal, ".")
    return sentence(
        stall, " of the wall time, over the goal of ", goal, ", which it would meet at one every ",
        teller.say("goal_interval_seconds"), ".",
    )  # fmt: skip


def _asynchronous(teller: Teller) -> Sentence:
    drain, interval = teller.say("checkpoint_drain_seconds"), teller.say("checkpoint_interval_seconds")
    if teller.value("checkpoint_drain_seconds") > teller.value("checkpoint_interval_seconds"):
        return sentence(
            "Written asynchronously it would back up: it drains in ", drain, ", longer than the ", interval,
            " to the next one, so this way is not open.",
        )  # fmt: skip
    return sentence(
        "Written asynchronously it stalls training only for the copy to the host, ",
        teller.say("asynchronous_stall_seconds"), " or ", teller.share("asynchronous_overhead_fraction"),
        ", and drains in ", drain, ", before the next one starts.",
    )  # fmt: skip


def _hops(teller: Teller) -> Table:
    heads = (Column("Hop", align="left"), Column("Bytes"), Column("Bandwidth"), Column("Time"))
    rows = tuple(
        Row((words, teller.say(size), teller.say(bandwidth), teller.say(time))) for words, size, bandwidth, time in HOPS
    )
    return Table("One checkpoint by hop", heads, rows)
