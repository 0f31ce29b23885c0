"""A check that does not hold, in words: what should hold, and both sides of the comparison by name and number."""

from __future__ import annotations

from reportgen.formula.explain import label
from reportgen.formula.expression import Expression, Name, Number
from reportgen.formula.judge import Outcome
from reportgen.formula.meaning import meaning
from reportgen.formula.show import digits
from reportgen.memo.content.say import Teller
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Printed, Words
from reportgen.model import estimator

# What the number behind it says once more.
UNITS_IN_NAMES = (" bytes", " days", " seconds", " fraction")
NONE = "–"


def finding(teller: Teller, outcome: Outcome) -> Sentence:
    """One sentence: "Does not hold: the training is done by the deadline (training 26.9 days, ...)."."""
    held = outcome.check.description.rstrip(".")
    sides = _sides(teller, outcome, against=" against ")
    what = sentence("Does not hold: ", held[0].lower() + held[1:])
    return sentence(what, " (", sides, ").") if sides else sentence(what, ".")


def found_and_against(teller: Teller, outcome: Outcome) -> Words:
    """Both sides of the comparison, each with its name."""
    return _sides(teller, outcome, against="; ") or NONE


def _sides(teller: Teller, outcome: Outcome, against: str) -> Sentence:
    """Both sides of the comparison; nothing where one of them is no quantity of its own."""
    left, right = outcome.check.comparison.left, outcome.check.comparison.right
    if isinstance(left, Name) and isinstance(right, Number):  # what the check expects of it, it says itself
        return sentence(teller.headline(left.name), ": ", meaning(estimator(), left))
    if not all(isinstance(side, Name | Number) for side in (left, right)):
        return ()
    return sentence(_side(teller, left), against, _side(teller, right))


def _side(teller: Teller, side: Expression) -> Words:
    if isinstance(side, Name):
        return sentence(named(side.name), " ", teller.headline(side.name))
    text = digits(side.value) if isinstance(side, Number) else NONE
    return Printed(text, text)


def named(name: str) -> str:
    """A quantity's label without the unit that its number brings: "memory headroom"."""
    words = label(name)
    return next((words.removesuffix(unit) for unit in UNITS_IN_NAMES if words.endswith(unit)), words)
