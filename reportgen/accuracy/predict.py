"""A row's peak as the estimator has it, beside the one that was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from reportgen.accuracy.card import card_bytes
from reportgen.accuracy.cells import NotEstimatedError, Row
from reportgen.accuracy.frameworks import reading_of
from reportgen.accuracy.measured import measured_bytes
from reportgen.accuracy.possible import needed, refuse_impossible, refuse_out_of_range
from reportgen.accuracy.setup import Setup, defaults
from reportgen.accuracy.splitting import as_frameworks_split
from reportgen.formula.evaluate import EvaluationError, evaluate
from reportgen.model import estimator

KEPT_LAYOUTS = 4096  # of some kilobytes each
PEAKS = frozenset({"stage_peak_bytes", "stage_flat_gather_bytes", "model_parameters"})


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
    measured = measured_bytes(row)
    setup = reading_of(row.text("framework")).read(row)
    room = card_bytes(row.text("hardware")) - defaults()["framework_bytes"]
    peak = _peak(setup, setup.inputs, room)
    if setup.instead and peak > room:
        peak = _peak(setup, {**setup.inputs, **setup.instead}, room)
    return Compared(row, setup.profile, peak, measured)


def _peak(setup: Setup, inputs: Mapping[str, Any], room: float) -> float:
    """The peak of the stage that was measured; raises NotEstimatedError where no such run can have been."""
    values = _values(as_frameworks_split(inputs))
    stages = values["stage_peak_bytes"]
    if setup.reserved:
        stages = within_card(stages, values["stage_flat_gather_bytes"], room)
    training = float({"first": stages[0], "last": stages[-1], "fullest": max(stages)}[setup.stage]) + setup.beside
    return max(training, setup.loading_bytes_per_parameter * float(values["model_parameters"]))


def _values(inputs: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the estimator says of some inputs; raises NotEstimatedError where it has no value or finds a fault."""
    refuse_out_of_range(inputs)
    return _evaluated(tuple(sorted(inputs.items())))


@lru_cache(maxsize=KEPT_LAYOUTS)
def _evaluated(inputs: tuple[tuple[str, Any], ...]) -> Mapping[str, Any]:
    """The values of one layout, kept because tables have the same one measured on several machines."""
    try:
        values = evaluate(estimator(), {**defaults(), **dict(inputs)}, PEAKS | needed())
        refuse_impossible(values)
    except EvaluationError as error:
        raise NotEstimatedError(f"the estimator has no value: {error}") from error
    return {name: values[name] for name in PEAKS}


def within_card(peaks: Sequence[float], cached: Sequence[float], room: float) -> list[float]:
    """Peaks as an allocator reserves them: a full card makes it give back what it only caches."""
    return [peak - (extra if peak > room else 0) for peak, extra in zip(peaks, cached, strict=True)]
