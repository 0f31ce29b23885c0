"""The worked cases and answers notice a change: of any quantity, any branch, any operator and any constant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from reportgen.formula.expression import Call, Choose, Expression, walk
from reportgen.formula.interpret import interpret
from reportgen.formula.model import Model
from reportgen.formula.quantity import Constant, Quantity
from reportgen.model import estimator
from tests.model.cases import Answer, answers, cases_of, same
from tests.model.mutants import mutants

MODEL = estimator()
QUANTITIES = MODEL.quantities


def names(entries: tuple[Quantity, ...] | tuple[Constant, ...]) -> list[str]:
    return [entry.name for entry in entries]


def moved(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function one per cent off, or with another text."""

    def wrapped(**given: Any) -> Any:
        value = function(**given)
        return f"not {value}" if isinstance(value, str) else value * 1.01

    return wrapped


@pytest.mark.parametrize("quantity", QUANTITIES, ids=names(QUANTITIES))
def test_a_case_notices_one_per_cent(quantity: Quantity) -> None:
    changed = replace(quantity, function=moved(quantity.function))
    assert [case.title for case in cases_of(quantity.name) if not case.holds(changed)] != []


def conditions(quantity: Quantity) -> list[Choose]:
    return [node for node in walk(quantity.expression) if isinstance(node, Choose)]


CHOOSING = tuple(quantity for quantity in QUANTITIES if conditions(quantity))


@pytest.mark.parametrize("quantity", CHOOSING, ids=names(CHOOSING))
def test_cases_take_both_branches_of_every_condition(quantity: Quantity) -> None:
    taken = [
        {bool(interpret(node.condition, case.given)) for case in cases_of(quantity.name)}
        for node in conditions(quantity)
    ]
    assert [{True, False}] * len(taken) == taken


def extremes(quantity: Quantity) -> list[Call]:
    return [node for node in walk(quantity.expression) if isinstance(node, Call) and node.function in ("min", "max")]


EXTREME = tuple(quantity for quantity in QUANTITIES if extremes(quantity))


@pytest.mark.parametrize("quantity", EXTREME, ids=names(EXTREME))
def test_cases_let_every_side_of_a_minimum_or_maximum_win(quantity: Quantity) -> None:
    for node in extremes(quantity):
        winners = {_winner(node, case.given) for case in cases_of(quantity.name)} - {None}
        assert set(range(len(node.arguments))) == winners


def _winner(node: Call, given: dict[str, Any]) -> int | None:
    """The argument that wins; None where the case never gets there, for a text stands where a number would."""
    sides = [interpret(part, given) for part in node.arguments]
    if any(isinstance(side, str) for side in sides):
        return None
    return sides.index(min(sides) if node.function == "min" else max(sides))


OPERATING = tuple(quantity for quantity in QUANTITIES if next(mutants(quantity.expression), None))


@pytest.mark.parametrize("quantity", OPERATING, ids=names(OPERATING))
def test_cases_notice_every_changed_operator_comparison_and_number(quantity: Quantity) -> None:
    unnoticed = [mutant for mutant in mutants(quantity.expression) if not _noticed(quantity, mutant)]
    assert unnoticed == []


def _noticed(quantity: Quantity, mutant: Expression) -> bool:
    return any(not _agrees(mutant, case.given, case.expected) for case in cases_of(quantity.name))


def _agrees(mutant: Expression, given: dict[str, Any], expected: Any) -> bool:
    try:
        return same(expected, interpret(mutant, given))
    except (ArithmeticError, TypeError, ValueError):
        return False


@pytest.mark.parametrize("factor", [0.99, 1.01])
@pytest.mark.parametrize("constant", MODEL.constants, ids=names(MODEL.constants))
def test_an_answer_notices_one_per_cent_of_a_constant(constant: Constant, factor: float) -> None:
    changed = with_constant(replace(constant, value=constant.value * factor))
    assert any(not answer.holds(changed) for answer in answers_reading(constant.name))


def with_constant(changed: Constant) -> Model:
    entries = tuple(changed if entry.name == changed.name else entry for entry in MODEL.entries)
    return replace(MODEL, entries=entries)


def answers_reading(name: str) -> Iterator[Answer]:
    yield from (answer for answer in answers() if name in MODEL.needed_for([answer.quantity]))
