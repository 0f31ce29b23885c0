"""A scenario file to a scenario: every key known, every value accepted, the layout possible, or all faults at once."""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reportgen.errors import Fault, ScenarioError
from reportgen.formula.quantity import Input
from reportgen.model import estimator
from reportgen.scenario.accept import Problem, shown
from reportgen.scenario.faults import layout_faults
from reportgen.scenario.scenario import CASES, Header, Scenario, stale_choices
from reportgen.scenario.sections import (
    Reading,
    read_config_of,
    read_preset,
    read_section,
    read_text_of,
    refuse_inert,
    refuse_missing,
    refuse_unknown,
)
from reportgen.scenario.yaml_reader import Document, read_text
from reportgen.scenario.yaml_text import file_text

SLUG = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
TITLE_CHARACTERS = 120
SECTIONS = ("model", "layers", "hardware", "run", "time", "checkpoint", "cost", "catalogue")
HEADER_KEYS = {"to": "to", "from": "sender", "decision_needed_by": "decision_by", "purpose": "purpose"}
TOP_KEYS = ("name", "title", "date", "active_case", "memo", *SECTIONS)


def load(path: Path | str) -> Scenario:
    """The scenario in a YAML file.

    Raises ScenarioError with every fault found: file, line and key, what was found, what was expected, what to do.
    """
    text = file_text(Path(path))
    return _scenario(read_text(text, str(path)), Path(path).stem, text)


def load_text(text: str, name: str = "scenario") -> Scenario:
    """The scenario in a text; `name` stands for the file in messages."""
    return _scenario(read_text(text, name), name, text)


def scenario_hash(scenario: Scenario) -> str:
    """A short fingerprint of everything that the results hang on."""
    parts = repr(
        (
            sorted(scenario.inputs.items()),
            sorted((name, span.low, span.high) for name, span in scenario.ranges.items()),
            scenario.case,
            scenario.title,
            scenario.date.isoformat(),
        )
    )
    return hashlib.sha256(parts.encode()).hexdigest()[:16]


def _scenario(document: Document, stem: str, text: str) -> Scenario:
    reading = Reading(document)
    values = document.values
    refuse_unknown(reading, (), values, TOP_KEYS)
    name = _name(reading, stem)
    title = read_text_of(reading, ("title",), values.get("title", name), TITLE_CHARACTERS)
    date = _date(reading, values.get("date"))
    header = _header(reading, values.get("memo", {}))
    case = values.get("active_case", "base")
    if case not in CASES:
        reading.refuse(("active_case",), Problem(shown(case), f"one of {', '.join(CASES)}", "choose one of them"))
        case = "base"
    reading.inputs = _defaults()
    read_preset(reading, values.get("model"))
    read_config_of(reading, values.get("model"))
    for section in SECTIONS:
        read_section(reading, section, values.get(section, {}))
    for path, declared, given in reading.tables:
        refuse_inert(reading, path, declared, given)
    refuse_missing(reading)
    scenario = Scenario(
        name=name,
        title=title,
        story=_story(text),
        date=date,
        inputs=reading.inputs,
        given=frozenset(reading.places),
        ranges=reading.ranges,
        notes=reading.notes,
        case=case,  # type: ignore[arg-type]  # checked above
        header=header,
        preset=reading.preset,
        configured=reading.configured,
        text=text,
    )
    if not reading.faults:
        reading.faults += stale_choices(reading.inputs, lambda name: _place(reading, name))
    reading.faults += layout_faults(scenario, lambda name: _place(reading, name), frozenset(reading.doubtful))
    if reading.faults:
        raise ScenarioError(sorted(reading.faults, key=_line))
    return scenario


def _line(fault: Fault) -> int:
    """The line of a fault's place, `file:line: key`."""
    found = re.search(r":(\d+)(?=:|$)", fault.where)
    return int(found[1]) if found else 0


def _story(text: str) -> str:
    """What the scenario shows: its first comment line."""
    first = text.lstrip("\ufeff\n ").split("\n", 1)[0]
    return first.lstrip("# ").strip() if first.startswith("#") else ""


def _defaults() -> dict[str, Any]:
    return {name: _default(declared) for name, declared in estimator().inputs.items()}


def _default(declared: Input) -> Any:
    if declared.axis is None or isinstance(declared.default, tuple):
        return declared.default
    return (declared.default,) * declared.axis.rows


def _name(reading: Reading, stem: str) -> str:
    given = reading.document.values.get("name")
    if given is None:
        return re.sub(r"[^a-z0-9.-]+", "-", stem.lower()).strip("-.") or "scenario"
    if isinstance(given, str) and SLUG.fullmatch(given) and ".." not in given:
        return given
    expected = "lower-case letters, digits, hyphens and single dots, as the folder of the output is called"
    reading.refuse(("name",), Problem(shown(given), expected, "write a name such as llama3-70b"))
    return "scenario"


def _date(reading: Reading, given: Any) -> datetime.date:
    try:
        return datetime.date.fromisoformat(given)
    except (TypeError, ValueError):
        remedy = "write the date of the estimate; documents bear it, and never today's by themselves"
        reading.refuse(("date",), Problem(shown(given), "a date such as 2026-11-30", remedy))
        return datetime.date(2000, 1, 1)


def _header(reading: Reading, given: Any) -> Header:
    if not isinstance(given, Mapping):
        reading.refuse(("memo",), Problem(shown(given), "keys with values", f"give {', '.join(HEADER_KEYS)}"))
        return Header()
    refuse_unknown(reading, ("memo",), given, tuple(HEADER_KEYS))
    known = {HEADER_KEYS[key]: value for key, value in given.items() if key in HEADER_KEYS}
    return Header(**{key: read_text_of(reading, ("memo", key), value, 400) for key, value in known.items()})


def _place(reading: Reading, name: str) -> str:
    path = reading.places.get(name, (estimator().inputs[name].section, name))
    return f"{reading.document.where(path)}: {'.'.join(map(str, path))}"
