"""What of a row was read with a guess: a blank, or a word that nothing is known of, and what was taken instead."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportgen.accuracy.bridge import recipe
from reportgen.accuracy.card import is_known_card
from reportgen.accuracy.cells import Row
from reportgen.accuracy.experts import has_experts
from reportgen.accuracy.frameworks import TEXTBOOK, reading_of
from reportgen.accuracy.layout import ONE_COPY, busy_copies, copies_of, copy_gpus
from reportgen.accuracy.megatron_layers import MODULES
from reportgen.accuracy.recompute_words import recomputation_of
from reportgen.accuracy.sharding_words import sharding_of
from reportgen.accuracy.state_words import is_known_optimizer, is_known_precision


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
    if not sharding_of(sharding).is_known:
        yield f'sharding "{sharding:.40}": read as not sharded; say ZeRO-1, ZeRO-3, FSDP or none'
    if recompute and not is_known_recomputation(recompute):
        yield f'recompute "{recompute:.40}": read as the framework has it by default; say none, selective or full'
    optimizer, precision = row.text("optimizer"), row.text("precision")
    if not is_known_optimizer(optimizer):
        yield f'optimizer "{optimizer:.40}": read as AdamW with fp32 moments'
    if not is_known_precision(precision):
        yield f'precision "{precision:.40}": read as 16 bits with fp32 masters'
    hardware = row.text("hardware")
    if hardware and not is_known_card(hardware):
        yield f'hardware "{hardware:.40}": none of the catalogue, so that nothing is known of its memory'


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


def is_known_recomputation(words: str) -> bool:
    """Whether some words say what is computed again: in general, or by Megatron's names of modules."""
    return recomputation_of(words) is not None or bool(set(re.findall(r"[a-z_]+", words.casefold())) & MODULES)
