"""Values put into a workbook's XML: cached results of formulas, full digits of inputs, numbers of charts, dates."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from typing import Any

from lxml import etree

from reportgen.errors import Fault, WorkbookError
from reportgen.workbook.cells import Address

LARGEST_EXACT = 2**53  # a spreadsheet holds whole numbers up to here
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
TERMS = "{http://purl.org/dc/terms/}"
RANGE = re.compile(r"'?([^'!]+)'?!\$?([A-Z]+)\$?(\d+)(?::\$?[A-Z]+\$?(\d+))?")

Element = Any


def with_values(data: bytes, sheet: str, expected: Mapping[Address, Any], everything: Mapping[Address, Any]) -> bytes:
    """A sheet with the value of every formula cached, and every input number in full digits.

    Raises WorkbookError for a formula cell that has no value.
    """
    root = etree.fromstring(data)
    for cell in root.iter(f"{MAIN}c"):
        address = (sheet, cell.get("r") or "")
        value = cell.find(f"{MAIN}v")
        if cell.find(f"{MAIN}f") is not None:
            _cache(cell, value, expected.get(address), address)
        elif value is not None and isinstance(everything.get(address), float):
            value.text = repr(everything[address])
    return _text(root)


def with_chart_cache(data: bytes, everything: Mapping[Address, Any]) -> bytes:
    """A chart with the numbers and words it refers to, for readers that cannot calculate."""
    root = etree.fromstring(data)
    for kind, cache in (("numRef", "numCache"), ("strRef", "strCache")):
        for reference in root.iter(f"{CHART}{kind}"):
            _fill(reference, cache, everything)
    return _text(root)


def with_dates(data: bytes, date: datetime.date) -> bytes:
    """Document properties that were created and changed on the scenario's date, not now."""
    root = etree.fromstring(data)
    for name in ("created", "modified"):
        for element in root.iter(f"{TERMS}{name}"):
            element.text = f"{date.isoformat()}T00:00:00Z"
    return _text(root)


def _cache(cell: Element, value: Element, expected: Any, address: Address) -> None:
    if expected is None:
        where = f"{address[0]}!{address[1]}"
        raise WorkbookError(
            [Fault(where, "a formula without a value", "a value", "report this as a fault of the program")]
        )
    if value is None:
        value = etree.SubElement(cell, f"{MAIN}v")
    if isinstance(expected, str):
        cell.set("t", "str")
        value.text = expected
    else:
        value.text = repr(float(expected)) if abs(expected) > LARGEST_EXACT else repr(expected)


def _fill(reference: Element, name: str, everything: Mapping[Address, Any]) -> None:
    """The cache of one reference, after its formula; dashes of rows that do not exist are left out."""
    for old in reference.findall(f"{CHART}{name}"):
        reference.remove(old)
    cells = list(_cells(reference.find(f"{CHART}f").text))
    cache = etree.Element(f"{CHART}{name}")
    reference.insert(1, cache)
    if name == "numCache":
        etree.SubElement(cache, f"{CHART}formatCode").text = "General"
    etree.SubElement(cache, f"{CHART}ptCount").set("val", str(len(cells)))
    for index, address in enumerate(cells):
        value = everything.get(address)
        if name == "numCache" and not isinstance(value, int | float):
            continue
        point = etree.SubElement(cache, f"{CHART}pt")
        point.set("idx", str(index))
        etree.SubElement(point, f"{CHART}v").text = value if isinstance(value, str) else repr(value)


def _cells(reference: str) -> Iterator[Address]:
    """The cells of a one-column range."""
    match = RANGE.fullmatch(reference)
    if match is None:
        raise ValueError(f"{reference!r} is no range of one column")
    first = int(match[3])
    for row in range(first, int(match[4] or first) + 1):
        yield match[1], f"{match[2]}{row}"


def _text(root: Element) -> bytes:
    made: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return made
