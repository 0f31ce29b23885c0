"""The sheets that stand around the model: About, Lists, Constants, Sources and the empty log of Changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator

from reportgen.formula.model import Model
from reportgen.formula.quantity import Axis, Constant
from reportgen.formula.sources import Assumption, Citation, Source
from reportgen.workbook.cells import MASKED, Cell, Content, Formula, Key, Said, Sheet, letters
from reportgen.workbook.frame import caption, header, heading
from reportgen.workbook.positions import FIRST_ROW, MASTER, listed_columns
from reportgen.workbook.references import Style, quoted
from reportgen.workbook.sheet_checks import master_highlights
from reportgen.workbook.shown import WHOLE, WORKBOOK_CONSTANTS, unit_words

HEADER_ROW = 5
ABOUT_SHEETS = {
    "Summary": "The headline numbers and the memory of each stage, on one page",
    "Inputs": "Every input with bounds, cases, check, source and date: change values here",
    "Catalogue": "Accelerators and prices as shipped, with their sources",
    "Profiles": "What optimizers and frameworks hold and what kernels keep, to choose from or to edit",
    "Model": "Every result, part by part, with its formula in words and its source",
    "Kinds": "What one layer of each kind weighs, keeps and computes",
    "Stages": "What one GPU of each pipeline stage holds",
    "Layers": "Every layer: its kind, its stage, its weight",
    "Memory": "What fills one GPU of each stage, every term by its name",
    "Constants": "Numbers of arithmetic and convention that nobody edits",
    "Lists": "The words that drop-downs offer",
    "Checks": "What must hold, both sides of it, and the master verdict",
    "Sources": "Publications and own assumptions",
    "Changes": "A log to fill in by hand when inputs are changed",
}
COLOURS = (
    ("Input", "Blue on yellow: an input; change it here"),
    ("Calculation", "Black on white: a formula; protected, without a password"),
    ("Result", "Bold: a headline result, also a formula"),
    ("Generated", "Grey italic: the value that was generated, to see what has changed since"),
    ("Verdict", "A check: OK in green, or in red and in words what to do"),
)
HOW_TO = (
    "Change a blue cell on yellow; drop-downs and prompts say what it may be. Everything else follows.",
    "An input with a range has Low, Base and High; the case selector at the top of Inputs decides which one is live.",
    "Rows past the number of stages, layers or kinds show a dash and count nowhere.",
    "Look at the master verdict after every edit: red where a value cannot be right or the run does not fit, and why.",
    "Log what was changed on the sheet Changes; Inputs and Summary mark what differs from the generated values.",
)
LIMITS = (
    "Memory is a sum of closed forms; measured peaks are higher, so a share of the card is kept free.",
    "Time follows from a stated utilisation; it is an input with a source, not a prediction of this model.",
    "Decoders are covered, with experts, latent attention and adapters; encoders and diffusion are not.",
    "Of state-space and linear mixers the projections are counted; what their scans keep is not modelled.",
    "Prices are dated list prices; negotiated terms belong into the price override.",
    "GB means 10^9 bytes, GiB 2^30 bytes; all base values are in bytes, seconds, FLOP, USD, tokens and parameters.",
)
ABOUT_WIDTHS = {1: 26, 2: 96}


def about_sheet(style: Style, name: str, sheets: tuple[str, ...]) -> Sheet:
    """What this workbook is, how to use it, and where its limits are."""
    cells = [
        Cell(1, 1, Said("title"), "Title"),
        Cell(2, 1, "A live capacity estimate for training a large language model", "Subtitle"),
        *_about_rows(style, sheets),
    ]
    return Sheet(
        name=name,
        kind="about",
        cells=tuple(cells),
        widths=ABOUT_WIDTHS,
        freeze="A3",
        title_rows="1:1",
        one_page=True,
        highlights=master_highlights("B4", "$B$4"),
    )


def _about_rows(style: Style, sheets: tuple[str, ...]) -> Iterator[Cell]:
    facts: tuple[tuple[str, Content, str], ...] = (
        ("Master verdict", Formula(style.value(MASTER), Key(MASTER)), "Master"),
        ("Purpose", Said("purpose"), "Wide"),
        ("What it shows", Said("story"), "Wide"),
        ("Scenario", Said("name"), "Wide"),
        ("Changed from the scenario", Said("changes"), "Wide"),
        ("Doubts about the model", Said("doubts"), "Wide"),
        ("Scenario hash", Said("hash"), "Wide"),
        ("Tool and version", Said("version"), "Wide"),
        ("Date", Said("date"), "WideDate"),
        ("Currency", "USD", "Wide"),
        ("Price and its date", Said("price"), "Wide"),
    )
    row = 4
    for title, content, look in facts:
        yield Cell(row, 1, title, "Label")
        yield Cell(row, 2, content, look)
        row += 1
    row = yield from _listed(
        row + 1, "Sheets", tuple((sheet, ABOUT_SHEETS.get(sheet, "")) for sheet in sheets), links=True
    )
    yield Cell(row + 1, 1, "Colours", "Heading")
    for offset, (look, words) in enumerate(COLOURS, start=2):
        yield Cell(row + offset, 1, look, "InputKey" if look == "Input" else look)  # not to be typed into
        yield Cell(row + offset, 2, words, "Wide")
    row += len(COLOURS) + 2
    row = yield from _listed(row + 1, "How to edit", tuple((str(n), words) for n, words in enumerate(HOW_TO, 1)))
    yield from _listed(row + 1, "Limits of the model", tuple((str(n), words) for n, words in enumerate(LIMITS, 1)))


def _listed(
    row: int, title: str, lines: tuple[tuple[str, str], ...], *, links: bool = False
) -> Generator[Cell, None, int]:
    """A headed list; returns the first free row."""
    yield Cell(row, 1, title, "Heading")
    for offset, (head, words) in enumerate(lines, start=1):
        look, link = ("Link", f"{quoted(head)}!A1") if links else ("Label", "")
        yield Cell(row + offset, 1, head, look, link=link)
        yield Cell(row + offset, 2, words, "Wide")
    return row + len(lines) + 1


def constants_sheet(model: Model, name: str) -> Sheet:
    """The numbers that nobody edits."""
    widths = {1: 36, 2: 20, 3: 26, 4: 60, 5: 60}
    cells = [
        *heading("Constants", "Numbers of nature, arithmetic and convention; formulas read them by name."),
        *header(HEADER_ROW, ("Constant", "Value", "Unit", "What it is", "Source")),
        *(
            cell
            for row, entry in enumerate((*model.constants, *WORKBOOK_CONSTANTS), FIRST_ROW)
            for cell in _constant(entry, row)
        ),
    ]
    return Sheet(name, "calculation", tuple(cells), widths, "B6", "5:5")


def _constant(entry: Constant, row: int) -> Iterator[Cell]:
    yield Cell(row, 1, caption(entry.name), "Label")
    yield Cell(row, 2, entry.value, "Constant", _constant_format(entry.value))
    yield Cell(row, 3, unit_words(entry.unit, entry.name), "Unit")
    yield Cell(row, 4, entry.description, "Note")
    yield Cell(row, 5, str(entry.origin), "Note")


def _constant_format(value: float) -> str:
    if not 1 / 1000 <= abs(value) < 10**12:
        return "0E+00"
    return WHOLE if value == int(value) else "General"


def lists_sheet(model: Model, style: Style, name: str) -> Sheet:
    """The words that drop-downs offer, each list once."""
    lists = style.positions.lists
    cells = [*heading("Lists", "What drop-downs offer; formulas compare choices with these words.")]
    live = listed_columns(model)
    for key, block in lists.items():
        if key[0] in live:
            cells += _live_list(model, style, key[0], live[key[0]])
        else:
            cells.append(Cell(HEADER_ROW, block.column, _list_title(model, key), "Header"))
            cells += [Cell(block.first + row, block.column, word, "Plain") for row, word in enumerate(key)]
    widths = {block.column: 26.0 for block in lists.values()}
    return Sheet(name, "calculation", tuple(cells), widths, "A6", "5:5")


def _list_title(model: Model, key: tuple[str, ...]) -> str:
    """The inputs that offer a list."""
    names = [entry.name for entry in model.inputs.values() if entry.choices == key and not entry.choices_from]
    return ", ".join(caption(item) for item in names) if names else "Active case"


def _live_list(model: Model, style: Style, source: str, axis: Axis) -> Iterator[Cell]:
    """An override's word, then the rows of a column; rows that do not exist repeat the word."""
    block = style.positions.lists[(source,)]
    column, index = style.positions.columns[source], style.positions.columns[axis.index]
    word = next((entry.word for entry in model.inputs.values() if entry.choices_from == source and entry.word), MASKED)
    top = f"${letters(block.column)}${block.first}"
    sheet = quoted(column.sheet)
    yield Cell(HEADER_ROW, block.column, f"{caption(source)}, with the word of an override", "Header")
    yield Cell(block.first, block.column, word, "Plain")
    for row in range(axis.rows):
        cell = f"{sheet}!${letters(index.column)}{index.first + row}"
        text = f'IF({cell}="{MASKED}",{top},{sheet}!${letters(column.column)}{column.first + row})'
        yield Cell(
            block.first + 1 + row, block.column, Formula(text, Key(f"listed or {word}", source, row)), "Calculation"
        )


def sources_sheet(model: Model, name: str) -> Sheet:
    """Publications with how often they are cited, then own assumptions with what rests on them."""
    widths = {1: 64, 2: 30, 3: 14, 4: 56, 5: 14}
    cited = [entry.origin for entry in model.entries]
    used = Counter(origin.source for origin in cited if isinstance(origin, Citation))
    assumed: dict[str, list[str]] = {}
    for entry in model.entries:
        if isinstance(entry.origin, Assumption):
            assumed.setdefault(entry.origin.reason, []).append(caption(entry.name))
    cells = [
        *heading("Sources", "What no publication settles is listed below as an own assumption."),
        *header(HEADER_ROW, ("Publication", "By", "Date", "Address", "Cited")),
        *(cell for row, item in enumerate(used.items(), FIRST_ROW) for cell in _source(*item, row)),
        Cell(FIRST_ROW + len(used) + 1, 1, "Own assumptions", "Heading"),
        *header(FIRST_ROW + len(used) + 2, ("Assumption", "Rests on it")),
        *(
            cell
            for row, (reason, names) in enumerate(assumed.items(), FIRST_ROW + len(used) + 3)
            for cell in (Cell(row, 1, reason, "Note"), Cell(row, 2, ", ".join(names), "Note"))
        ),
    ]
    return Sheet(name, "about", tuple(cells), widths, "A6", "5:5")


def _source(source: Source, count: int, row: int) -> Iterator[Cell]:
    yield Cell(row, 1, source.title, "Note")
    yield Cell(row, 2, source.publisher, "Note")
    yield Cell(row, 3, source.date, "Note")
    yield Cell(row, 4, source.address, "Note")
    yield Cell(row, 5, count, "Limit", "0")


def changes_sheet(name: str) -> Sheet:
    """An empty log for people."""
    titles = ("Date", "Who", "Sheet and cell", "Old value", "New value", "Why")
    widths = {1: 14, 2: 24, 3: 24, 4: 22, 5: 22, 6: 60}
    blank = [Cell(row, column, "", "Log") for row in range(FIRST_ROW, FIRST_ROW + 30) for column in range(1, 7)]
    cells = (*heading("Changes", "Log here by hand what was changed, and why."), *header(HEADER_ROW, titles), *blank)
    return Sheet(name, "about", cells, widths, "A6", "5:5", protected=False)
