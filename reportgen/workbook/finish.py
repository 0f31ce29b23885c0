"""The finishing pass: a second engine evaluates the saved file, every cell is compared, values go into the XML."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reportgen.errors import Fault, WorkbookError
from reportgen.output import write_whole
from reportgen.result import Result
from reportgen.workbook.cells import Address, Layout
from reportgen.workbook.expected import disagreements, expected_values
from reportgen.workbook.second_engine import evaluated
from reportgen.workbook.xml_values import with_chart_cache, with_dates, with_values

EPOCH = (1980, 1, 1, 0, 0, 0)
SHOWN_FAULTS = 20
COMPRESSION = 6


def finish(layout: Layout, result: Result, saved: Path, written: Mapping[Address, Any], path: Path) -> None:
    """Checks a saved workbook against the estimator and writes it, values cached, to `path`.

    Raises WorkbookError listing the cells that do not show what they must.
    """
    found = evaluated(layout, saved)
    _refuse(list(_faults(layout, result, found)))
    expected = expected_values(layout, result)
    everything = {**written, **expected}
    write_whole(path, _zipped(_parts(layout, result, saved, expected, everything)))


def _faults(layout: Layout, result: Result, found: Mapping[Address, Any]) -> Iterator[Fault]:
    for (sheet, cell), expected, value in disagreements(layout, result, found):
        formula = layout.formulas[sheet, cell]
        remedy = f"the formula is ={formula.text}; report this as a fault of the program"
        yield Fault(f"{sheet}!{cell}", repr(value), repr(expected), remedy)


def _refuse(faults: list[Fault]) -> None:
    if not faults:
        return
    left = len(faults) - SHOWN_FAULTS
    more = [Fault("further cells", f"{left:,} more", "none", "see the cells above")] if left > 0 else []
    raise WorkbookError([*faults[:SHOWN_FAULTS], *more])


def _parts(
    layout: Layout,
    result: Result,
    saved: Path,
    expected: Mapping[Address, Any],
    everything: Mapping[Address, Any],
) -> Iterator[tuple[str, bytes]]:
    """The members of the file in their order, values put in."""
    sheets = {f"xl/worksheets/sheet{number}.xml": sheet.name for number, sheet in enumerate(layout.sheets, 1)}
    with zipfile.ZipFile(saved) as archive:
        for name in archive.namelist():
            data = archive.read(name)
            if name in sheets:
                data = with_values(data, sheets[name], expected, everything)
            elif name.startswith("xl/charts/chart"):
                data = with_chart_cache(data, everything)
            elif name == "docProps/core.xml":
                data = with_dates(data, result.scenario.date)
            yield name, data


def _zipped(parts: Iterator[tuple[str, bytes]]) -> bytes:
    """The file: the same parts give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=COMPRESSION) as archive:
        for member, data in parts:
            info = zipfile.ZipInfo(member, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return buffer.getvalue()
