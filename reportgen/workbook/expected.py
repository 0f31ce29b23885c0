"""What every formula cell must show for a result, and how near is near enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

from reportgen.formula.expression import Expression, names
from reportgen.formula.functions import folded
from reportgen.formula.judge import PASSED, Outcome
from reportgen.formula.quantity import Input, Quantity
from reportgen.formula.units import TEXT
from reportgen.model import estimator
from reportgen.result import Result
from reportgen.scenario.scenario import CASES, choices_of
from reportgen.workbook.cells import MASKED, Address, Key, Layout
from reportgen.workbook.input_checks import remedy
from reportgen.workbook.positions import (
    ACTIVE_CASE,
    CASE_NUMBER,
    CASE_SECTION,
    FAULT_COUNT,
    FINDING_COUNT,
    MASTER,
    Positions,
    Section,
    place_all,
)
from reportgen.workbook.shown import WORKBOOK_CONSTANTS
from reportgen.workbook.verdicts import (
    ALL_HOLD,
    CHANGED,
    DOES_NOT_FIT,
    FINDINGS,
    FIT_CHECK,
    INPUT_REMEDY,
    NO_MARK,
    NO_VALUE,
    NOT_OK,
    SAME,
    table_verdict,
)

CLOSE = 1e-9
FACTORS = {constant.name: constant.value for constant in WORKBOOK_CONSTANTS}


def expected_values(layout: Layout, result: Result, generated: Result | None = None) -> dict[Address, Any]:
    """The value of every formula cell for a result, by sheet and address.

    `generated` is the result that the workbook was written for, where `result` is that of an edit.
    """
    world = World(result, generated or result)
    return {address: world.value(formula.key) for address, formula in layout.formulas.items()}


def disagreements(
    layout: Layout, result: Result, found: Mapping[Address, Any], generated: Result | None = None
) -> Iterator[tuple[Address, Any, Any]]:
    """The formula cells that do not show what they must: address, expected, found.

    Numbers may differ by 1e-9 of the largest operand; texts differ without regard to case, as in a spreadsheet.
    """
    world = World(result, generated or result)
    for address, formula in layout.formulas.items():
        expected = world.value(formula.key)
        if not agree(expected, found.get(address), partial(world.largest_operand, formula.key)):
            yield address, expected, found.get(address)


def agree(expected: Any, found: Any, scale: Callable[[], float] = lambda: 0.0) -> bool:
    """Whether two values are the same in a spreadsheet; `scale` is asked only where they are not near."""
    if isinstance(expected, str) or isinstance(found, str) or found is None:
        return isinstance(found, str) and isinstance(expected, str) and expected.casefold() == found.casefold()
    off = abs(expected - found)
    return bool(off <= CLOSE * max(abs(expected), abs(found)) or off <= CLOSE * scale())


@dataclass(frozen=True)
class World:
    """A result, and the one that the workbook was generated for."""

    result: Result
    generated: Result

    def value(self, key: Key) -> Any:
        """What a cell of this key must show."""
        rule = RULES.get(key.rule)
        if rule is not None:
            return rule(self, key)
        prefix = next(prefix for prefix in PREFIXES if key.rule.startswith(prefix))
        return PREFIXES[prefix](self, key, key.rule.removeprefix(prefix))

    @cached_property
    def values(self) -> dict[str, Any]:
        """Every value, and the workbook's own factors."""
        return {**FACTORS, **self.result.values}

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        """What every check found, by name."""
        return {outcome.check.name: outcome for outcome in self.result.outcomes}

    @cached_property
    def sections(self) -> dict[str, Section]:
        """The sections of inputs, by title."""
        return {section.title: section for section in _places().sections}

    @cached_property
    def good_inputs(self) -> dict[str, tuple[bool, ...]]:
        """For each input whether it is what it may be, row by row.

        A scenario holds only accepted values, so that only choices read from a column can have gone stale.
        """
        return {name: self._good(name) for name in estimator().inputs}

    def _good(self, name: str) -> tuple[bool, ...]:
        declared, inputs = estimator().inputs[name], self.result.scenario.inputs
        given = inputs[name] if declared.axis else self._sides(name)
        if declared.choices_from is None:
            return (True,) * len(given)
        allowed = {*map(str.casefold, choices_of(declared, self.values)), *([declared.word] if declared.word else [])}
        return tuple(str(value).casefold() in allowed for value in given)

    def _sides(self, name: str) -> tuple[Any, ...]:
        scenario = self.result.scenario
        span = scenario.ranges.get(name)
        return (scenario.inputs[name], *((span.low, span.high) if span else ()))

    def good_count(self, section: Section) -> int:
        """How many inputs of a section, or entries of a table, are what they may be."""
        if section.title == CASE_SECTION:
            return 1
        if estimator().inputs[section.names[0]].axis:
            return sum(sum(self.good_inputs[name]) for name in section.names)
        return sum(all(self.good_inputs[name]) for name in section.names)

    def changed_inputs(self) -> int:
        """How many scalar inputs, the case among them, do not hold what was generated."""
        scalars = [name for name, declared in estimator().inputs.items() if declared.axis is None]
        return sum(self.input_marker(name) == CHANGED for name in (ACTIVE_CASE, *scalars))

    def input_marker(self, name: str) -> str:
        """Whether an input's base still is what was generated, texts without regard to case."""
        now, then = (_base(result, name) for result in (self.result, self.generated))
        return SAME if folded(now) == folded(then) else CHANGED

    def does_fit(self) -> bool:
        """Whether the fullest GPU's peak fits in its memory."""
        return self.outcomes[FIT_CHECK].passed

    def faults(self) -> int:
        """Inputs' sections and fault checks that are not OK."""
        bad = sum(self.good_count(section) != _size(section) for section in self.sections.values())
        return bad + self._failed("fault")

    def findings(self) -> int:
        """Findings that are not OK."""
        return self._failed("finding")

    def _failed(self, severity: str) -> int:
        return sum(outcome.check.severity == severity and not outcome.passed for outcome in self.outcomes.values())

    def cell(self, name: str, row: int) -> Any:
        """A row of a column; a dash where it does not exist."""
        column = self.values[name]
        return column[row] if row < len(column) else MASKED

    def largest_operand(self, key: Key) -> float:
        """The greatest number that goes into a cell, for which differences are judged."""
        if key.rule in ("left", "right", "difference"):
            outcome = self.outcomes[key.name]
            return max(_sizes((outcome.left, outcome.right)), *(self._operands(outcome.check.comparison)))
        entry = estimator().by_name.get(key.name)
        if not isinstance(entry, Quantity):
            return 0.0
        largest = max(self._operands(entry.expression), default=0.0)
        factor = FACTORS.get(key.rule.split(" by ")[-1], 1)
        return largest * factor if key.rule.startswith("multiplied") else largest / factor

    def _operands(self, expression: Expression) -> Iterator[float]:
        """The size of everything that an expression reads, columns by their largest row."""
        yield 0.0
        for name in names(expression):
            value = self.values[name]
            yield _sizes(value if isinstance(value, list | tuple) else (value,))


@cache
def _places() -> Positions:
    """Where everything stands on the sheets, which is the same in every workbook."""
    return place_all(estimator(), frozenset())


def _sizes(values: Any) -> float:
    return max((abs(value) for value in values if isinstance(value, int | float)), default=0.0)


def _base(result: Result, name: str) -> Any:
    return result.scenario.case if name == ACTIVE_CASE else result.scenario.inputs[name]


def _size(section: Section) -> int:
    names = [name for name in section.names if name != CASE_NUMBER]
    axis = None if names == [ACTIVE_CASE] else estimator().inputs[names[0]].axis
    return len(names) * (axis.rows if axis else 1)


def _input(world: World, key: Key) -> str:
    if key.name == ACTIVE_CASE:
        return PASSED
    good = world.good_inputs[key.name]
    declared = estimator().inputs[key.name]
    if (good[key.row] if key.row >= 0 else all(good)) is True:
        return PASSED
    if key.row < 0 and declared.axis:
        return _bad_rows(declared, good)
    return remedy(declared)


def _bad_rows(declared: Input, good: tuple[bool, ...]) -> str:
    """How many rows of a column are not OK, and the first of them by its row on the sheet."""
    block = _places().columns[declared.name]
    first = block.first + good.index(False)
    return f"Not OK on {block.sheet}: {good.count(False)}, from row {first}. {remedy(declared)}"


def _difference(world: World, key: Key) -> Any:
    left, right = world.outcomes[key.name].left, world.outcomes[key.name].right
    return MASKED if isinstance(left, str) or isinstance(right, str) else left - right


def _section_verdict(world: World, key: Key) -> str:
    section = world.sections[key.name]
    missing = _size(section) - world.good_count(section)
    if not missing:
        return PASSED
    block = _places().columns.get(section.names[0])
    return f"{table_verdict(block.sheet)}{missing}" if block else INPUT_REMEDY


def _verdict(world: World, key: Key) -> str:
    """A text on one side only, as where the catalogue lacks a figure, is no value to compare."""
    outcome = world.outcomes[key.name]
    mixed = isinstance(outcome.left, str) != isinstance(outcome.right, str)
    return NO_VALUE if mixed else outcome.verdict


def _meaning(world: World, _: Key) -> str:
    return FINDINGS if world.does_fit() else DOES_NOT_FIT


def _master(world: World, key: Key) -> str:
    faults, findings = world.faults(), world.findings()
    if faults:
        return f"{NOT_OK}{faults}"
    return f"{_meaning(world, key)}{findings}" if findings else ALL_HOLD


def _marker(world: World, key: Key) -> str:
    now, then = world.values[key.name], world.generated.values[key.name]
    if isinstance(now, str) != (estimator().by_name[key.name].unit == TEXT):
        return NO_MARK
    return SAME if agree(then, now) else CHANGED


def _divided(world: World, key: Key, factor: str) -> Any:
    """In a handier unit; a figure that the catalogue lacks is a word, and shows a dash."""
    value = world.values[key.name]
    return MASKED if isinstance(value, str) else value / FACTORS[factor]


def _stage_term(world: World, key: Key) -> Any:
    """What one GPU of a stage holds of a term; a scalar is the same on every stage that exists."""
    value = world.values[key.name]
    if isinstance(value, list):
        return world.cell(key.name, key.row)
    return value if key.row < world.values["pipeline_stages"] else MASKED


def _chart_note(world: World, key: Key) -> str:
    stages = world.values["pipeline_stages"]
    if stages <= key.row:
        return "All stages are shown."
    return f"Of {stages} stages, {key.row} shown: first, last, evenly between; a new workbook shows more."


def _chart_stage(world: World, key: Key, slots: str) -> Any:
    stages, room = int(world.values["pipeline_stages"]), int(slots)
    if key.row >= min(stages, room):
        return MASKED
    return key.row if stages <= room else key.row * (stages - 1) // max(1, room - 1)


def _chart_part(world: World, key: Key, slots: str) -> Any:
    stage = _chart_stage(world, key, slots)
    if stage == MASKED:
        return MASKED
    value = world.values[key.name]
    return (value[stage] if isinstance(value, list) else value) / FACTORS["bytes_per_gigabyte"]


def _listed(world: World, key: Key, word: str) -> Any:
    value = world.cell(key.name, key.row)
    return word if value == MASKED else value


RULES: dict[str, Callable[[World, Key], Any]] = {
    "scalar": lambda world, key: world.values[key.name],
    "cell": lambda world, key: world.cell(key.name, key.row),
    "case": lambda world, _: CASES.index(world.result.scenario.case) + 1,
    "active case": lambda world, _: world.result.scenario.case,
    "input": _input,
    "left": lambda world, key: world.outcomes[key.name].left,
    "right": lambda world, key: world.outcomes[key.name].right,
    "difference": _difference,
    "verdict": _verdict,
    "meaning": _meaning,
    "input marker": lambda world, key: world.input_marker(key.name),
    "changed inputs": lambda world, _: world.changed_inputs(),
    "section good": lambda world, key: world.good_count(world.sections[key.name]),
    "section size": lambda world, key: _size(world.sections[key.name]),
    "section difference": lambda world, key: (
        world.good_count(world.sections[key.name]) - _size(world.sections[key.name])
    ),
    "section verdict": _section_verdict,
    FAULT_COUNT: lambda world, _: world.faults(),
    FINDING_COUNT: lambda world, _: world.findings(),
    MASTER: _master,
    "marker": _marker,
    "chart note": _chart_note,
    "stage term": _stage_term,
}
PREFIXES: dict[str, Callable[[World, Key, str], Any]] = {
    "divided by ": _divided,
    "multiplied by ": lambda world, key, factor: world.values[key.name] * FACTORS[factor],
    "chart stage of ": _chart_stage,
    "chart part of ": _chart_part,
    "listed or ": _listed,
    "beside row ": lambda world, key, _: world.values[key.name],
    "repeated at ": lambda world, key, _: world.cell(key.name, key.row),
}
