"""What the memo's numbers stand on: facts with their source, and own assumptions apart; the rest is in the workbook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from reportgen.catalog import inputs_of, model_named
from reportgen.catalog.rows import ModelPreset
from reportgen.formula.explain import label
from reportgen.formula.quantity import Input
from reportgen.formula.sources import Assumption as OwnRule
from reportgen.formula.sources import Citation
from reportgen.memo.content.brief import brief
from reportgen.memo.content.head import value_in_words
from reportgen.memo.content.say import Teller
from reportgen.memo.document import Assumption, Printed, Words
from reportgen.model import estimator
from reportgen.origin import BY_SCENARIO, listing, overrides
from reportgen.result import Result
from reportgen.scenario.scenario import Note, Scenario

# Sections of inputs whose values are facts or guesses; the others are decisions, which the demand states.
SECTIONS = ("hardware", "run", "time", "checkpoint", "cost")
NOT_DATED = "–"
# A choice is a decision, but for the convention that a utilisation means nothing without.
CHOICES_TOLD = frozenset({"flops_convention"})
# What the demand states when it is given; a default that nobody asked for is an assumption.
DEMANDED = frozenset({"deadline_days", "checkpoint_goal_fraction", "checkpoint_interval_seconds", "zero_stage"})
CARD = (
    ("Usable memory of the card", "accelerator_memory_bytes", "accelerator_memory_override"),
    ("Dense peak of the card", "peak_flops", "peak_flops_override"),
)
NOTE_CHARACTERS = 160
DESCRIPTION_CHARACTERS = 50


def _with_experts(result: Result) -> bool:
    return bool(result["expert_layers"])


def _with_gathering(result: Result) -> bool:
    return bool(result["zero_stage"] > 2)  # noqa: PLR2004 - the stage that gathers weights


def _with_quantised_weights(result: Result) -> bool:
    return bool(result["tuning"] == "qlora")


# Inputs on which numbers hang only where something else is so.
MATTERS: dict[str, Callable[[Result], bool]] = {
    **dict.fromkeys(("expert_parallel", "expert_tensor_parallel", "expert_load_factor"), _with_experts),
    **dict.fromkeys(("gathered_layers", "gathered_bytes_per_parameter"), _with_gathering),
    "recompute_interval": lambda result: bool(result["recompute"] == "full" and result["recompute_interval"] > 1),
    "recompute_group_layers": lambda result: bool(
        result["recompute"] == "full" and result["recompute_group_layers"] > 1
    ),
    "loss_chunks": lambda result: bool(result["loss_head"] == "chunked"),
    "adapter_rank": lambda result: bool(result["tuning"] != "full"),
    **dict.fromkeys(("quantised_bytes_per_parameter", "unquantised_bytes_per_parameter"), _with_quantised_weights),
    "compute_copy_bytes_per_parameter": lambda result: bool(result["compute_copy_bytes_per_parameter"]),
}


def assumptions(result: Result) -> tuple[Assumption, ...]:
    """Facts with their source first, then own assumptions, of the inputs that the memo's numbers hang on."""
    teller = Teller(result)
    told = (entry for entry in _inputs() if _is_told(result.scenario, entry) and _matters(result, entry))
    listed = (*_facts(teller), *(_of_input(teller, entry) for entry in told), *_doubts(result.scenario))
    return (*(each for each in listed if not each.own), *(each for each in listed if each.own))


def _doubts(scenario: Scenario) -> Iterator[Assumption]:
    """What the count of a model's file left open."""
    if scenario.configured:
        for doubt in scenario.configured.doubts:
            yield Assumption("Doubt about the model's file", doubt, scenario.configured.source, NOT_DATED, own=True)


def _facts(teller: Teller) -> Iterator[Assumption]:
    """The model, the card and the price, each with where it is from."""
    yield _model(teller)
    for words, name, override in CARD:
        yield _fact(teller, words, name, override)
    row = listing(teller.result)
    if row:
        price = teller.say("gpu_hour_price")
        yield Assumption("Price of a GPU-hour", price, brief(row.source), row.date, own=False)
    else:
        date = _date_of(teller.result.scenario, "price_override")
        yield replace(_fact(teller, "Price of a GPU-hour", "gpu_hour_price", "price_override"), date=date)


def _model(teller: Teller) -> Assumption:
    scenario = teller.result.scenario
    preset = model_named(scenario.preset)
    if scenario.configured:
        source = brief(scenario.configured.source)
        return Assumption("Architecture", "its own config.json", source, NOT_DATED, own=False)
    if preset is None:
        return Assumption("Architecture", "described by hand", "by hand in the scenario", NOT_DATED, own=False)
    return Assumption("Architecture", _architecture(teller, preset), brief(preset.source), NOT_DATED, own=False)


def _architecture(teller: Teller, preset: ModelPreset) -> str:
    """The preset's name, and whether the scenario changes it."""
    scenario = teller.result.scenario
    changed = (scenario.given | scenario.changes.keys()) & inputs_of(preset).keys()
    name = brief(preset.description, DESCRIPTION_CHARACTERS)
    return f"{name}, changed" if changed else name


def _fact(teller: Teller, words: str, name: str, override: str) -> Assumption:
    """A figure of a catalogue, or what stands in its place."""
    scenario = teller.result.scenario
    outright = overrides(teller.result, override)
    source = teller.result.origin(name)
    return Assumption(
        words, teller.say(name), brief(source), NOT_DATED, own=outright and not _cites(scenario, override)
    )


def _is_told(scenario: Scenario, entry: Input) -> bool:
    """Whatever has a source or is assumed; what is asked for is told by the demand, unless nobody asked for it."""
    note = scenario.notes.get(entry.name)
    if note and (note.source or note.note):
        return True
    if not isinstance(entry.origin, Citation | OwnRule):
        return False
    return entry.name not in DEMANDED or entry.name not in scenario.given | scenario.changes.keys()


def _matters(result: Result, entry: Input) -> bool:
    """Whether numbers hang on an input: not on an override that overrides nothing, nor where it is not asked for."""
    if entry.word is not None and result[entry.name] == entry.word:
        return False
    return MATTERS[entry.name](result) if entry.name in MATTERS else True


def _of_input(teller: Teller, entry: Input) -> Assumption:
    scenario, words = teller.result.scenario, label(entry.name)
    source, date = _source(teller.result, entry)
    named = words[0].upper() + words[1:]
    return Assumption(named, _value(teller, entry), source, date, own=not _is_sourced(scenario, entry))


def _is_sourced(scenario: Scenario, entry: Input) -> bool:
    """Whether a publication has the value, be it the scenario's or the default's."""
    if entry.name in scenario.given | scenario.changes.keys():
        return _cites(scenario, entry.name)
    return isinstance(entry.origin, Citation)


def _cites(scenario: Scenario, name: str) -> bool:
    note = scenario.notes.get(name)
    elsewhere = name in scenario.changes or (scenario.case != "base" and name in scenario.ranges)
    return bool(not elsewhere and note and note.source and not note.source.casefold().startswith("assumption"))


def _source(result: Result, entry: Input) -> tuple[str, str]:
    """Where the present value is from, with what the scenario says of it, and as of when."""
    scenario, name = result.scenario, entry.name
    if scenario.case != "base" and name in scenario.ranges:
        return f"The {scenario.case} of the scenario's range{_base_from(scenario, name)}", _date_of(scenario, name)
    if name in scenario.changes:
        now = value_in_words(name, scenario.changes[name])
        return f"Set for this estimate; the scenario has {now}{_outside(scenario, entry)}", NOT_DATED
    if name in scenario.given:
        note = scenario.notes.get(name, Note())
        words = brief(note.source) if note.source else f"{BY_SCENARIO}, without a source"
        remark = f". {brief(note.note, NOTE_CHARACTERS)}" if note.note else ""
        return f"{words}{_outside(scenario, entry)}{remark}", _date_of(scenario, name)
    if isinstance(entry.origin, Citation):
        return f"{entry.origin.source.publisher}, {entry.origin.place}", entry.origin.source.date
    return entry.origin.reason if isinstance(entry.origin, OwnRule) else str(entry.origin), NOT_DATED


def _base_from(scenario: Scenario, name: str) -> str:
    """Where the base is from, which is not the value that stands here."""
    note = scenario.notes.get(name)
    return f"; its base is from: {brief(note.source)}" if note and note.source and name not in scenario.changes else ""


def _outside(scenario: Scenario, entry: Input) -> str:
    """That a base lies outside its own low to high, where it does."""
    span, base = scenario.ranges.get(entry.name), scenario.inputs[entry.name]
    if span is None or not all(isinstance(value, int | float) for value in (span.low, base, span.high)):
        return ""
    if min(span.low, span.high) <= base <= max(span.low, span.high):
        return ""
    low, high = (value_in_words(entry.name, value) for value in (span.low, span.high))
    return f"; outside its own low to high of {low} to {high}"


def _date_of(scenario: Scenario, name: str) -> str:
    note = scenario.notes.get(name)
    return note.date if note and note.date else NOT_DATED


def _inputs() -> tuple[Input, ...]:
    return tuple(
        entry
        for entry in estimator().inputs.values()
        if entry.section in SECTIONS and entry.axis is None and (entry.kind != "choice" or entry.name in CHOICES_TOLD)
    )


def _value(teller: Teller, entry: Input) -> Words:
    value = teller.value(entry.name)
    return Printed(value, teller.name(entry.name)) if isinstance(value, str) else teller.say(entry.name)
