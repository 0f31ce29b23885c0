"""A row's peak as the estimator has it, beside the one that was measured."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from reportgen.accuracy.cells import NotEstimatedError, Row
from reportgen.accuracy.frameworks import reading_of
from reportgen.accuracy.setup import Setup, defaults
from reportgen.accuracy.table import PEAK
from reportgen.catalog import accelerators
from reportgen.formula.evaluate import EvaluationError, evaluate
from reportgen.formula.quantity import Input
from reportgen.model import estimator

GIB = 2**30
DECIMAL = 10**9
NEEDED = frozenset({"stage_peak_bytes", "stage_flat_gather_bytes", "model_parameters"})


@dataclass(frozen=True)
class Compared:
    """One row's estimate and measurement in bytes, and the profile that was taken."""

    row: Row
    profile: str
    estimated: float
    measured: float

    @property
    def error(self) -> float:
        """How far the estimate lies from the measurement, as a fraction of it; below 0 it is too low."""
        return self.estimated / self.measured - 1


def compare(row: Row) -> Compared:
    """The estimate of one measured row; raises NotEstimatedError with the reason where there is none."""
    setup = reading_of(row.text("framework")).read(row)
    room = card_bytes(row.text("hardware")) - defaults()["framework_bytes"]
    peak = _peak(setup, setup.inputs, room)
    if setup.instead and peak > room:
        peak = _peak(setup, {**setup.inputs, **setup.instead}, room)
    return Compared(row, setup.profile, peak, measured_bytes(row))


def _peak(setup: Setup, inputs: Mapping[str, Any], room: float) -> float:
    """The peak of the stage that was measured; raises NotEstimatedError where the estimator has no value."""
    _refuse_out_of_range(inputs)
    try:
        values = evaluate(estimator(), {**defaults(), **inputs}, NEEDED)
    except EvaluationError as error:
        raise NotEstimatedError(f"the estimator has no value: {error}") from error
    stages = values["stage_peak_bytes"]
    if setup.reserved:
        stages = within_card(stages, values["stage_flat_gather_bytes"], room)
    training = float({"first": stages[0], "last": stages[-1], "fullest": max(stages)}[setup.stage]) + setup.beside
    return max(training, setup.loading_bytes_per_parameter * float(values["model_parameters"]))


def within_card(peaks: Sequence[float], cached: Sequence[float], room: float) -> list[float]:
    """Peaks as an allocator reserves them: a full card makes it give back what it only caches."""
    return [peak - (extra if peak > room else 0) for peak, extra in zip(peaks, cached, strict=True)]


def card_bytes(hardware: str) -> float:
    """Usable memory of the accelerator that some words name; without bound where the catalogue has none of them."""
    said = set(re.findall(r"[a-z0-9]+", hardware.casefold()))
    known = [(len(said & set(card.key.casefold().split())), card) for card in accelerators() if _named(card.key, said)]
    best = max(known, key=lambda pair: pair[0], default=None)
    return (best[1].memory_bytes_usable if best else None) or inf


def _named(key: str, said: set[str]) -> bool:
    """Whether some words have the model's number, such as h100, of an accelerator."""
    return any(re.fullmatch(r"[a-z]+\d+[a-z]*", word) and word in said for word in key.casefold().split())


def measured_bytes(row: Row) -> float:
    """The measured peak; a tool that divides by 1e9 is taken at its word."""
    value = row.number(PEAK) or 0
    return value * (DECIMAL if "/1e9" in row.text("peak_kind") else GIB)


def _refuse_out_of_range(inputs: Mapping[str, Any]) -> None:
    """Raises NotEstimatedError for sizes that the estimator's inputs do not go to."""
    for name, value in inputs.items():
        entry = estimator().inputs[name]
        if entry.axis is None and isinstance(value, int | float) and not _fits(entry, value):
            raise NotEstimatedError(f"{name} {value:g} is not within {entry.minimum:g} and {entry.maximum:g}")


def _fits(entry: Input, value: float) -> bool:
    return entry.minimum is None or entry.maximum is None or entry.minimum <= value <= entry.maximum
