"""A small model to test the language on: two stages of a pipeline, three GPUs, one check."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from reportgen.formula.functions import largest, lookup, total
from reportgen.formula.model import Model, assemble
from reportgen.formula.quantity import Axis, Check, Constant, Input, Quantity, check, choice, constant, number, quantity
from reportgen.formula.sources import BY_DEFINITION, Assumption, Source

STAGE = Axis("stage", "stages", rows=4, index="stage_index", count="stage_count")
PAPER = Source("A paper", "A. Writer", "2020", "https://example.org").at("section 1")

stage_count = number("stage_count", "1", "Stages.", BY_DEFINITION, section="run", default=2, between=(0, 4), whole=True)
gpu_count = number("gpu_count", "GPU", "GPUs.", BY_DEFINITION, section="run", default=3, between=(1, 9), whole=True)
stage_bytes = number(
    "stage_bytes", "byte", "Bytes of a stage.", BY_DEFINITION, section="run", default=8e9, between=(0, 1e15), axis=STAGE
)
share_override = number("share_override", "1", "A share.", BY_DEFINITION, section="run", between=(0, 1), word="as rule")
sharding = choice("sharding", ("on", "off"), "Whether state is split.", BY_DEFINITION, section="run", default="on")
rule_share = constant("rule_share", 0.5, "1", "The share by rule.", Assumption("one half"))


@quantity("1", source=BY_DEFINITION)
def kept_share(share_override: Any, rule_share: Any) -> Any:
    """The share that is kept."""
    return rule_share if share_override == "as rule" else share_override


@quantity("byte/GPU", axis=STAGE, source=PAPER)
def stage_gpu_bytes(stage_bytes: Any, kept_share: Any, gpu_count: Any, stage_index: Any) -> Any:
    """Bytes of a stage on one GPU."""
    return stage_bytes * kept_share * (1 + stage_index) / gpu_count


@quantity("byte/GPU", source=BY_DEFINITION)
def peak_bytes(stage_gpu_bytes: Any) -> Any:
    """The greatest of all stages."""
    return largest(stage_gpu_bytes)


@quantity("1", source=BY_DEFINITION)
def peak_stage(peak_bytes: Any, stage_gpu_bytes: Any, stage_index: Any) -> Any:
    """The stage that holds most."""
    return lookup(peak_bytes, stage_gpu_bytes, stage_index)


@quantity("byte", source=BY_DEFINITION)
def total_bytes(stage_bytes: Any, sharding: Any, kept_share: Any) -> Any:
    """Bytes of all stages, as they are kept."""
    return total(stage_bytes) * (kept_share if sharding == "on" else 1)


@check("finding", remedy="Take more GPUs.")
def fits(peak_bytes: Any, stage_gpu_bytes: Any) -> Any:
    """The peak is below twice the sum."""
    return peak_bytes <= 2 * total(stage_gpu_bytes)


_entries = (
    stage_count,
    gpu_count,
    stage_bytes,
    share_override,
    sharding,
    rule_share,
    peak_stage,
    peak_bytes,
    stage_gpu_bytes,
    kept_share,
    total_bytes,
    fits,
)
INPUTS: dict[str, Any] = {
    "stage_count": 2,
    "gpu_count": 4,
    "stage_bytes": (8e9, 12e9, 0, 0),
    "share_override": "as rule",
    "sharding": "on",
}


def small_model() -> Model:
    """The model, put together anew."""
    return model_of(*_entries)


def model_of(*entries: Input | Constant | Quantity | Check) -> Model:
    """A model of these entries and the one axis."""
    return assemble([_module(entries)], [STAGE])


def _module(entries: tuple[Any, ...]) -> types.ModuleType:
    """A module that declares them: quantities know the name of theirs."""
    names = [entry.module for entry in entries if isinstance(entry, Quantity)]
    module = types.ModuleType([*names, __name__][0], "A small model: for tests.")
    for position, entry in enumerate(entries):
        setattr(module, f"entry_{position}", entry)
    return module


def declared(unit: str, axis: Axis | None = None, *, counting: bool = False) -> Callable[[Any], Quantity]:
    """A quantity that follows by definition."""
    return quantity(unit, source=BY_DEFINITION, axis=axis, counting=counting)
