"""Expression to prose: how a quantity comes about, in words, then with numbers in place, then its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from reportgen.formula.check_units import unit_of
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
    walk,
)
from reportgen.formula.functions import FUNCTIONS
from reportgen.formula.interpret import interpret
from reportgen.formula.model import Model
from reportgen.formula.quantity import Check, Constant, Entry, Input, Quantity
from reportgen.formula.show import MINUS, TIMES, digits, show, show_in_formula
from reportgen.formula.units import PURE, Kind, Unit

ACRONYMS = {
    "gpu": "GPU",
    "gpus": "GPUs",
    "flops": "FLOPs",
    "kv": "KV",
    "qk": "QK",
    "qkv": "QKV",
    "mlp": "MLP",
    "ffn": "FFN",
    "usd": "USD",
    "zero": "ZeRO",
    "n": "N",
}
SIGNS = {"+": "+", "-": MINUS, "*": TIMES, "/": "÷"}
RAISED = {1: "¹", 2: "²", 3: "³", 4: "⁴"}
RELATIONS = {
    "==": "is",
    "!=": "is not",
    "<": "is below",
    "<=": "is at most",
    ">": "is above",
    ">=": "is at least",
}

# How tightly prose binds; a call is a phrase, which stands in brackets inside arithmetic.
ATOM, POWER, PRODUCT, SUM, PHRASE, COMPARISON, CONDITION, CHOICE = 8, 7, 6, 5, 4, 3, 2, 1
BINDING = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT}

Spoken = tuple[str, int]
# Words for a part that is not to be spelled out, or None to spell it out.
Substitute = Callable[[Expression], str | None]


@dataclass(frozen=True)
class Derivation:
    """How one value comes about. `row` is the row of a column that the numbers are of; None for a scalar."""

    name: str
    label: str
    description: str
    words: str
    numbers: str
    result: str
    unit: str
    source: str
    reads: tuple[tuple[str, str], ...]
    feeds: tuple[str, ...]
    row: int | None = None

    def lines(self) -> tuple[tuple[str, str], ...]:
        """Titles and texts in reading order, without what is empty."""
        reads = "; ".join(f"{label(name)}: {text}" for name, text in self.reads)
        listed = (
            ("Quantity", self.label if self.row is None else f"{self.label}, row {self.row}"),
            ("Name", self.name),
            ("Meaning", self.description),
            ("Formula", self.words),
            ("In numbers", self.numbers),
            ("Result", self.result),
            ("Unit", self.unit),
            ("Source", self.source),
            ("Reads", reads),
            ("Feeds", ", ".join(map(label, self.feeds))),
        )
        return tuple((title, text) for title, text in listed if text)


def label(name: str) -> str:
    """A quantity's name as a person reads it: "kv_head_count" is "KV head count"."""
    return " ".join(ACRONYMS.get(word, word) for word in name.split("_"))


def in_words(expression: Expression, named: Callable[[str], str] = label) -> str:
    """The formula with labels in place of names: "weight bytes × parameters ÷ shards"."""
    return _speak(expression, lambda part: named(part.name) if isinstance(part, Name | Column) else None)[0]


def with_numbers(expression: Expression, shown: Substitute) -> str:
    """The formula with numbers in place; `shown` gives the text of a name, a column or a whole call, or None."""
    return _speak(expression, shown)[0]


def feeds(model: Model, name: str) -> tuple[str, ...]:
    """The quantities and checks that read a name, in the order they are written."""
    checks = (check.name for check in model.checks if name in check.parameters)
    return tuple(dict.fromkeys((*model.readers.get(name, ()), *checks)))


def derive(model: Model, values: Mapping[str, Any], name: str, row: int | None = None) -> Derivation:
    """How a quantity, an input, a constant or a row number comes about for these values.

    For a column it is the given row, else the first. Raises KeyError for an unknown name, IndexError for a row
    that does not exist.
    """
    entry = model.by_name.get(name)
    at = _row(model, values, name, row)
    expression = entry.expression if isinstance(entry, Quantity) else None
    unit = PURE if entry is None else entry.unit
    shown = _Numbers(model, values, at, expression)
    return Derivation(
        name=name,
        label=label(name),
        description=entry.description if entry else f"Row number of {model.index_axes[name].name}, from 0.",
        words=in_words(expression) if expression else _origin_in_words(entry),
        numbers=with_numbers(expression, shown) if expression else "",
        result=show(_at(values[name], at), unit, name).full,
        unit=str(unit),
        source=str(entry.origin) if entry else "",
        reads=tuple((read, shown.read(read)) for read in names(expression)) if expression else (),
        feeds=feeds(model, name),
        row=at,
    )


def derive_check(model: Model, values: Mapping[str, Any], check: Check) -> Derivation:
    """What a check compares for these values; what came of it is left to whoever judges."""
    shown = _Numbers(model, values, None, check.comparison)
    return Derivation(
        name=check.name,
        label=label(check.name),
        description=check.description,
        words=in_words(check.comparison),
        numbers=with_numbers(check.comparison, shown),
        result="",
        unit="",
        source="",
        reads=tuple((read, shown.read(read)) for read in names(check.comparison)),
        feeds=(),
    )


def _row(model: Model, values: Mapping[str, Any], name: str, row: int | None) -> int | None:
    if model.axis_of(name) is None or not values[name]:
        return None
    chosen = row or 0
    if not 0 <= chosen < len(values[name]):
        raise IndexError(f"{name} has rows 0 to {len(values[name]) - 1}, not {chosen}")
    return chosen


def _at(value: Any, row: int | None) -> Any:
    """One value, or the row of a column; None for a column without rows."""
    if not isinstance(value, list | tuple):
        return value
    return value[row] if row is not None and row < len(value) else None


def _origin_in_words(entry: Entry | None) -> str:
    if isinstance(entry, Input):
        return "an input"
    return "a constant" if isinstance(entry, Constant) else ""


@dataclass(frozen=True)
class _Numbers:
    """What stands in place of a name, of a column, and of a call that reduces columns."""

    model: Model
    values: Mapping[str, Any]
    row: int | None
    whole: Expression | None

    def __call__(self, part: Expression) -> str | None:
        if isinstance(part, Name):
            return self.cell(part.name)
        if isinstance(part, Column):
            return label(part.name)
        if isinstance(part, Call) and any(isinstance(child, Column) for child in part.arguments):
            return self.reduction(part)
        match part:
            case Compare(_, Name(name), Text(word)):
                return f"{in_words(part)} ({self.said(name, word)})"
        return None

    def said(self, name: str, word: str) -> str:
        """What is compared with a word: texts alone would say nothing."""
        cell = self.cell(name)
        return "it is" if cell == f"“{word}”" else f"it is {cell}"

    def cell(self, name: str) -> str:
        unit = PURE if name in self.model.index_axes else self.model.by_name[name].unit
        value = _at(self.values[name], self.row)
        return f"“{value}”" if isinstance(value, str) else str(show_in_formula(value, unit, name))

    def read(self, name: str) -> str:
        """The value of the same row or scalar; of a column that is read whole, how many rows it has."""
        whole = self.whole is not None and Column(name) in walk(self.whole)
        return _rows(self.values[name]) if whole else self.cell(name)

    def reduction(self, call: Call) -> str:
        """In words; where it is but a part of the formula, its value first."""
        words = _filled(call, [self.argument(call, part) for part in call.arguments])
        if call == self.whole:
            return words
        known = {name: self.values[name] for name in names(call)}
        scalars = {part.name: _at(known[part.name], self.row) for part in call.arguments if isinstance(part, Name)}
        value = interpret(call, {**known, **scalars})
        of = unit_of(call, self.model)
        text = str(show(value, of if isinstance(of, Unit | Kind) else PURE))
        return f"{text} ({words})"

    def argument(self, call: Call, part: Expression) -> str:
        """A column's label, with its number of rows where all of them are taken."""
        if isinstance(part, Column) and len(call.arguments) == 1:
            return f"{label(part.name)} ({_rows(self.values[part.name])})"
        return _bracketed(_speak(part, self), ATOM)


def _rows(column: Any) -> str:
    return "1 row" if len(column) == 1 else f"{len(column)} rows"


def _speak(expression: Expression, substitute: Substitute) -> Spoken:
    text = substitute(expression)
    if text is not None:
        return text, ATOM
    return SPEAKERS[type(expression)](expression, substitute)


def _bracketed(spoken: Spoken, at_least: int) -> str:
    text, binding = spoken
    return text if binding >= at_least else f"({text})"


def _inside(expression: Expression, substitute: Substitute, at_least: int) -> str:
    return _bracketed(_speak(expression, substitute), at_least)


def _binary(node: Binary, substitute: Substitute) -> Spoken:
    if node.operator == "**":
        return _power(node, substitute)
    binding = BINDING[node.operator]
    left = _inside(node.left, substitute, binding)
    # a + (b + c) and a × (b × c) need no brackets for their meaning; a − (b + c) and a ÷ (b × c) do
    right = _inside(node.right, substitute, binding if node.operator in "+*" else binding + 1)
    return f"{left} {SIGNS[node.operator]} {right}", binding


def _power(node: Binary, substitute: Substitute) -> Spoken:
    exponent = int(cast(Number, node.right).value)
    base = _inside(node.left, substitute, ATOM)
    several_words = " " in base and not (base.startswith("(") and base.endswith(")"))
    return f"{f'({base})' if several_words else base}{RAISED[exponent]}", POWER


def _negate(node: Negate, substitute: Substitute) -> Spoken:
    return f"{MINUS}{_inside(node.operand, substitute, POWER)}", SUM


def _compare(node: Compare, substitute: Substitute) -> Spoken:
    left, right = (_inside(part, substitute, PHRASE) for part in (node.left, node.right))
    return f"{left} {RELATIONS[node.operator]} {right}", COMPARISON


def _logic(node: Logic, substitute: Substitute) -> Spoken:
    parts = (_inside(part, substitute, COMPARISON) for part in node.parts)
    return f" {node.operator} ".join(parts), CONDITION


def _not(node: Not, substitute: Substitute) -> Spoken:
    return f"not ({_speak(node.operand, substitute)[0]})", COMPARISON


def _choose(node: Choose, substitute: Substitute) -> Spoken:
    """Such as "a if b, else c"; a choice inside the last part reads on."""
    yes, condition = (_inside(part, substitute, CONDITION) for part in (node.yes, node.condition))
    return f"{yes} if {condition}, else {_speak(node.no, substitute)[0]}", CHOICE


def _call(node: Call, substitute: Substitute) -> Spoken:
    at_least = SUM if FUNCTIONS[node.function].variadic else ATOM
    return _filled(node, [_inside(part, substitute, at_least) for part in node.arguments]), PHRASE


def _filled(node: Call, parts: list[str]) -> str:
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    return FUNCTIONS[node.function].words.format(*parts, all=listed)


SPEAKERS: dict[type[Expression], Callable[..., Spoken]] = {
    Number: lambda node, _: (digits(node.value), ATOM if node.value >= 0 else SUM),
    Text: lambda node, _: (f"“{node.value}”", ATOM),
    Name: lambda node, _: (label(node.name), ATOM),
    Column: lambda node, _: (label(node.name), ATOM),
    Negate: _negate,
    Binary: _binary,
    Compare: _compare,
    Logic: _logic,
    Not: _not,
    Choose: _choose,
    Call: _call,
}
