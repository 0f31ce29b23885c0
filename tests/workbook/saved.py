"""A finished workbook as its readers see it: formulas in R1C1 form, references, validations, raw parts."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lxml import etree
from openpyxl import load_workbook
from openpyxl.formula import Tokenizer
from openpyxl.utils.cell import column_index_from_string, coordinate_to_tuple

REFERENCE = re.compile(r"(?<![A-Za-z_.$0-9])(\$?)([A-Z]{1,3})(\$?)(\d+)(?![A-Za-z_(0-9])")
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
SINGLE = re.compile(r"(?:(?:'([^']+)'|([A-Za-z]+))!)?\$?([A-Z]{1,3})\$?(\d+)")


@cache
def opened(path: Path) -> Any:
    """The file with its formulas."""
    return load_workbook(path)


@cache
def cached(path: Path) -> Any:
    """The file with the values of its formulas, as a reader sees it that cannot calculate."""
    return load_workbook(path, data_only=True)


@cache
def cells(path: Path) -> dict[tuple[str, str], tuple[str | None, Any]]:
    """The formula, if any, and the cached value of every cell, straight from the XML."""
    members = parts(path)
    workbook = etree.fromstring(members["xl/workbook.xml"])
    names = [str(sheet.get("name")) for sheet in workbook.iter(f"{MAIN}sheet")]
    found = {}
    for number, name in enumerate(names, start=1):
        root = etree.fromstring(members[f"xl/worksheets/sheet{number}.xml"])
        found.update({(name, str(cell.get("r"))): _read(cell) for cell in root.iter(f"{MAIN}c")})
    return found


def _read(cell: Any) -> tuple[str | None, Any]:
    formula, text = cell.findtext(f"{MAIN}f"), cell.findtext(f"{MAIN}v")
    words = cell.get("t") in ("s", "str", "inlineStr", "e", "b")
    return formula, text if words or text is None else float(text)


def value_in_file(value: Any) -> Any:
    """A value as a file can hold it: every number is a double."""
    return value if isinstance(value, str) else float(value)


def formulas(path: Path) -> dict[tuple[str, str], str]:
    """Every formula of a file, with its equals sign, by sheet and address."""
    return {address: f"={formula}" for address, (formula, _) in cells(path).items() if formula is not None}


def relative(formula: str, coordinate: str) -> str:
    """A formula in R1C1 form: the same text for every cell of a block."""
    row, column = coordinate_to_tuple(coordinate)

    def moved(match: re.Match[str]) -> str:
        over = column_index_from_string(match[2]) - (0 if match[1] else column)
        down = int(match[4]) - (0 if match[3] else row)
        return f"R{down}C{over}" if match[3] else f"R[{down}]C{over}{'' if match[1] else 'r'}"

    return REFERENCE.sub(moved, formula)


@cache
def different(path: Path) -> Mapping[str, tuple[tuple[str, str], str]]:
    """One cell and its formula for each form of formula on each sheet."""
    found: dict[str, tuple[tuple[str, str], str]] = {}
    for (sheet, coordinate), formula in formulas(path).items():
        found.setdefault(f"{sheet}!{relative(formula, coordinate)}", ((sheet, coordinate), formula))
    return found


def tokens(formula: str) -> Iterator[Any]:
    """The tokens of a formula."""
    yield from Tokenizer(formula).items


def parts(path: Path) -> dict[str, bytes]:
    """The members of the file."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
