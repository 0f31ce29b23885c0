"""Any name that is shown to a person, to how it comes about: quantities, checks, cases, names of the workbook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from reportgen.errors import Fault, ReportgenError
from reportgen.formula.explain import Derivation, derive, derive_check, feeds, label
from reportgen.formula.quantity import Check, Constant
from reportgen.formula.show import show
from reportgen.model import estimator
from reportgen.result import Result
from reportgen.scenario.accept import nearest
from reportgen.scenario.scenario import CASES
from reportgen.workbook.shown import WORKBOOK_CONSTANTS

IN_THE_WORKBOOK = "the workbook's own"
CASE_MEANINGS = {
    "active_case": "The case that values are of: the low, the base or the high of every input that has a range.",
    "case_number": "The place of the active case among low, base and high, from 1.",
    "fault_count": "Checks that make the results unusable.",
    "finding_count": "Checks that do not hold and that a reader has to know.",
    "master_verdict": "What all checks together say.",
}


def explained(result: Result, name: str, row: int | None = None) -> Derivation:
    """How a name of a quantity, a check, a case of an input, or the workbook comes about.

    Raises ReportgenError for a name or a row that there is not.
    """
    model = estimator()
    quantity = name in model.by_name or name in model.index_axes
    _refuse_row(result, name if quantity else "", row)
    if quantity:
        return replace(derive(model, result.values, name, row), source=_source(result, name))
    for found in (_check(result, name), _case_of_an_input(result, name), _of_the_workbook(result, name)):
        if found:
            return found
    close = nearest(name, tuple(_names(result)))
    remedy = f"did you mean {close}?" if close else "see the names in `reportgen estimate --json`"
    raise ReportgenError([Fault("QUANTITY", f"{name!r:.80}", "the name of a quantity or a check", remedy)])


def _names(result: Result) -> Iterator[str]:
    """All names that can be explained."""
    model = estimator()
    yield from (*model.by_name, *model.index_axes)
    yield from (check.name for check in model.checks)
    yield from (f"{name}_{case}" for name in result.scenario.ranges for case in CASES)
    yield from (*CASE_MEANINGS, *(constant.name for constant in WORKBOOK_CONSTANTS))


def _refuse_row(result: Result, name: str, row: int | None) -> None:
    rows = len(result[name]) if name and isinstance(result[name], list | tuple) else 0
    if row is not None and not 0 <= row < rows:
        expected = f"a row from 0 to {rows - 1}" if rows else "no row: this is one value"
        raise ReportgenError([Fault("--row", str(row), expected, "leave --row out, or change it")])


def _check(result: Result, name: str) -> Derivation | None:
    outcome = next((outcome for outcome in result.outcomes if outcome.check.name == name), None)
    if outcome is None:
        return None
    derivation = derive_check(estimator(), result.values, outcome.check)
    return replace(derivation, result=outcome.verdict, source=_severity(outcome.check))


def _severity(check: Check) -> str:
    if check.severity == "fault":
        return "a check; where it does not hold, the results are unusable"
    return "a check; where it does not hold, the results are right, and a reader has to know"


def _case_of_an_input(result: Result, name: str) -> Derivation | None:
    """The base, low or high of an input that has a range."""
    scenario = result.scenario
    of, _, case = name.rpartition("_")
    if of not in scenario.ranges or case not in CASES:
        return None
    value = scenario.inputs[of] if case == "base" else getattr(scenario.ranges[of], case)
    entry = estimator().by_name[of]
    return _value(
        name,
        f"{label(of)}, {case} case",
        entry.description,
        str(show(value, entry.unit, of)),
        unit=str(entry.unit),
        source=_source(result, of),
        feeds=feeds(estimator(), of),
    )


def _of_the_workbook(result: Result, name: str) -> Derivation | None:
    for constant in WORKBOOK_CONSTANTS:
        if constant.name == name:
            return _constant(constant)
    if name not in CASE_MEANINGS:
        return None
    return _value(name, label(name), CASE_MEANINGS[name], _of_the_cases(result, name), source=IN_THE_WORKBOOK)


def _constant(constant: Constant) -> Derivation:
    shown = str(show(constant.value, constant.unit, constant.name))
    return _value(
        constant.name,
        label(constant.name),
        constant.description,
        shown,
        unit=str(constant.unit),
        source=str(constant.origin),
    )


def _of_the_cases(result: Result, name: str) -> str:
    failed = [outcome.check.severity for outcome in result.outcomes if not outcome.passed]
    case = result.scenario.case
    return {
        "active_case": case,
        "case_number": str(CASES.index(case) + 1),
        "fault_count": str(failed.count("fault")),
        "finding_count": str(failed.count("finding")),
    }.get(name, "OK" if not failed else f"{len(failed)} of {len(result.outcomes)} checks do not hold")


def _value(
    name: str,
    said: str,
    description: str,
    shown: str,
    *,
    unit: str = "",
    source: str,
    feeds: tuple[str, ...] = (),
) -> Derivation:
    """Something that has a value and no formula."""
    return Derivation(
        name=name,
        label=said,
        description=description,
        words="",
        numbers="",
        result=shown,
        unit=unit,
        source=source,
        reads=(),
        feeds=feeds,
    )


def _source(result: Result, name: str) -> str:
    """Where the value comes from, with its low and high and what the scenario notes about it."""
    scenario, units = result.scenario, result.units
    parts = [result.origin(name) if name in estimator().by_name else ""]
    if name in scenario.ranges:
        low, high = (show(side, units[name], name) for side in (scenario.ranges[name].low, scenario.ranges[name].high))
        parts.append(f"from {low} (low) to {high} (high)")
    if name in scenario.notes and scenario.notes[name].note:
        parts.append(scenario.notes[name].note)
    return "; ".join(part for part in parts if part)
