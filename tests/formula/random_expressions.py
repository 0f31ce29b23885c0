"""Random expressions of the language, over a sheet of named cells and columns: all that the translator may be given."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

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
from tests.engines.interface import CellValue

NUMBERS: dict[str, float] = {
    "third_share": 1 / 3,
    "tenth_share": 0.1,
    "small_loss": -2.75,
    "large_size": 7.0e10,
    "tiny_rate": 1.25e-7,
    "negative_large": -3.5e8,
    "huge_flops": 9.89e14,
    "vast_number": 1e120,
}
WHOLES: dict[str, int] = {"no_rows": 0, "one_row": 1, "five_rows": 5, "twelve_layers": 12, "minus_four": -4}
TEXTS = {"chosen_kind": "dense", "other_kind": "moe", "quoted_kind": 'the "best" kind'}
MASKED = "–"
KEYS = ("dense", "moe", "local", "moe")
COLUMNS: dict[str, tuple[float | str, ...]] = {
    "kind_names": KEYS,
    "kind_order": (0, 1, 2, 3),
    "kind_sizes": (2.5e9, -1.5, 0.1, 0.2),
    "kind_ends": (1, 5, 12, 12),
}
NUMBER_COLUMNS = ("kind_order", "kind_sizes", "kind_ends")
WHOLE_COLUMNS = ("kind_order", "kind_ends")
MASKED_ROWS = 2  # after the rows that exist, each column goes on with rows that do not
LITERALS = (0, 1, 2, 3, 0.5, 0.1, 1e-6, 1234567.25, 1e15, 10, 100, 7)
WORDS = ("dense", "local", "absent", 'a "quoted" word')
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
LEAF_SHARE = 0.15


def values() -> dict[str, object]:
    """The values of all names, columns as the rows that exist."""
    return {**NUMBERS, **WHOLES, **TEXTS, **COLUMNS}


def cells() -> dict[str, CellValue]:
    """The same as named cells one below the other, each row of a column with a name of its own."""
    found: dict[str, CellValue] = {**NUMBERS, **WHOLES, **TEXTS}
    for name, rows in COLUMNS.items():
        full = (*rows, *(MASKED,) * MASKED_ROWS)
        found.update({f"{name}_row_{row}x": cell for row, cell in enumerate(full)})
    return found


@dataclass(frozen=True)
class Sheet:
    """References to those cells."""

    def value(self, name: str) -> str:
        return name

    def column(self, name: str) -> str:
        listed = list(cells())
        first = listed.index(f"{name}_row_0x") + 1
        return f"Names!$A${first}:$A${first + len(COLUMNS[name]) + MASKED_ROWS - 1}"


@dataclass(frozen=True)
class Grower:
    """Grows one expression; `safe` keeps out what may fail, as the second part of and/or, or a key, has to."""

    generator: random.Random
    depth: int
    conditionals: int = 2
    safe: bool = False

    def _deeper(self) -> Grower:
        return replace(self, depth=self.depth - 1)

    def _stops(self) -> bool:
        return self.depth <= 0 or self.generator.random() < LEAF_SHARE

    def any_kind(self) -> Expression:
        return self.generator.choice((self.number, self.number, self.number, self.truth, self.text))()

    def number(self) -> Expression:
        if self._stops():
            return self.number_leaf()
        growers = [self.arithmetic] * 5 + [self.negated, self.power, self.simple_call, self.reduction]
        growers += [self.number_choice] * bool(self.conditionals)
        growers += [] if self.safe else [self.division] * 3 + [self.failing_call]
        return self.generator.choice(growers)()

    def number_leaf(self) -> Expression:
        if self.generator.random() < 0.4:
            return Number(self.generator.choice(LITERALS))
        return Name(self.generator.choice([*NUMBERS, *WHOLES]))

    def whole(self) -> Expression:
        if self._stops() or self.generator.random() < 0.5:
            return Name(self.generator.choice(list(WHOLES)))
        deeper = self._deeper()
        if self.generator.random() < 0.3:
            return Call(self.generator.choice(("floor", "ceil")), (deeper.number(),))
        return Binary(self.generator.choice("+-*"), deeper.whole(), deeper.whole())

    def arithmetic(self) -> Expression:
        deeper = self._deeper()
        return Binary(self.generator.choice("+-*"), deeper.number(), deeper.number())

    def division(self) -> Expression:
        deeper = self._deeper()
        return Binary("/", deeper.number(), deeper.number())

    def negated(self) -> Expression:
        return Negate(self._deeper().number())

    def power(self) -> Expression:
        return Binary("**", self._deeper().number(), Number(self.generator.randint(1, 4)))

    def simple_call(self) -> Expression:
        name = self.generator.choice(("min", "max", "abs", "floor", "ceil"))
        count = self.generator.randint(2, 3) if name in ("min", "max") else 1
        return Call(name, tuple(self._deeper().number() for _ in range(count)))

    def failing_call(self) -> Expression:
        deeper = self._deeper()
        if self.generator.random() < 0.4:
            return Call("sqrt", (deeper.number(),))
        if self.generator.random() < 0.5:
            return Call("remainder", (deeper.number(), deeper.whole()))
        return self.lookup(NUMBER_COLUMNS)

    def lookup(self, columns: tuple[str, ...]) -> Expression:
        keys, key = self.generator.choice(
            (("kind_names", self._deeper().text()), ("kind_order", self._deeper().whole()))
        )
        return Call("lookup", (key, Column(keys), Column(self.generator.choice(columns))))

    def reduction(self) -> Expression:
        deeper, column = replace(self._deeper(), safe=True), Column(self.generator.choice(NUMBER_COLUMNS))
        whole_column = Column(self.generator.choice(WHOLE_COLUMNS))
        choices: tuple[Callable[[], Expression], ...] = (
            lambda: Call(self.generator.choice(("total", "largest", "smallest")), (column,)),
            lambda: Call("count_where", (Column("kind_names"), deeper.text())),
            lambda: Call("count_where", (whole_column, deeper.whole())),
            lambda: Call("count_below", (column, deeper.whole())),
            lambda: Call("total_where", (column, Column("kind_names"), deeper.text())),
            lambda: Call("total_up_to", (column, whole_column, deeper.whole())),
        )
        return self.generator.choice(choices)()

    def number_choice(self) -> Expression:
        return self._choice(lambda grower: grower.number())

    def _choice(self, grow: Callable[[Grower], Expression]) -> Expression:
        deeper = replace(self._deeper(), conditionals=self.conditionals - 1)
        return Choose(deeper.truth(), grow(deeper), grow(deeper))

    def truth(self) -> Expression:
        deeper = self._deeper()
        kind = self.generator.random() if self.depth > 0 else 0
        if kind < 0.6:
            return Compare(self.generator.choice(COMPARISONS), deeper.number(), deeper.number())
        if kind < 0.7:
            return Compare(self.generator.choice(("==", "!=")), deeper.text(), deeper.text())
        if kind < 0.75:
            return Call("is_number", (Name(self.generator.choice([*NUMBERS, *TEXTS])),))
        if kind < 0.85:
            return Not(deeper.truth())
        others = replace(deeper, safe=True)
        rest = (others.truth() for _ in range(self.generator.randint(1, 2)))
        return Logic(self.generator.choice(("and", "or")), (deeper.truth(), *rest))

    def text(self) -> Expression:
        kind = self.generator.random() if self.depth > 0 else 0
        if kind < 0.5:
            return Name(self.generator.choice(list(TEXTS)))
        if kind < 0.75 or not self.conditionals:
            return Text(self.generator.choice(WORDS))
        if kind < 0.9 or self.safe:
            return self._choice(lambda grower: grower.text())
        return self.lookup(("kind_names",))
