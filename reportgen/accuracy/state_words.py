"""What a row says of the optimizer, its precision and where its state lies, as the estimator's inputs."""

from __future__ import annotations

import re
from typing import Any

from reportgen.accuracy.cells import Row

EIGHT_BIT = re.compile(r"8[\s_-]?bit|\bint8\b")
# The first that fits decides; Adam in fp32 is what is taken otherwise.
OPTIMIZERS: tuple[tuple[re.Pattern[str], str], ...] = (
    (EIGHT_BIT, "adamw 8-bit"),
    (re.compile(r"\bbf16 (?:moments|states)\b|\b(?:moments|states) (?:in )?bf16\b"), "adamw bf16"),
    (re.compile(r"\blion"), "lion"),
    (re.compile(r"\badafactor"), "adafactor"),
    (re.compile(r"\bmuon"), "muon"),
    (re.compile(r"\bsgd\b.*\bmomentum"), "sgd with momentum"),
    (re.compile(r"\bsgd"), "sgd"),
)
ADAM = re.compile(r"adam")
OFFLOADED = re.compile(r"offload|cpu[\s_-]?adam|\bpaged")
FULL_PRECISION = re.compile(r"\b(?:fp32|float32)\b")
HALF_PRECISION = re.compile(r"\b(?:bf16|fp16|amp\w*|mixed|fp8|float8|mxfp8|nvfp4|int4|nf4)\b|float16")
PURE = re.compile(r"\b(?:bf16|fp16)-true\b|\bpure\b")
FULL_WORDS = {"weight_bytes_per_parameter": 4, "gradient_bytes_per_parameter": 4, "master_bytes_per_parameter": 0}


def optimizer_of(row: Row) -> dict[str, Any]:
    """The optimizer and where its state lies, where the row says another than Adam on the GPU."""
    said = row.text("optimizer").casefold()
    named = next((name for pattern, name in OPTIMIZERS if pattern.search(said)), None)
    where = f"{said} {row.text('sharding').casefold()} {row.text('precision').casefold()}"
    found: dict[str, Any] = {"optimizer": named} if named else {}
    if OFFLOADED.search(where):
        found["optimizer_offload"] = "nvme" if "nvme" in where else "host memory"
    return found


def precision_of(row: Row) -> dict[str, Any]:
    """Bytes of weights, gradients and masters, where the row says fp32 alone, or 16 bits without masters."""
    said = row.text("precision").casefold()
    if FULL_PRECISION.search(said) and not HALF_PRECISION.search(said):
        return dict(FULL_WORDS)
    return {"master_bytes_per_parameter": 0} if PURE.search(said) else {}


def is_known_optimizer(words: str) -> bool:
    """Whether the optimizer that some words name is one that is understood."""
    said = words.casefold()
    return not said or bool(ADAM.search(said)) or any(pattern.search(said) for pattern, _ in OPTIMIZERS)


def is_known_precision(words: str) -> bool:
    """Whether some words name a precision that is understood."""
    said = words.casefold()
    return not said or bool(FULL_PRECISION.search(said) or HALF_PRECISION.search(said))
