"""The command line: arguments in, exit code out; no arithmetic."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from reportgen.errors import Fault, ReportgenError
from reportgen.printable import refuse_unprintable
from reportgen.result import estimate
from reportgen.scenario.load import load
from reportgen.scenario.scenario import Scenario
from reportgen.scenario.settings import with_settings

STOPPED = 130  # as a shell says of a program that was interrupted
PARTS = ("workbook", "memo", "json")
SCENARIO = click.argument("scenario", type=click.Path(path_type=Path))
SCENARIOS = click.argument("scenarios", nargs=-1, required=True, type=click.Path(path_type=Path))
SETTINGS = click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="Change an input; may be given often."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="reportgen")
def cli() -> None:
    """Estimate what a training run needs, how long it takes and what it costs.

    A scenario (YAML) becomes a live Excel workbook, a PDF memo and JSON.
    """


@cli.command()
@SCENARIOS
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("output"),
    show_default=True,
    help="The folder that the documents go into, one folder in it for each scenario.",
)
@click.option("--only", type=click.Choice(PARTS), help="Build only this document.")
@SETTINGS
def build(scenarios: Sequence[Path], output: Path, only: str | None, settings: Sequence[str]) -> None:
    """Build workbook, memo and JSON of each scenario."""
    from reportgen.build import build_all

    loaded = load_all(scenarios, settings)
    refuse_unprintable(loaded)
    built = build_all(loaded, output, (only,) if only else PARTS)
    for documents in built:
        click.echo(documents.summary())


@cli.command(name="estimate")
@SCENARIOS
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@SETTINGS
def estimate_command(scenarios: Sequence[Path], as_json: bool, settings: Sequence[str]) -> None:
    """Estimate scenarios and print the result."""
    results = [estimate(scenario) for scenario in load_all(scenarios, settings)]
    if as_json:
        from reportgen.as_json import as_data, as_text

        data = [as_data(result) for result in results]
        click.echo(as_text(data[0] if len(data) == 1 else data), nl=False)
        return
    from reportgen.terminal import print_result

    for result in results:
        print_result(result)


@cli.command()
@SCENARIO
@click.argument("quantity")
@click.option("--row", type=int, help="The row of a column, counted from 0.")
@SETTINGS
def explain(scenario: Path, quantity: str, row: int | None, settings: Sequence[str]) -> None:
    """Print how a quantity comes about: words, formula, numbers, source and what it feeds."""
    from reportgen.terminal import print_derivation

    print_derivation(estimate(load_all([scenario], settings)[0]), quantity, row)


@cli.command()
@SCENARIOS
def check(scenarios: Sequence[Path]) -> None:
    """Check scenarios without estimating anything; exit code 2 if one cannot be used."""
    loaded = load_all(scenarios, ())
    refuse_unprintable(loaded)
    for scenario in loaded:
        click.echo(f"{scenario.name}: no faults")


@cli.command()
@click.argument("configs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def params(configs: Sequence[Path], as_json: bool) -> None:
    """Count the parameters of models from their config.json; exit code 2 if one cannot be counted."""
    from reportgen.architecture.as_json import counts_as_json

    entries = counts_as_json(configs)
    if as_json:
        from reportgen.as_json import as_text

        click.echo(as_text(entries), nl=False)
    else:
        from reportgen.terminal import print_counts

        print_counts(entries)
    if any("error" in entry for entry in entries):
        raise SystemExit(2)


@cli.group()
def accuracy() -> None:
    """Set measured runs beside what the estimator says of them."""


@accuracy.command()
@click.argument("measured", type=click.Path(path_type=Path))
@click.option("--by", metavar="COLUMN", help="The column to group by; without it `set`, or else `framework`.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON; errors are fractions.")
def memory(measured: Path, by: str | None, as_json: bool) -> None:
    """Compare measured peaks of GPU memory (a CSV file) with estimated ones; exit code 2 if no row can be read.

    A row needs peak_mem_GiB, model (a preset's name, or layers, hidden, heads, ffn, vocab), framework, gpus, seq and
    mbs. What else it may say: kv_heads, head_dim, experts, topk, tp, pp, cp, ep, dp, gbs, sharding, recompute,
    precision, optimizer, hardware, peak_kind (which stage, and which counter), status, set, notes.
    """
    from reportgen.accuracy.report import grouping, report_on
    from reportgen.accuracy.table import read_table

    rows = read_table(measured, by)
    column = by or grouping(rows)
    report = report_on(rows, column)
    if as_json:
        from reportgen.accuracy.as_json import report_as_data
        from reportgen.as_json import as_text

        click.echo(as_text(report_as_data(report)), nl=False)
    else:
        from reportgen.accuracy.show import print_report

        print_report(report, column)


@cli.command()
@click.argument("table", type=click.Choice(("accelerators", "models", "prices", "inputs")))
def catalog(table: str) -> None:
    """Print the shipped facts with their sources, or the inputs that a scenario may give."""
    from reportgen.catalog_tables import print_catalog

    print_catalog(table)


def load_all(paths: Sequence[Path], settings: Sequence[str]) -> list[Scenario]:
    """Every scenario with the settings in place; raises ReportgenError with the faults of all of them."""
    loaded: list[Scenario] = []
    faults: list[Fault] = []
    for path in paths:
        try:
            loaded.append(with_settings(load(path), settings))
        except ReportgenError as error:
            faults += error.faults
    if faults:
        raise ReportgenError(faults)
    return loaded


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0, or 2 where the input cannot be used."""
    try:
        cli.main(args=arguments, standalone_mode=False)
    except SystemExit as leaving:
        return int(leaving.code or 0)
    except (ReportgenError, click.ClickException, click.Abort, OSError) as error:
        return _told(error)
    return 0


def _told(error: Exception) -> int:
    """Tells a person what went wrong; returns the exit code."""
    if isinstance(error, ReportgenError):
        _print_faults(error)
    elif isinstance(error, click.ClickException):
        error.show()
    elif isinstance(error, click.Abort):
        click.echo("Stopped.", err=True)
        return STOPPED
    elif isinstance(error, BrokenPipeError):  # the reader of our output, `head` for example, has seen enough
        sys.stderr.close()
        return 0
    elif isinstance(error, OSError):
        click.echo(f"The output cannot be written: {error.strerror or error}.", err=True)
    return 2


def _print_faults(error: ReportgenError) -> None:
    for fault in error.faults:
        click.echo(f"{click.style(fault.where, bold=True)}", err=True)
        click.echo(f"  found     {fault.found}", err=True)
        click.echo(f"  expected  {fault.expected}", err=True)
        click.echo(f"  to do     {fault.remedy}", err=True)
    count = len(error.faults)
    written = ", ".join(map(str, error.written))
    click.echo(f"{count} fault{'' if count == 1 else 's'}; {written or 'nothing'} was written.", err=True)
