"""What of a row was read with a guess: a blank, or a word that nothing is known of, and what was taken instead."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.accuracy.bridge import recipe
from reportgen.accuracy.cells import Row
from reportgen.accuracy.experts import has_experts
from reportgen.accuracy.frameworks import TEXTBOOK, reading_of
from reportgen.accuracy.layout import ONE_COPY, busy_copies, copies_of, copy_gpus

SHARDING = ("zero", "fsdp", "shard", "distributed", "ddp", "none", "no", "single", "replicat", "grad_op", "hsdp")
RECOMPUTE = (
    *("no", "off", "false", "full", "on", "yes", "true", "checkpoint", "selective", "see text", "default"),
    *("core_attn", "layernorm", "mlp", "moe", "mla", "op", "layer", "uniform", "block", "every"),
)


def guesses(row: Row) -> Iterator[str]:
    """One sentence for each word or blank of the row that the estimate had to guess at."""
    yield from _of_words(row)
    yield from _of_blanks(row)
    yield from _of_idle_gpus(row)
    if recipe(row):
        yield "what Megatron Bridge's recipe for this model sets: bf16 gradients and moments"


def _of_words(row: Row) -> Iterator[str]:
    framework, sharding, recompute = (row.text(column) for column in ("framework", "sharding", "recompute"))
    if framework and reading_of(framework) is TEXTBOOK and "textbook" not in framework.casefold():
        yield f'framework "{framework:.40}": read as textbook, which has state and activations alone'
    if not framework:
        yield "framework is blank: read as textbook, which has state and activations alone"
    if sharding and not _knows(SHARDING, sharding):
        yield f'sharding "{sharding:.40}": read as not sharded; say ZeRO-1, ZeRO-3, FSDP or none'
    if recompute and not _knows(RECOMPUTE, recompute):
        yield f'recompute "{recompute:.40}": read as the framework has it by default; say none, selective or full'


def _of_blanks(row: Row) -> Iterator[str]:
    """Sizes left blank and read as 1, unless GPUs and copies leave nothing else for them to be."""
    if not row.text("gpus") and not row.text("dp"):
        yield "gpus and dp are blank: read as one copy of the model"
    settled = bool(row.text("gpus")) and (bool(row.text("dp")) or row.whole("gpus") == copy_gpus(row))
    blank = [] if settled else [column for column in ONE_COPY if not row.text(column)]
    if not row.text("ep") and row.whole("gpus") != 1 and has_experts(row):
        blank.append("ep")
    if blank:
        yield f"{', '.join(blank)} blank: read as 1"


def _of_idle_gpus(row: Row) -> Iterator[str]:
    """A batch that gives work to some of the copies only."""
    stated = copies_of(row, zero_stage=0)
    busy = busy_copies(row, stated, row.count("mbs"))
    if busy < stated:
        yield f"gbs gives work to {busy} of {stated} copies of the model: read as a run of so many"


def _knows(words: tuple[str, ...], said: str) -> bool:
    return any(word in said.casefold() for word in words)
