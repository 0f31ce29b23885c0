"""What of a row was read with a guess: a word that nothing is known of, and what was taken instead."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.accuracy.cells import Row
from reportgen.accuracy.frameworks import TEXTBOOK, reading_of

SHARDING = ("zero", "fsdp", "shard", "distributed", "ddp", "none", "no", "single", "replicat", "grad_op", "hsdp")
RECOMPUTE = (
    *("no", "off", "false", "full", "on", "yes", "true", "checkpoint", "selective", "see text", "default"),
    *("core_attn", "layernorm", "mlp", "moe", "mla", "op", "layer", "uniform", "block", "every"),
)


def guesses(row: Row) -> Iterator[str]:
    """One sentence for each word of the row that the estimate had to guess at."""
    framework, sharding, recompute = (row.text(column) for column in ("framework", "sharding", "recompute"))
    if framework and reading_of(framework) is TEXTBOOK and "textbook" not in framework.casefold():
        yield f'framework "{framework:.40}": read as textbook, which has state and activations alone'
    if not framework:
        yield "framework is blank: read as textbook, which has state and activations alone"
    if sharding and not _knows(SHARDING, sharding):
        yield f'sharding "{sharding:.40}": read as not sharded; say ZeRO-1, ZeRO-3, FSDP or none'
    if recompute and not _knows(RECOMPUTE, recompute):
        yield f'recompute "{recompute:.40}": read as the framework has it by default; say none, selective or full'


def _knows(words: tuple[str, ...], said: str) -> bool:
    return any(word in said.casefold() for word in words)
