"""The arguments of a Megatron-LM run, as a row's raw_args has them in JSON, read into the estimator's inputs."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any

from reportgen.accuracy.cells import NotEstimatedError, Row
from reportgen.accuracy.setup import defaults, with_framework

Arguments = dict[str, Any]
DROPOUT = 0.1  # Megatron-LM's own default of hidden-dropout and attention-dropout
VOCABULARY_MULTIPLE = 128  # its default of make-vocab-size-divisible-by
PADDED_TOKENIZERS = {"Llama2Tokenizer": 32000, "GPTSentencePieceTokenizer": 256000, "BertWordPieceCase": 28996}
MIB = 2**20
# Transformer Engine's workspace is 4 MiB before Hopper, then 32 MiB (module/base.py). cuBLAS has one of 32 MiB for the
# forward thread and one for autograd's, or of 8.125 MiB where it may choose before Hopper (CublasHandlePool.cpp).
TE_WORKSPACE = {True: 4 * MIB, False: 32 * MIB}
CUBLAS_FIXED, CUBLAS_BEFORE_HOPPER = 32 * MIB, 8.125 * MIB


def arguments_of(row: Row) -> Arguments:
    """The arguments by name; none where the row has none. Raises NotEstimatedError for what is no JSON object."""
    words = row.text("raw_args")
    if not words:
        return {}
    try:
        found = json.loads(words)
    except ValueError as error:
        raise NotEstimatedError(f"raw_args is no JSON: {words:.40}") from error
    if not isinstance(found, dict):
        raise NotEstimatedError(f"raw_args is no JSON object: {words:.40}")
    return found


def whole(arguments: Arguments, name: str, default: int) -> int:
    """A whole number among the arguments; `default` where it is not given."""
    return int(number(arguments, name, default))


def number(arguments: Arguments, name: str, default: float) -> float:
    """A finite number among the arguments; `default` where it is not given."""
    value = arguments.get(name, default)
    try:
        found = float(value)
    except (TypeError, ValueError) as error:
        raise NotEstimatedError(f"raw_args: {name} is no number: {value!r:.40}") from error
    if not isfinite(found):
        raise NotEstimatedError(f"raw_args: {name} is no number: {value!r:.40}")
    return found


def positive(arguments: Arguments, name: str) -> bool:
    """Whether a dropout is above zero; it is where nothing is said."""
    return number(arguments, name, DROPOUT) > 0


def vocabulary(row: Row, arguments: Arguments) -> dict[str, Any]:
    """The vocabulary, by number or by the tokenizer's name, and what it is padded to."""
    found: dict[str, Any] = {
        "vocabulary_multiple": whole(arguments, "make-vocab-size-divisible-by", VOCABULARY_MULTIPLE) * row.count("tp")
    }
    size = PADDED_TOKENIZERS.get(row.text("vocab"))
    return {**found, "vocabulary_size": size} if size else found


def model_words(arguments: Arguments) -> dict[str, Any]:
    """Biases, norms, MLP and head, as Megatron-LM's defaults and the arguments have them."""
    bias = "no" if arguments.get("disable-bias-linear") else "yes"
    return {
        "mlp_kind": "gated" if arguments.get("swiglu") else "plain",
        "embedding_tying": "untied" if arguments.get("untie-embeddings-and-output-weights") else "tied",
        "qkv_bias": bias,
        "attention_output_bias": bias,
        "mlp_bias": bias,
        "norm_bias": "no" if arguments.get("normalization") == "RMSNorm" else "yes",
        "qk_norm": "per head"
        if arguments.get("qk-layernorm") and not arguments.get("multi-latent-attention")
        else "none",
        "learned_positions": 0 if has_no_table(arguments) else whole(arguments, "max-position-embeddings", 0),
    }


def has_no_table(arguments: Arguments) -> bool:
    """Whether positions are rotary, or none: no table of them is learned."""
    kind = str(arguments.get("position-embedding-type", "learned_absolute"))
    return kind in ("rope", "none", "yarn") or bool(arguments.get("multi-latent-attention"))


def kernels(arguments: Arguments) -> dict[str, Any]:
    """Kernel profile, flash attention and what of the scores is kept."""
    backend = arguments.get("attention-backend")
    unfused = backend in ("unfused", "local") or not is_transformer_engine(arguments)
    found: dict[str, Any] = {
        "kernel_profile": "gpt-dropout" if positive(arguments, "hidden-dropout") else "fused",
        "flash_attention": "off" if unfused else "on",
    }
    if not positive(arguments, "attention-dropout"):
        found["profile_score_column"] = (2,) * len(defaults()["profile_score_column"])  # the softmax alone, in 16 bits
    return found


def is_transformer_engine(arguments: Arguments) -> bool:
    """Whether layers are Transformer Engine's; they are where nothing is said."""
    return bool(arguments.get("transformer-impl", "transformer_engine") == "transformer_engine")


def workspaces(row: Row, arguments: Arguments) -> dict[str, Any]:
    """Workspaces of the matrix libraries on this accelerator."""
    before_hopper = row.text("hardware").startswith("A100") or not row.text("hardware")
    chosen = before_hopper and not arguments.get("deterministic-mode")
    total = 2 * (CUBLAS_BEFORE_HOPPER if chosen else CUBLAS_FIXED)
    total += TE_WORKSPACE[before_hopper] if is_transformer_engine(arguments) else 0
    return with_framework("framework_workspace_column", "megatron-lm", total)


def virtual_stages(arguments: Arguments, layer_count: int, stages: int) -> int:
    """Chunks of layers on each stage."""
    if stages == 1:
        return 1
    each = whole(arguments, "num-layers-per-virtual-pipeline-stage", 0)
    if each:
        return max(1, layer_count // stages // each)
    return whole(arguments, "num-virtual-stages-per-pipeline-rank", 1)


def recompute(row: Row, arguments: Arguments) -> dict[str, Any]:
    """What is computed again, by the arguments or the words of the row."""
    words = f"{row.text('recompute')} {arguments.get('recompute-modules', '')}".casefold()
    if words.startswith("full") or arguments.get("recompute-granularity") == "full":
        return {"recompute": "full", "recompute_group_layers": max(1, whole(arguments, "recompute-num-layers", 1))}
    modules = set(re.findall(r"[a-z_]+", words))
    return {
        "recompute": "selective" if "core_attn" in modules or modules == {"selective"} else "none",
        "recompute_norms": "yes" if "layernorm" in modules else "no",
        "recompute_mlp_activation": "yes" if "mlp" in modules else "no",
        "recompute_latent": "yes" if "mla_up_proj" in modules else "no",
        "recompute_experts": "whole" if "moe" in modules else "activation" if "moe_act" in modules else "none",
    }


def chunk_layers(arguments: Arguments) -> tuple[int, ...]:
    """Layers of each chunk where a layout such as Et*2|(tt|)*5t|tmL gives them; () where none does."""
    layout = str(arguments.get("pipeline-model-parallel-layout", ""))
    spelled = re.sub(r"\(([^()]*)\)\*(\d{1,3})", lambda found: found.group(1) * int(found.group(2)), layout)
    spelled = re.sub(r"([a-zA-Z])\*(\d{1,3})", lambda found: found.group(1) * int(found.group(2)), spelled)
    return tuple(chunk.count("t") + chunk.count("m") for chunk in spelled.split("|")) if layout else ()


def stage_placing(arguments: Arguments, layer_count: int, stages: int) -> dict[str, Any]:
    """Layers of each stage and chunks of it; raises NotEstimatedError for a layout that does not fit the stages.

    Chunks of a layout are taken as equally large where a stage has several of them.
    """
    chunks = chunk_layers(arguments)
    if not chunks:
        return {"virtual_stages": virtual_stages(arguments, layer_count, stages)}
    if len(chunks) % stages:
        raise NotEstimatedError(f"raw_args: a layout of {len(chunks)} chunks does not fit {stages} stages")
    if len(chunks) > stages:
        return {"virtual_stages": len(chunks) // stages}
    return {"stage_layers_override": (*chunks, *defaults()["stage_layers_override"][stages:])}
