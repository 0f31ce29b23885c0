"""Results, derivations and catalogues as a person reads them in a terminal."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from reportgen.breakdown import PEAK, held_terms, peak_parts, term_label
from reportgen.explained import explained
from reportgen.formula.explain import label
from reportgen.formula.quantity import Quantity
from reportgen.formula.show import show
from reportgen.headline import headline
from reportgen.model import estimator
from reportgen.remedies import remedies
from reportgen.result import Result

PIPE_WIDTH = 140
NAME = re.compile(r"([a-z]+(?:_[a-z]+)+)( GPUs)?")
STAGE_COLUMNS = ("stage_layers", "stage_parameters", *peak_parts(), PEAK)
SCALARS = {
    "Model": (
        "model_parameters",
        "active_parameters",
        "trained_parameters",
        "kernel_profile",
        "framework",
        "kind_hidden_multiple",
        "state_bytes_per_parameter",
    ),
    "Layout": ("gpu_count", "data_parallel", "step_micro_batches", "pipeline_bubble_fraction"),
    "FLOPs per token": (
        "six_n_flops_per_token",
        "causal_flops_per_token",
        "full_attention_flops_per_token",
        "six_n_attention_flops_per_token",
        "hardware_flops_per_token",
    ),
    "Time": (
        "training_days",
        "sensitivity_training_days",
        "tokens_per_second_per_gpu",
        "flops_utilization",
        "hardware_utilization",
        "deadline_gpus",
    ),
    "Checkpoint": (
        "checkpoint_bytes",
        "rank_checkpoint_bytes",
        "synchronous_stall_seconds",
        "asynchronous_stall_seconds",
        "synchronous_overhead_fraction",
        "asynchronous_overhead_fraction",
    ),
    "Cost": ("gpu_hours", "gpu_hour_price", "gpu_cost_usd", "contingency_usd", "total_cost_usd"),
    "Rules of thumb": (
        "classic_state_bytes",
        "classic_activation_bytes",
        "itemised_activation_bytes",
        "activation_rule_ratio",
    ),
}


def print_result(result: Result) -> None:
    """The result as tables: headlines, memory by stage, figures by topic, and the checks that are not OK."""
    console = console_for_people()
    console.print(f"[bold]{escape(result.scenario.title)}[/bold]")
    if result.scenario.story:
        console.print(escape(result.scenario.story))
    console.print(_two_columns("Headline", ((line.label, line.text) for line in headline(result))))
    console.print(_stages(result))
    console.print(_two_columns(f"Buffers of stage {result['worst_stage']}, the fullest", _buffers(result)))
    for title, names in SCALARS.items():
        console.print(
            _two_columns(title, ((label(name), result.shown(name, _first_row(result, name))) for name in names))
        )
    _print_findings(console, result)
    for doubt in result.scenario.configured.doubts if result.scenario.configured else ():
        console.print(f"  doubt: {escape(doubt)}")


def print_derivation(result: Result, quantity: str, row: int | None) -> None:
    """How a quantity comes about; raises ReportgenError for a name or a row that there is not."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for title, text in explained(result, quantity, row).lines():
        table.add_row(f"[bold]{title}[/bold]", escape(text))
    console_for_people().print(table)


def print_counts(entries: Sequence[Mapping[str, Any]]) -> None:
    """The parameters of each model, by kind of layer, with every doubt; what cannot be counted, with the reason."""
    console = console_for_people()
    for entry in entries:
        console.print(f"[bold]{escape(entry['file'])}[/bold]")
        if "error" in entry:
            console.print(f"  [red]not counted[/red]  {escape(entry['error'])}")
            continue
        console.print(_two_columns(f"family {entry['family']}", _counted(entry)))
        for doubt in entry["doubts"]:
            console.print(f"  doubt: {escape(doubt)}")


def _counted(entry: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    tied = " (tied to the embedding)" if entry["tied"] else ""
    yield "total", f"{entry['total']:,}"
    yield "active", f"{entry['active']:,}"
    yield "embedding", f"{entry['embedding']:,}"
    yield f"head{tied}", f"{entry['head']:,}"
    for kind in entry["layer_kinds"]:
        yield f"{kind['layers']} x {kind['name']}", f"{kind['parameters']:,}"


def console_for_people() -> Console:
    """The terminal; a pipe is taken to be wide, unless COLUMNS says how wide it is."""
    console = Console(highlight=False, emoji=False)
    piped = not console.is_terminal and "COLUMNS" not in os.environ
    return Console(width=PIPE_WIDTH, highlight=False, emoji=False) if piped else console


def _two_columns(title: str, rows: Iterable[tuple[str, str]]) -> Table:
    table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 2))
    table.add_column(min_width=36)
    table.add_column(justify="right")
    for name, text in rows:
        table.add_row(escape(name), escape(text))
    return table


def _stages(result: Result) -> Table:
    table = Table(title="Memory by pipeline stage, one GPU of each", title_justify="left")
    table.add_column("stage", justify="right")
    for name in STAGE_COLUMNS:
        table.add_column(label(name.removeprefix("stage_").removesuffix("_bytes")), justify="right")
    for index in result["stage_index"]:
        mark = "[bold]" if index == result["worst_stage"] else ""
        cells = [result.shown(name, index) for name in STAGE_COLUMNS]
        table.add_row(*(f"{mark}{escape(cell)}" for cell in [str(index), *cells]))
    return table


def _buffers(result: Result) -> Iterable[tuple[str, str]]:
    """The terms of the fullest stage's buffers, those that are zero left out."""
    units = result.units
    for name, size in held_terms(result).items():
        yield term_label(name), str(show(size, units[name], name))


def _print_findings(console: Console, result: Result) -> None:
    failed = [outcome for outcome in result.outcomes if not outcome.passed]
    console.print(f"[bold]Checks[/bold]  {len(result.outcomes) - len(failed)} of {len(result.outcomes)} OK")
    for outcome in failed:
        advice = _with_values(result, outcome.verdict)
        console.print(f"  [red]not OK[/red]  {escape(outcome.check.description)} {escape(advice)}")
    for remedy in remedies(result)[:3]:
        left = show(remedy.headroom_bytes, result.units["memory_headroom_bytes"])
        console.print(f"  would fit with {escape(remedy.words)}: {escape(str(left))} of headroom")


def _with_values(result: Result, advice: str) -> str:
    """Advice with the value of every result in place of its name, and the present value behind that of an input."""
    return NAME.sub(lambda match: _with_value(result, match[1], match[2] or ""), advice)


def _with_value(result: Result, name: str, unit: str) -> str:
    """A name and the unit that the sentence gives it, if any: "deadline_gpus GPUs" is "704 GPUs"."""
    if name not in result.values or isinstance(result[name], list | tuple):
        return f"{name}{unit}"
    if isinstance(estimator().by_name[name], Quantity):
        shown = result.shown(name)
        return shown if shown.endswith(unit) else f"{shown}{unit}"
    return f"{label(name)} ({result.shown(name)}){unit}"


def _first_row(result: Result, name: str) -> int | None:
    """Of a column the first row, which stands for all; None for a scalar."""
    return 0 if isinstance(result[name], list) else None
