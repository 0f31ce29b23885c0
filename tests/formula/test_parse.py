"""What of Python becomes an expression, and what is refused, in which words."""

from __future__ import annotations

import importlib.util
import itertools
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from reportgen.formula.expression import (
    Binary,
    Call,
    Choose,
    Column,
    Compare,
    Expression,
    Logic,
    Name,
    Negate,
    Not,
    Number,
    Text,
)
from reportgen.formula.functions import FUNCTIONS
from reportgen.formula.parse import RefusedSyntax, parse_text
from reportgen.formula.quantity import Check, Quantity

Load = Callable[[str], ModuleType]
HEADER = """\
from reportgen.formula.functions import floor, lookup, sqrt, total
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION

"""
FIRST_LINE = HEADER.count("\n") + 1
A, B, C = Name("a"), Name("b"), Name("c")


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Writes definitions to a module and imports it."""
    numbers = itertools.count()

    def loaded(text: str) -> ModuleType:
        name = f"definitions_{next(numbers)}"
        path = tmp_path / f"{name}.py"
        path.write_text(HEADER + text, encoding="utf-8")
        specification = importlib.util.spec_from_file_location(name, path)
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        return module

    return loaded


def _declared(body: str, parameters: str = "a, b") -> str:
    return f'@quantity("1", source=BY_DEFINITION)\ndef quotient({parameters}):\n    """A test."""\n    return {body}\n'


def _message(load: Load, text: str) -> str:
    with pytest.raises(RefusedSyntax) as caught:
        load(text)
    where, _, rest = str(caught.value).partition("definitions_0.py:")
    assert where.endswith(("/", "\\"))
    return rest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", A),
        ("1.5", Number(1.5)),
        ("'on'", Text("on")),
        ("-a", Negate(A)),
        ("not a", Not(A)),
        ("a + b - c", Binary("-", Binary("+", A, B), C)),
        ("a - (b - c)", Binary("-", A, Binary("-", B, C))),
        ("a / b * c", Binary("*", Binary("/", A, B), C)),
        ("a + b * c", Binary("+", A, Binary("*", B, C))),
        ("-a ** 2", Negate(Binary("**", A, Number(2)))),
        ("(-a) ** 2", Binary("**", Negate(A), Number(2))),
        ("a == b", Compare("==", A, B)),
        ("a != b", Compare("!=", A, B)),
        ("a < b", Compare("<", A, B)),
        ("a <= b", Compare("<=", A, B)),
        ("a > b", Compare(">", A, B)),
        ("a >= b", Compare(">=", A, B)),
        ("a < b and b < c", Logic("and", (Compare("<", A, B), Compare("<", B, C)))),
        ("a and b and c", Logic("and", (A, B, C))),
        ("a or b and c", Logic("or", (A, Logic("and", (B, C))))),
        ("a if b else c", Choose(B, A, C)),
        ("min(a, b, c)", Call("min", (A, B, C))),
        ("lookup(a, b, c)", Call("lookup", (A, Column("b"), Column("c")))),
        ("total_where(a, b, c)", Call("total_where", (Column("a"), Column("b"), C))),
        ("total(a) + a", Binary("+", Call("total", (Column("a"),)), A)),
    ],
)
def test_an_expression_of_the_language_is_read(text: str, expected: Expression) -> None:
    assert parse_text(text) == expected


COLUMNS_INSTEAD = "make a column quantity on an axis, and reduce it with total, largest or count_where"
ITS_OWN = "make the part a quantity of its own"
OTHERWISE = "write it with + - * / **, one comparison, if-else"
POWER = "write the exponent out, as 1, 2, 3 or 4"
REACHED = (
    "a spreadsheet computes it even where what stands before {} decides, and it may fail: "
    "make it a quantity of its own, or write if-else"
)
KEY = "a spreadsheet counts errors where the key is one: make it a quantity of its own"


@pytest.mark.parametrize(
    ("text", "offending", "advice"),
    [
        ("a // b", "a // b", "write floor(a / b)"),
        ("a % b", "a % b", "write remainder(a, b)"),
        ("a @ b", "a @ b", "write total(...) of a column of products"),
        ("a & b", "a & b", OTHERWISE),
        ("a < b < c", "a < b < c", "write one comparison at a time, joined by and"),
        ("a in b", "a in b", "write one comparison for each value, joined by or"),
        ("a not in b", "a not in b", "write one comparison for each value, joined by and"),
        ("a is b", "a is b", "compare with =="),
        ("a is not b", "a is not b", "compare with !="),
        ("a.real + b", "a.real", f"{ITS_OWN}, and name it as a parameter"),
        ("a[0] + b", "a[0]", "write lookup(key, keys, column)"),
        ("[x for x in a]", "[x for x in a]", COLUMNS_INSTEAD),
        ("total(x for x in a)", "(x for x in a)", "name a column here; make the part a column quantity of its own"),
        ("(x for x in a)", "(x for x in a)", COLUMNS_INSTEAD),
        ("lambda: a", "lambda: a", ITS_OWN),
        ("f'{a}'", "f'{a}'", "write the text out; text is never put together in a formula"),
        ("(x := a) + b", "(x := a)", ITS_OWN),
        ("[a, b]", "[a, b]", OTHERWISE),
        ("(a, b)", "(a, b)", OTHERWISE),
        ("+a", "+a", "leave the plus sign out"),
        ("~a", "~a", OTHERWISE),
        ("True", "True", "write a number, a text or the name of a quantity"),
        ("None", "None", "write a number, a text or the name of a quantity"),
        ("2j", "2j", "write a number, a text or the name of a quantity"),
        ("1e999", "1e309", "write a number that is not too great for a spreadsheet"),
        ("a ** b", "a ** b", POWER),
        ("a ** 0", "a ** 0", POWER),
        ("a ** -1", "a ** (-1)", POWER),
        ("a ** 2.0", "a ** 2.0", POWER),
        ("a ** True", "a ** True", POWER),
        ("a ** 5", "a ** 5", POWER),
        ("round(a)", "round(a)", f"call one of {', '.join(FUNCTIONS)}"),
        ("a.floor(b)", "a.floor(b)", f"call one of {', '.join(FUNCTIONS)}"),
        ("floor(value=a)", "floor(value=a)", "give floor 1 argument, by position"),
        ("remainder(a)", "remainder(a)", "give remainder 2 arguments, by position"),
        ("lookup(a, b)", "lookup(a, b)", "give lookup 3 arguments, by position"),
        ("min(a)", "min(a)", "give min two or more arguments, by position"),
        ("min(*a, b)", "*a", OTHERWISE),
        ("total(a * b)", "a * b", "name a column here; make the part a column quantity of its own"),
        ("lookup(a, 'b', c)", "'b'", "name a column here; make the part a column quantity of its own"),
        ("a != 0 and b / a > 1", "b / a > 1", REACHED.format("and")),
        ("a == 0 or sqrt(b) > 1", "sqrt(b) > 1", REACHED.format("or")),
        (
            "count_where(a, b / c)",
            "b / c",
            KEY,
        ),
    ],
)
def test_other_python_is_refused_with_what_to_write_instead(text: str, offending: str, advice: str) -> None:
    with pytest.raises(RefusedSyntax) as caught:
        parse_text(text, file="model/memory.py")
    assert str(caught.value) == f"model/memory.py:1: {offending!r} cannot become a formula; {advice}"


def test_a_division_may_stand_first_in_a_condition() -> None:
    parse_text("a / b > 1 and c > 1")


def test_a_definition_becomes_a_quantity(load: Load) -> None:
    found = load(_declared("a / b")).quotient
    assert isinstance(found, Quantity)
    assert (found.expression, found.parameters, found(6, 3)) == (Binary("/", A, B), ("a", "b"), 2)


def test_decorators_over_several_lines_are_read(load: Load) -> None:
    text = (
        '@quantity(\n    "1",\n    source=BY_DEFINITION,\n)\n'
        'def quotient(\n    a,\n    b,\n):\n    """A test\n    over lines."""\n'
        "    return (\n        a\n        / b\n    )\n"
    )
    found = load(text).quotient
    assert (found.expression, found.description) == (Binary("/", A, B), "A test over lines.")


def test_functions_of_one_name_in_a_file_are_told_apart(load: Load) -> None:
    module = load(_declared("a / b") + "first = quotient\n" + _declared("a - b") + "second = quotient\n")
    assert (module.first.expression, module.second.expression) == (Binary("/", A, B), Binary("-", A, B))


@pytest.mark.parametrize("number", ["6", "0.5", "1e9", "100"])
def test_a_bare_number_is_refused(load: Load, number: str) -> None:
    assert _message(load, _declared(f"a + b * {number}")) == (
        f"{FIRST_LINE + 3}: '{float(number) if '.' in number or 'e' in number else number}' cannot become a formula; "
        "give the number a name, a unit and a source: a constant"
    )


@pytest.mark.parametrize("number", ["0", "1", "2", "2.0"])
def test_small_numbers_may_stand_bare(load: Load, number: str) -> None:
    assert load(_declared(f"a + b * {number}")).quotient.expression.right.right == Number(float(number))


def test_the_line_of_the_offending_part_is_named(load: Load) -> None:
    text = _declared("(\n        a\n        + b // 2\n    )")
    assert _message(load, text) == f"{FIRST_LINE + 5}: 'b // 2' cannot become a formula; write floor(a / b)"


ONE_RETURN = "cannot become a formula; write a docstring and one return, nothing else"


def test_two_statements_are_refused(load: Load) -> None:
    text = _declared("a / b").replace("    return", "    a = a + 1\n    return")
    assert _message(load, text) == f"{FIRST_LINE + 1}: 'quotient' {ONE_RETURN}"


def test_a_missing_docstring_is_refused(load: Load) -> None:
    text = _declared("a / b").replace('    """A test."""\n', "")
    assert _message(load, text) == f"{FIRST_LINE + 1}: 'quotient' {ONE_RETURN}"


def test_a_body_that_returns_nothing_is_refused(load: Load) -> None:
    assert _message(load, _declared("")) == f"{FIRST_LINE + 3}: 'return' {ONE_RETURN}"


def test_a_parameter_that_is_not_used_is_refused(load: Load) -> None:
    assert _message(load, _declared("a / b", "a, b, c")) == (
        f"{FIRST_LINE}: 'quotient' has a parameter that its formula does not read: c; use it or leave it out"
    )


def test_a_name_that_is_no_parameter_is_refused(load: Load) -> None:
    assert _message(load, _declared("a / b", "a")) == (
        f"{FIRST_LINE}: 'quotient' reads a name that is no parameter: b; name it as a parameter"
    )


@pytest.mark.parametrize(
    ("parameters", "named"), [("a, b=1", "b=1"), ("a, *b", "*b"), ("a, *, b", "b"), ("a, **b", "**b")]
)
def test_parameters_with_defaults_or_stars_are_refused(load: Load, parameters: str, named: str) -> None:
    assert _message(load, _declared("a / b", parameters)) == (
        f"{FIRST_LINE}: 'quotient' has the parameter {named}; name quantities only, without defaults and stars"
    )


@pytest.mark.parametrize("line", ["from math import floor\n", "def floor(value): return value\n"])
def test_a_function_of_another_origin_is_refused(load: Load, line: str) -> None:
    assert _message(load, line + _declared("floor(a)", "a")) == (
        f"{FIRST_LINE + 1}: 'quotient' calls a floor that is not the language's; "
        "import it from reportgen.formula.functions"
    )


def test_a_function_that_is_not_imported_is_refused(load: Load) -> None:
    assert _message(load, _declared("remainder(a, b)")) == (
        f"{FIRST_LINE}: 'quotient' calls a remainder that is not the language's; "
        "import it from reportgen.formula.functions"
    )


def test_three_conditionals_in_one_another_are_refused(load: Load) -> None:
    nested = "a if a > 0 else (b if b > 0 else (a if a > b else b))"
    assert _message(load, _declared(nested)) == (
        f"{FIRST_LINE}: 'quotient' has more than 2 conditionals in one another; "
        "make the inner one a quantity of its own, or look it up in a table"
    )


def _check(body: str, arguments: str = "") -> str:
    return (
        f'@check("fault", remedy="Mend it."{arguments})\n'
        f'def sides_agree(a, b):\n    """The sides agree."""\n    return {body}\n'
    )


def test_a_check_is_a_comparison(load: Load) -> None:
    found = load(_check("a == b", ", tolerance=1e-9")).sides_agree
    assert isinstance(found, Check)
    assert (found.comparison, found.tolerance) == (Compare("==", A, B), 1e-9)


def test_a_check_of_more_than_one_comparison_is_refused(load: Load) -> None:
    assert _message(load, _check("a == 0 and b == 0")) == (
        f"{FIRST_LINE}: 'sides_agree' is not one comparison; make its parts quantities of their own"
    )


def test_a_tolerance_goes_with_equality_only(load: Load) -> None:
    assert _message(load, _check("a <= b", ", tolerance=1e-9")) == (
        f"{FIRST_LINE}: 'sides_agree' compares with <= within a tolerance; leave the tolerance out"
    )


UNFOUND = "no text of 'quotient' is found there; write it with def at the top of a module that is a file"


def test_a_definition_without_a_file_is_refused_with_its_place() -> None:
    with pytest.raises(RefusedSyntax) as caught:
        exec(HEADER + _declared("a / b"), {})  # noqa: S102
    assert str(caught.value) == f"<string>:{FIRST_LINE}: {UNFOUND}"


def test_a_definition_in_a_zip_is_refused_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("packed_definitions.py", HEADER + _declared("a / b"))
    monkeypatch.syspath_prepend(str(archive))
    with pytest.raises(RefusedSyntax) as caught:
        __import__("packed_definitions")
    sys.modules.pop("packed_definitions", None)
    assert str(caught.value) == f"{archive / 'packed_definitions.py'}:{FIRST_LINE}: {UNFOUND}"


def test_a_lambda_is_refused_with_its_place(load: Load) -> None:
    assert _message(load, 'quotient = quantity("1", source=BY_DEFINITION)(lambda a: a)\n') == (
        f"{FIRST_LINE}: {UNFOUND.replace('quotient', '<lambda>')}"
    )
