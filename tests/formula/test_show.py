"""Values as a person reads them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from reportgen.formula.show import Shown, digits, show, show_in_formula
from reportgen.formula.units import unit
from reportgen.model import estimator


@pytest.mark.parametrize(
    ("value", "of", "text"),
    [
        (80e9, "byte", "80 GB"),
        (85520809984, "byte", "85.52 GB"),
        (999_949_000_000, "byte", "999.9 GB"),
        (999_960_000_000, "byte", "1 TB"),
        (1536, "byte", "1.536 kB"),
        (18, "byte/parameter", "18 bytes per parameter"),
        (1, "byte/parameter", "1 byte per parameter"),
        (0.5, "byte/parameter", "0.5 bytes per parameter"),
        (0, "byte", "0 bytes"),
        (-3.2e9, "byte", "−3.2 GB"),
        (1e30, "byte", "1 × 10^12 EB"),
        (50e9, "byte/second/GPU", "50 GB/s per GPU"),
        (2e11, "byte/second", "200 GB/s"),
        (989e12, "FLOP/second/GPU", "989 TFLOP/s per GPU"),
        (2.025e17, "FLOP/second", "202.5 PFLOP/s"),
        (4.2331e11, "FLOP/token", "423.3 GFLOP per token"),
        (4.2331e23, "FLOP", "4.233 × 10^23 FLOP"),
        (1318123.4, "USD", "1.318 million USD"),
        (1e6, "USD", "1 million USD"),
        (999_999.9, "USD", "1 million USD"),
        (12345, "USD", "12,345 USD"),
        (12345.67, "USD", "12,350 USD"),
        (2.5e9, "USD", "2.5 billion USD"),
        (-1.5e6, "USD", "−1.5 million USD"),
        (1.318e-6, "USD/token", "1.318 USD per million tokens"),
        (3.99, "USD/hour/GPU", "3.99 USD per GPU-hour"),
        (330340.7, "GPU*hour", "330,300 GPU-hours"),
        (1, "GPU*hour", "1 GPU-hour"),
        (26.876, "day", "26.88 days"),
        (1, "day", "1 day"),
        (4.977, "second", "4.977 s"),
        (119, "second", "119 s"),
        (1800, "second", "30 minutes"),
        (7200, "second", "2 hours"),
        (2.09e6, "second", "24.19 days"),
        (0.03858, "second", "38.58 ms"),
        (2e-6, "second", "2 µs"),
        (0, "second", "0 s"),
        (15e12, "token", "15 T tokens"),
        (1e12, "token", "1 T tokens"),
        (8192, "token/sequence", "8,192 tokens per sequence"),
        (8388608, "token/step", "8.389 M tokens per step"),
        (934.51, "token/second/GPU", "934.5 tokens/s per GPU"),
        (70.55e9, "parameter", "70.55 B parameters"),
        (1, "parameter", "1 parameter"),
        (512, "GPU", "512 GPUs"),
        (1, "GPU", "1 GPU"),
        (-1, "GPU", "−1 GPU"),
        (1, "node", "1 node"),
        (119209, "step", "119,209 steps"),
        (8, "GPU/node", "8 GPUs per node"),
        (5, "byte*sequence/token^2", "5 bytes*sequences per token^2"),
        (17.5, "second/step", "17.5 seconds per step"),
        (28672, "1", "28,672"),
        (0.04688, "1", "0.04688"),
        ("as rule", "1", "as rule"),
        ("dense", "text", "dense"),
        (True, "1", "yes"),
        (None, "byte", "–"),
        (math.nan, "byte", "no value"),
        (math.inf, "byte", "no value"),
        (10**400, "1", "no value"),
    ],
)
def test_a_value_with_its_unit(value: Any, of: str, text: str) -> None:
    assert str(show(value, of)) == text


def test_memory_of_a_gpu_has_its_binary_size_beside() -> None:
    assert show(80 * 2**30, "byte/GPU") == Shown("85.9", "GB", "80 GiB")
    assert show(80 * 2**30, "byte/GPU").full == "85.9 GB (80 GiB)"


def test_a_little_memory_has_nothing_beside() -> None:
    assert show(16_777_216, "byte/GPU").full == "16.78 MB"


@pytest.mark.parametrize(
    ("name", "text"),
    [("goodput_fraction", "90 %"), ("flops_utilization", "90 %"), ("activation_rule_ratio", "0.9"), ("", "0.9")],
)
def test_a_share_is_shown_in_per_cent_by_its_name(name: str, text: str) -> None:
    assert str(show(0.9, "1", name)) == text


def test_a_unit_may_be_given_as_it_is_declared() -> None:
    assert show(1e9, unit("byte")) == show(1e9, "byte")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1234567, "1,234,567"),
        (-1234567, "−1,234,567"),
        (999_999_999, "999,999,999"),
        (1.5e9, "1,500,000,000"),
        (1e12, "1 × 10^12"),
        (9.9999e11, "1,000,000,000,000"),
        (1e30, "1 × 10^30"),
        (-1.25e30, "−1.25 × 10^30"),
        (0.001, "0.001"),
        (0.00099, "9.9 × 10^−4"),
        (1e-30, "1 × 10^−30"),
        (0.0123456, "0.01235"),
        (1 / 3, "0.3333"),
        (2 / 3, "0.6667"),
        (12.3456, "12.35"),
        (9999.96, "10,000"),
        (1.0000001, "1"),
    ],
)
def test_digits(value: float, text: str) -> None:
    assert digits(value) == text


@pytest.mark.parametrize("value", [0, 1, -1, 0.5, 1e-30, 1e30, -1e30])
@pytest.mark.parametrize("of", sorted({str(entry.unit) for entry in estimator().entries}))
def test_every_unit_of_the_estimator_shows_every_size(value: float, of: str) -> None:
    shown = show(value, of)
    assert shown.text
    assert "  " not in str(shown)


def test_seconds_stay_seconds_in_a_formula() -> None:
    assert str(show_in_formula(2_090_000.4, "second")) == "2,090,000 s"
    assert str(show_in_formula(0.038, "second")) == "38 ms"
    assert str(show_in_formula(38.9e9, "byte/GPU")) == "38.9 GB"
