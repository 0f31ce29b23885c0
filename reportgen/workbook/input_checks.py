"""What an input may be, as a formula that reads only the input, and as the words that say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reportgen.formula.model import Model
from reportgen.formula.quantity import Input
from reportgen.workbook.positions import MAXIMUM, MINIMUM, REMEDY, WORD, Positions
from reportgen.workbook.references import Style, block_address, cell_address

NAME_LENGTH = 80
WILDCARDS = "*?~"
WILDCARD_WORDS = "asterisk, question mark or tilde"  # the characters themselves would be wildcards of MATCH
LACKING = {
    "accelerator": "Rows marked missing on the sheet Catalogue need both accelerator overrides: memory and peak flops.",
    "price_listing": "Rows marked missing on the sheet Catalogue need price override.",
}


@dataclass(frozen=True)
class Limits:
    """The cells that hold an input's bounds, its word, and what to do where it is wrong."""

    minimum: str
    maximum: str
    word: str
    remedy: str


def limits_of(name: str, positions: Positions, *, with_sheet: bool) -> Limits:
    """The cells of an input's row on the sheet of inputs, as other formulas write them."""
    place = positions.inputs[name]
    write = cell_address if with_sheet else lambda cell: cell.absolute
    return Limits(*(write(place.moved(column)) for column in (MINIMUM, MAXIMUM, WORD, REMEDY)))


def condition(model: Model, style: Style, declared: Input, cell: str, limits: Limits) -> str:
    """A formula that is true where a cell holds what the input may be.

    Text comparison is by `=`, which knows no wildcards; a blank cell is refused.
    """
    test = CONDITIONS[declared.kind](model, style, declared, cell, limits)
    return f"OR({cell}={limits.word},{test})" if declared.word else test


def remedy(declared: Input) -> str:
    """What to enter, in words."""
    return REMEDIES[declared.kind](declared)


def prompt_of(declared: Input) -> str:
    """What to enter, and what some choices need beside."""
    return " ".join(filter(None, (remedy(declared), LACKING.get(declared.name, ""))))


def list_of(model: Model, positions: Positions, declared: Input) -> str:
    """The cells that a drop-down offers, absolute, with their sheet; only as many as exist."""
    if not declared.choices_from:
        return block_address(positions.lists[declared.choices])
    axis = model.axis_of(declared.choices_from)
    if axis is None or not axis.count:
        return block_address(positions.columns[declared.choices_from])
    block = positions.lists[(declared.choices_from,)]
    letter, skip = block.absolute[1 : block.absolute.index("$", 1)], 0 if declared.word else 1
    whole = block_address(block)
    sheet = whole.split("!")[0]
    count = cell_address(positions.scalars[axis.count])
    return f"{sheet}!${letter}${block.first + skip}:INDEX({whole},{count}+1)"


def _number(_model: Model, _style: Style, declared: Input, cell: str, limits: Limits) -> str:
    whole = f",N({cell})=INT(ROUND(N({cell}),9))" if declared.kind == "whole" else ""
    return f"AND(ISNUMBER({cell}),{cell}>={limits.minimum},{cell}<={limits.maximum}{whole})"


def _choice(model: Model, style: Style, declared: Input, cell: str, _limits: Limits) -> str:
    if not declared.choices_from:
        return f"SUMPRODUCT(--({block_address(style.positions.lists[declared.choices])}={cell}))>0"
    axis = model.axis_of(declared.choices_from)
    exists = f',--({style.column(axis.index)}<>"–")' if axis and axis.count else ""
    return f"SUMPRODUCT(--({style.column(declared.choices_from)}={cell}){exists})>0"


def _text(_model: Model, _style: Style, _declared: Input, cell: str, limits: Limits) -> str:
    bare = cell
    for wildcard in WILDCARDS:
        bare = f'SUBSTITUTE({bare},"{wildcard}","")'
    return f"AND(ISTEXT({cell}),LEN({cell})>={limits.minimum},LEN({cell})<={limits.maximum},LEN({bare})=LEN({cell}))"


def _number_remedy(declared: Input) -> str:
    noun = "a whole number" if declared.kind == "whole" else "a number"
    word = f", or the word “{declared.word}”" if declared.word else ""
    return f"Enter {noun} from {declared.minimum:,} to {declared.maximum:,}{word}."


def _choice_remedy(declared: Input) -> str:
    if declared.choices_from:
        word = f", or “{declared.word}”" if declared.word else ""
        return f"Choose from the list: a name in {declared.choices_from.replace('_', ' ')}{word}."
    return f"Choose from the list: {', '.join(declared.choices)}."


CONDITIONS: dict[str, Callable[[Model, Style, Input, str, Limits], str]] = {
    "number": _number,
    "whole": _number,
    "choice": _choice,
    "text": _text,
}
REMEDIES: dict[str, Callable[[Input], str]] = {
    "number": _number_remedy,
    "whole": _number_remedy,
    "choice": _choice_remedy,
    "text": lambda _: f"Enter a name of 1 to {NAME_LENGTH} characters without {WILDCARD_WORDS}.",
}
