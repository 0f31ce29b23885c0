"""Thousands of random expressions come to the same in Python and in two spreadsheet engines."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import pytest

from reportgen.formula import to_excel as translator
from reportgen.formula.expression import Binary, Expression, Negate
from reportgen.formula.to_excel import References, Rendered, to_excel
from tests.engines.expressions import evaluate_formulas_ironcalc, evaluate_formulas_libreoffice
from tests.engines.interface import CellValue
from tests.formula.random_expressions import Grower, Sheet, cells, values
from tests.formula.reference import Assessed, Doubtful, agrees, assess

Evaluate = Callable[[Sequence[str], Mapping[str, CellValue]], list[CellValue]]
COUNT = 4_000
SOAK_COUNT = 50_000
MOST_DOUBTFUL = 0.15
DEPTH = 6

ENGINES = [
    pytest.param(evaluate_formulas_ironcalc, id="ironcalc"),
    pytest.param(evaluate_formulas_libreoffice, id="libreoffice", marks=pytest.mark.xdist_group("libreoffice")),
]
Case = tuple[Expression, Assessed | Exception]


@cache
def _cases(count: int, seed: int) -> tuple[list[Case], int]:
    """So many expressions with what they come to, and how many were left out as doubtful."""
    generator, known = random.Random(seed), values()  # noqa: S311 - the same in every run, nothing secret
    cases: list[Case] = []
    doubtful = 0
    while len(cases) < count:
        expression = Grower(generator, generator.randint(1, DEPTH)).any_kind()
        try:
            cases.append((expression, assess(expression, known)))
        except Doubtful:
            doubtful += 1
        except (ArithmeticError, ValueError) as error:
            cases.append((expression, error))
    return cases, doubtful


def _disagreements(evaluate: Evaluate, cases: list[Case]) -> list[str]:
    formulas = [f"={to_excel(expression, Sheet())}" for expression, _ in cases]
    found = evaluate(formulas, cells())
    return [
        f"{formula} is {value!r}, not {expected!r}"
        for formula, value, (_, expected) in zip(formulas, found, cases, strict=True)
        if not agrees(expected, value)
    ]


@pytest.mark.parametrize("evaluate", ENGINES)
def test_random_expressions_come_to_the_same(evaluate: Evaluate) -> None:
    cases, _ = _cases(COUNT, seed=1)
    assert _disagreements(evaluate, cases) == []


@pytest.mark.soak
@pytest.mark.parametrize("evaluate", ENGINES)
def test_very_many_random_expressions_come_to_the_same(evaluate: Evaluate) -> None:
    cases, _ = _cases(SOAK_COUNT, seed=2)
    assert _disagreements(evaluate, cases) == []


def test_few_expressions_are_left_out_as_doubtful() -> None:
    _, doubtful = _cases(COUNT, seed=1)
    assert doubtful < MOST_DOUBTFUL * COUNT


def test_expressions_fail_and_succeed_and_are_of_every_kind() -> None:
    cases, _ = _cases(COUNT, seed=1)
    kinds = {type(e if isinstance(e, Exception) else e.value).__name__ for _, e in cases}
    assert kinds >= {"bool", "float", "int", "str", "ZeroDivisionError", "OverflowError", "ValueError"}


def _negated_without_brackets(node: Negate, references: References) -> Rendered:
    return f"-{translator._render(node.operand, references)[0]}", translator.SUM


def _negated_as_tight_as_a_name(node: Negate, references: References) -> Rendered:
    return f"-{translator._inside(node.operand, references, translator.ATOM)}", translator.ATOM


def _taken_as_associative(node: Binary, references: References) -> Rendered:
    sign, binding = translator.OPERATORS[node.operator]
    left, right = (translator._inside(part, references, binding) for part in (node.left, node.right))
    return f"{left}{sign}{right}", binding


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        (Negate, _negated_without_brackets),
        (Negate, _negated_as_tight_as_a_name),
        (Binary, _taken_as_associative),
    ],
)
def test_a_fault_in_the_brackets_is_found(
    kind: type[Expression], fault: Callable[..., Rendered], monkeypatch: pytest.MonkeyPatch
) -> None:
    cases, _ = _cases(500, seed=1)
    monkeypatch.setitem(translator.RENDERERS, kind, fault)
    assert _disagreements(evaluate_formulas_ironcalc, cases) != []
