"""The second engine: what IronCalc makes of every formula cell of a saved workbook."""

from __future__ import annotations

import re
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from reportgen.workbook.cells import Address, Layout

LANGUAGE, ZONE = "en", "UTC"
BOOK, SHEETS = "xl/workbook.xml", "xl/worksheets/"
NAMES = re.compile(r"<definedNames>.*</definedNames>", re.DOTALL)
NAME = re.compile(r'<definedName name="([^"]+)"[^>]*>([^<]+)</definedName>')
FORMULA = re.compile(r"<f>([^<]+)</f>")
TEXT_OR_NAME = re.compile(r'"[^"]*"|\b[a-z_]\w*\b(?!\()')


def evaluated(layout: Layout, saved: Path) -> dict[Address, Any]:
    """The value of every formula cell of a file, calculated anew."""
    import ironcalc
    from openpyxl.utils.cell import coordinate_to_tuple

    with tempfile.TemporaryDirectory(prefix="reportgen-") as folder:
        copy = with_addresses(saved, Path(folder) / "addresses.xlsx")
        model = ironcalc.load_from_xlsx(str(copy), LANGUAGE, ZONE, LANGUAGE)
    model.evaluate()
    order = {entry["name"]: index for index, entry in enumerate(model.get_worksheets_properties())}
    return {
        (sheet, cell): model.get_cell_value(order[sheet], *coordinate_to_tuple(cell)) for sheet, cell in layout.formulas
    }


def with_addresses(path: Path, copy: Path) -> Path:
    """The same workbook, written to `copy`, with what a defined name refers to in place of each use of it.

    IronCalc compares every use of a name with one defined name after the other, so that reading a file with hundreds
    takes six times as long as reading this one. A name that the file does not define stays, and comes out as #NAME?.
    """
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(copy, "w") as target:
        book = source.read(BOOK).decode()
        addresses = dict(NAME.findall(book))
        for member in source.namelist():
            data = source.read(member)
            if member == BOOK:
                data = NAMES.sub("", book).encode()
            elif member.startswith(SHEETS):
                data = FORMULA.sub(lambda found: f"<f>{_resolved(found[1], addresses)}</f>", data.decode()).encode()
            target.writestr(member, data)
    return copy


def _resolved(formula: str, addresses: dict[str, str]) -> str:
    """A formula with an address for each name; quoted texts and functions stay."""
    return TEXT_OR_NAME.sub(lambda found: addresses.get(found[0], found[0]), formula)
