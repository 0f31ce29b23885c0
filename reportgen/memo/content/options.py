"""The options: nothing, the minimum, the plan, what the deadline needs, and what makes it fit."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.memo.axis import DECIMAL_BYTES, TIME, US_DOLLARS
from reportgen.memo.content.changes import changes_in_words
from reportgen.memo.content.cost import cost_name
from reportgen.memo.content.say import Teller, column
from reportgen.memo.content.standing import deadline_standing, memory_standing, the_deadline
from reportgen.memo.content.variants import deadline_layout, smallest_layout, smallest_remedy
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Column, Printed, Row, Section, Table, Words
from reportgen.result import Result

Option = tuple[Words, Teller]
NONE = "–"


def options(result: Result) -> Section:
    """A table of the options, and what it costs to do nothing."""
    found = _options(result)
    return Section("Options", paragraphs=(_words(result),), tables=(_table(found),))


def _options(result: Result) -> tuple[Option, ...]:
    """Each layout once, the plan first among those that are the same."""
    named: list[tuple[str, Words, Teller | None]] = [("plan", "As planned", Teller(result))]
    remedy = smallest_remedy(result)
    if remedy is not None:
        words: Words = sentence("As planned with ", changes_in_words(remedy[0].changes, remedy[1]))
        named.append(("remedy", words, remedy[1]))
    named.append(("minimum", "Minimum: the fewest GPUs of this layout that hold it", smallest_layout(result)))
    named.append(("deadline", "Fewest GPUs that meet the deadline", deadline_layout(result)))
    seen: list[int] = []
    kept: list[Option] = []
    for kind, words, teller in named:
        if teller and (kind == "remedy" or teller.value("gpu_count") not in seen):
            seen.append(teller.value("gpu_count"))
            kept.append((words, teller))
    return tuple(kept)


def _table(found: Sequence[Option]) -> Table:
    days_unit, days = column([(teller, "training_days * seconds_per_day") for _, teller in found], TIME)
    cost_unit, costs = column([(teller, "total_cost_usd") for _, teller in found], US_DOLLARS)
    bytes_unit, left = column([(teller, "memory_headroom_bytes") for _, teller in found], DECIMAL_BYTES)
    columns = (
        Column("Option", align="left"),
        Column("GPUs"),
        Column("Time", days_unit),
        Column(cost_name(found[0][1].result).capitalize(), cost_unit),
        Column("Left per GPU", bytes_unit),
        Column("Fits", align="left"),
        Column("In time", align="left"),
    )
    nothing = Row(("Do nothing", NONE, NONE, NONE, NONE, NONE, "no"))
    rows = [_row(option, (days[index], costs[index], left[index])) for index, option in enumerate(found)]
    return Table("Options compared", columns, (nothing, *rows), note=NOTE)


NOTE = "Each row is the whole estimate again with that layout. Doing nothing spends nothing and trains nothing."


def _row(option: Option, figures: tuple[Printed, ...]) -> Row:
    words, teller = option
    fit = {"fits": "yes", "barely": "barely", "over": "no"}[memory_standing(teller.result)]
    in_time = "yes" if deadline_standing(teller.result) == "met" else "no"
    return Row((words, teller.cell("gpu_count"), *figures, fit, in_time), total=words == "As planned")


def _words(result: Result) -> Sentence:
    """What is to be said of the minimum and of the deadline, where they are not rows of their own."""
    teller = Teller(result)
    return sentence(
        "At one MFU, time times GPUs is the same in every row, so fewer GPUs take longer and save nothing. ",
        _about_minimum(teller), " ", _about_deadline(teller),
    )  # fmt: skip


def _about_minimum(teller: Teller) -> Sentence:
    minimum = smallest_layout(teller.result)
    if minimum is None:
        return sentence("No count of GPUs makes this layout hold the model with the unmodelled headroom left free.")
    if minimum.value("gpu_count") == teller.value("gpu_count"):
        return sentence("The plan is also the smallest of this layout that holds the model.")
    return sentence("This layout holds the model from ", minimum.say("gpu_count"), " upwards.")


def _about_deadline(teller: Teller) -> Sentence:
    enough = deadline_layout(teller.result)
    due = the_deadline(teller.result).replace("the", "The", 1)
    needed = sentence(due, " needs ", teller.say("deadline_gpus"))
    if enough is None:
        return sentence(needed, ", more copies of the model than the global batch can be shared over.")
    if enough.value("gpu_count") == teller.value("deadline_gpus"):
        return sentence(needed, ".")
    return sentence(needed, "; the next count that shares the global batch evenly is ", enough.say("gpu_count"), ".")
