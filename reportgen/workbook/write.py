"""Layout and result to an .xlsx file by openpyxl: values, formulas, looks, validations, names, properties."""

from __future__ import annotations

import datetime
import math
import re
from copy import copy
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import Cell as ExcelCell
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Protection, Side
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

import reportgen
from reportgen.errors import Fault, WorkbookError
from reportgen.result import Result
from reportgen.scenario.load import scenario_hash
from reportgen.workbook.cells import (
    Address,
    Cell,
    Formula,
    Highlight,
    Layout,
    Sheet,
    Validation,
    letters,
)
from reportgen.workbook.charts import add_memory_chart
from reportgen.workbook.contents import content_of, shape_of
from reportgen.workbook.frame import heights
from reportgen.workbook.style import CONDITIONS, FONT, LOOKS, TAB_COLOURS, WRAPPED, Look
from reportgen.workbook.xml_values import LARGEST_EXACT

LONGEST_TEXT = 32767
FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
LONGEST_PROMPT = 255
TITLE_HEIGHT = 24
DEFAULT_WIDTH = 10
Values = dict[Address, Any]


def save(layout: Layout, result: Result, path: Path) -> Values:
    """Writes a workbook without cached values; returns what it put into every cell that is no formula.

    Raises WorkbookError for a text or number that a spreadsheet cannot hold.
    """
    workbook = Workbook()
    workbook.remove(workbook.active)
    for name, look in LOOKS.items():
        workbook.add_named_style(_named_style(name, look))
    written: Values = {}
    for sheet in layout.sheets:
        _write_sheet(workbook.create_sheet(sheet.name), sheet, result, written)
    add_memory_chart(workbook, layout)
    for name, reference in layout.names.items():
        workbook.defined_names[name] = DefinedName(name, attr_text=reference)
    _describe(workbook, result)
    workbook.save(path)
    return written


def _write_sheet(worksheet: Worksheet, sheet: Sheet, result: Result, written: Values) -> None:
    prototypes: dict[tuple[str, str, bool], Any] = {}
    for cell in sheet.cells:
        value = content_of(cell.content, result)
        target = _put(worksheet, cell, value, f"{sheet.name}!{cell.coordinate}")
        look = (cell.style, cell.format, isinstance(value, datetime.date))
        if look not in prototypes:  # setting a style by name for each cell is ten times slower
            target.style = cell.style
            target.number_format = shape_of(cell, value, result) or "General"
            prototypes[look] = copy(target._style)  # noqa: SLF001
        target._style = prototypes[look]  # noqa: SLF001
        if not isinstance(cell.content, Formula):
            written[sheet.name, cell.coordinate] = value
    _arrange(worksheet, sheet, written)
    worksheet.print_area = _print_area(sheet, result) or worksheet.dimensions
    _guide(worksheet, sheet)


def _put(worksheet: Worksheet, cell: Cell, value: Any, where: str) -> ExcelCell:
    """A cell with its value, texts as texts whatever they look like."""
    target: ExcelCell = worksheet.cell(cell.row, cell.column)
    if isinstance(cell.content, Formula):
        target.value = value
    elif isinstance(value, str):
        if value:
            target.value = _safe_text(value, where)
            target.data_type = "s"  # a text that starts with "=" or "#" stays text
    else:
        target.value = _safe_number(value, where)
    if cell.link:
        target.hyperlink = Hyperlink(ref=cell.coordinate, location=cell.link, display=str(value))
    return target


def _safe_text(text: str, where: str) -> str:
    """A text that a spreadsheet keeps as it is; what it would decode is escaped."""
    if len(text) > LONGEST_TEXT:
        raise _refused(where, f"a text of {len(text):,} characters", f"at most {LONGEST_TEXT:,}", "shorten it")
    found = FORBIDDEN.search(text)
    if found:
        raise _refused(where, f"the character {found[0]!a}", "printable text", "remove it")
    return ESCAPED.sub(r"_x005F_x\1_", text)


def _safe_number(value: Any, where: str) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        raise _refused(where, repr(value), "a finite number", "change the inputs it comes from")
    return float(value) if isinstance(value, int) and abs(value) > LARGEST_EXACT else value


def _refused(where: str, found: str, expected: str, remedy: str) -> WorkbookError:
    return WorkbookError([Fault(where, found, expected, remedy)])


def _arrange(worksheet: Worksheet, sheet: Sheet, written: Values) -> None:
    """How the sheet is looked at and printed."""
    for column, width in sheet.widths.items():
        worksheet.column_dimensions[letters(column)].width = width
    for row, height in _heights(sheet, written).items():
        worksheet.row_dimensions[row].height = height
    worksheet.row_dimensions[1].height = TITLE_HEIGHT
    worksheet.freeze_panes = sheet.freeze or None
    worksheet.sheet_view.showGridLines = False
    worksheet.sheet_properties.tabColor = TAB_COLOURS[sheet.kind]
    worksheet.sheet_properties.pageSetUpPr.fitToPage = True
    worksheet.page_setup.orientation = "landscape"
    worksheet.page_setup.paperSize = worksheet.PAPERSIZE_A4
    worksheet.page_setup.fitToWidth = 1
    worksheet.page_setup.fitToHeight = 1 if sheet.one_page else 0
    worksheet.print_title_rows = sheet.title_rows or None
    worksheet.print_title_cols = sheet.title_columns or None
    for row in sheet.breaks:
        worksheet.row_breaks.append(Break(id=row))
    worksheet.page_margins.left = worksheet.page_margins.right = 0.4
    worksheet.page_margins.top = worksheet.page_margins.bottom = 0.6
    worksheet.page_margins.header = worksheet.page_margins.footer = 0.3
    worksheet.oddFooter.left.text = "&A"
    worksheet.oddFooter.center.text = f"reportgen {reportgen.__version__}"
    worksheet.oddFooter.right.text = "Page &P of &N"
    if sheet.protected:
        worksheet.protection.sheet = True
        worksheet.protection.formatColumns = False
        worksheet.protection.formatRows = False


def _print_area(sheet: Sheet, result: Result) -> str:
    """What is printed: of a table with a row count, the rows that exist as generated."""
    if sheet.printed is None:
        return sheet.print_area
    last = sheet.printed.first + int(result[sheet.printed.count]) - 1
    return ",".join(f"{left}1:{right}{last}" for left, right in sheet.printed.pages)


def _heights(sheet: Sheet, written: Values) -> dict[int, float]:
    """Row heights for the texts that wrap."""
    wrapped = (cell for cell in sheet.cells if cell.style in WRAPPED)
    texts = ((cell, written.get((sheet.name, cell.coordinate))) for cell in wrapped)
    return heights(
        (cell.row, text, sheet.widths.get(cell.column, DEFAULT_WIDTH)) for cell, text in texts if isinstance(text, str)
    )


def _guide(worksheet: Worksheet, sheet: Sheet) -> None:
    """Validations and conditional formats."""
    for rule in sheet.validations:
        worksheet.add_data_validation(_validation(rule))
    for highlight in sheet.highlights:
        worksheet.conditional_formatting.add(highlight.cells, _highlight(highlight))


def _validation(rule: Validation) -> DataValidation:
    made = DataValidation(
        type=rule.kind,
        operator="between" if rule.second else None,
        formula1=rule.first,
        formula2=rule.second or None,
        allow_blank=False,
        showErrorMessage=True,
        showInputMessage=True,
        errorStyle="stop",
        errorTitle="Not possible here",
        error=rule.prompt[:LONGEST_PROMPT],
        promptTitle="What to enter",
        prompt=rule.prompt[:LONGEST_PROMPT],
    )
    made.add(rule.cells)
    return made


def _highlight(highlight: Highlight) -> FormulaRule:
    fill, ink = CONDITIONS[highlight.rule]
    return FormulaRule(
        formula=[highlight.condition],
        fill=PatternFill(bgColor=fill, fill_type="solid"),
        font=Font(color=ink),
        stopIfTrue=False,
    )


def _named_style(name: str, look: Look) -> NamedStyle:
    edge = Side(style="thin", color="D5DAE1") if look.border else Side()
    return NamedStyle(
        name=f"{name}",
        font=Font(
            name=FONT,
            size=look.size,
            color=look.colour,
            bold=look.bold,
            italic=look.italic,
            underline="single" if look.underline else None,
        ),
        fill=PatternFill("solid", fgColor=look.fill) if look.fill else PatternFill(),
        border=Border(left=edge, right=edge, top=edge, bottom=edge),
        alignment=Alignment(horizontal=look.across or None, vertical="top", wrap_text=look.wrap, indent=look.indent),
        protection=Protection(locked=not look.unlocked),
    )


def _describe(workbook: Workbook, result: Result) -> None:
    """Document properties: what it is and what it was made from, never by whom or where."""
    stamp = datetime.datetime.combine(result.scenario.date, datetime.time())
    properties = workbook.properties
    properties.title = result.scenario.title
    properties.creator = f"reportgen {reportgen.__version__}"
    properties.lastModifiedBy = properties.creator
    properties.description = f"Scenario {result.scenario.name}, hash {scenario_hash(result.scenario)}"
    properties.version = reportgen.__version__
    properties.created = properties.modified = stamp
    workbook.active = 0
    workbook.worksheets[0].sheet_view.tabSelected = True
