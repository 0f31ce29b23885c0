"""Risks and what to do about them, and the checks that do not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportgen.formula.explain import label
from reportgen.formula.judge import Outcome
from reportgen.memo.content.findings import found_and_against
from reportgen.memo.content.parts import fullest_stage
from reportgen.memo.content.say import Teller
from reportgen.memo.content.standing import failed_checks, memory_standing
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Column, Row, Section, Table, Words
from reportgen.origin import listing
from reportgen.result import Result

HEADS = (Column("Risk", align="left"), Column("What it does", align="left"), Column("What to do", align="left"))
CHECK_HEADS = (
    Column("What should hold", align="left"),
    Column("What was found", align="left"),
    Column("What to do", align="left"),
)


def risks(result: Result) -> Section:
    """The risks that these values carry; the failed checks where there are any."""
    teller = Teller(result)
    table = Table("Risks", HEADS, tuple(Row(cells) for cells in _risks(teller)))
    failed = failed_checks(result)
    if not failed:
        return Section("Risks and checks", (sentence("All checks of the estimate hold."),), tables=(table,))
    rows = tuple(Row(_check(teller, outcome)) for outcome in failed)
    words = "One check does" if len(failed) == 1 else "Some checks do"
    found = Table("Checks that do not hold", CHECK_HEADS, rows)
    return Section("Risks and checks", (sentence(words, " not hold."),), tables=(found, table))


def _risks(teller: Teller) -> Iterator[tuple[Words, Words, Words]]:
    yield _utilization(teller)
    yield _memory(teller)
    yield _goodput(teller)
    yield from _price(teller)
    yield (
        "Lead time",
        "Delivery and start of the reservation are not estimated.",
        "Ask the provider before the date is set.",
    )


def _utilization(teller: Teller) -> tuple[Words, Words, Words]:
    lower = sentence(
        "At ", teller.share("sensitivity_utilization"), " in place of ", teller.share("flops_utilization"),
        " the run takes ", teller.span("sensitivity_training_days"), " and costs ",
        teller.say("sensitivity_cost_usd"), ".",
    )  # fmt: skip
    return ("MFU is not reached", lower, "Measure it on a few nodes before committing to all.")


def _memory(teller: Teller) -> tuple[Words, Words, Words]:
    if memory_standing(teller.result) == "over":
        effect = sentence("The run stops at its first step on ", fullest_stage(teller), ".")
        return ("Memory runs out", effect, "Change the layout first.")
    effect = sentence(
        "Closed forms come out below measured peaks; ", teller.say("memory_headroom_bytes"), " is left on ",
        fullest_stage(teller), ".",
    )  # fmt: skip
    return ("Memory beyond the estimate", effect, "Run one step at full size and read the peak.")


def _goodput(teller: Teller) -> tuple[Words, Words, Words]:
    if teller.value("goodput_fraction") == 1:
        effect: Words = "No time is counted for failures, restarts and stalls, so the run takes longer than stated."
        return ("Failures", effect, "Give goodput a value below one, from runs of this size.")
    effect = sentence(
        "A goodput of ", teller.share("goodput_fraction"), " is counted on; every further loss lengthens the run."
    )
    return ("Failures", effect, "Keep spare nodes and restart automatically.")


def _price(teller: Teller) -> Iterator[tuple[Words, Words, Words]]:
    row = listing(teller.result)
    if row is None:
        return
    effect = sentence("The list price is of ", row.confidence, " confidence and may not be on offer.")
    yield ("Price", effect, "Get a dated quote.")


def _check(teller: Teller, outcome: Outcome) -> tuple[Words, ...]:
    return (outcome.check.description, found_and_against(teller, outcome), _remedy(teller, outcome.check.remedy))


def _remedy(teller: Teller, words: str) -> Sentence:
    """The remedy with the names in it said as labels, and those of results with their values."""
    pieces = re.split(r"\b([a-z]+(?:_[a-z]+)+)\b", words)
    return sentence(*(_spoken(teller, piece) if index % 2 else piece for index, piece in enumerate(pieces)))


def _spoken(teller: Teller, name: str) -> Words:
    if name == "deadline_gpus":
        return teller.cell(name)
    return teller.say(name) if name == "goal_interval_seconds" else label(name)
