"""Expression to unit: worked out from the units of what it reads, and refused where they do not fit together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

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
from reportgen.formula.model import Model
from reportgen.formula.quantity import Input, Quantity
from reportgen.formula.units import PURE, TEXT, TRUTH, Kind, Unit


class UnitError(Exception):
    """Units that cannot be added, compared or declared so."""


@dataclass(frozen=True)
class AnyUnit:
    """The unit of a bare 0, which is nothing of anything."""

    def __str__(self) -> str:
        return "0"


Found = Unit | Kind | AnyUnit
ANY = AnyUnit()
EQUALITY = ("==", "!=")


def unit_faults(model: Model) -> Iterator[str]:
    """One line for each quantity or check whose formula does not have the unit it claims."""
    for quantity in model.quantities:
        try:
            found = unit_of(quantity.expression, model)
        except UnitError as error:
            yield f"{quantity.name}: {error}"
            continue
        if not _fits(quantity, found):
            yield f"{quantity.name}: declared {quantity.unit}, the formula gives {found}"
    for check in model.checks:
        try:
            unit_of(check.comparison, model)
        except UnitError as error:
            yield f"{check.name}: {error}"


def unit_of(expression: Expression, model: Model) -> Found:
    """The unit of an expression.

    Raises UnitError naming both units.
    """
    return RULES[type(expression)](expression, model)


def _fits(quantity: Quantity, found: Found) -> bool:
    if quantity.counting:
        return found in (PURE, ANY)
    return found == quantity.unit or (found == ANY and isinstance(quantity.unit, Unit))


def _name(node: Name | Column, model: Model) -> Found:
    if node.name in model.index_axes:
        return PURE
    return model.by_name[node.name].unit


def _same(left: Found, right: Found, doing: str) -> Found:
    if left == ANY:
        return right
    if right in (ANY, left):
        return left
    raise UnitError(f"{doing} {left} and {right}")


def _numeric(found: Found, doing: str) -> Unit:
    if isinstance(found, Kind):
        raise UnitError(f"{doing} {found}")
    return found if isinstance(found, Unit) else PURE


def _binary(node: Binary, model: Model) -> Found:
    left, right = unit_of(node.left, model), unit_of(node.right, model)
    if node.operator in "+-":
        _numeric(left, "adding")
        _numeric(right, "adding")
        return _same(left, right, "adding")
    if node.operator == "**":
        return _numeric(left, "a power of") ** int(cast(Number, node.right).value)
    first, second = _numeric(left, "multiplying"), _numeric(right, "multiplying")
    return first * second if node.operator == "*" else first / second


def _compare(node: Compare, model: Model) -> Found:
    left, right = unit_of(node.left, model), unit_of(node.right, model)
    if _compares_with_word(node, model):
        return TRUTH
    found = _same(left, right, "comparing")
    if found == TRUTH or (found == TEXT and node.operator not in EQUALITY):
        raise UnitError(f"comparing {left} {node.operator} {right}, which engines put in orders of their own")
    return TRUTH


def _compares_with_word(node: Compare, model: Model) -> bool:
    """An override is compared with the word that it holds while it overrides nothing."""
    if not isinstance(node.left, Name) or not isinstance(node.right, Text) or node.operator not in EQUALITY:
        return False
    entry = model.by_name.get(node.left.name)
    return isinstance(entry, Input) and entry.word == node.right.value


def _truth(expression: Expression, model: Model) -> Found:
    found = unit_of(expression, model)
    if found != TRUTH:
        raise UnitError(f"a condition that is {found}, not a comparison")
    return TRUTH


def _logic(node: Logic, model: Model) -> Found:
    for part in node.parts:
        _truth(part, model)
    return TRUTH


def _choose(node: Choose, model: Model) -> Found:
    _truth(node.condition, model)
    return _same(unit_of(node.yes, model), unit_of(node.no, model), "choosing between")


def _call(node: Call, model: Model) -> Found:
    function = FUNCTIONS[node.function]
    found = [unit_of(part, model) for part in node.arguments]
    if function.alike:
        first, second = function.alike
        _same(found[first], found[second], f"{node.function} compares")
    if function.numeric:
        for one in found:
            _numeric(one, f"{node.function} of")
    return CALL_RULES[function.unit](found)


def _all_same(found: list[Found]) -> Found:
    result = found[0]
    for other in found[1:]:
        result = _same(result, other, "comparing")
    return result


def _root(found: list[Found]) -> Found:
    powers = _numeric(found[0], "the root of").powers
    if any(power % 2 for _, power in powers):
        raise UnitError(f"the root of {found[0]}")
    return Unit(tuple((symbol, power // 2) for symbol, power in powers))


CALL_RULES: dict[str, Callable[[list[Found]], Found]] = {
    "same": _all_same,
    "first": lambda found: _numeric(found[0], "adding up"),
    "last": lambda found: found[-1],
    "root": _root,
    "truth": lambda _: TRUTH,
    "count": lambda _: PURE,
}

RULES: dict[type[Expression], Callable[..., Found]] = {
    Number: lambda node, _: ANY if node.value == 0 else PURE,
    Text: lambda _node, _: TEXT,
    Name: _name,
    Column: _name,
    Negate: lambda node, model: _numeric(unit_of(node.operand, model), "the negative of"),
    Not: lambda node, model: _truth(node.operand, model),
    Binary: _binary,
    Compare: _compare,
    Logic: _logic,
    Choose: _choose,
    Call: _call,
}
