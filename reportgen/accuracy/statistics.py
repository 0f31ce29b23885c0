"""Statistics of errors: median and percentile, interpolated between neighbours."""

from __future__ import annotations

from collections.abc import Sequence


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lies, linear between neighbours; values must not be empty."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two in the middle."""
    return quantile(values, 1 / 2)
