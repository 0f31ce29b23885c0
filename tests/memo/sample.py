"""A memo about an invented run, as long as a real one, for the tests of how memos are set."""

from __future__ import annotations

import datetime as dt

from reportgen.memo.document import (
    Assumption,
    Column,
    Decision,
    Derivation,
    Detail,
    Figure,
    KeyFigure,
    Memo,
    Printed,
    Row,
    Section,
    Signatory,
    Table,
)
from reportgen.memo.figures import (
    Axes,
    Bar,
    Part,
    Point,
    Reference,
    Series,
    horizontal_bars,
    line_chart,
    stacked_bars,
)

GIGABYTE = 1e9
DAY = 86400.0
PART_NAMES = (
    "Parameters",
    "Gradients",
    "Optimizer state",
    "Activations",
    "Communication buffers",
    "Framework",
)
CAPACITY = Reference("Capacity of the card", 80 * GIGABYTE, "accelerator_memory_bytes")


def stage_bars(count: int) -> tuple[Bar, ...]:
    """Memory of so many pipeline stages, the first holding the most activations."""
    return tuple(_stage_bar(stage, count) for stage in range(count))


def memory_figure(count: int) -> Figure:
    """The memory of so many pipeline stages against the card's capacity."""
    svg = stacked_bars(
        "Memory per GPU by pipeline stage",
        stage_bars(count),
        Axes("Memory per GPU", "Pipeline stage"),
        CAPACITY,
    )
    return Figure(svg, "Stage 0 keeps the activations of every micro-batch in flight and is the fullest.")


def time_figure() -> Figure:
    """Training time against GPU count at three efficiencies."""
    counts = (1024, 1536, 2048, 3072, 4096)
    series = tuple(
        Series(f"MFU {share} %", tuple(Point(count, 4.6e9 * 38 / share / count) for count in counts))
        for share in (30, 38, 45)
    )
    deadline = Reference("Deadline", 40 * DAY, "deadline_seconds")
    svg = line_chart("Training time against GPU count", series, Axes("Training time", "GPUs"), deadline)
    return Figure(svg, "Each line is one model FLOP/s utilisation; below the dashed line the deadline is met.")


def cost_figure() -> Figure:
    """The parts of the effective cost."""
    parts = (
        Part("GPU hours, used commitment", 4.12e6, "used_commitment_cost"),
        Part("Unused commitment", 0.61e6, "unused_commitment_cost"),
        Part("On-demand GPU hours", 0.28e6, "on_demand_cost"),
        Part("Storage and checkpoints", 0.09e6, "storage_cost"),
        Part("Network egress", 0.004e6, "egress_cost"),
    )
    svg = horizontal_bars("Effective cost by part", parts, measure="Effective cost")
    return Figure(svg, "The unused part of the commitment is paid whether or not the run needs it.")


def memory_table(rows: int = 4) -> Table:
    """Memory by stage with a total, so many stages long."""
    columns = (
        Column("Stage", align="left"),
        Column("Layers"),
        Column("Parameters", "GB"),
        Column("Optimizer state", "GB"),
        Column("Activations", "GB"),
        Column("Total", "GB"),
        Column("Left free", "GB"),
    )
    return Table(
        caption="Memory of one GPU on each pipeline stage",
        columns=columns,
        rows=tuple(_stage_row(stage, rows) for stage in range(rows)),
        note="GB is 10⁹ bytes; the card's 80 GB are 74.5 GiB.",
    )


def sample_memo() -> Memo:
    """A complete memo with every part filled."""
    return Memo(
        title="Training run Aurora-70B: reserve 2,048 GPUs for 36 days",
        subject="Pre-training of a dense model of 70 billion parameters on 2 trillion tokens",
        date=dt.date(2026, 3, 14),
        version="Version 1.2 of 14 March 2026",
        details=(
            Detail("To", "Dr. Hélène Østergård, Director of Research"),
            Detail("From", "Compute Planning"),
            Detail("Date", "14 March 2026"),
            Detail("Decision needed by", "28 March 2026, when the reservation offer lapses"),
        ),
        decision=_decision(),
        key_figures=_key_figures(),
        sections=_sections(),
        assumptions=_assumptions(),
        signatories=(
            Signatory("Director of Research", "Dr. Hélène Østergård"),
            Signatory("Head of Finance"),
            Signatory("Head of Infrastructure"),
        ),
        appendix=(_derivations(),),
        glossary=(
            Detail("MFU", "Model FLOP/s utilisation: the model's own operations over the card's peak."),
            Detail("Effective cost", "What is paid after all discounts, with commitments spread over time."),
            Detail("Pipeline stage", "A run of consecutive layers that sits on one group of GPUs."),
        ),
        provenance=(
            Detail("Scenario", "aurora-70b.yaml, attached to this document"),
            Detail("Workbook", "aurora-70b.xlsx, attached; every number here is a cell there"),
            Detail("Program", "reportgen 0.1.0"),
        ),
    )


def _stage_bar(stage: int, count: int) -> Bar:
    activations = 5 + 34 * (count - stage) / count
    sizes = (11.5, 5.7, 9.2, activations, 2.1, 4.0)
    parts = tuple(Part(name, size * GIGABYTE) for name, size in zip(PART_NAMES, sizes, strict=True))
    return Bar(str(stage), parts, "stage_bytes")


def _stage_row(stage: int, count: int) -> Row:
    total = _stage_bar(stage, count).total / GIGABYTE
    activations = 5 + 34 * (count - stage) / count
    return Row(
        (
            str(stage),
            Printed("20", "stage_layers"),
            Printed("11.5", "stage_parameter_bytes"),
            Printed("9.2", "stage_optimizer_bytes"),
            Printed(f"{activations:.1f}", "stage_activation_bytes"),
            Printed(f"{total:.1f}", "stage_bytes"),
            Printed(f"{80 - total:.1f}", "stage_headroom_bytes"),
        ),
    )


def _decision() -> Decision:
    return Decision(
        verdict=(
            "The run fits with ",
            Printed("8.5 GB", "headroom_bytes"),
            " to spare and ends ",
            Printed("4 days", "deadline_margin_seconds"),
            " before the deadline.",
        ),
        ask=("Approve ", Printed("$5.10 million", "effective_cost"), " and sign the one-year commitment."),
        reasons=(
            ("Half the GPUs would take ", Printed("72 days", "training_seconds"), " and miss the deadline."),
            "Doing nothing keeps the commitment already signed, unused.",
            "The smallest change that would not fit is a micro-batch of 2 on stage 0.",
        ),
        tone="favourable",
    )


def _key_figures() -> tuple[KeyFigure, ...]:
    return (
        KeyFigure("Training time", Printed("36 days", "training_seconds"), "31 to 45 days", "MFU 45 % to 30 %"),
        KeyFigure("GPUs", Printed("2,048", "gpu_count"), "H100 SXM5, 256 nodes", "1.9 MW at the meter"),
        KeyFigure("Fullest GPU", Printed("71.5 GB", "largest_stage_bytes"), "of 80 GB, stage 0"),
        KeyFigure("Effective cost", Printed("$5.10 M", "effective_cost"), "$4.5 M to $6.2 M", "list: $8.7 M"),
    )


def _sections() -> tuple[Section, ...]:
    demand = (
        "The model is a dense decoder of ",
        Printed("70 billion", "parameter_count"),
        " parameters, trained on ",
        Printed("2.0 trillion", "token_count"),
        " tokens. That is ",
        Printed("8.4 × 10²³ FLOP", "training_flops"),
        ", six for each parameter and token; attention adds ",
        Printed("4 %", "attention_share"),
        " at a context of 8,192 tokens.",
    )
    options = Table(
        caption="Options compared",
        columns=(
            Column("Option", align="left"),
            Column("GPUs"),
            Column("Time", "days"),
            Column("Effective cost", "million USD"),
            Column("Meets deadline", align="left"),
        ),
        rows=(
            Row(("Do nothing", "0", "–", "0.61", "no")),
            Row(("Minimum that fits", "512", "144", "4.96", "no")),
            Row(("Half", "1,024", "72", "5.02", "no")),
            Row(("Recommended", "2,048", "36", "5.10", "yes"), total=True),
        ),
    )
    return (
        Section("Demand", paragraphs=(demand,)),
        Section(
            "Options",
            paragraphs=("Doing nothing is not free: the signed commitment is paid either way.",),
            tables=(options,),
        ),
        Section(
            "Memory per GPU",
            paragraphs=("The fullest GPU decides. Nothing else in the plan is as close to its limit.",),
            figures=(memory_figure(4),),
            tables=(memory_table(),),
        ),
        Section("Time to train", figures=(time_figure(),)),
        Section("Cost", figures=(cost_figure(),)),
    )


def _assumptions() -> tuple[Assumption, ...]:
    peak = Printed("989 TFLOP/s", "peak_flops")
    price = Printed("$2.49/h", "gpu_hour_price")
    utilization = Printed("38 %", "flops_utilization")
    goodput = Printed("94 %", "goodput_share")
    return (
        Assumption("Peak, BF16 dense", peak, "NVIDIA H100 datasheet", "2024-10", own=False),
        Assumption("Price, one year", price, "Offer of the provider", "2026-03-02", own=False),
        Assumption("MFU", utilization, "Our last three runs, 36 to 41 %", "2026-02", own=True),
        Assumption("Goodput", goodput, "One restart a day at 40 minutes", "2026-02", own=True),
    )


def _derivations() -> Section:
    return Section(
        "Derivations",
        derivations=(
            Derivation(
                label="Training time",
                words="training FLOP ÷ (GPUs × peak × MFU × goodput)",
                numbers=(
                    Printed("8.4 × 10²³ FLOP", "training_flops"),
                    " ÷ (",
                    Printed("2,048", "gpu_count"),
                    " × ",
                    Printed("989 TFLOP/s", "peak_flops"),
                    " × ",
                    Printed("38 %", "flops_utilization"),
                    " × ",
                    Printed("94 %", "goodput_share"),
                    ")",
                ),
                result=Printed("36 days", "training_seconds"),
                source="Narayanan et al. 2021, equation 4",
            ),
            Derivation(
                label="Optimizer state on one GPU",
                words="parameters of the GPU × bytes per parameter ÷ shards",
                numbers=(Printed("6.1 billion", "gpu_parameters"), " × 12 bytes ÷ 8"),
                result=Printed("9.2 GB", "optimizer_bytes"),
                source="Rajbhandari et al. 2020, section 3.1",
            ),
        ),
    )
