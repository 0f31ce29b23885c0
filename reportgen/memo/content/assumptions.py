"""What the memo's numbers stand on: facts with their source, and own assumptions apart; the rest is in the workbook."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportgen.catalog import accelerators, models
from reportgen.catalog.rows import ModelPreset
from reportgen.formula.explain import label
from reportgen.formula.quantity import Input
from reportgen.formula.sources import Assumption as OwnRule
from reportgen.formula.sources import Citation
from reportgen.memo.content.cost import listing
from reportgen.memo.content.say import Teller
from reportgen.memo.document import Assumption, Printed, Words
from reportgen.model import estimator
from reportgen.result import Result

# Sections of inputs whose values are facts or guesses; the others are decisions, which the demand states.
SECTIONS = ("hardware", "run", "time", "checkpoint", "cost")
NOT_DATED = "–"
# A choice is a decision, but for the convention that a utilisation means nothing without.
CHOICES_TOLD = frozenset({"flops_convention"})
SOURCE_CHARACTERS = 90
# A commit is told by its first seven characters.
COMMIT = re.compile(r"(@[0-9a-f]{7})[0-9a-f]+")


def assumptions(result: Result) -> tuple[Assumption, ...]:
    """Facts with their source first, then own assumptions, of the inputs that the memo's numbers hang on."""
    teller = Teller(result)
    return (*_facts(teller), *_cited(teller), *_noted(teller), *_own(teller))


def brief(source: str) -> str:
    """The first words of a source; the workbook has it whole."""
    source = COMMIT.sub(r"\1", source)
    if len(source) <= SOURCE_CHARACTERS:
        return source
    return source[:SOURCE_CHARACTERS].rsplit(" ", 1)[0] + "…"


def _facts(teller: Teller) -> Iterator[Assumption]:
    """What comes from the catalogues: the model, the card and the price, each with its row's source."""
    preset = next((row for row in models() if row.model_preset == teller.result.scenario.preset), None)
    if preset:
        yield Assumption("Architecture", _architecture(teller, preset), brief(preset.source), NOT_DATED, own=False)
    card = next(row for row in accelerators() if row.accelerator == teller.value("accelerator"))
    if "as catalogue" in (teller.value("accelerator_memory_override"), teller.value("peak_flops_override")):
        memory, peak = teller.say("accelerator_memory_bytes"), teller.say("peak_flops")
        yield Assumption("Usable memory of the card", memory, brief(card.source), NOT_DATED, own=False)
        yield Assumption("Dense peak of the card", peak, brief(card.source), NOT_DATED, own=False)
    price = listing(teller.result)
    if price:
        yield Assumption(
            "Price of a GPU-hour", teller.say("gpu_hour_price"), brief(price.source), price.date, own=False
        )


def _architecture(teller: Teller, preset: ModelPreset) -> str:
    """The preset's name, and whether the scenario changes it."""
    fields = [name for name in vars(preset) if name in teller.result.scenario.inputs]
    changed = any(getattr(preset, name) != teller.value(name) for name in fields)
    return f"{preset.description}, changed" if changed else preset.description


def _cited(teller: Teller) -> Iterator[Assumption]:
    """Defaults that a publication gives."""
    for entry in _inputs():
        if isinstance(entry.origin, Citation) and entry.name not in teller.result.scenario.given:
            cited = f"{entry.origin.source.publisher}, {entry.origin.place}"
            yield _assumption(teller, entry, cited, entry.origin.source.date, own=False)


def _noted(teller: Teller) -> Iterator[Assumption]:
    """Values that the scenario gives with a source of its own."""
    notes = teller.result.scenario.notes
    for entry in _inputs():
        note = notes.get(entry.name)
        if note and note.source:
            date = note.date or teller.result.scenario.date.isoformat()
            own = note.source.casefold().startswith("assumption")
            yield _assumption(teller, entry, brief(note.source), date, own=own)


def _own(teller: Teller) -> Iterator[Assumption]:
    """Inputs left at an assumed default, and rules that are assumptions, of the sections that matter here."""
    scenario = teller.result.scenario
    for entry in _inputs():
        if isinstance(entry.origin, OwnRule) and entry.name not in scenario.given:
            yield _assumption(teller, entry, entry.origin.reason, scenario.date.isoformat(), own=True)


def _inputs() -> tuple[Input, ...]:
    return tuple(
        entry
        for entry in estimator().inputs.values()
        if entry.section in SECTIONS and entry.axis is None and (entry.kind != "choice" or entry.name in CHOICES_TOLD)
    )


def _assumption(teller: Teller, entry: Input, source: str, date: str, *, own: bool) -> Assumption:
    words = label(entry.name)
    return Assumption(words[0].upper() + words[1:], _value(teller, entry), source, date, own)


def _value(teller: Teller, entry: Input) -> Words:
    value = teller.value(entry.name)
    return Printed(value, teller.name(entry.name)) if isinstance(value, str) else teller.say(entry.name)
