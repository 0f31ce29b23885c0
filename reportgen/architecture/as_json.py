"""What `reportgen params` says of each file: the count, or the faults that prevented it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from reportgen.architecture.config import read_config
from reportgen.architecture.count import count
from reportgen.architecture.result import LayerKind, ParameterCount
from reportgen.errors import ReportgenError


def counts_as_json(paths: Iterable[str | Path]) -> list[dict[str, Any]]:
    """Count each file; return one entry per file, with "error" in place of the numbers where there is none."""
    return [_entry(path) for path in paths]


def _entry(path: str | Path) -> dict[str, Any]:
    try:
        counted = count(read_config(path))
    except ReportgenError as error:
        return {"file": str(path), "error": "\n".join(str(fault) for fault in error.faults)}
    return {"file": str(path), **count_as_json(counted)}


def count_as_json(counted: ParameterCount) -> dict[str, Any]:
    """Return one count as plain JSON values; parameters throughout."""
    return {
        "family": counted.family,
        "total": counted.total,
        "active": counted.active,
        "embedding": counted.embedding,
        "head": counted.head,
        "tied": counted.tied,
        "final_norm": counted.final_norm,
        "beside": sum(tensor.parameters for tensor in counted.beside),
        "layer_count": len(counted.layers),
        "layer_kinds": [_kind(kind) for kind in counted.kinds],
        "doubts": list(counted.doubts),
        "source": counted.source,
    }


def _kind(kind: LayerKind) -> dict[str, Any]:
    sizes = {name: size for name, size in asdict(kind.sizes).items() if size is not None}
    return {"name": kind.name, "layers": kind.layers, "parameters": kind.parameters, "sizes": sizes}
