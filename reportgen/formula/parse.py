"""Python to expression: accepts a closed subset, and refuses anything else with the place and what to write instead."""

from __future__ import annotations

import ast
import builtins
import inspect
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

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
    names,
    nesting,
    walk,
)
from reportgen.formula.functions import COLUMN, FUNCTIONS, KEY


class RefusedSyntax(Exception):  # noqa: N818 - it says what was done with the syntax
    """A formula that uses more of Python than all four readers can render."""


OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
INSTEAD: dict[type[ast.AST], str] = {
    ast.FloorDiv: "write floor(a / b)",
    ast.Mod: "write remainder(a, b)",
    ast.In: "write one comparison for each value, joined by or",
    ast.NotIn: "write one comparison for each value, joined by and",
    ast.Is: "compare with ==",
    ast.IsNot: "compare with !=",
    ast.MatMult: "write total(...) of a column of products",
    ast.UAdd: "leave the plus sign out",
    ast.Attribute: "make the part a quantity of its own, and name it as a parameter",
    ast.Subscript: "write lookup(key, keys, column)",
    ast.ListComp: "make a column quantity on an axis, and reduce it with total, largest or count_where",
    ast.GeneratorExp: "make a column quantity on an axis, and reduce it with total, largest or count_where",
    ast.Lambda: "make the part a quantity of its own",
    ast.JoinedStr: "write the text out; text is never put together in a formula",
    ast.NamedExpr: "make the part a quantity of its own",
}
SMALL_NUMBERS = (0, 1, 2)
EXPONENTS = (1, 2, 3, 4)
CONDITIONALS = 2  # one inside another; a third is a table
MAY_FAIL = frozenset({"lookup", "sqrt", "remainder"})
OF_ITS_OWN = "make it a quantity of its own"


def parse_function(function: Callable[..., Any]) -> Expression:
    """The expression that a function returns: a docstring, then one `return`.

    Raises RefusedSyntax with file, line, the offending text and what to write instead.
    """
    file = function.__code__.co_filename
    definition = _definitions(file).get((function.__name__, function.__code__.co_firstlineno))
    if definition is None:
        raise RefusedSyntax(
            f"{place(function)}: no text of {function.__name__!r} is found there; "
            "write it with def at the top of a module that is a file"
        )
    expression = _Parser(file).body(definition)
    _refuse_parameters(function, expression)
    _refuse_foreign(function, expression)
    _refuse_nesting(function, expression)
    return expression


def place(function: Callable[..., Any]) -> str:
    """Where a function is written, as file:line."""
    return f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"


def parse_text(text: str, *, file: str = "<formula>") -> Expression:
    """The expression that a line of Python stands for, with any numbers allowed."""
    return _Parser(file, bare_numbers=True).expression(ast.parse(text, mode="eval").body)


@cache
def _definitions(file: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """The functions of a file by name and first line; none where the file cannot be read as Python."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return {}
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {(node.name, _first_line(node)): node for node in functions}


def _first_line(node: ast.FunctionDef) -> int:
    """The line of the first decorator, which is what a code object calls its first line."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _refuse_parameters(function: Callable[..., Any], expression: Expression) -> None:
    parameters = inspect.signature(function).parameters.values()
    plain = inspect.Parameter.POSITIONAL_OR_KEYWORD
    odd = [str(item) for item in parameters if item.kind != plain or item.default is not item.empty]
    if odd:
        raise RefusedSyntax(
            f"{place(function)}: {function.__name__!r} has the parameter {', '.join(odd)}; "
            "name quantities only, without defaults and stars"
        )
    unused = {item.name for item in parameters} - set(names(expression))
    unknown = set(names(expression)) - {item.name for item in parameters}
    for found, advice in ((unused, "use it or leave it out"), (unknown, "name it as a parameter")):
        if found:
            listed = ", ".join(sorted(found))
            what = (
                "has a parameter that its formula does not read"
                if found is unused
                else "reads a name that is no parameter"
            )
            raise RefusedSyntax(f"{place(function)}: {function.__name__!r} {what}: {listed}; {advice}")


def _refuse_foreign(function: Callable[..., Any], expression: Expression) -> None:
    """A function of another origin would run in Python, and the workbook would say something else."""
    for node in walk(expression):
        if isinstance(node, Call):
            called = function.__globals__.get(node.function, getattr(builtins, node.function, None))
            if called is not FUNCTIONS[node.function].python:
                raise RefusedSyntax(
                    f"{place(function)}: {function.__name__!r} calls a {node.function} that is not the language's; "
                    f"import it from reportgen.formula.functions"
                )


def _refuse_nesting(function: Callable[..., Any], expression: Expression) -> None:
    if nesting(expression) > CONDITIONALS:
        raise RefusedSyntax(
            f"{place(function)}: {function.__name__!r} has more than {CONDITIONALS} conditionals in one another; "
            "make the inner one a quantity of its own, or look it up in a table"
        )


class _Parser:
    """One walk over one definition; `file` is only for messages."""

    def __init__(self, file: str, *, bare_numbers: bool = False) -> None:
        self.file = file
        self.bare_numbers = bare_numbers

    def body(self, definition: ast.FunctionDef) -> Expression:
        if len(definition.body) != 2 or ast.get_docstring(definition) is None:  # noqa: PLR2004
            raise self.refused(definition, "write a docstring and one return, nothing else", definition.name)
        last = definition.body[1]
        if not isinstance(last, ast.Return) or last.value is None:
            raise self.refused(last, "write a docstring and one return, nothing else")
        return self.expression(last.value)

    def expression(self, node: ast.expr) -> Expression:
        read = READERS.get(type(node))
        if read is None:
            raise self.refused(node)
        return read(self, node)

    def constant(self, node: ast.Constant) -> Expression:
        if isinstance(node.value, str):
            return Text(node.value)
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise self.refused(node, "write a number, a text or the name of a quantity")
        if not self.bare_numbers and node.value not in SMALL_NUMBERS:
            raise self.refused(node, "give the number a name, a unit and a source: a constant")
        if not math.isfinite(node.value):
            raise self.refused(node, "write a number that is not too great for a spreadsheet")
        return Number(node.value)

    def name(self, node: ast.Name) -> Expression:
        return Name(node.id)

    def unary(self, node: ast.UnaryOp) -> Expression:
        if isinstance(node.op, ast.USub):
            return Negate(self.expression(node.operand))
        if isinstance(node.op, ast.Not):
            return Not(self.expression(node.operand))
        raise self.refused(node, INSTEAD.get(type(node.op)))

    def binary(self, node: ast.BinOp) -> Expression:
        operator = OPERATORS.get(type(node.op))
        if operator is None:
            raise self.refused(node, INSTEAD.get(type(node.op)))
        if operator == "**":
            return self.power(node)
        return Binary(operator, self.expression(node.left), self.expression(node.right))

    def power(self, node: ast.BinOp) -> Expression:
        """A power with a written exponent: 0 to the power 0 is 1 in some engines and an error in others."""
        exponent = node.right.value if isinstance(node.right, ast.Constant) else None
        if type(exponent) is not int or exponent not in EXPONENTS:
            raise self.refused(node, "write the exponent out, as 1, 2, 3 or 4")
        return Binary("**", self.expression(node.left), Number(exponent))

    def compare(self, node: ast.Compare) -> Expression:
        if len(node.ops) != 1:
            raise self.refused(node, "write one comparison at a time, joined by and")
        operator = COMPARISONS.get(type(node.ops[0]))
        if operator is None:
            raise self.refused(node, INSTEAD.get(type(node.ops[0])))
        return Compare(operator, self.expression(node.left), self.expression(node.comparators[0]))

    def logic(self, node: ast.BoolOp) -> Expression:
        operator = "and" if isinstance(node.op, ast.And) else "or"
        for value in node.values[1:]:
            if may_fail(value):
                reached = f"even where what stands before {operator} decides, and it may fail"
                raise self.refused(value, f"a spreadsheet computes it {reached}: {OF_ITS_OWN}, or write if-else")
        return Logic(operator, tuple(self.expression(value) for value in node.values))

    def choose(self, node: ast.IfExp) -> Expression:
        return Choose(self.expression(node.test), self.expression(node.body), self.expression(node.orelse))

    def call(self, node: ast.Call) -> Expression:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        function = FUNCTIONS.get(name)
        if function is None:
            raise self.refused(node, f"call one of {', '.join(FUNCTIONS)}")
        expected = len(function.roles)
        wrong_count = len(node.args) < 2 if function.variadic else len(node.args) != expected  # noqa: PLR2004
        if node.keywords or wrong_count:
            count = "two or more arguments" if function.variadic else _counted(expected)
            raise self.refused(node, f"give {name} {count}, by position")
        roles = function.roles * len(node.args) if function.variadic else function.roles
        return Call(name, tuple(map(self.argument, node.args, roles)))

    def argument(self, node: ast.expr, role: str) -> Expression:
        if role == KEY and may_fail(node):
            raise self.refused(node, f"a spreadsheet counts errors where the key is one: {OF_ITS_OWN}")
        if role != COLUMN:
            return self.expression(node)
        if not isinstance(node, ast.Name):
            raise self.refused(node, "name a column here; make the part a column quantity of its own")
        return Column(node.id)

    def refused(self, node: ast.AST, instead: str | None = None, text: str | None = None) -> RefusedSyntax:
        line = getattr(node, "lineno", 0)
        shown = text or ast.unparse(node)
        advice = instead or INSTEAD.get(type(node)) or "write it with + - * / **, one comparison, if-else"
        return RefusedSyntax(f"{self.file}:{line}: {shown!r} cannot become a formula; {advice}")


def may_fail(node: ast.AST) -> bool:
    """Whether a part divides, takes a root or looks something up, for which there may be no value."""
    parts = list(ast.walk(node))
    divides = any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div) for part in parts)
    return divides or any(isinstance(part, ast.Name) and part.id in MAY_FAIL for part in parts)


def _counted(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"


READERS: dict[type[ast.expr], Callable[..., Expression]] = {
    ast.Constant: _Parser.constant,
    ast.Name: _Parser.name,
    ast.UnaryOp: _Parser.unary,
    ast.BinOp: _Parser.binary,
    ast.Compare: _Parser.compare,
    ast.BoolOp: _Parser.logic,
    ast.IfExp: _Parser.choose,
    ast.Call: _Parser.call,
}
