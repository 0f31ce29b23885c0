"""Every quantity and every check gives what was worked by hand for small arguments."""

from __future__ import annotations

import re

import pytest

from reportgen.formula.interpret import interpret
from reportgen.formula.judge import judge
from reportgen.formula.parse import parse_text
from reportgen.formula.quantity import Quantity
from reportgen.model import estimator
from tests.model.cases import Case, Verdict, cases, same, verdicts

ARITHMETIC = re.compile(r"[\d\s.+*/()-]+")


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.title)
def test_quantity_is_what_was_worked_by_hand(case: Case) -> None:
    quantity = estimator().by_name[case.quantity]
    assert isinstance(quantity, Quantity)
    found = quantity(**case.given)
    assert same(case.expected, found), f"{case.how}: expected {case.expected}, found {found}"


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.title)
def test_formula_as_workbook_and_memo_read_it_gives_the_same(case: Case) -> None:
    quantity = estimator().by_name[case.quantity]
    assert isinstance(quantity, Quantity)
    assert same(case.expected, interpret(quantity.expression, case.given))


@pytest.mark.parametrize(
    "case", [case for case in cases() if ARITHMETIC.fullmatch(case.how)], ids=lambda case: case.title
)
def test_arithmetic_of_the_case_comes_to_its_expected_figure(case: Case) -> None:
    assert same(case.expected, interpret(parse_text(case.how), {}))


@pytest.mark.parametrize("verdict", verdicts(), ids=lambda verdict: verdict.title)
def test_check_holds_where_it_ought_to(verdict: Verdict) -> None:
    check = next(check for check in estimator().checks if check.name == verdict.check)
    assert verdict.holds == judge(check, verdict.given).passed
