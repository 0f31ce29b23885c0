"""How far a quantity spreads over the uncertain inputs: every combination of their lows and highs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from reportgen.formula.to_numpy import sweep
from reportgen.memo.content.say import Teller
from reportgen.memo.content.variants import changed
from reportgen.model import estimator
from reportgen.result import Result

# Beyond so many ranged inputs, whose combinations double with each, one at a time goes to its low and its high.
COMBINED_AT_MOST = 10
EVERY_COMBINATION = "Over every combination of the low and high inputs"
ONE_AT_A_TIME = "With one input at a time at its low or its high"

Corner = dict[str, Any]


def spread(result: Result, quantity: str) -> tuple[Teller, Teller] | None:
    """The runs in which a scalar is least and greatest; None where it is the same in all that have a value."""
    found = corners(result)
    if len(found) == 1:
        return None
    values = _values(result, quantity, found)
    finite = [index for index, value in enumerate(values) if math.isfinite(value)]
    least = min(finite, key=lambda index: values[index])
    most = max(finite, key=lambda index: values[index])
    if math.isclose(values[least], values[most], rel_tol=1e-12):
        return None
    return _teller(result, found[least]), _teller(result, found[most])


def corners(result: Result) -> tuple[Corner, ...]:
    """What is changed in each run: nothing in the first, then the ranged inputs at their ends."""
    ranges = result.scenario.ranges
    ends: Mapping[str, tuple[Any, ...]] = {
        name: tuple(dict.fromkeys((span.low, span.high))) for name, span in ranges.items()
    }
    if len(ranges) > COMBINED_AT_MOST:
        singles = tuple({name: end} for name, both in ends.items() for end in both)
        return ({}, *singles)
    if not ranges:
        return ({},)
    return ({}, *(dict(zip(ends, chosen, strict=True)) for chosen in product(*ends.values())))


def over_what(result: Result) -> str:
    """How a sentence begins that tells a spread."""
    return EVERY_COMBINATION if len(result.scenario.ranges) <= COMBINED_AT_MOST else ONE_AT_A_TIME


def _values(result: Result, quantity: str, found: Sequence[Corner]) -> list[float]:
    live = result.scenario.live_inputs()
    varied = {name: [corner.get(name, live[name]) for corner in found] for name in result.scenario.ranges}
    array = sweep(estimator(), {**live, **varied}, frozenset({quantity}))[quantity][:, 0]
    column = [float(value) for value in array]
    return column if len(column) == len(found) else column * len(found)


def _teller(result: Result, corner: Corner) -> Teller:
    return changed(result, **corner) if corner else Teller(result)
