"""The little language of the family files: sizes and conditions over a config's keys, closed and without effects.

Names, whole numbers, texts in quotes, `+ - * // %`, comparisons, `in`, `and or not`, `a if c else b` and the
functions listed here. Anything else is refused when the family file is read.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

Lookup = Callable[[str], Any]


class ValueProblemError(Exception):
    """A value in the config that an expression cannot use: what was found, and what was expected."""

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(f"{found}, where {expected} is needed")
        self.found = found
        self.expected = expected


class UnknownValueError(Exception):
    """A value that cannot be known because what it depends on is a fault already told."""


def _number(value: Any) -> int | float:
    """Return a number as it is; a truth value is none here, nor is text that looks like one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueProblemError(_shown(value), "a number")
    return value


def _shown(value: Any) -> str:
    text = repr(value)
    longest = 60
    return text if len(text) <= longest else f"{text[:longest]}…"


def _arithmetic(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def apply(left: Any, right: Any) -> Any:
        try:
            return operation(_number(left), _number(right))
        except (ZeroDivisionError, OverflowError) as error:
            raise ValueProblemError(f"{left} and {right} ({error})", "two numbers that give a third") from error

    return apply


def _at(values: Any, index: int) -> Any:
    if not isinstance(values, list | str):
        raise ValueProblemError(_shown(values), "a list with one entry per layer")
    if index >= len(values):
        raise ValueProblemError(f"{len(values)} entries", f"an entry {index + 1}")
    return values[index]


def _field(value: Any, *path: str) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _flag(value: Any, *path: str) -> bool:
    """Return a truth value inside an object; one that is missing or null is false."""
    found = _field(value, *path)
    if found is not None and not isinstance(found, bool):
        raise ValueProblemError(f"{'.'.join(path)}: {_shown(found)}", "true or false")
    return bool(found)


def _length(value: Any) -> int:
    if not isinstance(value, list | str):
        raise ValueProblemError(_shown(value), "a list")
    return len(value)


def _contains(member: Any, values: Any) -> bool:
    if not isinstance(values, list | tuple | str):
        raise ValueProblemError(_shown(values), "a list")
    if isinstance(values, str) and not isinstance(member, str):
        return False
    return member in values


def _floor(value: Any) -> int:
    if not math.isfinite(_number(value)):
        raise ValueProblemError(str(value), "a finite number")
    whole: int = math.floor(value)
    return whole


def _even_division(number: Any, divisor: Any, expected: str) -> int:
    if _arithmetic(operator.mod)(number, divisor) != 0:
        raise ValueProblemError(f"{number} / {divisor}, which leaves a remainder", expected)
    return int(number // divisor)


def _ceil_division(number: Any, divisor: Any) -> int:
    return -int(_arithmetic(operator.floordiv)(-_number(number), divisor))


def _round_up(number: Any, multiple: Any) -> int:
    return _ceil_division(number, multiple) * int(_number(multiple))


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "at": _at,
    "field": _field,
    "flag": _flag,
    "length": _length,
    "floor": _floor,
    "even_division": _even_division,
    "ceil_division": _ceil_division,
    "round_up": _round_up,
    "is_list": _is_list,
    "is_text": _is_text,
}
_BINARY: Final[Mapping[type[ast.AST], Callable[[Any, Any], Any]]] = {
    ast.Add: _arithmetic(operator.add),
    ast.Sub: _arithmetic(operator.sub),
    ast.Mult: _arithmetic(operator.mul),
    ast.FloorDiv: _arithmetic(operator.floordiv),
    ast.Mod: _arithmetic(operator.mod),
}
_COMPARISONS: Final[Mapping[type[ast.AST], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: _arithmetic(operator.lt),
    ast.LtE: _arithmetic(operator.le),
    ast.Gt: _arithmetic(operator.gt),
    ast.GtE: _arithmetic(operator.ge),
    ast.In: _contains,
    ast.NotIn: lambda member, values: not _contains(member, values),
}
_CONSTANTS: Final = {"true": True, "false": False, "null": None}


@dataclass(frozen=True)
class Expression:
    """One parsed expression of a family file."""

    text: str
    names: frozenset[str]
    tree: ast.expr

    def value(self, lookup: Lookup) -> Any:
        """Return the value with each name looked up when it is reached; raise ValueProblemError."""
        return _evaluate(self.tree, lookup)


@cache
def parse(text: str) -> Expression:
    """Parse an expression of a family file; raise ValueError where it leaves the language."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"{text!r} is no expression of the family language: {error.msg}") from error
    for node in ast.walk(tree):
        _check(node, text)
    return Expression(text=text, names=frozenset(_free_names(tree)), tree=tree)


def _check(node: ast.AST, text: str) -> None:
    call_of_listed = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
    constant = isinstance(node, ast.Constant) and isinstance(node.value, int | str | float)
    other = isinstance(
        node, ast.Name | ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp | ast.UnaryOp | ast.expr_context | ast.boolop
    )
    sign = isinstance(node, ast.Not | ast.USub)
    if not (call_of_listed or constant or other or sign or type(node) in {*_BINARY, *_COMPARISONS}):
        raise ValueError(f"{text!r} holds {type(node).__name__}, which is no part of the family language")
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        raise ValueError(f"{text!r} chains comparisons: write them with `and`")


def _free_names(tree: ast.expr) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in FUNCTIONS and node.id not in _CONSTANTS:
            yield node.id


def _evaluate(node: ast.expr, lookup: Lookup) -> Any:
    return _READERS[type(node)](node, lookup)


def _constant(node: Any, _: Lookup) -> Any:
    return node.value


def _name(node: Any, lookup: Lookup) -> Any:
    return _CONSTANTS[node.id] if node.id in _CONSTANTS else lookup(node.id)


def _all(nodes: Sequence[ast.expr], lookup: Lookup) -> list[Any]:
    """Evaluate all of them before an unknown one stops the rest, so that all faults come out at once."""
    found, unknown = [], None
    for node in nodes:
        try:
            found.append(_evaluate(node, lookup))
        except UnknownValueError as error:
            unknown = error
    if unknown is not None:
        raise unknown
    return found


def _binary(node: Any, lookup: Lookup) -> Any:
    return _BINARY[type(node.op)](*_all((node.left, node.right), lookup))


def _comparison(node: Any, lookup: Lookup) -> bool:
    return _COMPARISONS[type(node.ops[0])](*_all((node.left, node.comparators[0]), lookup))


def is_true(value: Any) -> bool:
    """Return what a condition comes to: false, null, 0 and what is empty are no; text and fractions are a mistake."""
    if value is None or isinstance(value, bool | int | list | dict):
        return bool(value)
    raise ValueProblemError(_shown(value), "true or false")


def _choice(node: Any, lookup: Lookup) -> Any:
    return _evaluate(node.body if is_true(_evaluate(node.test, lookup)) else node.orelse, lookup)


def _both_or_either(node: Any, lookup: Lookup) -> Any:
    """Return what Python's `and` and `or` return: the value that decided."""
    stops_at = isinstance(node.op, ast.Or)
    found: Any = None
    for operand in node.values:
        found = _evaluate(operand, lookup)
        if operand is not node.values[-1] and is_true(found) is stops_at:
            return found
    return found


def _unary(node: Any, lookup: Lookup) -> Any:
    inner = _evaluate(node.operand, lookup)
    return not is_true(inner) if isinstance(node.op, ast.Not) else -_number(inner)


def _call(node: Any, lookup: Lookup) -> Any:
    return FUNCTIONS[node.func.id](*_all(node.args, lookup))


_READERS: Final[Mapping[type[ast.AST], Callable[[Any, Lookup], Any]]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.BinOp: _binary,
    ast.Compare: _comparison,
    ast.IfExp: _choice,
    ast.BoolOp: _both_or_either,
    ast.UnaryOp: _unary,
    ast.Call: _call,
}
