"""The Checks sheet: what must hold, both sides of it, and one verdict over all of them."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.formula.check_units import unit_of
from reportgen.formula.model import Model
from reportgen.formula.quantity import Check
from reportgen.formula.to_excel import COMPARISONS, to_excel
from reportgen.formula.units import TEXT, Unit
from reportgen.workbook.cells import MASKED, Cell, Formula, Highlight, Key, Sheet, letters
from reportgen.workbook.frame import header, heading, part_row
from reportgen.workbook.positions import (
    CASE_NUMBER,
    CHECK_VALUE,
    FAULT_COUNT,
    FAULT_ROW,
    FINDING_COUNT,
    FINDING_ROW,
    MASTER,
    MASTER_ROW,
    MEANING_ROW,
    VERDICT,
    Block,
    Section,
)
from reportgen.workbook.references import Style, block_address, cell_address, quoted
from reportgen.workbook.shown import number_format
from reportgen.workbook.verdicts import (
    ALL_HOLD,
    DOES_NOT_FIT,
    FINDINGS,
    FIT_CHECK,
    INPUT_REMEDY,
    NO_VALUE,
    NOT_OK,
    first_word,
    table_remedy,
    table_verdict,
)

TITLES = ("Check", "What must hold", "Left side", "Right side", "Difference", "Tolerance", "Verdict", "What to do")
WIDTHS = {1: 32, 2: 50, 3: 22, 4: 22, 5: 20, 6: 11, 7: 40, 8: 50}
HEADER_ROW = 9
FIRST = HEADER_ROW + 1
VERDICT_COLUMN = 7


def checks_sheet(model: Model, style: Style, name: str) -> Sheet:
    """The sheet of all checks."""
    faults = [check for check in model.checks if check.severity == "fault"]
    findings = [check for check in model.checks if check.severity == "finding"]
    sections = style.positions.sections
    first_fault = FIRST + 1 + len(sections) + 1
    first_finding = first_fault + len(faults) + 1
    last = first_finding + len(findings) - 1
    cells = [
        *heading("Checks", "Faults make the results unusable; findings are results that a reader has to know."),
        *_counts(style, (FIRST + 1, len(sections)), (first_fault, len(faults)), (first_finding, len(findings))),
        *_master(model, style),
        *header(HEADER_ROW, TITLES),
        *part_row(FIRST, "Inputs: faults where they are not what they may be", len(TITLES)),
        *(cell for row, section in enumerate(sections, FIRST + 1) for cell in _section(style, section, row)),
        *part_row(first_fault - 1, "Layout and sums: faults where they do not hold", len(TITLES)),
        *(cell for row, check in enumerate(faults, first_fault) for cell in _check(model, style, check, row)),
        *part_row(first_finding - 1, "Findings", len(TITLES)),
        *(cell for row, check in enumerate(findings, first_finding) for cell in _check(model, style, check, row)),
    ]
    return Sheet(
        name=name,
        kind="check",
        cells=tuple(cells),
        widths=WIDTHS,
        freeze=f"B{FIRST}",
        title_rows=f"{HEADER_ROW}:{HEADER_ROW}",
        highlights=(
            *verdict_highlights(f"G{FIRST + 1}:G{last}", f"$G{FIRST + 1}"),
            *master_highlights(f"C{MASTER_ROW}:G{MASTER_ROW}", f"$C${MASTER_ROW}"),
        ),
    )


def verdict_highlights(cells: str, first: str) -> tuple[Highlight, Highlight]:
    """Green for "OK", red for anything else that is not blank, an error included."""
    bad = f'IF(ISERROR({first}),TRUE,AND({first}<>"",{first}<>"OK"))'
    return Highlight(cells, "good", f'{first}="OK"'), Highlight(cells, "bad", bad)


def master_highlights(cells: str, cell: str) -> tuple[Highlight, ...]:
    """Green for OK, amber for findings, red for anything else, an error included; the first word says the same."""
    good, found = (f'LEFT({cell},{len(word)})="{word}"' for word in (first_word(ALL_HOLD), first_word(FINDINGS)))
    return (
        Highlight(cells, "good", good),
        Highlight(cells, "changed", found),
        Highlight(cells, "bad", f"IF(ISERROR({cell}),TRUE,NOT(OR({good},{found})))"),
    )


def verdict_cell(model: Model, style: Style, check: str) -> str:
    """The address of a check's verdict."""
    faults = [entry.name for entry in model.checks if entry.severity == "fault"]
    findings = [entry.name for entry in model.checks if entry.severity == "finding"]
    first = FIRST + 1 + len(style.positions.sections) + 1
    row = first + (faults.index(check) if check in faults else len(faults) + 1 + findings.index(check))
    return cell_address(style.positions.scalars[MASTER].moved(VERDICT_COLUMN).at(row))


def _counts(
    style: Style, inputs: tuple[int, int], faults: tuple[int, int], findings: tuple[int, int]
) -> Iterator[Cell]:
    """Counts of what is not "OK", which survive errors in the cells they count."""
    parts = [block_address(_verdicts(style, *rows)) for rows in (inputs, faults, findings)]
    not_ok = [f'ROWS({part})-COUNTIF({part},"OK")' for part in parts]
    yield from _count_row(FAULT_ROW, "Faults", f"{not_ok[0]}+{not_ok[1]}", FAULT_COUNT)
    yield from _count_row(FINDING_ROW, "Findings", not_ok[2], FINDING_COUNT)


def _master(model: Model, style: Style) -> Iterator[Cell]:
    """What findings mean, and the verdict in words: faults first, then what does not fit, then other findings."""
    meaning = f'IF({verdict_cell(model, style, FIT_CHECK)}="OK","{FINDINGS}","{DOES_NOT_FIT}")'
    found = f"${letters(CHECK_VALUE)}${MEANING_ROW}"
    fault, finding = style.value(FAULT_COUNT), style.value(FINDING_COUNT)
    words = f'IF({fault}>0,"{NOT_OK}"&{fault},IF({finding}>0,{found}&{finding},"{ALL_HOLD}"))'
    yield Cell(MEANING_ROW, 1, "What findings mean", "Label")
    yield Cell(MEANING_ROW, 2, "where there are any, and no faults", "Note")
    yield Cell(MEANING_ROW, CHECK_VALUE, Formula(meaning, Key("meaning")), "Plain")
    yield Cell(MASTER_ROW, 1, "Master verdict", "Label")
    yield Cell(MASTER_ROW, CHECK_VALUE, Formula(words, Key(MASTER)), "Master")


def _count_row(row: int, title: str, formula: str, key: str) -> Iterator[Cell]:
    yield Cell(row, 1, title, "Label")
    yield Cell(row, 2, "checks that are not OK", "Note")
    yield Cell(row, CHECK_VALUE, Formula(formula, Key(key)), "Calculation", "0")


def _verdicts(style: Style, first: int, count: int) -> Block:
    sheet = style.positions.scalars[MASTER].sheet
    return Block(sheet, VERDICT_COLUMN, first, first + count - 1)


def _section(style: Style, section: Section, row: int) -> Iterator[Cell]:
    """One row for the inputs of a section or table: how many are OK, how many there are, and a link to them."""
    table = section.names[0] in style.positions.checks
    place = _table_place(style, section) if table else _inputs_place(style, section)
    good, size, words, remedy, link = place
    yield Cell(row, 1, f"Inputs: {section.title}", "Link", link=link)
    yield Cell(row, 2, "Each is what it may be: a number within its bounds, or a word of its list.", "Note")
    yield Cell(row, 3, Formula(good, Key("section good", section.title)), "Calculation", "0")
    yield Cell(row, 4, Formula(size, Key("section size", section.title)), "Calculation", "0")
    yield Cell(row, 5, Formula(f"$C{row}-$D{row}", Key("section difference", section.title)), "Calculation", "0")
    yield Cell(row, 6, 0, "Limit", "0")
    told = f'"{words}"&$D{row}-$C{row}' if table else f"$H{row}"
    yield Cell(row, 7, Formula(f'IF($C{row}=$D{row},"OK",{told})', Key("section verdict", section.title)), "Verdict")
    yield Cell(row, 8, remedy, "Note")


def _inputs_place(style: Style, section: Section) -> tuple[str, str, str, str, str]:
    """Of a section of scalars: formulas of how many are OK and how many there are, words, remedy, link."""
    block = block_address(_input_verdicts(style, section))
    link = f"{quoted(style.positions.scalars[CASE_NUMBER].sheet)}!A{section.first}"
    return f'COUNTIF({block},"OK")', f"ROWS({block})", "", INPUT_REMEDY, link


def _table_place(style: Style, section: Section) -> tuple[str, str, str, str, str]:
    """Of a table: formulas of how many entries are OK and how many there are, words, remedy, link."""
    first, last = (style.positions.checks[name] for name in (section.names[0], section.names[-1]))
    sheet, top = quoted(first.sheet), f"{letters(first.column)}{first.first}"
    block = f"{sheet}!${letters(first.column)}${first.first}:${letters(last.column)}${last.last}"
    size = f"ROWS({block})*ROWS({block_address(_input_verdicts(style, section))})"
    words, remedy = table_verdict(first.sheet), table_remedy(first.sheet)
    return f'COUNTIF({block},"OK")', size, words, remedy, f"{sheet}!{top}"


def _input_verdicts(style: Style, section: Section) -> Block:
    count = len([name for name in section.names if name != CASE_NUMBER])
    sheet = style.positions.scalars[CASE_NUMBER].sheet
    return Block(sheet, VERDICT, section.first, section.first + count - 1)


def _check(model: Model, style: Style, check: Check, row: int) -> Iterator[Cell]:
    left, right = (to_excel(side, style) for side in (check.comparison.left, check.comparison.right))
    yield Cell(row, 1, check.name.replace("_", " ").capitalize(), "Label")
    yield Cell(row, 2, check.description, "Note")
    unit = unit_of(check.comparison.left, model)
    shape = number_format(unit) if isinstance(unit, Unit) else ""
    yield Cell(row, 3, Formula(left, Key("left", check.name)), "Calculation", shape)
    yield Cell(row, 4, Formula(right, Key("right", check.name)), "Calculation", shape)
    if unit == TEXT:
        yield Cell(row, 5, MASKED, "Calculation")
    else:
        difference = f'IF({_both("ISNUMBER", row)},$C{row}-$D{row},"{MASKED}")'
        yield Cell(row, 5, Formula(difference, Key("difference", check.name)), "Calculation", shape)
    yield Cell(row, 6, check.tolerance, "Limit", "0E+00" if check.tolerance else "0")
    verdict = _verdict(check, row, "ISTEXT" if unit == TEXT else "ISNUMBER")
    yield Cell(row, 7, Formula(verdict, Key("verdict", check.name)), "Verdict")
    yield Cell(row, 8, check.remedy, "Note")


def _verdict(check: Check, row: int, kind: str) -> str:
    """Renders "OK", the remedy, or that a side has no value: a text is greater than any number, an error is neither."""
    holds = f"$C{row}{COMPARISONS[check.comparison.operator]}$D{row}"
    if check.tolerance:
        holds = f"ABS($C{row}-$D{row})<=$F{row}*MAX(ABS($C{row}),ABS($D{row}))"
    return f'IF({_both(kind, row)},IF({holds},"OK",$H{row}),"{NO_VALUE}")'


def _both(kind: str, row: int) -> str:
    return f"AND({kind}($C{row}),{kind}($D{row}))"
