"""What fills one GPU of a stage, read off the model: the parts of its peak, and its buffers term by term."""

from __future__ import annotations

from functools import cache

from reportgen.formula.explain import label
from reportgen.formula.expression import Binary, Expression, Name
from reportgen.formula.quantity import Quantity
from reportgen.model import estimator
from reportgen.result import Result

PEAK, BUFFERS = "stage_peak_bytes", "stage_buffer_bytes"
# Terms whose names would mislead beside the others.
CALLED = {"framework_bytes": "context and communication library"}


@cache
def peak_parts() -> tuple[str, ...]:
    """The quantities that add up to the peak of a stage, in their order."""
    return _parameters(PEAK)


@cache
def buffer_terms() -> tuple[str, ...]:
    """The quantities that add up to the buffers of a stage, sums of sums taken apart: each cause a term."""
    return tuple(term for part in _parameters(BUFFERS) for term in _taken_apart(part))


@cache
def stage_terms() -> tuple[str, ...]:
    """The parts of the peak with the terms of the buffers in the place of their sum."""
    return tuple(term for part in peak_parts() for term in (buffer_terms() if part == BUFFERS else (part,)))


def term_label(name: str) -> str:
    """A term's name in words, without what all of them have in common."""
    return CALLED.get(name) or label(name.removeprefix("stage_").removesuffix("_bytes"))


def of_stage(result: Result, name: str, stage: int) -> float:
    """What one GPU of a stage holds of a term; a scalar is the same on every stage."""
    value = result[name]
    return float(value[stage] if isinstance(value, list) else value)


def held_terms(result: Result) -> dict[str, float]:
    """The terms of the fullest stage's buffers that are not zero, in bytes, by name."""
    sizes = {name: of_stage(result, name, int(result["worst_stage"])) for name in buffer_terms()}
    return {name: size for name, size in sizes.items() if size}


def _taken_apart(name: str) -> tuple[str, ...]:
    entry = estimator().by_name[name]
    summands = _summands(entry.expression) if isinstance(entry, Quantity) else ()
    return tuple(term for part in summands for term in _taken_apart(part)) if len(summands) > 1 else (name,)


def _summands(expression: Expression) -> tuple[str, ...]:
    """The names in a plain sum; nothing for any other formula."""
    if isinstance(expression, Name):
        return (expression.name,)
    if not isinstance(expression, Binary) or expression.operator != "+":
        return ()
    left, right = _summands(expression.left), _summands(expression.right)
    return left + right if left and right else ()


def _parameters(name: str) -> tuple[str, ...]:
    entry = estimator().by_name[name]
    return entry.parameters if isinstance(entry, Quantity) else ()
