"""Python to expression: accepts a closed subset, and refuses anything else with the place and what to write instead."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType

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
from reportgen.formula.functions import COLUMN, FUNCTIONS


class RefusedSyntax(Exception):
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


def parse_function(function: FunctionType) -> Expression:
    """The expression that a function returns: a docstring, then one `return`.

    Raises RefusedSyntax with file, line, the offending text and what to write instead.
    """
    file = function.__code__.co_filename
    definition = _definitions(file)[function.__name__, function.__code__.co_firstlineno]
    return _Parser(file).body(definition)


def parse_text(text: str, *, file: str = "<formula>") -> Expression:
    """The expression that a line of Python stands for, with any numbers allowed."""
    return _Parser(file, bare_numbers=True).expression(ast.parse(text, mode="eval").body)


@cache
def _definitions(file: str) -> dict[tuple[str, int], ast.FunctionDef]:
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {(node.name, _first_line(node)): node for node in functions}


def _first_line(node: ast.FunctionDef) -> int:
    """The line of the first decorator, which is what a code object calls its first line."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


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
        if not isinstance(exponent, int) or exponent not in EXPONENTS:
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
        return Logic(operator, tuple(self.expression(value) for value in node.values))

    def choose(self, node: ast.IfExp) -> Expression:
        return Choose(self.expression(node.test), self.expression(node.body), self.expression(node.orelse))

    def call(self, node: ast.Call) -> Expression:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        function = FUNCTIONS.get(name)
        if function is None:
            raise self.refused(node, f"call one of {', '.join(FUNCTIONS)}")
        wrong_count = len(node.args) < 1 if function.variadic else len(node.args) != len(function.roles)
        if node.keywords or wrong_count:
            raise self.refused(node, f"give {name} {len(function.roles)} arguments, by position")
        roles = function.roles * len(node.args) if function.variadic else function.roles
        return Call(name, tuple(map(self.argument, node.args, roles)))

    def argument(self, node: ast.expr, role: str) -> Expression:
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
