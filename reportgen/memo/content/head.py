"""What the head of the memo says of an estimate that is not the scenario as it stands: the case, and the changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reportgen.formula.explain import label
from reportgen.formula.show import show
from reportgen.memo.content.say import spoken
from reportgen.memo.document import Detail
from reportgen.model import estimator
from reportgen.result import Result

CHANGES_TOLD = 6
CASE_IN_WORDS = {
    "low": "low: every uncertain input stands at its low, not at its base",
    "high": "high: every uncertain input stands at its high, not at its base",
}


def standing_details(result: Result) -> Iterator[Detail]:
    """A line for the case where it is not the base, and one for what differs from the scenario."""
    scenario = result.scenario
    if scenario.case in CASE_IN_WORDS:
        yield Detail("Case", CASE_IN_WORDS[scenario.case])
    if scenario.changes:
        yield Detail("Changed", changed_words(result))


def changed_words(result: Result) -> str:
    """The first few changes, "GPU count 1,024 GPUs (the scenario has 512 GPUs)", and how many more there are."""
    changes = result.scenario.changes
    told = [_change(result, name) for name in list(changes)[:CHANGES_TOLD]]
    more = len(changes) - len(told)
    return "; ".join(told) + (f"; and {more} more" if more else "")


def _change(result: Result, name: str) -> str:
    before, now = result.scenario.changes[name], result.scenario.inputs[name]
    if isinstance(before, tuple):
        return f"rows of {label(name)}"
    return f"{label(name)} {value_in_words(name, now)} (the scenario has {value_in_words(name, before)})"


def value_in_words(name: str, value: Any) -> str:
    """A value of an input as the memo prints it; a word in marks."""
    if isinstance(value, str):
        return f"“{value}”"
    return spoken(show(value, estimator().inputs[name].unit, name))
