"""LibreOffice as a test engine: one headless soffice behind a worker that speaks JSON lines."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.engines.interface import CellAddress, CellValue

_WORKER = Path(__file__).with_name("libreoffice_worker.py")
# Distributions build the uno module for their own Python only, so the worker runs on that one.
_SYSTEM_PYTHON = "/usr/bin/python3"
_SECONDS_TO_CLOSE = 20.0


class LibreOfficeEngine:
    """A running LibreOffice; `SpreadsheetEngine` says what each method does.

    LibreOffice has no truth values: TRUE reads as 1.0 (which equals `True` in Python), FALSE as 0.0. An error
    that Excel does not know reads as `#ERR:` and LibreOffice's number. The formulas `=TRUE()` and `=FALSE()`
    cannot be told from typed-in truth values, so `values()` leaves them out; ask for them by address.
    """

    def __init__(self) -> None:
        soffice = _require_soffice()
        _require_uno()
        self._scratch = tempfile.TemporaryDirectory(prefix="reportgen-libreoffice-")
        self.directory = Path(self._scratch.name)
        self._numbers = itertools.count()
        self._log = self.directory / "worker.log"
        # Truth values that were typed in: formulas to LibreOffice, inputs to everyone else.
        self._truths: set[CellAddress] = set()
        self._worker: subprocess.Popen[str] | None = None
        try:
            self._worker = _start_worker(soffice, self.directory, self._log)
            self._call({"command": "ping"})
        except BaseException:
            self.close()
            raise

    def open(self, path: Path | str) -> Self:
        """Load an .xlsx file in place of the one before, and calculate every formula anew."""
        # A copy: soffice leaves lock files beside what it opens, and refuses a file that has one.
        copy = Path(shutil.copy(path, self.directory / f"{next(self._numbers)}.xlsx"))
        rows = self._call({"command": "open", "url": copy.as_uri()})
        copy.unlink()
        self._truths = {(sheet, reference) for sheet, reference in rows}
        return self

    def edit(self, edits: Mapping[CellAddress, CellValue]) -> None:
        """Set cells (a text stays text, None empties the cell), then calculate again."""
        rows = [[sheet, reference, value] for (sheet, reference), value in edits.items()]
        self._call({"command": "edit", "edits": rows})
        truths = {address for address, value in edits.items() if isinstance(value, bool)}
        self._truths = (self._truths - edits.keys()) | truths

    def values(self, cells: Iterable[CellAddress] | None = None) -> dict[CellAddress, CellValue]:
        """Return the values of the given cells, or of every formula cell."""
        rows = self._call({"command": "values", "cells": None if cells is None else list(cells)})
        values = {(sheet, reference): value for sheet, reference, value in rows}
        if cells is None:
            return {address: value for address, value in values.items() if address not in self._truths}
        return values

    def close(self) -> None:
        """End the worker and soffice, whatever state they are in; a second call does nothing."""
        worker, self._worker = self._worker, None
        if worker is not None:
            _end_worker(worker)
        self._scratch.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _call(self, request: dict[str, Any]) -> Any:
        """Send one request and return its result; a dead worker is an error that quotes its log."""
        worker = self._worker
        if worker is None or worker.stdin is None or worker.stdout is None:
            message = "LibreOfficeEngine: the engine is closed; make a new one"
            raise RuntimeError(message)
        line = ""
        with contextlib.suppress(BrokenPipeError):
            worker.stdin.write(json.dumps(request, allow_nan=False) + "\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
        if not line:
            log = self._log.read_text(encoding="utf-8").strip()[-2000:]
            message = f"LibreOffice's worker ended at {request['command']!r}; its last words: {log or 'none'}"
            raise RuntimeError(message)
        reply = json.loads(line)
        if "error" in reply:
            message = f"LibreOffice, {request['command']}: {reply['error']}"
            raise RuntimeError(message)
        return reply["result"]


def _require_soffice() -> str:
    soffice = shutil.which("soffice")
    if soffice is None:
        message = "soffice was not found: install the package libreoffice-calc-nogui (`make test` does)"
        raise RuntimeError(message)
    return soffice


def _require_uno() -> None:
    with contextlib.suppress(FileNotFoundError):
        if subprocess.run([_SYSTEM_PYTHON, "-c", "import uno"], capture_output=True, check=False).returncode == 0:
            return
    message = f"{_SYSTEM_PYTHON} cannot import uno: install the package python3-uno (`make test` does)"
    raise RuntimeError(message)


def _start_worker(soffice: str, directory: Path, log: Path) -> subprocess.Popen[str]:
    with log.open("w", encoding="utf-8") as stderr:
        return subprocess.Popen(
            [_SYSTEM_PYTHON, str(_WORKER), soffice, str(directory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            encoding="utf-8",
            # A group of its own: Ctrl-C reaches only the tests, and worker and soffice can be ended together.
            start_new_session=True,
        )


def _end_worker(worker: subprocess.Popen[str]) -> None:
    """Ask the worker to end by closing its input, then end whatever is left of its process group."""
    with contextlib.suppress(BrokenPipeError):
        if worker.stdin is not None:
            worker.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        worker.wait(timeout=_SECONDS_TO_CLOSE)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    if worker.stdout is not None:
        worker.stdout.close()
