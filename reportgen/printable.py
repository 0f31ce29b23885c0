"""Text of a scenario that the memo's typeface has no characters for, told before anything is built."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from reportgen.errors import Fault, ScenarioError
from reportgen.scenario.scenario import Scenario

SHOWN = 5


def refuse_unprintable(scenarios: Sequence[Scenario]) -> None:
    """Raises ScenarioError naming each text, of all scenarios, with characters that the memo cannot print."""
    faults = [fault for scenario in scenarios for fault in _faults(scenario)]
    if faults:
        raise ScenarioError(faults)


def _faults(scenario: Scenario) -> Iterator[Fault]:
    for key, text in _texts(scenario):
        if not text.isascii():
            yield from _missing(f"{scenario.name}: {key}", text)


def _texts(scenario: Scenario) -> Iterator[tuple[str, str]]:
    yield "title", scenario.title
    yield "the first comment line", scenario.story
    yield from ((f"memo.{key}", text) for key, text in asdict(scenario.header).items())
    for name, note in scenario.notes.items():
        yield from ((f"{name}.{key}", text) for key, text in asdict(note).items())


def _missing(where: str, text: str) -> Iterator[Fault]:
    from reportgen.memo.typeface import missing_characters

    missing = missing_characters(text)
    if missing:
        shown = ", ".join(f"U+{ord(character):04X} {character!r}" for character in missing[:SHOWN])
        more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
        found = f"characters that the memo's typeface lacks: {shown}{more}"
        yield Fault(where, found, "Latin, Greek or Cyrillic letters and common signs", "write it with those")
