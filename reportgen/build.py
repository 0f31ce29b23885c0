"""Scenarios to documents in a folder each, with a progress bar where it takes a while."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

from reportgen.as_json import to_json
from reportgen.errors import Fault, ReportgenError
from reportgen.headline import headline
from reportgen.output import write_whole
from reportgen.result import Result, estimate
from reportgen.scenario.scenario import Scenario

PATIENCE_SECONDS = 2.0


@dataclass(frozen=True)
class Documents:
    """What was built from one scenario."""

    result: Result
    paths: tuple[Path, ...]

    def summary(self) -> str:
        """Where the documents are, and the headline numbers."""
        lines = [self.result.scenario.title, *(f"  {path}" for path in self.paths)]
        width = max(len(line.label) for line in headline(self.result))
        return "\n".join([*lines, *(f"  {line.label:<{width}}  {line.text}" for line in headline(self.result))])


def build_all(scenarios: Sequence[Scenario], output: Path, parts: Sequence[str]) -> list[Documents]:
    """The documents of all scenarios, each in `output/<name>/`.

    Raises ReportgenError before anything is written where two scenarios would share a folder.
    """
    _refuse_shared_folders(scenarios, output)
    results = [estimate(scenario) for scenario in scenarios]
    written: list[Path] = []
    try:
        with Progress(len(results) * len(parts), at_once=len(results) > 1) as advance:
            return [_build(result, output / result.scenario.name, parts, advance, written) for result in results]
    except ReportgenError as error:
        raise ReportgenError(error.faults, written) from error


def _refuse_shared_folders(scenarios: Sequence[Scenario], output: Path) -> None:
    counts = Counter(scenario.name for scenario in scenarios)
    faults = [
        Fault(
            str(output / name),
            f"{count} scenarios called {name}",
            "one scenario for each folder",
            "give them a name",
        )
        for name, count in counts.items()
        if count > 1
    ]
    if faults:
        raise ReportgenError(faults)


def _build(
    result: Result, folder: Path, parts: Sequence[str], advance: Callable[[str], None], written: list[Path]
) -> Documents:
    """The documents of one scenario; each is added to `written`, which tells what stands when a later one fails."""
    paths: dict[str, Path] = {}
    for part in parts:
        advance(f"{result.scenario.name}: {part}")
        paths[part] = BUILDERS[part](result, folder, paths)
        written.append(paths[part])
    return Documents(result, tuple(paths.values()))


# What has been built so far in this run: the memo takes in the workbook that belongs to it, and never an older one.
Built = Mapping[str, Path]


def _workbook(result: Result, folder: Path, _: Built) -> Path:
    from reportgen.workbook import write_workbook

    return write_workbook(result, folder / f"{result.scenario.name}.xlsx")


def _memo(result: Result, folder: Path, built: Built) -> Path:
    from reportgen.memo import write_memo

    return write_memo(result, folder / f"{result.scenario.name}.pdf", built.get("workbook"))


def _json(result: Result, folder: Path, _: Built) -> Path:
    return write_whole(folder / f"{result.scenario.name}.json", to_json(result).encode())


BUILDERS: dict[str, Callable[[Result, Path, Built], Path]] = {"workbook": _workbook, "memo": _memo, "json": _json}


class Progress:
    """A progress bar on the error stream: at once, or when patience runs out; none where nobody watches."""

    def __init__(self, steps: int, *, at_once: bool) -> None:
        from rich.console import Console
        from rich.progress import Progress as Bar

        self.bar = Bar(console=Console(stderr=True), transient=True)
        self.task = self.bar.add_task("", total=steps)
        self.started = False
        self.timer = Timer(0 if at_once else PATIENCE_SECONDS, self.bar.start)

    def __enter__(self) -> Callable[[str], None]:
        self.timer.daemon = True
        self.timer.start()
        return self.advance

    def advance(self, words: str) -> None:
        """Names the step that begins and counts the one before it as done."""
        self.bar.update(self.task, description=words, advance=1 if self.started else 0)
        self.started = True

    def __exit__(self, *_: object) -> None:
        self.timer.cancel()
        self.bar.stop()
