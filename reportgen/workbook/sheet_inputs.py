"""The Inputs sheet: each input once, with its bounds, its cases, its verdict, its source; and the case selector."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.formula.model import Model
from reportgen.formula.quantity import Input
from reportgen.scenario.scenario import CASES
from reportgen.workbook.cells import Cell, Formula, Given, Highlight, Key, Said, Sheet, Validation, letters
from reportgen.workbook.frame import caption, header, heading, part_row
from reportgen.workbook.input_checks import NAME_LENGTH, condition, limits_of, list_of, prompt_of, remedy
from reportgen.workbook.positions import (
    ACTIVE_CASE,
    BASE,
    CASE_NUMBER,
    CASE_SECTION,
    GENERATED,
    HIGH,
    LOW,
    MARKER,
    MAXIMUM,
    MINIMUM,
    REMEDY,
    VERDICT,
    WORD,
    Block,
    Place,
    Section,
)
from reportgen.workbook.references import Style, block_address, quoted
from reportgen.workbook.shown import PERCENT, WHOLE, input_format, unit_words
from reportgen.workbook.verdicts import CHANGED, SAME

TITLES = (
    "Input",
    "Value",
    "Unit",
    "Low",
    "Base",
    "High",
    "Minimum",
    "Maximum",
    "Or the word",
    "Check",
    "Generated value",
    "Since generated",
    "Source",
    "As of",
    "Note",
    "What to enter",
)
WIDTHS = {
    1: 29,
    2: 23,
    3: 15,
    7: 12,
    8: 13,
    9: 14,
    10: 18,
    11: 20,
    12: 13,
    13: 34,
    14: 12,
    15: 44,
    16: 34,
}
UNIT, SOURCE, AS_OF, NOTE = 3, 13, 14, 15
HEADER_ROW = 5
NARROW_CASE, WIDE_CASE = 10, 18
SIDES = ((LOW, "low"), (BASE, "base"), (HIGH, "high"))


def inputs_sheet(model: Model, style: Style, name: str) -> Sheet:
    """The sheet of all inputs."""
    cells = [
        *heading(
            "Inputs",
            "Change the blue cells on yellow; everything else follows. Where Low, Base and High stand, change Base.",
        ),
        *header(HEADER_ROW, TITLES),
        *(cell for section in style.positions.sections for cell in _section(model, style, section)),
    ]
    last = style.positions.sections[-1].last
    return Sheet(
        name=name,
        kind="input",
        cells=tuple(cells),
        widths={**WIDTHS, **dict.fromkeys((LOW, BASE, HIGH), _case_width(model, style))},
        freeze=f"B{HEADER_ROW + 1}",
        title_rows=f"{HEADER_ROW}:{HEADER_ROW}",
        print_area=f"A1:{letters(NOTE)}{last}",
        validations=tuple(_validations(model, style)),
        highlights=(
            Highlight(f"J{HEADER_ROW + 1}:J{last}", "good", f'$J{HEADER_ROW + 1}="OK"'),
            Highlight(f"J{HEADER_ROW + 1}:J{last}", "bad", _bad(f"$J{HEADER_ROW + 1}")),
            Highlight(f"L{HEADER_ROW + 1}:L{last}", "changed", f'$L{HEADER_ROW + 1}="{CHANGED}"'),
        ),
    )


def _case_width(model: Model, style: Style) -> float:
    """Room for low, base and high: more where one of them may be a count of bytes or tokens."""
    largest = max((model.inputs[name].maximum or 0 for name in style.positions.ranged), default=0)
    return NARROW_CASE if largest < 1e6 else WIDE_CASE  # noqa: PLR2004


def _bad(cell: str) -> str:
    """Neither blank nor "OK"; an error counts as bad."""
    return f'IF(ISERROR({cell}),TRUE,AND({cell}<>"",{cell}<>"OK"))'


def _section(model: Model, style: Style, section: Section) -> Iterator[Cell]:
    yield from part_row(section.first - 1, section.title.capitalize(), len(TITLES))
    if section.title == CASE_SECTION:
        yield from _case_rows(style)
        return
    for name in section.names:
        yield from _row(model, style, model.inputs[name])


def _case_rows(style: Style) -> Iterator[Cell]:
    """Which case is shown, and its number among low, base and high."""
    choice, number = (style.positions.scalars[name] for name in (ACTIVE_CASE, CASE_NUMBER))
    cases = block_address(_case_list(style))
    yield Cell(choice.row, 1, caption(ACTIVE_CASE), "Label")
    yield Cell(choice.row, choice.column, Given(ACTIVE_CASE), "Input")
    yield Cell(choice.row, UNIT, "text", "Unit")
    verdict = f'IF(SUMPRODUCT(--({cases}={choice.absolute}))>0,"OK",${letters(REMEDY)}${choice.row})'
    yield Cell(choice.row, VERDICT, Formula(verdict, Key("input", ACTIVE_CASE)), "Verdict")
    yield from _generated_cells(ACTIVE_CASE, choice, choice.coordinate)
    yield Cell(choice.row, SOURCE, "The reader's choice", "Note")
    yield Cell(choice.row, AS_OF, Said("date"), "Date")
    yield Cell(choice.row, NOTE, "Which of low, base and high the uncertain inputs take.", "Note")
    yield Cell(choice.row, REMEDY, "Choose from the list: low, base, high.", "Note")
    yield Cell(number.row, 1, caption(CASE_NUMBER), "Label")
    found = f"MATCH({style.value(ACTIVE_CASE)},{cases},0)"
    yield Cell(number.row, number.column, Formula(found, Key("case")), "Calculation", "0")
    yield Cell(number.row, UNIT, "number", "Unit")
    yield Cell(number.row, NOTE, "The place of the case among low, base and high; inputs with a range read it.", "Note")


def _case_list(style: Style) -> Block:
    return style.positions.lists[tuple(CASES)]


def _row(model: Model, style: Style, declared: Input) -> Iterator[Cell]:
    place = style.positions.inputs[declared.name]
    row, shape = place.row, input_format(declared)
    yield Cell(row, 1, caption(declared.name), "Label", link=_link(style, declared))
    yield from _value_cells(style, declared, place, shape)
    yield Cell(row, UNIT, unit_words(declared.unit, declared.name), "Unit")
    yield from _limit_cells(declared, row, shape)
    yield Cell(row, VERDICT, Formula(_verdict(model, style, declared), Key("input", declared.name)), "Verdict")
    if declared.axis is None:
        base = place.moved(BASE) if declared.name in style.positions.ranged else place
        yield from _generated_cells(declared.name, place, base.coordinate, shape)
    yield Cell(row, SOURCE, Said("source", declared.name), "Note")
    yield Cell(row, AS_OF, Said("as_of", declared.name), "Date")
    yield Cell(row, NOTE, Said("note", declared.name), "Note")
    yield Cell(row, REMEDY, remedy(declared), "Note")


def _generated_cells(name: str, place: Place, cell: str, shape: str = "") -> Iterator[Cell]:
    """What was generated, and whether the cell, of a range the base, still holds it."""
    then = place.moved(GENERATED).coordinate
    yield Cell(place.row, GENERATED, Said("generated input", name), "Generated", shape)
    marker = f'IF(${cell}=${then},"{SAME}","{CHANGED}")'
    yield Cell(place.row, MARKER, Formula(marker, Key("input marker", name)), "Marker")


def changed_inputs(style: Style) -> str:
    """How many scalars are not as generated, the case among them, as a formula."""
    scalars = [section for section in style.positions.sections if section.names[0] not in style.positions.checks]
    first, last = scalars[0], scalars[-1]
    block = Block(style.positions.scalars[CASE_NUMBER].sheet, MARKER, first.first, last.last)
    return f'COUNTIF({block_address(block)},"{CHANGED}")'


def _link(style: Style, declared: Input) -> str:
    """A column's row leads to the top of the column."""
    if declared.axis is None:
        return ""
    block = style.positions.columns[declared.name]
    return f"'{block.sheet}'!{block.absolute.split(':')[0].replace('$', '')}"


def _value_cells(style: Style, declared: Input, place: Place, shape: str) -> Iterator[Cell]:
    """The live value; for an input with a range it is picked from its three."""
    if declared.axis is not None:
        sheet = style.positions.columns[declared.name].sheet
        yield Cell(place.row, place.column, f"on the sheet {sheet}", "Note", link=_link(style, declared))
    elif declared.name not in style.positions.ranged:
        yield Cell(place.row, place.column, Given(declared.name), "Input", shape)
    else:
        three = f"$D{place.row}:$F{place.row}"
        text = f"INDEX({three},{style.value(CASE_NUMBER)})"
        yield Cell(place.row, place.column, Formula(text, Key("scalar", declared.name)), "Calculation", shape)
        for column, side in SIDES:
            yield Cell(place.row, column, Given(declared.name, side=side), "Input", shape)  # type: ignore[arg-type]


def _limit_cells(declared: Input, row: int, shape: str) -> Iterator[Cell]:
    low, high = (1, NAME_LENGTH) if declared.kind == "text" else (declared.minimum, declared.maximum)
    if low is not None and high is not None:
        yield Cell(row, MINIMUM, low, "Limit", _limit_format(low, shape))
        yield Cell(row, MAXIMUM, high, "Limit", _limit_format(high, shape))
    if declared.word:
        yield Cell(row, WORD, declared.word, "Limit")


def _limit_format(limit: float, shape: str) -> str:
    if shape == PERCENT or not limit:
        return shape
    if abs(limit) >= 1e9:  # noqa: PLR2004
        return "0E+00"
    return WHOLE if limit == int(limit) else "General"


def _verdict(model: Model, style: Style, declared: Input) -> str:
    """Renders "OK", or the remedy that stands in the same row; a column is OK when every row's check is."""
    positions = style.positions
    limits = limits_of(declared.name, positions, with_sheet=False)
    if declared.axis is not None:
        return _table_verdict(style, declared.name, limits.remedy)
    row = positions.inputs[declared.name].row
    columns = "DEF" if declared.name in positions.ranged else "B"
    tests = [condition(model, style, declared, f"${column}${row}", limits) for column in columns]
    if declared.name in positions.ranged and declared.kind in ("number", "whole"):
        tests.append(f"$D{row}<=$F{row}")  # low and high are the ends of the value
    test = tests[0] if len(tests) == 1 else f"AND({','.join(tests)})"
    return f'IF({test},"OK",{limits.remedy})'


def _table_verdict(style: Style, name: str, told: str) -> str:
    """How many rows are not OK, and the first of them: the checks of a column say "OK" or all the same remedy."""
    block, checks = style.positions.columns[name], block_address(style.positions.checks[name])
    top = f"{quoted(block.sheet)}!${letters(block.column)}${block.first - 1}"
    rows = f"ROWS({min(style.column(name), checks, key=len)})"  # as many either way; a formula has to stay short
    good = f'COUNTIF({checks},"OK")'
    count = f'"Not OK on {block.sheet}: "&{rows}-{good}'
    return f'IF({good}={rows},"OK",{count}&", from row "&ROW({top})+MATCH({told},{checks},0)&". "&{told})'


def _validations(model: Model, style: Style) -> Iterator[Validation]:
    active = style.positions.scalars[ACTIVE_CASE].coordinate
    yield Validation(active, "list", block_address(_case_list(style)), prompt="low, base or high")
    for declared in model.inputs.values():
        if declared.axis is None:
            row = style.positions.inputs[declared.name].row
            cells = f"D{row}:F{row}" if declared.name in style.positions.ranged else f"B{row}"
            yield validation(model, style, declared, cells, with_sheet=False)


def validation(model: Model, style: Style, declared: Input, cells: str, *, with_sheet: bool) -> Validation:
    """The validation of an input's cells: a list, bounds, or, for an override, bounds or its word."""
    limits = limits_of(declared.name, style.positions, with_sheet=with_sheet)
    prompt = prompt_of(declared)
    if declared.kind == "choice":
        return Validation(cells, "list", list_of(model, style.positions, declared), prompt=prompt)
    if declared.word is None and declared.kind in ("number", "whole"):
        kind = "whole" if declared.kind == "whole" else "decimal"
        return Validation(cells, kind, limits.minimum, limits.maximum, prompt)  # type: ignore[arg-type]
    cell = f"${cells.partition(':')[0]}"
    return Validation(cells, "custom", condition(model, style, declared, cell, limits), prompt=prompt)


def verdict_of_cell(model: Model, style: Style, declared: Input, cell: str) -> str:
    """The check of one row of a column: "OK", or the remedy on the sheet of inputs."""
    limits = limits_of(declared.name, style.positions, with_sheet=True)
    return f'IF({condition(model, style, declared, cell, limits)},"OK",{limits.remedy})'
