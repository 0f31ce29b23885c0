"""The rule for layers comes out as a person would write it, and never loses a layer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.scenario.config_pattern import Rule, rule_of


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ([0] * 5, Rule(0, 0, 1, 0, 0, 0)),
        ([0, 0, 0, 1, 1, 1, 1], Rule(3, 0, 1, 0, 1, 1)),
        ([0, 1] * 4, Rule(0, 0, 2, 1, 1, 0)),
        ([0, 0, 0, 1] * 3, Rule(0, 0, 4, 1, 1, 0)),
        ([0, 0, 1, 1] * 3, Rule(0, 0, 4, 2, 1, 0)),
        ([0, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 2], Rule(1, 0, 6, 1, 2, 1)),
    ],
    ids=["all alike", "first ones", "alternating", "one in four", "two and two", "first one, then one in six"],
)
def test_common_models_have_a_rule_without_exceptions(layers: list[int], expected: Rule) -> None:
    assert rule_of(layers) == expected
    assert rule_of(layers).exceptions(layers) == {}


def test_a_single_odd_layer_is_an_exception_and_no_period() -> None:
    layers = [0, 1] * 8
    layers[5] = 2
    assert rule_of(layers) == Rule(0, 0, 2, 1, 1, 0)
    assert rule_of(layers).exceptions(layers) == {5: 2}


@given(st.lists(st.integers(0, 3), min_size=1, max_size=24))
def test_rule_and_exceptions_give_every_layer_its_kind(layers: list[int]) -> None:
    rule = rule_of(layers)
    exceptions = rule.exceptions(layers)
    assert [exceptions.get(layer, rule.kind_of(layer)) for layer in range(len(layers))] == layers


def test_no_layers_have_no_rule() -> None:
    with pytest.raises(ValueError, match="a model without layers has no rule for them"):
        rule_of([])
