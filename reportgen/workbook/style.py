"""How cells look: one named style for each role, colours by kind of sheet, formats of conditions."""

from __future__ import annotations

from dataclasses import dataclass

FONT = "Arial"  # its metric twin comes with every LibreOffice, so widths hold there too
INK, BLUE, GREY, WHITE = "1F2937", "0000FF", "6B7280", "FFFFFF"
YELLOW, BAND, DARK, PALE = "FFFFE0", "E5EAF1", "1F3A5F", "F5F7FA"
TAB_COLOURS = {
    "about": "6B7280",
    "input": "E3B505",
    "calculation": "1F3A5F",
    "output": "2E7D32",
    "check": "B3261E",
}


@dataclass(frozen=True)
class Look:
    """What a named style sets; colours as RRGGBB, an empty `fill` leaves the cell white."""

    size: int = 10
    colour: str = INK
    bold: bool = False
    italic: bool = False
    underline: bool = False
    fill: str = ""
    border: bool = False
    wrap: bool = False
    across: str = ""
    indent: int = 0
    unlocked: bool = False


LOOKS: dict[str, Look] = {
    "Title": Look(size=16, colour=DARK, bold=True),
    "Subtitle": Look(colour=GREY, italic=True),
    "Heading": Look(size=12, colour=DARK, bold=True),
    "Header": Look(colour=WHITE, bold=True, fill=DARK, wrap=True, border=True, across="center"),
    "HeaderUnit": Look(colour=DARK, italic=True, fill=BAND, wrap=True, border=True, across="center"),
    "HeaderNote": Look(size=9, colour=GREY, fill=PALE, wrap=True, border=True),
    "Part": Look(colour=DARK, bold=True, fill=BAND),
    "Label": Look(bold=False, wrap=True),
    "Input": Look(colour=BLUE, fill=YELLOW, border=True, unlocked=True, across="right", wrap=True),
    "InputKey": Look(colour=BLUE, fill=YELLOW, border=True, across="right"),
    "Calculation": Look(border=True, across="right"),
    "Constant": Look(border=True, across="right"),
    "Result": Look(bold=True, border=True, across="right"),
    "Generated": Look(colour=GREY, italic=True, border=True, across="right"),
    "Index": Look(colour=GREY, across="center", border=True),
    "Limit": Look(colour=GREY, across="right"),
    "Unit": Look(colour=GREY, indent=1, across="left", wrap=True),
    "Note": Look(size=9, wrap=True, across="left", indent=1),
    "Plain": Look(size=9, across="left", indent=1),
    "Date": Look(size=9, across="left", indent=1),
    "Wide": Look(wrap=True, across="left", indent=1),
    "WideDate": Look(across="left", indent=1),
    "Verdict": Look(size=9, bold=True, wrap=True, border=True, across="left"),
    "Marker": Look(size=9, across="center"),
    "Master": Look(size=12, bold=True),
    "Link": Look(colour="0563C1", underline=True),
    "Log": Look(border=True, wrap=True, unlocked=True),
    "Text": Look(),
}
WRAPPED = frozenset(name for name, look in LOOKS.items() if look.wrap)

# Fill and text of each condition; the words in the cell say the same without colour.
CONDITIONS: dict[str, tuple[str, str]] = {
    "masked": ("F3F4F6", "9CA3AF"),
    "good": ("DDF3E0", "1B5E20"),
    "bad": ("F9D7D5", "8C1D18"),
    "changed": ("FFE8B3", "7A4B00"),
}
