"""A scenario file to a scenario: every key known, every value accepted, the layout possible, or all faults at once."""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reportgen.catalog import models
from reportgen.errors import Fault, ReportgenError, ScenarioError
from reportgen.formula.quantity import Input
from reportgen.model import estimator
from reportgen.scenario.accept import Problem, nearest, shown
from reportgen.scenario.faults import layout_faults
from reportgen.scenario.from_config import ConfiguredModel, model_from_config
from reportgen.scenario.scenario import CASES, Header, Note, Range, Scenario, accept_input, stale_choices
from reportgen.scenario.yaml_reader import Document, KeyPath, read, read_text

SLUG = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
TITLE_CHARACTERS = 120
SECTIONS = ("model", "layers", "hardware", "run", "time", "checkpoint", "cost", "catalogue")
HEADER_KEYS = {"to": "to", "from": "sender", "decision_needed_by": "decision_by", "purpose": "purpose"}
TOP_KEYS = ("name", "title", "date", "active_case", "memo", *SECTIONS)
VALUE_KEYS = ("low", "base", "high", "source", "date", "note")
NEVER_READ = ("model_preset", "description", "maximum_sequence_length", "expected_parameters", "source")


@dataclass
class Reading:
    """What has been read so far, and what was wrong with it."""

    document: Document
    faults: list[Fault] = field(default_factory=list)
    inputs: dict[str, Any] = field(default_factory=dict)
    ranges: dict[str, Range] = field(default_factory=dict)
    notes: dict[str, Note] = field(default_factory=dict)
    places: dict[str, KeyPath] = field(default_factory=dict)
    doubtful: set[str] = field(default_factory=set)
    tables: list[tuple[KeyPath, Input, Any]] = field(default_factory=list)
    preset: str = ""
    configured: ConfiguredModel | None = None

    def refuse(self, path: KeyPath, problem: Problem) -> None:
        """Note down a problem at the place of a key."""
        where = f"{self.document.where(path)}: {'.'.join(map(str, path))}" if path else self.document.where(path)
        self.faults.append(Fault(where, problem.found, problem.expected, problem.remedy))


def load(path: Path | str) -> Scenario:
    """The scenario in a YAML file.

    Raises ScenarioError with every fault found: file, line and key, what was found, what was expected, what to do.
    """
    document = read(path)
    return _scenario(document, Path(path).stem, Path(path).read_text(encoding="utf-8"))


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
    _refuse_unknown(reading, (), values, TOP_KEYS)
    name = _name(reading, stem)
    title = _text(reading, ("title",), values.get("title", name), TITLE_CHARACTERS)
    date = _date(reading, values.get("date"))
    header = _header(reading, values.get("memo", {}))
    case = values.get("active_case", "base")
    if case not in CASES:
        reading.refuse(("active_case",), Problem(shown(case), f"one of {', '.join(CASES)}", "choose one of them"))
        case = "base"
    reading.inputs = _defaults()
    _read_preset(reading, values.get("model"))
    _read_config(reading, values.get("model"))
    for section in SECTIONS:
        _read_section(reading, section, values.get(section, {}))
    for path, declared, given in reading.tables:
        _refuse_inert(reading, path, declared, given)
    _refuse_missing(reading)
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


def _refuse_unknown(reading: Reading, path: KeyPath, given: Any, known: tuple[str, ...]) -> None:
    for key in given:
        if key not in known:
            reading.refuse((*path, key), _unknown(str(key), known))
            reading.doubtful.add(nearest(str(key), known) or "")


def _unknown(key: str, known: tuple[str, ...]) -> Problem:
    declared = estimator().inputs.get(key)
    if declared is not None:
        remedy = f"move it to the section {declared.section}"
        return Problem(f'the key "{key}"', "a key of this section", remedy)
    close = nearest(key, known) or nearest(key, tuple(estimator().inputs))
    remedy = f'did you mean "{close}"?' if close else "remove it"
    return Problem(f'the unknown key "{key[:60]}"', f"one of {', '.join(known[:40])}", remedy)


def _name(reading: Reading, stem: str) -> str:
    given = reading.document.values.get("name")
    if given is None:
        return re.sub(r"[^a-z0-9.-]+", "-", stem.lower()).strip("-.") or "scenario"
    if isinstance(given, str) and SLUG.fullmatch(given) and ".." not in given:
        return given
    expected = "lower-case letters, digits, hyphens and single dots, as the folder of the output is called"
    reading.refuse(("name",), Problem(shown(given), expected, "write a name such as llama3-70b"))
    return "scenario"


def _text(reading: Reading, path: KeyPath, given: Any, most: int) -> str:
    if isinstance(given, int | float) and not isinstance(given, bool):
        given = str(given)
    if isinstance(given, str) and 0 < len(given) <= most:
        return given
    found = f"a text of {len(given):,} characters" if isinstance(given, str) and given else shown(given or None)
    reading.refuse(path, Problem(found, f"a text of 1 to {most} characters", "write a short text"))
    return ""


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
    _refuse_unknown(reading, ("memo",), given, tuple(HEADER_KEYS))
    known = {HEADER_KEYS[key]: value for key, value in given.items() if key in HEADER_KEYS}
    return Header(**{key: _text(reading, ("memo", key), value, 400) for key, value in known.items()})


def _read_preset(reading: Reading, section: Any) -> None:
    """Fills the model's inputs from a preset of the catalogue."""
    wanted = section.get("preset") if isinstance(section, Mapping) else None
    if wanted is None:
        return
    presets = {row.model_preset: row for row in models()}
    if not isinstance(wanted, str) or wanted not in presets:
        close = nearest(str(wanted), tuple(presets))
        remedy = f'did you mean "{close}"?' if close else "see `reportgen catalog models`"
        reading.refuse(("model", "preset"), Problem(shown(wanted), "a model of the catalogue", remedy))
        reading.doubtful |= set(_smallest())
        return
    row = presets[wanted]
    reading.preset = wanted
    reading.inputs.update(
        {name: value for name, value in vars(row).items() if name not in NEVER_READ and value is not None}
    )


def _read_config(reading: Reading, section: Any) -> None:
    """Fills the model's inputs from its config.json, which is looked for beside the scenario."""
    wanted = section.get("config") if isinstance(section, Mapping) else None
    if wanted is None:
        return
    path: KeyPath = ("model", "config")
    if reading.preset:
        reading.refuse(path, Problem("a preset as well", "a preset or a config", "remove one of them"))
    elif not isinstance(wanted, str):
        reading.refuse(path, Problem(shown(wanted), "the path of a config.json", "write it in quotes"))
    else:
        _take_config(reading, path, Path(reading.document.name).parent / wanted)


def _take_config(reading: Reading, path: KeyPath, file: Path) -> None:
    try:
        reading.configured = model_from_config(file, {**reading.inputs, **_smallest()})
        reading.inputs.update(reading.configured.inputs)
    except ReportgenError as error:
        for fault in error.faults:
            reading.refuse(path, Problem(f"{fault.where}: {fault.found}", fault.expected, fault.remedy))
        reading.doubtful |= set(_smallest())


def _smallest() -> dict[str, Any]:
    """The least value of every input that has no default."""
    return {name: entry.minimum for name, entry in estimator().inputs.items() if entry.default is None}


def _read_section(reading: Reading, section: str, given: Any) -> None:
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        reading.refuse((section,), Problem(shown(given), "keys with values", "indent the keys below it"))
        return
    known = tuple(name for name, entry in estimator().inputs.items() if entry.section == section)
    extra = ("preset", "config") if section == "model" else ()
    _refuse_unknown(reading, (section,), given, (*extra, *known))
    for name in known:  # in the order of the declarations, so that a count comes before what it counts
        if name in given:
            _read_input(reading, (section, name), estimator().inputs[name], given[name])


def _read_input(reading: Reading, path: KeyPath, declared: Input, given: Any) -> None:
    reading.places[declared.name] = path
    if isinstance(given, Mapping) and set(given) & {"base", "low", "high"} and declared.axis is None:
        _read_range(reading, path, declared, given)
        return
    accepted = _accepted(reading, path, declared, given)
    if accepted is not None:
        reading.inputs[declared.name] = accepted
        reading.tables.append((path, declared, given))


def _read_range(reading: Reading, path: KeyPath, declared: Input, given: Mapping[str, Any]) -> None:
    """An input with its base, and its low and high where it is uncertain, and what is said about it."""
    _refuse_unknown(reading, path, given, VALUE_KEYS)
    if "base" not in given:
        reading.refuse(path, Problem("no base", "a base value", "add the key base"))
        return
    base = _accepted(reading, (*path, "base"), declared, given["base"])
    low = _accepted(reading, (*path, "low"), declared, given.get("low", given["base"]))
    high = _accepted(reading, (*path, "high"), declared, given.get("high", given["base"]))
    if base is not None:
        reading.inputs[declared.name] = base
    if low is not None and high is not None and ("low" in given or "high" in given):
        reading.ranges[declared.name] = Range(low, high)
    _refuse_inverted(reading, path, low, high)
    said = {key: _text(reading, (*path, key), given[key], 400) for key in ("source", "date", "note") if key in given}
    reading.notes[declared.name] = Note(**said)


def _refuse_inverted(reading: Reading, path: KeyPath, low: Any, high: Any) -> None:
    if isinstance(low, int | float) and isinstance(high, int | float) and low > high:
        remedy = "low and high are the ends of the value, not of the result"
        reading.refuse(path, Problem(f"low {low:,g} above high {high:,g}", "low <= high", remedy))


def _refuse_inert(reading: Reading, path: KeyPath, declared: Input, given: Any) -> None:
    """A row of a table that the scenario has no use for, such as layer 80 of 80."""
    count = reading.inputs.get(declared.axis.count) if declared.axis and declared.axis.count else None
    if not isinstance(count, int) or not isinstance(given, Mapping):
        return
    for row in given:
        if str(row).isdigit() and int(row) >= count:
            expected = f"a row from 0 to {count - 1}"
            reading.refuse(
                (*path, str(row)),
                Problem(
                    f"row {row}", expected, f"raise {declared.axis.count if declared.axis else 'it'}, or remove it"
                ),
            )


def _accepted(reading: Reading, path: KeyPath, declared: Input, given: Any) -> Any:
    accepted = accept_input(declared, given, reading.inputs)
    if isinstance(accepted, Problem):
        reading.refuse(path, accepted)
        reading.doubtful.add(declared.name)
        return None
    return accepted


def _refuse_missing(reading: Reading) -> None:
    for name, declared in estimator().inputs.items():
        if reading.inputs[name] is None:
            if name not in reading.doubtful:
                remedy = "add it, or name a preset: `model: {preset: llama3-70b}`"
                reading.refuse((declared.section, name), Problem("nothing", declared.description.rstrip("."), remedy))
            reading.doubtful.add(name)
            reading.inputs[name] = declared.minimum  # so that checks which do not hang on it can still run


def _place(reading: Reading, name: str) -> str:
    path = reading.places.get(name, (estimator().inputs[name].section, name))
    return f"{reading.document.where(path)}: {'.'.join(map(str, path))}"


def given_inputs(scenario: Scenario) -> Iterator[str]:
    """The inputs that a scenario gives itself, in the order of the declarations."""
    yield from (name for name in estimator().inputs if name in scenario.given)
