"""The side of the LibreOffice engine that holds `uno`: JSON lines in, one soffice driven, JSON lines out.

Run by the distribution's Python: standard library and `uno` alone, and only the syntax of 3.10.
It ends soffice when its input ends, so soffice outlives neither the tests nor a crash of theirs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import uno

_SECONDS_TO_START = 90.0
_SECONDS_TO_END = 15.0
_SECONDS_BETWEEN_TRIES = 0.05
_LETTERS = 26
_FORMULA_CELLS = 16  # com.sun.star.sheet.CellFlags.FORMULA
_TRUTH_FORMULAS = {True: "=TRUE()", False: "=FALSE()"}  # what LibreOffice makes of a truth value in a file

# LibreOffice's numbers for the errors Excel has too (LibreOffice help, "Error Codes in LibreOffice Calc").
_ERROR_TEXTS = {
    503: "#NUM!",
    519: "#VALUE!",
    521: "#NULL!",
    524: "#REF!",
    525: "#NAME?",
    532: "#DIV/0!",
    32767: "#N/A",
}


def main(soffice: str, directory: str) -> None:
    """Answer requests until the input ends; always end soffice."""
    pipe = f"reportgen{os.getpid()}"
    process = subprocess.Popen(_command_line(soffice, directory, pipe), stdout=sys.stderr)
    try:
        desktop = _connect(pipe, process)
        _serve(desktop)
        _terminate(desktop, process)
    finally:
        process.kill()
        process.wait()


def _command_line(soffice: str, directory: str, pipe: str) -> list[str]:
    profile = (Path(directory) / "profile").as_uri()
    return [
        soffice,
        "--headless",
        "--norestore",
        "--nologo",
        "--nodefault",
        f"-env:UserInstallation={profile}",
        f"--accept=pipe,name={pipe};urp;",
    ]


def _connect(pipe: str, process: subprocess.Popen[bytes]) -> Any:
    """Return soffice's desktop as soon as the pipe answers."""
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    deadline = time.monotonic() + _SECONDS_TO_START
    while True:
        try:
            remote = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
            return remote.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", remote)
        except Exception as error:  # uno raises NoConnectException, a class made at run time
            if process.poll() is not None or time.monotonic() > deadline:
                message = f"soffice did not answer (exit code {process.poll()}): {error}"
                raise RuntimeError(message) from error
            time.sleep(_SECONDS_BETWEEN_TRIES)


def _terminate(desktop: Any, process: subprocess.Popen[bytes]) -> None:
    """End soffice the polite way; the caller kills what stays."""
    try:
        desktop.terminate()
        process.wait(timeout=_SECONDS_TO_END)
    except Exception as error:  # the bridge often breaks while soffice ends, which is what was asked for
        sys.stderr.write(f"while ending soffice: {error}\n")


def _serve(desktop: Any) -> None:
    document = None
    for line in sys.stdin:
        try:
            request = json.loads(line)
            if request["command"] == "open":
                document = _open(desktop, document, request["url"])
            reply = {"result": _answer(document, request)}
        except Exception as error:  # every failure belongs to the caller, with the worker alive for the next request
            reply = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


def _answer(document: Any, request: dict[str, Any]) -> Any:
    command = request["command"]
    if command == "open":
        return _truth_constants(document)
    if command == "edit":
        return _edit(document, request["edits"])
    if command == "values":
        return _formula_values(document) if request["cells"] is None else _cell_values(document, request["cells"])
    return None


def _open(desktop: Any, previous: Any, url: str) -> Any:
    if previous is not None:
        previous.close(True)
    hidden = uno.createUnoStruct("com.sun.star.beans.PropertyValue")
    hidden.Name, hidden.Value = "Hidden", True
    document = desktop.loadComponentFromURL(url, "_blank", 0, (hidden,))
    if document is None:
        message = f"LibreOffice could not load {url}"
        raise RuntimeError(message)
    # Calculation happens once per batch of edits and hard: calculate() would trust values cached in the file.
    document.enableAutomaticCalculation(False)
    document.calculateAll()
    return document


def _truth_constants(document: Any) -> list[list[str]]:
    """Return the cells of typed-in truth values, which LibreOffice loads as formulas."""
    return [
        [name, f"{_column_letters(column)}{row + 1}"]
        for name in document.Sheets.ElementNames
        for row, formulas in enumerate(_used_area(document.Sheets.getByName(name)).getFormulaArray())
        for column, formula in enumerate(formulas)
        if formula in _TRUTH_FORMULAS.values()
    ]


def _used_area(sheet: Any) -> Any:
    """Return the range from A1 to the last cell in use."""
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    address = cursor.RangeAddress
    return sheet.getCellRangeByPosition(0, 0, address.EndColumn, address.EndRow)


def _edit(document: Any, edits: list[list[Any]]) -> None:
    document.addActionLock()
    try:
        for sheet, reference, value in edits:
            _set_cell(_sheet(document, sheet).getCellRangeByName(reference), value)
    finally:
        document.removeActionLock()
    document.calculateAll()


def _set_cell(cell: Any, value: Any) -> None:
    """Write one value as what it is."""
    if value is None:
        cell.setFormula("")
    elif isinstance(value, bool):
        cell.setFormula(_TRUTH_FORMULAS[value])
    elif isinstance(value, str):
        cell.setString(value)
    else:
        cell.setValue(value)


def _sheet(document: Any, name: str) -> Any:
    sheets = document.Sheets
    if not sheets.hasByName(name):
        message = f"no sheet {name!r} in the workbook; it has {', '.join(sheets.ElementNames)}"
        raise KeyError(message)
    return sheets.getByName(name)


def _cell_values(document: Any, cells: list[list[str]]) -> list[list[Any]]:
    sheets = {name: _sheet(document, name) for name in {cell[0] for cell in cells}}
    data = {name: _used_area(sheet).getDataArray() for name, sheet in sheets.items()}
    return [
        [name, reference, _value(sheets[name], data[name], *_row_and_column(reference))] for name, reference in cells
    ]


def _formula_values(document: Any) -> list[list[Any]]:
    return [row for name in document.Sheets.ElementNames for row in _sheet_values(document, name)]


def _sheet_values(document: Any, name: str) -> list[list[Any]]:
    sheet = document.Sheets.getByName(name)
    areas = sheet.queryContentCells(_FORMULA_CELLS).getRangeAddresses()
    data = _used_area(sheet).getDataArray() if areas else ()
    letters = [_column_letters(column) for column in range(len(data[0]))] if data else []
    return [
        [name, f"{letters[column]}{row + 1}", _value(sheet, data, row, column)]
        for area in areas
        for row in range(area.StartRow, area.EndRow + 1)
        for column in range(area.StartColumn, area.EndColumn + 1)
    ]


def _value(sheet: Any, data: Any, row: int, column: int) -> Any:
    """Return one value out of a sheet's data array (one call for all cells: a call per cell is far slower).

    It holds nothing where a formula has an error and an empty text where a cell is blank: these are asked.
    """
    inside = row < len(data) and column < len(data[row])
    value = data[row][column] if inside else ""
    if value is None:
        return _error_text(sheet.getCellByPosition(column, row).getError())
    if value == "" and sheet.getCellByPosition(column, row).Type.value == "EMPTY":
        return None
    return value


def _error_text(error: int) -> str:
    return _ERROR_TEXTS.get(error, f"#ERR:{error}")


def _column_letters(column: int) -> str:
    """Return the letters of a column counted from 0: 0 is A, 26 is AA."""
    letters = ""
    number = column + 1
    while number:
        number, remainder = divmod(number - 1, _LETTERS)
        letters = chr(ord("A") + remainder) + letters
    return letters


def _row_and_column(reference: str) -> tuple[int, int]:
    """Return the row and the column of an A1 reference, counted from 0: B7 is (6, 1)."""
    letters = reference.rstrip("0123456789")
    column = 0
    for letter in letters.upper():
        column = column * _LETTERS + ord(letter) - ord("A") + 1
    return int(reference[len(letters) :]) - 1, column - 1


if __name__ == "__main__":
    main(*sys.argv[1:])
