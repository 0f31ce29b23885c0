"""Why, in a few bullets: what does not hold, what fills memory, what the time hangs on, how far it may all spread."""

from __future__ import annotations

from reportgen.memo.content.cost import cost_name
from reportgen.memo.content.findings import finding
from reportgen.memo.content.parts import fullest_stage, largest_part
from reportgen.memo.content.say import Teller
from reportgen.memo.content.spread import over_what, spread
from reportgen.memo.content.standing import failed_checks, the_deadline
from reportgen.memo.content.words import Sentence, listed, sentence
from reportgen.memo.document import Words


def reasons(teller: Teller) -> tuple[Words, ...]:
    """What does not hold, then why: what fills the memory, what the time hangs on, how far it may all spread."""
    return (
        *(finding(teller, outcome) for outcome in failed_checks(teller.result)),
        _memory_reason(teller),
        *_time_reason(teller),
        *_goodput_reason(teller),
        _deadline_reason(teller),
        *_spread_reason(teller),
    )


def _memory_reason(teller: Teller) -> Sentence:
    part, formula = largest_part(teller)
    return sentence(
        part, " take the most memory on ", fullest_stage(teller), ": ", teller.say(formula), " of ",
        teller.say("peak_memory_bytes"), "; the card has ", teller.say("accelerator_memory_bytes"), " usable.",
    )  # fmt: skip


def _time_reason(teller: Teller) -> tuple[Sentence, ...]:
    """What another utilisation would do, unless the second is the same."""
    if teller.value("sensitivity_utilization") == teller.value("flops_utilization"):
        return ()
    in_time = teller.value("sensitivity_training_days") <= teller.value("deadline_days")
    other = teller.share("sensitivity_utilization")
    end = f", within {the_deadline(teller.result)}." if in_time else f", past {the_deadline(teller.result)}."
    return (
        sentence(
            "The time stands on an MFU of ", teller.share("flops_utilization"), " (", teller.say("flops_convention"),
            "); at ", other, " it is ", teller.span("sensitivity_training_days"), end,
        ),
    )  # fmt: skip


def _goodput_reason(teller: Teller) -> tuple[Sentence, ...]:
    if teller.value("goodput_fraction") != 1:
        return ()
    return (
        sentence(
            "Goodput is ", teller.share("goodput_fraction"), ": no time is counted for failures and restarts."
        ),
    )  # fmt: skip


def _deadline_reason(teller: Teller) -> Sentence:
    due = the_deadline(teller.result).replace("the", "The", 1)
    return sentence(due, " needs ", teller.say("deadline_gpus"), "; ", *_planned(teller))


def _planned(teller: Teller) -> Sentence:
    return sentence(teller.say("gpu_count"), _is_are(teller), "planned.")


def _is_are(teller: Teller) -> str:
    return " is " if teller.value("gpu_count") == 1 else " are "


def _spread_reason(teller: Teller) -> tuple[Sentence, ...]:
    """From where to where the headline figures run; nothing where no range reaches them."""
    told = (
        _from_to(teller, "peak_memory_bytes", "the peak"),
        _from_to(teller, "training_days", "the time"),
        _from_to(teller, "total_cost_usd", f"the {cost_name(teller.result)}"),
        _from_to(teller, "synchronous_overhead_fraction", "the synchronous checkpoint overhead"),
    )
    found = [words for words in told if words]
    return (sentence(over_what(teller.result), ", ", listed(found), "."),) if found else ()


def _from_to(teller: Teller, quantity: str, subject: str) -> Sentence:
    ends = spread(teller.result, quantity)
    if ends is None:
        return ()
    least, most = (end.headline(quantity) for end in ends)
    return sentence(subject, " runs from ", least, " to ", most)
