"""Statistics of errors: median and percentile, interpolated between neighbours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lies, linear between neighbours; values must not be empty."""
    return float(numpy.quantile(values, share))


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two in the middle."""
    return float(numpy.median(values))
