"""Reads the numbers of a memo back: from its data, with the name of each, and from the text of its PDF."""

from __future__ import annotations

import dataclasses
import math
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

from reportgen.formula.evaluate import evaluate
from reportgen.memo.document import Column, Figure, Memo, Printed, Table
from reportgen.model import estimator
from reportgen.result import Result

NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
SVG_TEXT = re.compile(r"<text ([^>]*)>([^<]*)</text>")
SVG_UNIT = re.compile(r"<title>.*, in ([^<]*)</title>")
LEADING = re.compile(r"^(?:MFU )?(−?[\d,]+(?:\.\d+)?)(?: × 10([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+))?\s*(.*)$")
LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
# The boxes of memo.css in points: A4 less the margins, in which heads and feet stand.
FIRST_PAGE = ("-f", "1", "-l", "1", "-x", "0", "-y", "40", "-W", "595", "-H", "754")
OTHER_PAGES = ("-f", "2", "-x", "0", "-y", "54", "-W", "595", "-H", "740")
DIGITS_PRINTED = (3, 4)

SIZES = {
    "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15, "EB": 1e18,
    "kFLOP": 1e3, "MFLOP": 1e6, "GFLOP": 1e9, "TFLOP": 1e12, "PFLOP": 1e15, "EFLOP": 1e18,
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "%": 0.01,
    "ms": 1e-3, "µs": 1e-6,
}  # fmt: skip
# What these hold in seconds; a quantity that is itself in days or hours is printed in them as it is.
TIMES = {"minute": 60, "hour": 3600, "day": 86400}
# Words of units that leave the number as it is.
NEUTRAL = frozenset(
    ("B", "byte", "FLOP", "USD", "s", "second", "GPU", "node", "token", "parameter", "sequence", "step", "GPU-hour")
)


@dataclass(frozen=True)
class Read:
    """A number of the memo's data: its text, the unit of its column or drawing, and its name."""

    text: str
    unit: str
    name: str


def numbers_in(text: str) -> Counter[str]:
    """Every number of a text as printed, and how often it stands there."""
    return Counter(match.rstrip(",") for match in NUMBER.findall(text))


def text_of_pdf(path: Path) -> str:
    """The text between head and foot of every page, by a reader that nobody here wrote."""
    return _text_of_pages(path, FIRST_PAGE) + _text_of_pages(path, OTHER_PAGES)


def _text_of_pages(path: Path, box: Sequence[str]) -> str:
    command = ["pdftotext", *box, str(path), "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def marks_of(svg: str) -> Iterator[list[float]]:
    """The unnamed numbers of a drawing that stand alone: those of its upright axis, and those of the other."""
    for anchor in ("end", "middle"):
        texts = [
            text
            for attributes, text in SVG_TEXT.findall(svg)
            if f'text-anchor="{anchor}"' in attributes and "data-quantity" not in attributes
        ]
        yield [float(text.replace(",", "")) for text in texts if NUMBER.fullmatch(text)]


def printed_in(memo: Memo) -> tuple[Read, ...]:
    """All numbers of a memo that have a name."""
    return tuple(_reads(memo))


def _reads(part: Any) -> Iterator[Read]:
    if isinstance(part, Printed):
        yield Read(part.text, "", part.name)
    elif isinstance(part, Table):
        yield from _table_reads(part)
    elif isinstance(part, Figure):
        yield from _figure_reads(str(part.svg))
        yield from _reads(part.caption)
    elif isinstance(part, tuple):
        for piece in part:
            yield from _reads(piece)
    elif dataclasses.is_dataclass(part):
        for field in dataclasses.fields(part):
            yield from _reads(getattr(part, field.name))


def _table_reads(table: Table) -> Iterator[Read]:
    for column in table.columns:
        yield from _reads(column.label)
    for row in table.rows:
        for column, cell in zip(table.columns, row.cells, strict=True):
            yield from (dataclasses.replace(read, unit=_unit_of(column, read)) for read in _reads(cell))
    yield from _reads(table.note)


def _unit_of(column: Column, read: Read) -> str:
    """The column's unit, unless the number brings its own."""
    return "" if LEADING.match(read.text) and LEADING.match(read.text)[3] else column.unit  # type: ignore[index]


def _figure_reads(svg: str) -> Iterator[Read]:
    unit = SVG_UNIT.search(svg)
    for attributes, text in SVG_TEXT.findall(svg):
        name = re.search(r'data-quantity="([^"]*)"', attributes)
        if name:
            own = "" if LEADING.match(text) and LEADING.match(text)[3] else unit[1] if unit else ""  # type: ignore[index]
            yield Read(unescape(text), own, unescape(name[1]))


def unnamed_drawn(memo: Memo) -> Iterator[str]:
    """The texts of the drawings that name no quantity: titles, legends, and the marks of the axes."""
    figures = [figure for section in memo.sections for figure in section.figures]
    for figure in figures:
        for attributes, text in SVG_TEXT.findall(str(figure.svg)):
            if "data-quantity" not in attributes:
                yield unescape(text)


def value_of(result: Result, name: str) -> Any:
    """The value that a printed number's name stands for, worked out afresh."""
    formula, _, condition = name.partition(" | ")
    return eval(formula, {"__builtins__": {}}, _values(result, condition))  # noqa: S307 - our own names


def _values(result: Result, condition: str) -> dict[str, Any]:
    if not condition:
        return dict(result.values)
    changes = dict(part.split("=") for part in condition.split(", "))
    case = changes.pop("case", None)
    inputs = result.scenario.live_inputs(case)  # type: ignore[arg-type]
    return evaluate(estimator(), {**inputs, **{name: _scalar(text) for name, text in changes.items()}})


def _scalar(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def disagreement(result: Result, read: Read) -> str:
    """Empty where a number is its quantity's value rounded as printed, else what is wrong with it."""
    value = value_of(result, read.name)
    if isinstance(value, str):
        return "" if read.text == value else f"{read.text!r} is not {value!r}, {read.name}"
    match = LEADING.match(read.text.replace("\u00a0", " "))
    if not match:
        return f"{read.text!r} is no number, {read.name}"
    digits, exponent, unit = match.groups()
    printed = float(digits.replace(",", "").replace("−", "-"))
    scale = size_of(unit or read.unit, read.name) * 10.0 ** int((exponent or "0").translate(LOWERED))
    return "" if _rounds_to(value / scale, printed, digits) else f"{read} is not {value!r}"


def _rounds_to(exact: float, printed: float, digits: str) -> bool:
    decimals = len(digits.partition(".")[2])
    if decimals:
        return abs(exact - printed) <= 0.5000001 * 10.0**-decimals
    return abs(exact - printed) <= 1e-9 * abs(exact) or any(
        float(f"{exact:.{count - 1}e}") == printed for count in DIGITS_PRINTED
    )


def size_of(unit: str, name: str) -> float:
    """How many base units of the named quantity one of the printed unit is; ValueError for an unknown word."""
    above, *below = unit.split(" per ")
    divisor = math.prod(_product(words, in_seconds=False) for words in below)
    return _product(above, in_seconds="seconds" in name) / divisor


def _product(words: str, *, in_seconds: bool) -> float:
    size = 1.0
    for word in re.split(r"[\s/,]+", words.strip()):
        single = word if word in SIZES or word in NEUTRAL else word.removesuffix("s")
        if single in TIMES:
            size *= TIMES[single] if in_seconds else 1
        elif single in SIZES:
            size *= SIZES[single]
        elif single and single not in NEUTRAL:
            raise ValueError(f"the unit {words!r} has the unknown word {word!r}")
    return size
