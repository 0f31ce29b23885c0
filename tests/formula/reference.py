"""What an expression should come to in any spreadsheet, how far rounding can move it, and where engines may differ.

Each value comes with a scale: rounding errors stay far below 1e-9 of it, also where large numbers cancel. An expression
whose result hangs on noise (two sides of a comparison that differ by less than rounding can) is Doubtful: no engine is
wrong about it, and no quantity may rest on one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reportgen.formula.expression import (
    Binary,
    Call,
    Choose,
    Column,
    Compare,
    Expression,
    Logic,
    Negate,
    Not,
)
from reportgen.formula.functions import EXACT, FUNCTIONS, KEY
from reportgen.formula.interpret import interpret

NEAR = 1e-9
HALF_A_DIGIT = 5e-10  # where ROUND(x,9) turns
NEARLY_NOTHING = 1e-290  # Excel and its like make 0 of what is much smaller, Python does not
ALIKE_TO_IRONCALC = 1e-15  # no quantity in base units is so small
NEARLY_TOO_MUCH = 1e300

Values = Mapping[str, Any]


class Doubtful(Exception):  # noqa: N818 - a verdict on the expression, no fault
    """Engines may differ, with the reason why."""


@dataclass(frozen=True)
class Assessed:
    """A value, and the size of the numbers that it was computed from as they bear on it."""

    value: Any
    scale: float = 0.0


def assess(expression: Expression, values: Values) -> Assessed:
    """The value of an expression and its scale.

    Raises Doubtful, or the ArithmeticError or ValueError that Python raises, which has to be an error in a spreadsheet.
    """
    assessed = ASSESSORS.get(type(expression), _plain)(expression, values)
    value = assessed.value
    if isinstance(value, int | float) and 0 < abs(value) < NEARLY_NOTHING:
        raise Doubtful("nearly nothing, which some engines make 0")
    return assessed


def _plain(node: Expression, values: Values) -> Assessed:
    value = interpret(node, values)
    numbers = [cell for cell in (value if isinstance(node, Column) else [value]) if isinstance(cell, int | float)]
    return Assessed(value, max(map(abs, numbers), default=0.0))


def _doubt(condition: bool, reason: str) -> None:
    if condition:
        raise Doubtful(reason)


def _noise(assessed: Assessed) -> bool:
    """Whether a value is what was left of a cancellation."""
    return bool(0 < abs(assessed.value) <= NEAR * assessed.scale)


def _cancelled(assessed: Assessed) -> bool:
    """Whether a 0 is what was left of fractions, which another order of adding need not leave."""
    return bool(assessed.value == 0) and not (assessed.scale < EXACT and float(assessed.scale).is_integer())


def _negate(node: Negate, values: Values) -> Assessed:
    operand = assess(node.operand, values)
    return Assessed(-operand.value, operand.scale)


def _binary(node: Binary, values: Values) -> Assessed:
    left, right = assess(node.left, values), assess(node.right, values)
    _doubt(node.operator == "/" and (_noise(right) or _cancelled(right)), "a divisor that is noise")
    value = interpret(node, values)
    a, b = abs(left.value), abs(right.value)
    _doubt(abs(value) > NEARLY_TOO_MUCH, "nearly too much, where the last digit decides about an overflow")
    if node.operator in "+-":
        return Assessed(value, left.scale + right.scale)
    if node.operator == "*":
        _doubt(value == 0 and a > 0 and b > 0, "a product that vanishes")
        return Assessed(value, a * right.scale + b * left.scale)
    if node.operator == "/":
        return Assessed(value, left.scale / b + a / b * (right.scale / b))
    _doubt(value == 0 and a > 0, "a power that vanishes")
    return Assessed(value, abs(value) + (right.value * abs(value) / a * left.scale if a else 0))


def _compare(node: Compare, values: Values) -> Assessed:
    left, right = assess(node.left, values), assess(node.right, values)
    if not isinstance(left.value, str):
        apart = abs(left.value - right.value)
        _doubt(0 < apart <= NEAR * max(left.scale, right.scale), "two sides that differ by noise")
        _doubt(0 < apart <= ALIKE_TO_IRONCALC, "two sides that IronCalc takes for the same")
    return Assessed(interpret(node, values))


def _logic(node: Logic, values: Values) -> Assessed:
    """All parts: what Python does not reach, an engine computes all the same."""
    assess(node.parts[0], values)
    for part in node.parts[1:]:
        _unfailing(part, values, "an overflow in a part that Python need not reach")
    return Assessed(interpret(node, values))


def _unfailing(part: Expression, values: Values, reason: str) -> Assessed:
    try:
        return assess(part, values)
    except ArithmeticError as error:
        raise Doubtful(reason) from error


def _not(node: Not, values: Values) -> Assessed:
    return Assessed(not assess(node.operand, values).value)


def _choose(node: Choose, values: Values) -> Assessed:
    """The branch that is taken; the other is not computed in any language."""
    return assess(node.yes if assess(node.condition, values).value else node.no, values)


def _call(node: Call, values: Values) -> Assessed:
    parts = [
        _unfailing(child, values, "an overflow in a key") if role == KEY else assess(child, values)
        for child, role in zip(node.arguments, _roles(node), strict=True)
    ]
    check = CALLS.get(node.function)
    if check:
        check(*parts)
    value = interpret(node, values)
    if isinstance(value, str):
        return Assessed(value)
    scales = [part.scale for part in parts]
    if node.function == "sqrt":
        return Assessed(value, value + (scales[0] / value if value else 0))
    return Assessed(value, max([abs(value), *scales]))


def _roles(node: Call) -> tuple[str, ...]:
    function = FUNCTIONS[node.function]
    return function.roles * len(node.arguments) if function.variadic else function.roles


def _rounded(part: Assessed) -> None:
    whole = round(part.value)
    slack = NEAR * part.scale + 1e-11
    turns = (abs(abs(part.value - whole) - HALF_A_DIGIT), abs(part.value - whole))
    _doubt(turns[0] <= slack or 0 < turns[1] <= slack - 1e-11, "a rounding that noise decides")
    _doubt(abs(part.value) >= 1e14 and part.value != whole, "ROUND(x,9) above 1e14")


def _remainder(value: Assessed, divisor: Assessed) -> None:
    _doubt(divisor.value != int(divisor.value), "a divisor that Python refuses: it is not whole")
    _doubt(max(abs(value.value), abs(divisor.value)) >= EXACT, "numbers that Python refuses: MOD differs above 1e15")
    _rounded(value)


def _root(part: Assessed) -> None:
    _doubt(_noise(part), "the root of noise")


def _limited(*parts: Assessed) -> None:
    limit = parts[-1].value
    _doubt(limit != int(limit) or abs(limit) >= EXACT, "a limit that Python refuses: it is not whole")


CALLS: dict[str, Callable[..., None]] = {
    "floor": _rounded,
    "ceil": _rounded,
    "remainder": _remainder,
    "sqrt": _root,
    "count_below": _limited,
    "total_up_to": _limited,
}
ASSESSORS: dict[type[Expression], Callable[..., Assessed]] = {
    Negate: _negate,
    Binary: _binary,
    Compare: _compare,
    Logic: _logic,
    Not: _not,
    Choose: _choose,
    Call: _call,
}


def agrees(expected: Assessed | Exception, found: object) -> bool:
    """Whether a spreadsheet's value is what it should be: an error where Python has one, else the same value."""
    if isinstance(expected, Exception):
        return isinstance(found, str) and found.startswith("#")
    value = expected.value
    if isinstance(value, str):
        return found == value
    if not isinstance(found, int | float):
        return False
    return math.isclose(found, value, rel_tol=NEAR, abs_tol=NEAR * expected.scale)
