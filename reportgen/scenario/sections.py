"""The sections of a scenario file to inputs: every key known, every value accepted, or told with its line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reportgen.catalog import ModelPreset, inputs_of, models
from reportgen.errors import Fault, ReportgenError
from reportgen.formula.quantity import Input
from reportgen.model import estimator
from reportgen.scenario.accept import Problem, nearest, shown
from reportgen.scenario.scenario import ConfiguredModel, Note, Range, accept_input
from reportgen.scenario.yaml_reader import Document, KeyPath

VALUE_KEYS = ("low", "base", "high", "source", "date", "note")


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


def refuse_unknown(reading: Reading, path: KeyPath, given: Any, known: tuple[str, ...]) -> None:
    """Refuses every key that is not known here, naming the nearest one or the section it belongs to."""
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


def read_text_of(reading: Reading, path: KeyPath, given: Any, most: int) -> str:
    """A short text, or "" and a fault; a number is taken for the text it is written as."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        given = str(given)
    if isinstance(given, str) and 0 < len(given) <= most:
        return given
    found = f"a text of {len(given):,} characters" if isinstance(given, str) and given else shown(given or None)
    reading.refuse(path, Problem(found, f"a text of 1 to {most} characters", "write a short text"))
    return ""


def read_preset(reading: Reading, section: Any) -> None:
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
    reading.preset = wanted
    _take_preset(reading, presets[wanted])


def _take_preset(reading: Reading, preset: ModelPreset) -> None:
    """Puts a preset's inputs in place of the defaults; a fault in one is the catalogue's, not the scenario's."""
    given = inputs_of(preset)
    for declared in sorted(estimator().inputs.values(), key=_chooses):
        if declared.name in given:
            accepted = accept_input(declared, given.pop(declared.name), reading.inputs)
            if isinstance(accepted, Problem):
                raise ValueError(f"preset {preset.key}: {declared.name}: {accepted.found}, not {accepted.expected}")
            reading.inputs[declared.name] = accepted
    if given:
        raise ValueError(f"preset {preset.key}: {', '.join(given)}: no input is called so")


def _chooses(declared: Input) -> bool:
    """Whether an input is a choice from the rows of another, which has to be read before it."""
    return declared.choices_from is not None


def read_config_of(reading: Reading, section: Any) -> None:
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
    from reportgen.scenario.from_config import model_from_config

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


def read_section(reading: Reading, section: str, given: Any) -> None:
    """Reads the inputs of one section."""
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        reading.refuse((section,), Problem(shown(given), "keys with values", "indent the keys below it"))
        return
    known = tuple(name for name, entry in estimator().inputs.items() if entry.section == section)
    extra = ("preset", "config") if section == "model" else ()
    refuse_unknown(reading, (section,), given, (*extra, *known))
    # In the order of the declarations, so that a count comes before what it counts, and names before what names them.
    for name in sorted(known, key=lambda name: _chooses(estimator().inputs[name])):
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
    refuse_unknown(reading, path, given, VALUE_KEYS)
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
    _refuse_outside(reading, path, low, base, high)
    said = {
        key: read_text_of(reading, (*path, key), given[key], 400) for key in ("source", "date", "note") if key in given
    }
    reading.notes[declared.name] = Note(**said)


def _refuse_inverted(reading: Reading, path: KeyPath, low: Any, high: Any) -> None:
    if isinstance(low, int | float) and isinstance(high, int | float) and low > high:
        remedy = "low and high are the ends of the value, not of the result"
        reading.refuse(path, Problem(f"low {low:,g} above high {high:,g}", "low <= high", remedy))


def _refuse_outside(reading: Reading, path: KeyPath, low: Any, base: Any, high: Any) -> None:
    """A base that is beyond the ends of its own range, of which no case would then be the better or the worse one."""
    if not all(isinstance(value, int | float) for value in (low, base, high)) or low > high:
        return
    if not low <= base <= high:
        expected = f"a base from {low:,g} to {high:,g}"
        reading.refuse(path, Problem(f"base {base:,g}", expected, "widen the range, or move the base into it"))


def refuse_inert(reading: Reading, path: KeyPath, declared: Input, given: Any) -> None:
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


def refuse_missing(reading: Reading) -> None:
    """Refuses every input that has no default and was given neither here nor by a preset or config."""
    for name, declared in estimator().inputs.items():
        if reading.inputs[name] is None:
            if name not in reading.doubtful:
                remedy = "add it, or name a preset: `model: {preset: llama3-70b}`"
                reading.refuse((declared.section, name), Problem("nothing", declared.description.rstrip("."), remedy))
            reading.doubtful.add(name)
            reading.inputs[name] = declared.minimum  # so that checks which do not hang on it can still run
