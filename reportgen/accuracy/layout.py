"""How a row lays its model out: parallel sizes, copies of the model, and the batch that they share."""

from __future__ import annotations

import re
from math import prod
from typing import Any

from reportgen.accuracy.cells import IncompleteError, NotEstimatedError, Row, as_whole
from reportgen.accuracy.setup import counter_blind_bytes
from reportgen.accuracy.sharding_words import Sharded

# The columns of a table and the inputs that they are. A blank one is read as 1.
SIZES = {"tp": "tensor_parallel", "pp": "pipeline_stages", "cp": "context_parallel", "ep": "expert_parallel"}
ONE_COPY = ("tp", "pp", "cp")  # one copy of the model takes their product in GPUs; experts share the copies' GPUs
STEPS = re.compile(r"grad_accum\s*=\s*(\d+)")


def layout(row: Row, sharded: Sharded) -> dict[str, Any]:
    """Batch, parallel sizes and sharding as any row gives them.

    Raises IncompleteError where it does not give them, NotEstimatedError where they contradict each other.
    """
    micro_batch = required(row, "mbs")
    copies = busy_copies(row, copies_of(row, sharded.zero_stage), micro_batch)
    return {
        **{name: row.count(column) for column, name in SIZES.items()},
        "gpu_count": copy_gpus(row) * copies,
        "zero_stage": sharded.zero_stage,
        **_group(row, sharded, copies),
        "sequence_length": required(row, "seq"),
        "micro_batch_size": micro_batch,
        "global_batch_size": _global_batch(row, micro_batch, copies),
        "framework_bytes": counter_blind_bytes(row),
    }


def _group(row: Row, sharded: Sharded, copies: int) -> dict[str, Any]:
    """The GPUs that share state between them, where the row names fewer than hold the same weights."""
    named, alike = sharded.group, copies * row.count("cp")
    return {"shard_group_size": named} if named and named < alike and sharded.zero_stage > 0 else {}


def required(row: Row, column: str) -> int:
    """The count that a cell must hold; raises IncompleteError where it is blank."""
    if not row.text(column):
        raise IncompleteError(f"incomplete: {column} is blank")
    return row.count(column)


def copy_gpus(row: Row) -> int:
    """GPUs that one copy of the model takes."""
    return prod(row.count(column) for column in ONE_COPY)


def copies_of(row: Row, zero_stage: int) -> int:
    """Copies of the model; where neither GPUs nor copies are given, one, unless state is split over them."""
    stated, gpus, each = row.whole("dp", least=1), row.whole("gpus", least=1), copy_gpus(row)
    if stated is None and gpus is None:
        if zero_stage > 0:
            raise IncompleteError("incomplete: gpus and dp are blank, and state is split over them")
        return 1
    if gpus is None:
        return stated or 1
    if stated is None and gpus % each:
        raise _contradiction(row, f"{gpus} gpus are no whole copies of tp x pp x cp = {each}")
    if stated is not None and stated * each != gpus:
        raise _contradiction(row, f"gpus is {gpus}, and tp x pp x cp x dp = {stated * each}")
    return gpus // each


def _contradiction(row: Row, sizes: str) -> NotEstimatedError:
    """Sizes that do not go together; a row with blanks lacks the size that would make them."""
    blank = ", ".join(column for column in ONE_COPY if not row.text(column))
    if blank:
        return IncompleteError(f"incomplete: {sizes} with {blank} blank and read as 1")
    return NotEstimatedError(f"no such layout: {sizes}")


def busy_copies(row: Row, copies: int, micro_batch: int) -> int:
    """Copies that a step has work for: a batch for a whole part of them is a run on that part of its machine.

    Any other batch that does not share out is left to the estimator's checks.
    """
    sequences = row.whole("gbs", least=1)
    if not sequences or sequences % micro_batch or copies % (sequences // micro_batch):
        return copies
    return min(copies, sequences // micro_batch)


def _global_batch(row: Row, micro_batch: int, copies: int) -> int:
    """Sequences of one step; a pipeline that is full twice over where nothing is said."""
    steps = STEPS.search(row.text("notes"))
    if steps:
        return micro_batch * copies * as_whole(steps.group(1))
    return row.whole("gbs", least=1) or 2 * micro_batch * copies * row.count("pp")
