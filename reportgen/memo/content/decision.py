"""The sentence that decides, what is asked, and why: chosen by rules from the values."""

from __future__ import annotations

from reportgen.memo.content.changes import changes_in_words
from reportgen.memo.content.cost import cost_name
from reportgen.memo.content.parts import fullest_stage
from reportgen.memo.content.reasons import reasons
from reportgen.memo.content.say import Teller
from reportgen.memo.content.standing import (
    deadline_standing,
    failed_checks,
    further_failures,
    memory_standing,
    the_deadline,
)
from reportgen.memo.content.variants import deadline_layout, smallest_remedy
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Decision, Tone, Words
from reportgen.remedies import Remedy
from reportgen.result import Result

# What a run that does not fit would do, what one that fits does.
TENSES = (
    ("If it fitted, it would take ", " and end ", " and miss "),
    ("It takes ", " and ends ", " and misses "),
)
Found = tuple[Remedy, Teller] | None


def decision(result: Result) -> Decision:
    """The decision block of a result."""
    teller, remedy = Teller(result), smallest_remedy(result)
    return Decision(
        verdict=sentence(memory_verdict(teller, remedy), " ", time_verdict(teller)),
        ask=ask(teller, remedy),
        reasons=reasons(teller),
        tone=tone(result),
    )


def tone(result: Result) -> Tone:
    """Adverse where it does not fit, or is late with no way to be in time; conditional where any check fails."""
    memory, deadline = memory_standing(result), deadline_standing(result)
    if memory == "over" or (deadline == "missed" and deadline_layout(result) is None):
        return "adverse"
    clear = memory == "fits" and deadline == "met" and not failed_checks(result)
    return "favourable" if clear else "conditional"


def memory_verdict(teller: Teller, remedy: Found) -> Sentence:
    """Whether it fits and by how much; where it does not, the smallest change that does."""
    standing = memory_standing(teller.result)
    if standing == "over":
        over = teller.say("peak_memory_bytes - accelerator_memory_bytes", "byte/GPU")
        return sentence("The run does not fit: ", over, " over on ", fullest_stage(teller), _way_out(remedy))
    if standing == "fits":
        return sentence("The run fits with ", *_free(teller), ".")
    left = _left_over(teller)
    reserve = teller.say("memory_reserve_bytes")
    return sentence(
        "The run fits barely, with ", left, " left on ", fullest_stage(teller), " where ", reserve,
        " should stay free for what is not modelled", _way_out(remedy),
    )  # fmt: skip


def time_verdict(teller: Teller) -> Sentence:
    """How long it takes, against the deadline."""
    begin, ends, misses = TENSES[memory_standing(teller.result) != "over"]
    days, deadline = teller.span("training_days"), teller.span("deadline_days")
    due = the_deadline(teller.result)
    margin = teller.value("deadline_days - training_days")
    if margin == 0:
        return sentence(begin, days, f", exactly as long as {due} allows.")
    if margin > 0:
        early = teller.span("deadline_days - training_days")
        if early.text == deadline.text:
            return sentence(begin, days, ends, f"long before {due} of ", deadline, ".")
        return sentence(begin, days, ends, early, f" before {due} of ", deadline, ".")
    late = teller.span("training_days - deadline_days")
    if late.text == days.text:
        return sentence(begin, days, misses, f"{due} of ", deadline, " by far.")
    return sentence(begin, days, misses, f"{due} of ", deadline, " by ", late, ".")


def ask(teller: Teller, remedy: Found) -> Sentence:
    """What the reader is asked to do."""
    standing = memory_standing(teller.result)
    if standing == "over":
        return _ask_instead(teller, remedy)
    if deadline_standing(teller.result) == "missed":
        return _ask_about_time(teller)
    settled = ", once what does not hold (below) is settled" if further_failures(teller.result) else ""
    approve = sentence("Approve ", resources(teller), settled)
    if standing == "fits":
        return sentence(approve, ".")
    condition = sentence(" on condition that a trial step on ", fullest_stage(teller), " confirms the peak")
    if remedy is None:
        return sentence(approve, condition, ".")
    return sentence(approve, condition, ", or with ", changes_in_words(remedy[0].changes, remedy[1]), ".")


def resources(teller: Teller) -> Sentence:
    """What is to be paid for: "512 GPUs (NVIDIA H100 SXM) for 26.9 days at a list cost of 1.32 million USD"."""
    return sentence(
        teller.say("gpu_count"), " (", teller.say("accelerator"), ") for ", teller.span("training_days"), ", ",
        teller.say("gpu_hours"), f", at a {cost_name(teller.result)} of ", teller.say("total_cost_usd"),
    )  # fmt: skip


def _free(teller: Teller) -> Sentence:
    """What is left where all fits, and how much of it is beyond the unmodelled headroom."""
    if not teller.value("memory_headroom_bytes"):
        return sentence("nothing to spare on ", fullest_stage(teller))
    free = sentence(teller.say("memory_headroom_bytes"), " free on ", fullest_stage(teller))
    if not teller.value("memory_reserve_bytes"):
        return free
    return sentence(
        free, ", ", teller.say("spare_memory_bytes"), " beyond the ", teller.say("memory_reserve_bytes"),
        " kept for what is not modelled",
    )  # fmt: skip


def _left_over(teller: Teller) -> Words:
    return teller.say("memory_headroom_bytes") if teller.value("memory_headroom_bytes") else "nothing"


def _way_out(remedy: Found) -> Sentence:
    if remedy is None:
        return sentence("; no change of layout that was tried makes it fit.")
    return sentence("; the smallest change that fits is ", changes_in_words(remedy[0].changes, remedy[1]), ".")


def _ask_instead(teller: Teller, remedy: Found) -> Sentence:
    if remedy is None:
        return sentence(
            "Do not approve ", teller.say("gpu_count"), " (", teller.say("accelerator"),
            ") for this run; ask for a plan with more memory per GPU or a smaller model.",
        )  # fmt: skip
    change, changed = remedy
    spare = sentence(changed.say("memory_headroom_bytes"), " to spare")
    return sentence(
        "Do not approve the layout as planned. With ", changes_in_words(change.changes, changed),
        " it fits with ", spare, "; approve that: ", resources(changed), _late_still(changed), ".",
    )  # fmt: skip


def _late_still(changed: Teller) -> Words:
    if deadline_standing(changed.result) == "met":
        return ""
    return sentence(", which still misses the deadline by ", changed.span("training_days - deadline_days"))


def _ask_about_time(teller: Teller) -> Sentence:
    enough = deadline_layout(teller.result)
    if enough is None:
        return sentence(
            "Move the deadline to ", teller.span("training_days"),
            ", or raise the global batch: no count of GPUs that shares it evenly meets the deadline.",
        )  # fmt: skip
    due, cost = the_deadline(teller.result), cost_name(teller.result)
    return sentence(
        "Choose: ", enough.say("gpu_count"), f" meet {due} at a {cost} of ", enough.say("total_cost_usd"),
        "; the ", teller.say("gpu_count"), " planned need ", teller.span("training_days"), " at ",
        teller.say("total_cost_usd"), ".",
    )  # fmt: skip
