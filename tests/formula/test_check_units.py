"""Units are worked out from the formula, and a formula whose units do not fit is told with both."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reportgen.formula.check_units import UnitError, unit_faults, unit_of
from reportgen.formula.functions import count_where, total
from reportgen.formula.parse import parse_text
from reportgen.formula.quantity import check
from reportgen.model import estimator
from tests.formula import small_model as small
from tests.formula.small_model import declared, model_of, small_model

MODEL = small_model()


def _unit(text: str) -> str:
    return str(unit_of(parse_text(text), MODEL))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("peak_bytes", "byte/GPU"),
        ("peak_bytes * gpu_count", "byte"),
        ("total_bytes / gpu_count", "byte/GPU"),
        ("total_bytes / gpu_count - peak_bytes", "byte/GPU"),
        ("total_bytes + 0", "byte"),
        ("0 - total_bytes", "byte"),
        ("-total_bytes", "byte"),
        ("total_bytes ** 2 / total_bytes", "byte"),
        ("sqrt(total_bytes ** 2)", "byte"),
        ("ceil(gpu_count / 2)", "GPU"),
        ("remainder(total_bytes, 2)", "byte"),
        ("min(total_bytes, peak_bytes * gpu_count, 0)", "byte"),
        ("total_bytes if sharding == 'on' else 0", "byte"),
        ("0 if sharding == 'on' else 0", "0"),
        ("sharding if gpu_count > 0 else 'off'", "text"),
        ("share_override == 'as rule'", "truth"),
        ("not gpu_count == 0 and peak_stage <= 1", "truth"),
        ("is_number(share_override)", "truth"),
        ("stage_index + 1", "1"),
        ("total(stage_bytes)", "byte"),
        ("largest(stage_gpu_bytes) * gpu_count", "byte"),
        ("count_where(stage_bytes, total_bytes)", "1"),
        ("count_below(stage_bytes, 0)", "1"),
        ("total_where(stage_bytes, stage_index, peak_stage)", "byte"),
        ("total_up_to(stage_bytes, stage_index, 1)", "byte"),
        ("lookup(peak_stage, stage_index, stage_gpu_bytes)", "byte/GPU"),
    ],
)
def test_the_unit_of_an_expression(text: str, expected: str) -> None:
    assert _unit(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("total_bytes + peak_bytes", "adding byte and byte/GPU"),
        ("total_bytes - 1", "adding byte and 1"),
        ("total_bytes + sharding", "adding text"),
        ("0 + sharding", "adding text"),
        ("sharding * 2", "multiplying text"),
        ("total_bytes / sharding", "multiplying text"),
        ("sharding ** 2", "a power of text"),
        ("-sharding", "the negative of text"),
        ("(gpu_count > 0) + 1", "adding truth"),
        ("2 * (gpu_count > 0)", "multiplying truth"),
        ("-(gpu_count > 0)", "the negative of truth"),
        ("total_bytes if gpu_count else 0", "a condition that is GPU, not a comparison"),
        ("total_bytes if sharding else 0", "a condition that is text, not a comparison"),
        ("gpu_count and peak_stage == 0", "a condition that is GPU, not a comparison"),
        ("not 1", "a condition that is 1, not a comparison"),
        ("total_bytes if gpu_count > 0 else peak_bytes", "choosing between byte and byte/GPU"),
        ("total_bytes if gpu_count > 0 else 'none'", "choosing between byte and text"),
        ("total_bytes < gpu_count", "comparing byte and GPU"),
        ("gpu_count > 1", "comparing GPU and 1"),
        ("total_bytes == 'none'", "comparing byte and text"),
        ("share_override < 'as rule'", "comparing 1 and text"),
        ("share_override == 'as usual'", "comparing 1 and text"),
        ("sharding < 'on'", "comparing text < text, which engines put in orders of their own"),
        (
            "(gpu_count > 0) == (peak_stage > 1)",
            "comparing truth == truth, which engines put in orders of their own",
        ),
        ("max(total_bytes, gpu_count)", "comparing byte and GPU"),
        ("max(sharding, sharding)", "max of text"),
        ("floor(sharding)", "floor of text"),
        ("abs(gpu_count > 0)", "abs of truth"),
        ("sqrt(total_bytes)", "the root of byte"),
        ("count_where(stage_bytes, gpu_count)", "count_where compares byte and GPU"),
        ("count_below(stage_bytes, 1)", "count_below compares byte and 1"),
        ("total_where(stage_bytes, stage_bytes, 1)", "total_where compares byte and 1"),
        ("total_up_to(stage_bytes, stage_bytes, 1)", "total_up_to compares byte and 1"),
        ("lookup(total_bytes, stage_index, stage_bytes)", "lookup compares byte and 1"),
    ],
)
def test_units_that_do_not_fit_are_refused_with_both(text: str, message: str) -> None:
    with pytest.raises(UnitError) as caught:
        _unit(text)
    assert str(caught.value) == message


@declared("byte/GPU")
def forgotten_gpus(total_bytes: float) -> float:
    """The GPU count is forgotten."""
    return total_bytes


@declared("byte")
def added_seconds(total_bytes: float, gpu_count: float) -> float:
    """Bytes and GPUs."""
    return total_bytes + gpu_count


@declared("GPU", counting=True)
def counted_gpus(peak_stage: float) -> float:
    """A pure number of GPUs."""
    return peak_stage + 1


@declared("GPU", counting=True)
def miscounted_gpus(total_bytes: float) -> float:
    """Counts bytes as GPUs."""
    return total_bytes


@declared("text")
def nothing_said(gpu_count: float) -> float:
    """Nought where a text should be."""
    return 0 if gpu_count > 0 else 0 + 0


@declared("1")
def said_truth(gpu_count: float) -> bool:
    """A truth where a number should be."""
    return gpu_count > 0


@check("fault", remedy="None.")
def bytes_below_gpus(total_bytes: float, gpu_count: float) -> bool:
    """Bytes are compared with GPUs."""
    return total_bytes <= gpu_count


def _faults(*entries: object) -> Iterator[str]:
    known = (small.gpu_count, small.stage_count, small.stage_bytes)
    return unit_faults(model_of(*known, *entries))  # type: ignore[arg-type]


@declared("byte")
def total_bytes(stage_bytes: list[float]) -> float:
    """Bytes of all stages."""
    return total(stage_bytes)


@declared("1")
def peak_stage(stage_bytes: list[float]) -> float:
    """Stages with nothing."""
    return count_where(stage_bytes, 0)


def test_each_quantity_and_check_with_a_wrong_unit_is_told() -> None:
    found = _faults(
        total_bytes,
        peak_stage,
        forgotten_gpus,
        added_seconds,
        counted_gpus,
        miscounted_gpus,
        nothing_said,
        said_truth,
        bytes_below_gpus,
    )
    assert list(found) == [
        "forgotten_gpus: declared byte/GPU, the formula gives byte",
        "added_seconds: adding byte and GPU",
        "miscounted_gpus: declared GPU, the formula gives byte",
        "nothing_said: declared text, the formula gives 0",
        "said_truth: declared 1, the formula gives truth",
        "bytes_below_gpus: comparing byte and GPU",
    ]


def test_the_small_model_has_no_fault() -> None:
    assert list(unit_faults(MODEL)) == []


def test_the_estimator_has_no_fault() -> None:
    assert list(unit_faults(estimator())) == []
