"""Files written whole or not at all: beside their place first, then moved into it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from reportgen.errors import Fault, ReportgenError


def write_whole(path: Path, content: bytes) -> Path:
    """Puts `content` at `path`, making its folder; what stood there stays until the new file is complete.

    Raises ReportgenError where the folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(beside).chmod(0o644)
            Path(beside).replace(path)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
    except OSError as error:
        found = f"{error.strerror or error}"
        raise ReportgenError(
            [Fault(str(path), found, "a place that can be written", "name another folder with --output")]
        ) from error
    return path
