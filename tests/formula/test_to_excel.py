"""Expressions as Excel writes them: brackets wherever Excel binds otherwise than Python, and nowhere else."""

from __future__ import annotations

import re

import pytest

from reportgen.formula.expression import Binary, Name, Negate, Number
from reportgen.formula.functions import FUNCTIONS
from reportgen.formula.parse import parse_text
from reportgen.formula.to_excel import text_literal, to_excel
from reportgen.model import estimator

EXCEL_2007 = frozenset("ABS AND COUNTIF IF INDEX INT ISNUMBER MATCH MAX MIN MOD NOT OR ROUND SQRT SUM SUMIF".split())
LONGEST = 260  # "about 250 characters", and a few more where four lookups are added up


class Names:
    """Writes names as they are, and columns in angle brackets."""

    def value(self, name: str) -> str:
        return name

    def column(self, name: str) -> str:
        return f"<{name}>"


def _formula(text: str) -> str:
    return to_excel(parse_text(text), Names())


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("-x**2", "-(x^2)"),
        ("(-x)**2", "(-x)^2"),
        ("(x**2)**3", "(x^2)^3"),
        ("2**3", "2^3"),
        ("hidden_size**2", "hidden_size^2"),
        ("(a+b)**2", "(a+b)^2"),
        ("(a*b)**2", "(a*b)^2"),
        ("a*b**2", "a*b^2"),
        ("a-b-c", "a-b-c"),
        ("a-(b-c)", "a-(b-c)"),
        ("a-(b+c)", "a-(b+c)"),
        ("a+(b-c)", "a+(b-c)"),
        ("a+b-c", "a+b-c"),
        ("a/b/c", "a/b/c"),
        ("a/(b/c)", "a/(b/c)"),
        ("a/(b*c)", "a/(b*c)"),
        ("a*(b/c)", "a*(b/c)"),
        ("a*b/c", "a*b/c"),
        ("(a+b)*c", "(a+b)*c"),
        ("a+b*c", "a+b*c"),
        ("-a+b", "-a+b"),
        ("-(a+b)", "-(a+b)"),
        ("a-(-b)", "a-(-b)"),
        ("a*(-b)", "a*(-b)"),
        ("-a*b", "(-a)*b"),
        ("-(a*b)", "(-a)*b"),
        ("-(a/b/c)", "(-a)/b/c"),
        ("c/(-(a/b))", "c/((-a)/b)"),
        ("-(a**2/b)", "(-(a^2))/b"),
        ("-(-a)", "a"),
        ("-(-(a/b))", "a/b"),
        ("-ceil(x)", "-(-INT(-ROUND(x,9)))"),
        ("ceil(x)", "-INT(-ROUND(x,9))"),
        ("ceil(x)**2", "(-INT(-ROUND(x,9)))^2"),
        ("a*ceil(x)", "a*(-INT(-ROUND(x,9)))"),
        ("a-ceil(x)", "a-(-INT(-ROUND(x,9)))"),
        ("ceil(x)-a", "-INT(-ROUND(x,9))-a"),
        ("ceil(a/b)", "-INT(-ROUND(a/b,9))"),
        ("floor(x)*2", "INT(ROUND(x,9))*2"),
        ("remainder(a+b, 2)", "MOD(ROUND(a+b,9),ROUND(2,9))"),
        ("a if b > c else 0", "IF(b>c,a,0)"),
        ("a if b == 'on' else c", 'IF(b="on",a,c)'),
        ("2*(a if b != c else 0)", "2*IF(b<>c,a,0)"),
        ("(a < b) == (b < c)", "(a<b)=(b<c)"),
        ("a + b <= c * 2", "a+b<=c*2"),
        ("a < b and not (c >= a or b == c)", "AND(a<b,NOT(OR(c>=a,b=c)))"),
        ("'say \"on\"'", '"say ""on"""'),
        ("''", '""'),
        ("1e22", "1E+22"),
        ("1e-05", "1E-05"),
        ("0.1", "0.1"),
        ("min(a, b + c, -a)", "MIN(a,b+c,-a)"),
        ("max(a, b)", "MAX(a,b)"),
        ("abs(a-b)", "ABS(a-b)"),
        ("sqrt(a)", "SQRT(a)"),
        ("is_number(a)", "ISNUMBER(a)"),
        ("total(a)/b", "SUM(<a>)/b"),
        ("largest(a)-smallest(a)", "MAX(<a>)-MIN(<a>)"),
        ("count_where(a, b+1)", "COUNTIF(<a>,b+1)"),
        ("count_below(a, b+1)", 'COUNTIF(<a>,"<"&b+1)'),
        ("count_below(a, -b)", 'COUNTIF(<a>,"<"&-b)'),
        ("total_where(a, b, c)", "SUMIF(<b>,c,<a>)"),
        ("total_up_to(a, b, c*2)", 'SUMIF(<b>,"<="&c*2,<a>)'),
        ("lookup(a, b, c)**2", "INDEX(<c>,MATCH(a,<b>,0))^2"),
    ],
)
def test_an_expression_in_excel(text: str, formula: str) -> None:
    assert _formula(text) == formula


def test_a_negative_number_stands_in_brackets_inside_anything_tighter() -> None:
    assert to_excel(Binary("**", Number(-2), Number(2)), Names()) == "(-2)^2"


def test_a_negated_negative_number_is_two_signs_in_brackets() -> None:
    assert to_excel(Negate(Number(-2)), Names()) == "-(-2)"


def test_a_text_is_written_with_its_quotation_marks_doubled() -> None:
    assert text_literal('=cmd|"x"') == '"=cmd|""x"""'


def test_references_decide_how_names_are_written() -> None:
    class Cells(Names):
        def value(self, name: str) -> str:
            return f"Inputs!$B${len(name)}"

    assert to_excel(Binary("*", Name("ab"), Name("abc")), Cells()) == "Inputs!$B$2*Inputs!$B$3"


def test_only_functions_of_excel_2007_are_used() -> None:
    used = {name for entry in FUNCTIONS.values() for name in re.findall(r"([A-Z]+)\(", entry.excel)}
    assert used | {"AND", "OR", "NOT", "IF"} == EXCEL_2007


def test_every_formula_of_the_estimator_is_shorter_than_a_reader_can_bear() -> None:
    lengths = {entry.name: len(to_excel(entry.expression, Names())) for entry in estimator().quantities}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}
