"""Small measured tables for the tests: a tiny model whose memory is worked by hand, and files of such rows."""

from __future__ import annotations

import csv
from pathlib import Path

from reportgen.accuracy.cells import Row

GIB = 2**30
# Two layers of width 64 with four heads and a gated MLP of 256, a vocabulary of 1,000, one sequence of 128 tokens.
TINY = {
    "name": "tiny",
    "framework": "abacus",
    "layers": "2",
    "hidden": "64",
    "heads": "4",
    "kv_heads": "4",
    "head_dim": "16",
    "ffn": "256",
    "vocab": "1000",
    "swiglu": "yes",
    "untied": "yes",
    "seq": "128",
    "mbs": "1",
    "tp": "1",
    "pp": "1",
    "dp": "1",
    "peak_kind": "torch allocated",
    "peak_mem_GiB": "1",
}


def row(**cells: str) -> Row:
    """The tiny run with some cells changed."""
    return Row(2, {**TINY, **cells})


def write(path: Path, *rows: dict[str, str]) -> Path:
    """A table of some rows, with the columns of the first."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path
