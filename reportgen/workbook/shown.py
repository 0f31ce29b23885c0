"""Units as a workbook shows them: number formats, and the handier unit beside the base unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reportgen.formula.quantity import Constant, Input, constant
from reportgen.formula.sources import Assumption, Definition
from reportgen.formula.units import TEXT, Kind, Unit

COUNT, EXACT, MULTIPLE = "_count", "_exact", "_multiple"
SHARES = ("_fraction", "_utilization")
PLAIN = "General"
WHOLE, FINE, SCIENTIFIC, PERCENT, DATE = "#,##0", "#,##0.000", "0.000E+00", "0.00%", "yyyy-mm-dd"
MONEY = "#,##0.00"

NAMED = Definition("from the name of the unit")
WORKBOOK_CONSTANTS: tuple[Constant, ...] = (
    constant("bytes_per_gigabyte", 10**9, "byte", "Bytes of a GB.", NAMED),
    constant("bytes_per_gibibyte", 2**30, "byte", "Bytes of a GiB, in which memory is sold.", NAMED),
    constant("one_million", 10**6, "1", "A million.", NAMED),
    constant("one_billion", 10**9, "1", "A billion.", NAMED),
    constant("one_trillion", 10**12, "1", "A trillion, as in TFLOP.", NAMED),
    constant("one_quadrillion", 10**15, "1", "A quadrillion, as in PFLOP.", NAMED),
    constant("one_sextillion", 10**21, "1", "A sextillion, as in ZFLOP.", NAMED),
    constant("seconds_per_hour", 3600, "second/hour", "Seconds in an hour.", NAMED),
    constant(
        "marker_tolerance",
        1e-9,
        "1",
        "The relative difference from which a headline value counts as changed.",
        Assumption("far below anything that matters, far above what is left of rounding"),
    ),
)


@dataclass(frozen=True)
class Handy:
    """A handier unit: its name, the constant that leads to it, and whether to divide or multiply by it."""

    unit: str
    factor: str
    operator: Literal["/", "*"] = "/"
    format: str = FINE


HANDY: dict[str, Handy] = {
    "byte": Handy("GB", "bytes_per_gigabyte"),
    "byte/GPU": Handy("GB per GPU", "bytes_per_gigabyte"),
    "byte/node": Handy("GB per node", "bytes_per_gigabyte"),
    "byte/second": Handy("GB/s", "bytes_per_gigabyte"),
    "byte/GPU/second": Handy("GB/s per GPU", "bytes_per_gigabyte"),
    "byte/node/second": Handy("GB/s per node", "bytes_per_gigabyte"),
    "parameter": Handy("billion parameters", "one_billion"),
    "parameter/GPU": Handy("billion parameters per GPU", "one_billion"),
    "token": Handy("billion tokens", "one_billion"),
    "FLOP": Handy("ZFLOP", "one_sextillion"),
    "FLOP/token": Handy("GFLOP per token", "one_billion"),
    "FLOP/second": Handy("PFLOP/s", "one_quadrillion"),
    "FLOP/GPU/second": Handy("TFLOP/s per GPU", "one_trillion"),
    "second": Handy("hours", "seconds_per_hour"),
    "USD": Handy("million USD", "one_million"),
    "USD/token": Handy("USD per million tokens", "one_million", "*"),
}
BINARY: dict[str, Handy] = {"byte/GPU": Handy("GiB per GPU", "bytes_per_gibibyte")}

FORMATS: dict[str, str] = {
    "byte": WHOLE,
    "byte/GPU": WHOLE,
    "byte/node": WHOLE,
    "byte/second": WHOLE,
    "byte/GPU/second": WHOLE,
    "byte/node/second": WHOLE,
    "parameter": WHOLE,
    "parameter/GPU": WHOLE,
    "token": WHOLE,
    "FLOP": SCIENTIFIC,
    "FLOP/second": SCIENTIFIC,
    "FLOP/GPU/second": SCIENTIFIC,
    "FLOP/token": SCIENTIFIC,
    "USD": WHOLE,
    "USD/GPU/hour": MONEY,
    "USD/token": SCIENTIFIC,
    "GPU*hour": WHOLE,
    "day": MONEY,
    "node": MONEY,
    "GPU": WHOLE,
    "second": FINE,
    "second/step": FINE,
}

# The steps by which a number format scales a whole column: the size of one, its commas, and the words for the header.
STEPS: dict[str, tuple[tuple[float, str, str], ...]] = {
    "byte": ((1e8, ",,,", "GB"), (1e5, ",,", "MB"), (0, "", "bytes")),
    "parameter": ((1e8, ",,,", "billions"), (1e5, ",,", "millions"), (0, "", "ones")),
    "FLOP": ((1e8, ",,,", "GFLOP"), (1e5, ",,", "MFLOP"), (0, "", "FLOP")),
}

# Bytes of a token are compared to the last one, so that their columns are not scaled.
PER_TOKEN = ("byte/token", "byte/GPU/token")

# Inputs that stand in columns and are shown in a handier unit by their format: the format, and the unit for the header.
COLUMN_INPUTS: dict[str, tuple[str, str]] = {
    "FLOP/GPU/second": ("#,##0.0,,,,", "TFLOP/s"),
    "byte/GPU": ("#,##0.0,,,", "GB"),
}


def unit_words(unit: Unit | Kind, name: str = "") -> str:
    """The unit as a cell shows it; never empty."""
    if unit == TEXT:
        return "text"
    if str(unit) == "1":
        return "fraction" if name.endswith(SHARES) else "number"
    return str(unit)


def number_format(unit: Unit | Kind, name: str = "") -> str:
    """The number format of a value in base units."""
    if name.endswith(SHARES):
        return PERCENT
    if name.endswith((COUNT, EXACT, MULTIPLE)):
        return WHOLE if name.endswith(COUNT) else MONEY
    return "" if unit == TEXT else FORMATS.get(str(unit), PLAIN)


def input_format(declared: Input) -> str:
    """The number format of an input: whole numbers without decimals, texts without any format."""
    if declared.kind in ("choice", "text"):
        return ""
    return WHOLE if declared.kind == "whole" else number_format(declared.unit, declared.name)


def column_input_format(declared: Input) -> str:
    """The number format of an input that stands in a column."""
    shape = input_format(declared)
    return COLUMN_INPUTS.get(str(declared.unit), (shape, ""))[0]


def column_scale(unit: Unit | Kind, largest: float) -> tuple[str, str] | None:
    """The number format that scales a column whose largest value is this, and the unit it then shows."""
    if str(unit) in PER_TOKEN:
        return MONEY, "bytes"
    numerator = str(unit).split("/", 1)[0]
    for least, commas, words in STEPS.get(numerator, ()):
        if largest >= least:
            return (f"#,##0.00{commas}" if commas else PLAIN), words
    return None
