"""Time to train: FLOPs under each convention, days against MFU and GPU count, and the GPUs for the deadline."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.formula.to_numpy import sweep
from reportgen.memo.axis import TIME, Unit, UnitSystem, evenly_shown
from reportgen.memo.content.say import Teller, column
from reportgen.memo.content.standing import deadline_is_assumed
from reportgen.memo.content.variants import condition_of, deadline_layout, is_layout, possible_copies
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Column, Figure, Printed, Row, Section, Table
from reportgen.memo.figures import Axes, Point, Reference, Series, line_chart
from reportgen.model import estimator
from reportgen.result import Result

GFLOPS = UnitSystem((Unit("MFLOP", 1e6), Unit("GFLOP", 1e9), Unit("TFLOP", 1e12)))
CONVENTIONS = (
    ("6N: six for each parameter, no attention", "six_n_flops_per_token", "6N"),
    ("Causal attention with head, itemised", "causal_flops_per_token", "causal attention with head"),
    ("Full attention with head, itemised", "full_attention_flops_per_token", "full attention with head"),
    ("6N + 12Lhs: the rule for full attention", "six_n_attention_flops_per_token", "6N + 12Lhs"),
)
SECONDS = "training_days * seconds_per_day"
COUNTS = 5
STEPS = (-2, -1, 0, 1, 2)
STEP_SHARE = 8
LINES = (0, 2, 4)


@dataclass(frozen=True)
class Grid:
    """Seconds of training for each utilisation (rows) and GPU count (columns)."""

    utilizations: tuple[float, ...]
    gpu_counts: tuple[int, ...]
    seconds: tuple[tuple[float, ...], ...]


def training_time(result: Result) -> Section:
    """FLOPs by convention, the time, its sensitivity as chart and table, and the deadline."""
    teller, grid = Teller(result), sensitivity(result)
    return Section(
        "Time to train",
        paragraphs=(_time(teller), _deadline(teller)),
        figures=(_chart(teller, grid),),
        tables=(_table(teller, grid), _conventions(teller)),
    )


def sensitivity(result: Result) -> Grid:
    """Training time over utilisations and GPU counts, in one pass over all of them."""
    utilizations = utilizations_around(result["flops_utilization"])
    counts = counts_around(result)
    pairs = [(utilization, count) for utilization in utilizations for count in counts]
    varied = {"flops_utilization": [pair[0] for pair in pairs], "gpu_count": [pair[1] for pair in pairs]}
    arrays = sweep(estimator(), {**result.scenario.live_inputs(), **varied}, frozenset({"training_days"}))
    seconds = [float(days) * result["seconds_per_day"] for days in arrays["training_days"][:, 0]]
    width = len(counts)
    rows = tuple(tuple(seconds[start : start + width]) for start in range(0, len(seconds), width))
    return Grid(utilizations, counts, rows)


def utilizations_around(base: float) -> tuple[float, ...]:
    """Up to five utilisations in even round steps around the base, which is one of them."""
    rough = base / STEP_SHARE
    step = float(f"{rough:.0e}")
    return tuple(round(base + step * index, 9) for index in STEPS if 0 < base + step * index <= 1)


def counts_around(result: Result) -> tuple[int, ...]:
    """Up to five GPU counts that the layout and the global batch allow, the planned one and those next to it."""
    planned, one_copy = result["gpu_count"], result["model_parallel_gpus"]
    counts = sorted({planned, *(copies * one_copy for copies in possible_copies(result))})
    place = counts.index(planned)
    below = [count for count in counts[:place] if is_layout(result, gpu_count=count)][-COUNTS:]
    above = [count for count in counts[place + 1 :] if is_layout(result, gpu_count=count)][:COUNTS]
    half = COUNTS // 2
    fewer = max(half, COUNTS - 1 - len(above))
    kept = below[-fewer:]
    return (*kept, planned, *above[: COUNTS - 1 - len(kept)])


def _time(teller: Teller) -> Sentence:
    return sentence(
        "At an MFU of ", teller.share("flops_utilization"), ", counted as ", teller.say("flops_convention"),
        ", against a dense peak of ", teller.say("peak_flops"), ", the cluster trains on ",
        teller.say("tokens_per_second"), ". With a goodput of ", teller.share("goodput_fraction"), " the run takes ",
        teller.span("training_days"), ", ", teller.say("gpu_hours"), "; at an MFU of ",
        teller.share("sensitivity_utilization"), " it would take ", teller.span("sensitivity_training_days"), ". ",
        _bubble(teller),
    )  # fmt: skip


def _bubble(teller: Teller) -> Sentence:
    if teller.value("pipeline_stages") == 1:
        return ()
    return sentence(
        "The pipeline idles for ", teller.share("pipeline_bubble_fraction"),
        " of its ideal time, which is part of what the MFU has lost.",
    )  # fmt: skip


def _deadline(teller: Teller) -> Sentence:
    enough = deadline_layout(teller.result)
    needs = sentence(
        _to_end(teller), teller.span("deadline_days"), " takes ", teller.say("deadline_gpus"), ", in whole copies of ",
        teller.say("model_parallel_gpus"),
    )  # fmt: skip
    if enough is None:
        return sentence(
            needs, "; the global batch of ", teller.say("global_batch_size"), " cannot be shared over so many."
        )
    if enough.value("gpu_count") == teller.value("deadline_gpus"):
        return sentence(needs, ".")
    return sentence(
        needs, "; ", enough.say("gpu_count"), " is the next count over which the global batch shares out evenly."
    )


def _to_end(teller: Teller) -> str:
    return "To end within the assumed " if deadline_is_assumed(teller.result) else "To end within "


def _chart(teller: Teller, grid: Grid) -> Figure:
    lines = [index for index in LINES if index < len(grid.utilizations)]
    series = [
        Series(
            _in_per_cent(grid.utilizations[line]),
            tuple(Point(count, seconds) for count, seconds in zip(grid.gpu_counts, grid.seconds[line], strict=True)),
            _share_cell(grid.utilizations[line]).name,
        )
        for line in lines
    ]
    deadline = Reference("Deadline", teller.value("deadline_seconds"), "deadline_seconds")
    svg = line_chart("Training time against GPU count", series, Axes("Training time", "GPUs"), deadline, TIME)
    caption = sentence("Each line is one MFU; on or below the dashed line the deadline is met.")
    return Figure(svg, caption)


def _in_per_cent(utilization: float) -> str:
    return f"MFU {utilization * 100:g} %"


def _table(teller: Teller, grid: Grid) -> Table:
    pairs = [(utilization, count) for utilization in grid.utilizations for count in grid.gpu_counts]
    seconds = [seconds for row in grid.seconds for seconds in row]
    unit = TIME.suiting(max(seconds))
    texts = evenly_shown([value / unit.size for value in seconds])
    cells = [Printed(text, _time_name(*pair)) for text, pair in zip(texts, pairs, strict=True)]
    width = len(grid.gpu_counts)
    rows = tuple(
        Row((_share_cell(utilization), *cells[index * width : (index + 1) * width]))
        for index, utilization in enumerate(grid.utilizations)
    )
    heads = (Column("MFU", "%"), *(_count_column(count, unit.label) for count in grid.gpu_counts))
    date = teller.result.scenario.date.isoformat()
    return Table(f"Training time by MFU and GPU count, computed on {date}, not live", heads, rows)


def _share_cell(utilization: float) -> Printed:
    return Printed(f"{utilization * 100:g}", f"flops_utilization | flops_utilization={utilization}")


def _count_column(count: int, unit: str) -> Column:
    number = Printed(f"{count:,}", f"gpu_count | gpu_count={count}")
    return Column(number, f"GPU, {unit}" if count == 1 else f"GPUs, {unit}")


def _time_name(utilization: float, count: int) -> str:
    changes = {"flops_utilization": utilization, "gpu_count": count}
    return f"{SECONDS} | {condition_of(changes)}"


def _conventions(teller: Teller) -> Table:
    unit, cells = column([(teller, formula) for _, formula, _ in CONVENTIONS], GFLOPS)
    rows = tuple(
        Row((words, cell, teller.share(f"{formula} / six_n_flops_per_token"), _mark(teller, key)))
        for (words, formula, key), cell in zip(CONVENTIONS, cells, strict=True)
    )
    heads = (
        Column("Convention", align="left"),
        Column("FLOP per token", unit),
        Column("Relative to 6N"),
        Column("", align="left"),
    )
    return Table("FLOP of one training token under four conventions", heads, rows, note=_note(teller))


def _mark(teller: Teller, convention: str) -> str:
    return "the stated MFU's" if teller.value("flops_convention") == convention else ""


def _note(teller: Teller) -> Sentence:
    repeats = teller.value("hardware_flops_per_token") > teller.value("model_flops_per_token")
    return sentence(
        "An MFU means nothing without its convention. ",
        "With recomputation the hardware does " if repeats else "Nothing is recomputed: the hardware does ",
        teller.say("hardware_flops_per_token"), ", an HFU of ", teller.share("hardware_utilization"), ".",
    )  # fmt: skip
