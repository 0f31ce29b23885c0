"""Thousands of configurations in one pass give what one at a time gives."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy
import pytest

from reportgen.formula.array_functions import ARRAY_FUNCTIONS
from reportgen.formula.evaluate import evaluate
from reportgen.formula.functions import FUNCTIONS
from reportgen.formula.quantity import Value
from reportgen.formula.to_numpy import sweep
from reportgen.model import estimator
from tests.formula.configurations import configurations

COUNT = 40
RELATIVE = 1e-12


def _swept(inputs: list[dict[str, Any]]) -> dict[str, Any]:
    """All configurations in one pass; columns are the same in each."""
    model = estimator()
    columns = {name: value for name, value in inputs[0].items() if model.inputs[name].axis}
    scalars = {name: [one[name] for one in inputs] for name in inputs[0] if name not in columns}
    return sweep(model, {**columns, **scalars})


def _rows(array: Any, configuration: int) -> list[Value]:
    """The rows of one configuration that exist."""
    rows = array[configuration if len(array) > 1 else 0].tolist()
    return [row for row in rows if row != "–" and not (isinstance(row, float) and math.isnan(row))]


@pytest.fixture(scope="module")
def both() -> tuple[list[dict[str, Any]], dict[str, Any]]:
    inputs = list(configurations(COUNT))
    return [evaluate(estimator(), one) for one in inputs], _swept(inputs)


@pytest.mark.parametrize("name", [entry.name for entry in estimator().quantities])
def test_one_pass_gives_what_one_at_a_time_gives(name: str, both: tuple[list[dict[str, Any]], dict[str, Any]]) -> None:
    singly, swept = both
    for configuration, values in enumerate(singly):
        expected = values[name] if isinstance(values[name], list) else [values[name]]
        found = _rows(swept[name], configuration)
        if all(isinstance(row, str) for row in expected):
            assert expected == found
        else:
            assert pytest.approx(expected, rel=RELATIVE) == found


def test_the_configurations_reach_both_sides_of_most_conditions(
    both: tuple[list[dict[str, Any]], dict[str, Any]],
) -> None:
    singly, _ = both
    seen = {name: {one[name] for one in singly} for name in ("layer_count", "weight_shards", "virtual_stages")}
    assert all(len(values) > 2 for values in seen.values())


def test_rows_that_do_not_exist_are_nan_or_a_dash(both: tuple[list[dict[str, Any]], dict[str, Any]]) -> None:
    singly, swept = both
    layers = singly[0]["layer_count"]
    assert numpy.isnan(swept["layer_parameters"][0, layers:]).all()
    assert (swept["layer_kind"][0, layers:] == "–").all()


def test_only_what_is_asked_for_is_computed() -> None:
    (inputs,) = configurations(1)
    swept = _swept_only(inputs, "model_parallel_gpus")
    assert ("model_parallel_gpus" in swept, "training_days" in swept) == (True, False)


def _swept_only(inputs: dict[str, Any], name: str) -> dict[str, Any]:
    return sweep(estimator(), inputs, frozenset({name}))


def test_every_function_has_an_array_reading() -> None:
    assert list(ARRAY_FUNCTIONS) == list(FUNCTIONS)


def _array(*values: Value) -> Any:
    kind = object if any(isinstance(value, str) for value in values) else float
    return numpy.array([values], dtype=kind)


NAN = math.nan


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        ("floor", (_array(2.9999999999),), [3]),
        ("ceil", (_array(3.0000000001),), [3]),
        ("remainder", (_array(-7), _array(3)), [2]),
        ("remainder", (_array(1), _array(0.3)), [NAN]),
        ("remainder", (_array(1e15), _array(3)), [NAN]),
        ("total", (_array(1, NAN, 2),), [3]),
        ("largest", (_array(-1, NAN, -2),), [-1]),
        ("largest", (_array(NAN, NAN),), [0]),
        ("smallest", (_array(4, NAN, 2),), [2]),
        ("smallest", (_array(NAN, NAN),), [0]),
        ("count_where", (_array("moe", "Dense", "–"), _array("MoE")), [1]),
        ("count_below", (_array(1, 2, NAN), _array(2)), [1]),
        ("count_below", (_array(1, 2, NAN), _array(1.5)), [NAN]),
        ("total_where", (_array(1, 2, NAN), _array("a", "A", "–"), _array("a")), [3]),
        ("total_up_to", (_array(5, 6, NAN), _array(0, 1, NAN), _array(0)), [5]),
        ("total_up_to", (_array(5, 6, NAN), _array(0, 1, NAN), _array(0.5)), [NAN]),
        ("lookup", (_array("b"), _array("a", "B"), _array(1, 2)), [2]),
        ("lookup", (_array("c"), _array("a", "b"), _array(1, 2)), [NAN]),
        ("lookup", (_array(3), _array(1, 2), _array("x", "y")), ["–"]),
        ("is_number", (_array(NAN),), [False]),
        ("is_number", (_array("as rule"),), [False]),
        ("is_number", (_array(4),), [True]),
    ],
)
def test_a_function_over_arrays(function: str, arguments: tuple[Any, ...], expected: list[Value]) -> None:
    found = ARRAY_FUNCTIONS[function](*arguments)[0].tolist()
    assert found == pytest.approx(expected, nan_ok=True) if not isinstance(found[0], str) else found == expected


@pytest.mark.bench
def test_a_sweep_gets_through_hundreds_of_configurations_a_second(
    record_property: Callable[[str, object], None],
) -> None:
    inputs = list(configurations(20)) * 50
    start = time.perf_counter()
    _swept(inputs)
    rate = len(inputs) / (time.perf_counter() - start)
    record_property("configurations_per_second", round(rate))
    assert rate > 200
