"""How a Megatron-LM run places its layers: chunks of layers on each stage, by its arguments."""

from __future__ import annotations

import re
from typing import Any

from reportgen.accuracy.cells import CellError, NotEstimatedError
from reportgen.accuracy.megatron_arguments import Arguments, whole
from reportgen.accuracy.setup import defaults

LAYOUT_CHARACTERS = 300  # a stage needs a letter and a bar, and no pipeline has more stages than layers
GROUPS = re.compile(r"\(([^()]*)\)\*(\d{1,3})")
LETTERS = re.compile(r"([a-zA-Z])\*(\d{1,3})")


def stage_placing(arguments: Arguments, layer_count: int, stages: int) -> dict[str, Any]:
    """Layers of each stage and chunks of it; raises NotEstimatedError for a layout that does not fit them.

    `layer_count` is without layers that predict further tokens. Chunks of a layout are taken as equally large where a
    stage has several of them.
    """
    chunks = chunks_of(arguments)
    if not chunks:
        return {"virtual_stages": virtual_stages(arguments, layer_count, stages)}
    placed = sum(chunk.count("t") for chunk in chunks)
    if placed != layer_count:
        raise NotEstimatedError(f"raw_args: a layout of {placed} layers, for a model of {layer_count}")
    if len(chunks) % stages:
        raise NotEstimatedError(f"raw_args: a layout of {len(chunks)} chunks does not fit {stages} stages")
    if len(chunks) > stages:
        return {"virtual_stages": len(chunks) // stages}
    layers = (chunk.count("t") + chunk.count("m") for chunk in chunks)
    return {"stage_layers_override": (*layers, *defaults()["stage_layers_override"][stages:])}


def virtual_stages(arguments: Arguments, layer_count: int, stages: int) -> int:
    """Chunks of layers on each stage."""
    if stages == 1:
        return 1
    each = whole(arguments, "num-layers-per-virtual-pipeline-stage", 0)
    if each:
        return max(1, layer_count // stages // each)
    return whole(arguments, "num-virtual-stages-per-pipeline-rank", 1)


def chunks_of(arguments: Arguments) -> tuple[str, ...]:
    """The chunks of a layout such as Et*2|(tt|)*5t|tmL, a letter for each layer; () where no layout is given."""
    layout = str(arguments.get("pipeline-model-parallel-layout", ""))
    if len(layout) > LAYOUT_CHARACTERS:
        raise CellError("raw_args: pipeline-model-parallel-layout", layout, f"at most {LAYOUT_CHARACTERS} characters")
    spelled = LETTERS.sub(_spelled_out, GROUPS.sub(_spelled_out, layout))
    return tuple(spelled.split("|")) if layout else ()


def _spelled_out(found: re.Match[str]) -> str:
    return found[1] * int(found[2])
