"""Memory per GPU: what fills it, stage by stage, against what the card holds."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.memo.axis import DECIMAL_BYTES
from reportgen.memo.content.buffers import buffers, kernels_and_framework
from reportgen.memo.content.mixture import offload, unmodelled
from reportgen.memo.content.parts import STAGE_PARTS, fullest_stage, largest_part, row_of
from reportgen.memo.content.recomputation import recomputation
from reportgen.memo.content.rules import rules_of_thumb, why_rules_differ
from reportgen.memo.content.say import Teller, column
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Column, Figure, Row, Section, Table
from reportgen.memo.figures import Axes, Bar, Part, Reference, stacked_bars
from reportgen.result import Result

ROWS_AT_MOST = 12
ROWS_OF_SUMMARY = 6
SCHEDULES = {"1f1b": "1F1B", "gpipe": "GPipe", "zero bubble": "the zero-bubble schedule", "dualpipe": "DualPipe"}


def memory(result: Result) -> Section:
    """What fills the fullest GPU, the chart, the table by stage, and the rules of thumb beside it."""
    teller = Teller(result)
    return Section(
        "Memory per GPU",
        paragraphs=(
            _fullest(teller),
            kernels_and_framework(teller),
            *unmodelled(teller),
            *offload(teller),
            recomputation(teller),
            why_rules_differ(teller),
        ),
        figures=(_chart(teller),),
        tables=(_table(teller), *buffers(teller), rules_of_thumb(teller)),
    )


def stages_to_print(count: int, fullest: int) -> tuple[int, ...]:
    """All stages, or a choice of them: both ends, the fullest, and some evenly between."""
    if count <= ROWS_AT_MOST:
        return tuple(range(count))
    between = (round(index * (count - 1) / (ROWS_OF_SUMMARY - 1)) for index in range(ROWS_OF_SUMMARY))
    return tuple(sorted({fullest, *between}))


def _fullest(teller: Teller) -> Sentence:
    part, formula = largest_part(teller)
    peak = row_of(teller, "stage_peak_bytes")
    return sentence(
        _opening(teller), teller.say("peak_memory_bytes"), " of ", teller.say("accelerator_memory_bytes"),
        " usable. ", part, " weigh most: ", teller.say(formula), ", ", teller.share(f"{formula} / {peak}"),
        " of the peak. ", _in_flight(teller), teller.say("memory_reserve_bytes"), " (",
        teller.share("memory_reserve_fraction"),
        ") should stay free for what is not modelled: fragmentation, buckets and temporary tensors.",
    )  # fmt: skip


def _opening(teller: Teller) -> Sentence:
    if teller.value("pipeline_stages") > 1:
        return sentence(
            "Of ", teller.count("pipeline_stages", "stage"), ", ", fullest_stage(teller), " is the fullest: "
        )
    subject = (
        "The GPU holds "
        if teller.value("gpu_count") == 1
        else "There is one pipeline stage, so all GPUs hold the same: "
    )
    return sentence(subject)


def _in_flight(teller: Teller) -> Sentence:
    """How many micro-batches' activations a pipeline makes its fullest stage hold."""
    if teller.value("pipeline_stages") == 1:
        return ()
    held = teller.count(row_of(teller, "stage_in_flight"), "micro-batch", "micro-batches")
    schedule = teller.value("schedule")
    interleaved = schedule == "1f1b" and teller.value("virtual_stages") > 1
    words = "the interleaved schedule" if interleaved else SCHEDULES[schedule]
    return sentence("Under ", words, " it holds the activations of ", held, " at once. ")


def _chart(teller: Teller) -> Figure:
    stages = range(int(teller.value("pipeline_stages")))
    capacity = Reference("Usable memory", teller.value("accelerator_memory_bytes"), "accelerator_memory_bytes")
    svg = stacked_bars(
        "Memory per GPU by pipeline stage",
        [_bar(teller, stage) for stage in stages],
        Axes("Memory per GPU", "Pipeline stage"),
        capacity,
    )
    return Figure(
        svg, sentence("One bar is one GPU of a stage at its fullest; the dashed line is what the card can hold.")
    )


def _bar(teller: Teller, stage: int) -> Bar:
    parts = tuple(Part(part.heading, teller.value(row_of(teller, part.quantity, stage))) for part in STAGE_PARTS)
    return Bar(str(stage), parts, f"stage_peak_bytes[{stage}]")


def _table(teller: Teller) -> Table:
    stages = stages_to_print(int(teller.value("pipeline_stages")), int(teller.value("worst_stage")))
    quantities = [part.quantity for part in STAGE_PARTS] + ["stage_peak_bytes"]
    left = [f"accelerator_memory_bytes - stage_peak_bytes[{stage}]" for stage in stages]
    formulas = [f"{quantity}[{stage}]" for quantity in quantities for stage in stages] + left
    unit, cells = column([(teller, formula) for formula in formulas], DECIMAL_BYTES)
    columns = [cells[start : start + len(stages)] for start in range(0, len(cells), len(stages))]
    rows = tuple(
        Row(
            (
                teller.cell(f"stage_order[{stage}]"),
                teller.cell(f"stage_layers[{stage}]"),
                *(column_cells[index] for column_cells in columns),
            ),
            total=stage == teller.value("worst_stage") and len(stages) > 1,
        )
        for index, stage in enumerate(stages)
    )
    headings = [part.heading for part in STAGE_PARTS] + ["Peak", "Left"]
    heads = (Column("Stage"), Column("Layers"), *(Column(heading, unit) for heading in headings))
    return Table("Memory of one GPU on each pipeline stage", heads, rows, note=_note(teller, stages))


def _note(teller: Teller, stages: Sequence[int]) -> Sentence:
    bold = "The fullest stage is set in bold. " if len(stages) > 1 else ""
    if len(stages) == teller.value("pipeline_stages"):
        return sentence(bold, "Every cell is a live formula in the workbook.")
    return sentence(bold, "A choice of the ", teller.count("pipeline_stages", "stage"), "; the workbook has all.")
