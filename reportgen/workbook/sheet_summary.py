"""The Summary sheet: one printable page with the verdict, the headline numbers and the memory of each stage."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.breakdown import peak_parts
from reportgen.formula.model import Model
from reportgen.formula.quantity import Input
from reportgen.workbook.cells import MASKED, Cell, Formula, Highlight, Key, Said, Sheet
from reportgen.workbook.frame import caption, header, heading
from reportgen.workbook.positions import ACTIVE_CASE, MASTER
from reportgen.workbook.references import Style
from reportgen.workbook.sheet_checks import master_highlights, verdict_cell, verdict_highlights
from reportgen.workbook.sheet_inputs import changed_inputs
from reportgen.workbook.sheet_model import handy_cells
from reportgen.workbook.shown import BINARY, HANDY, input_format, number_format, unit_words
from reportgen.workbook.verdicts import CHANGED, FIT_CHECK, NO_MARK, SAME

HEADLINES = {
    "model_parameters": "Parameters of the model",
    "active_parameters": "Parameters at work on a token",
    "trained_parameters": "Parameters that are trained",
    "training_tokens": "Tokens to train on",
    "accelerator": "Accelerator",
    "gpu_count": "GPUs",
    "node_count": "Nodes",
    "kernel_profile": "Kernel profile",
    "framework": "Framework",
    "peak_memory_bytes": "Peak memory of the fullest GPU",
    "accelerator_memory_bytes": "Memory of one GPU",
    "memory_headroom_bytes": "Memory left beside the peak",
    "spare_memory_bytes": "Of that, left beside the reserve",
    "worst_stage": "Stage of the fullest GPU, from 0",
    "hardware_utilization": "FLOPs utilisation, recomputing too",
    "training_days": "Training time",
    "deadline_days": "Deadline",
    "deadline_gpus": "GPUs that meet the deadline",
    "gpu_hours": "GPU-hours",
    "gpu_hour_price": "Price of a GPU-hour",
    "total_cost_usd": "Total cost",
    "cost_per_token_usd": "Cost per token",
    "checkpoint_bytes": "Size of a checkpoint",
    "synchronous_overhead_fraction": "Time lost to waiting checkpoints",
}
PART_TITLES = {
    "stage_weight_bytes": "Weights",
    "stage_gradient_bytes": "Gradients",
    "stage_optimizer_bytes": "Optimizer",
    "stage_activation_bytes": "Activations",
    "stage_head_bytes": "Loss head",
    "stage_head_excess_bytes": "Loss head",
    "stage_buffer_bytes": "Buffers",
}
CHART_PARTS = tuple((part, PART_TITLES.get(part, caption(part))) for part in peak_parts())
DECIDING = (
    ("Fits in memory", FIT_CHECK),
    ("Headroom left", "reserve_is_left"),
    ("Deadline met", "deadline_is_met"),
)
CAPACITY = "accelerator_memory_bytes"
TITLES = ("Headline", "Value", "Unit", "Shown as", "Unit shown", "Or as", "Unit", "Generated value", "Since generated")
WIDTHS = {1: 34, 2: 22, 3: 18, 4: 14, 5: 24, 6: 14, 7: 16, 8: 22, 9: 18}
VERDICT_ROW, CHECK_ROW, CASE_ROW, CHANGED_ROW, NOTE_ROW = 3, 4, 7, 8, 9
HEADER_ROW = 11
FIRST = HEADER_ROW + 1
CHART_ROW = FIRST + len(HEADLINES) + 1
CHART_HEIGHT = 18  # rows that the chart covers
TABLE_TITLE = CHART_ROW + CHART_HEIGHT + 1
TABLE_FIRST = TABLE_TITLE + 3


def summary_sheet(model: Model, style: Style, name: str, slots: int) -> Sheet:
    """The sheet of headlines; `slots` is how many stages the chart has room for."""
    last = TABLE_FIRST + slots - 1
    return Sheet(
        name=name,
        kind="output",
        cells=(
            *heading("Summary", Said("title")),
            *_verdict(model, style),
            *header(HEADER_ROW, TITLES),
            *(cell for row, item in enumerate(HEADLINES, FIRST) for cell in _headline(model, style, item, row)),
            *_chart_table(model, style, slots),
        ),
        widths=WIDTHS,
        freeze=f"B{FIRST}",
        title_rows="1:1",
        one_page=True,
        highlights=(
            *master_highlights(f"B{VERDICT_ROW}:E{VERDICT_ROW}", f"$B${VERDICT_ROW}"),
            *verdict_highlights(f"B{CHECK_ROW}:E{CHECK_ROW + len(DECIDING) - 1}", f"$B{CHECK_ROW}"),
            Highlight(f"I{FIRST}:I{FIRST + len(HEADLINES) - 1}", "changed", f'$I{FIRST}="{CHANGED}"'),
            Highlight(f"A{TABLE_FIRST}:H{last}", "masked", f'$A{TABLE_FIRST}="{MASKED}"'),
        ),
    )


def _verdict(model: Model, style: Style) -> Iterator[Cell]:
    yield Cell(VERDICT_ROW, 1, "Master verdict", "Label")
    yield Cell(VERDICT_ROW, 2, Formula(style.value(MASTER), Key(MASTER)), "Master")
    for row, (title, check) in enumerate(DECIDING, start=CHECK_ROW):
        yield Cell(row, 1, title, "Label")
        yield Cell(row, 2, Formula(verdict_cell(model, style, check), Key("verdict", check)), "Plain")
    yield Cell(CASE_ROW, 1, "Case shown", "Label")
    yield Cell(CASE_ROW, 2, Formula(style.value(ACTIVE_CASE), Key("active case")), "Calculation")
    yield Cell(CASE_ROW, 3, "low, base or high; chosen on the sheet Inputs", "Plain")
    yield Cell(CHANGED_ROW, 1, "Inputs changed since generated", "Label")
    yield Cell(CHANGED_ROW, 2, Formula(changed_inputs(style), Key("changed inputs")), "Calculation", "0")
    yield Cell(CHANGED_ROW, 3, "marked on the sheet Inputs; rows of tables are not counted", "Plain")
    yield Cell(NOTE_ROW, 1, "Scenario", "Label")
    yield Cell(NOTE_ROW, 2, Said("story"), "Plain")


def _headline(model: Model, style: Style, name: str, row: int) -> Iterator[Cell]:
    entry = model.by_name[name]
    shape = input_format(entry) if isinstance(entry, Input) else number_format(entry.unit, name)
    yield Cell(row, 1, HEADLINES[name], "Label")
    yield Cell(row, 2, Formula(style.value(name), Key("scalar", name)), "Result", shape)
    yield Cell(row, 3, unit_words(entry.unit, name), "Unit")
    yield from handy_cells(style, name, HANDY.get(str(entry.unit)), row, 4)
    yield from handy_cells(style, name, BINARY.get(str(entry.unit)), row, 6)
    yield Cell(row, 8, Said("generated", name), "Generated", shape)
    yield Cell(row, 9, Formula(_marker(style, entry.unit, row), Key("marker", name)), "Marker")


def _marker(style: Style, unit: object, row: int) -> str:
    """Whether the value is still the one that was generated; a word where there is none."""
    same, kind = f"$B{row}=$H{row}", "ISTEXT"
    if str(unit) != "text":
        limit, kind = style.value("marker_tolerance"), "ISNUMBER"
        same = f"ABS($B{row}-$H{row})<={limit}*MAX(ABS($B{row}),ABS($H{row}))"
    return f'IF({kind}($B{row}),IF({same},"{SAME}","{CHANGED}"),"{NO_MARK}")'


def _chart_table(model: Model, style: Style, slots: int) -> Iterator[Cell]:
    """Memory by stage in GB: every stage, or, where there are more than slots, first, last and evenly between."""
    stages = style.value(model.by_name["pipeline_stages"].name)
    rows = f"ROWS($A${TABLE_FIRST}:$A${TABLE_FIRST + slots - 1})"
    yield Cell(TABLE_TITLE, 1, "Memory on one GPU of each pipeline stage at its fullest, in GB", "Heading")
    some = f'"Of "&{stages}&" stages, "&{rows}&" shown: first, last, evenly between; a new workbook shows more."'
    note = f'IF({stages}<={rows},"All stages are shown.",{some})'
    yield Cell(TABLE_TITLE + 1, 1, Formula(note, Key("chart note", row=slots)), "Plain")
    yield from header(TABLE_FIRST - 1, ("Stage", *(title for _, title in CHART_PARTS), "Capacity"))
    for slot in range(slots):
        yield from _chart_row(style, stages, rows, slot, slots)


def _chart_row(style: Style, stages: str, rows: str, slot: int, slots: int) -> Iterator[Cell]:
    row = TABLE_FIRST + slot
    place = f"(ROW()-ROW($A${TABLE_FIRST - 1})-1)"
    spread = f"INT(ROUND({place}*({stages}-1)/MAX(1,{rows}-1),9))"
    stage = f'IF({place}<MIN({stages},{rows}),IF({stages}<={rows},{place},{spread}),"{MASKED}")'
    yield Cell(row, 1, Formula(stage, Key(f"chart stage of {slots}", row=slot)), "Index", "0")
    parts = [(part, f"INDEX({style.column(part)},$A{row}+1)") for part, _ in CHART_PARTS]
    for column, (part, read) in enumerate([*parts, (CAPACITY, style.value(CAPACITY))], start=2):
        text = f'IF($A{row}="{MASKED}","{MASKED}",{read}/{style.value("bytes_per_gigabyte")})'
        yield Cell(row, column, Formula(text, Key(f"chart part of {slots}", part, slot)), "Calculation", "#,##0.00")
