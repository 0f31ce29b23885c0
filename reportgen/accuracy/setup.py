"""What a row amounts to: the estimator's inputs and the stage that its measurement speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from reportgen.accuracy.cells import Row
from reportgen.model import estimator

Stage = Literal["first", "last", "fullest"]
# Words for a counter of the framework itself, which does not see context and communication library.
FRAMEWORK_COUNTERS = ("torch", "max_memory", "alloc", "reserv")


@dataclass(frozen=True)
class Setup:
    """A row as the estimator sees it: changed inputs, the stage that was measured, and the profile that was taken.

    `reserved` is True where the counter shows what the allocator holds, cached blocks included. `instead` are inputs
    that the run must have had if the first ones do not fit its card, for a measured run did fit. `beside` are bytes
    that the run holds and the estimator has no input for. `loading_bytes_per_parameter` is what loading the model
    holds, for a counter that starts before training does.
    """

    inputs: Mapping[str, Any]
    stage: Stage
    profile: str
    reserved: bool = False
    instead: Mapping[str, Any] = field(default_factory=dict)
    beside: float = 0
    loading_bytes_per_parameter: float = 0


@cache
def defaults() -> dict[str, Any]:
    """Every input of the estimator that has a default, columns as rows."""
    return {
        name: _rows(entry.default, entry.axis.rows) if entry.axis else entry.default
        for name, entry in estimator().inputs.items()
    }


def _rows(default: Any, count: int) -> tuple[Any, ...]:
    return tuple(default) if isinstance(default, tuple) else (default,) * count


def with_framework(column: str, framework: str, value: Any) -> dict[str, Any]:
    """A column of the table of frameworks with one framework's row changed, as an input."""
    rows = zip(defaults()["framework_name"], defaults()[column], strict=True)
    return {column: tuple(value if name == framework else old for name, old in rows)}


def counter_blind_bytes(row: Row) -> float:
    """What the tool that measured counts beyond the framework's own tensors: context, communication library."""
    tool = row.text("peak_kind").casefold()
    unseen = any(word in tool for word in FRAMEWORK_COUNTERS)
    return 0 if unseen else float(defaults()["framework_bytes"])


def stage_said(row: Row, otherwise: Stage) -> Stage:
    """The stage that the row's peak_kind speaks of; `otherwise` where it says nothing."""
    words = row.text("peak_kind").casefold()
    if "max over" in words or "all ranks" in words:
        return "fullest"
    if "last" in words:
        return "last"
    return "first" if "first" in words else otherwise
