"""What a layer of a Megatron-LM run keeps and computes again, by its arguments: kernels, workspaces, recomputation."""

from __future__ import annotations

import re
from typing import Any

from reportgen.accuracy.cells import Row
from reportgen.accuracy.megatron_arguments import Arguments, is_positive, whole
from reportgen.accuracy.recompute_words import recompute_inputs
from reportgen.accuracy.setup import defaults, with_framework

MIB = 2**20
# Transformer Engine's workspace is 4 MiB before Hopper, then 32 MiB (module/base.py). cuBLAS has one of 32 MiB for the
# forward thread and one for autograd's, or of 8.125 MiB where it may choose before Hopper (CublasHandlePool.cpp).
TE_WORKSPACE = {True: 4 * MIB, False: 32 * MIB}
CUBLAS_FIXED, CUBLAS_BEFORE_HOPPER = 32 * MIB, 8.125 * MIB


def kernels(arguments: Arguments) -> dict[str, Any]:
    """Kernel profile, flash attention and what of the scores is kept."""
    backend = arguments.get("attention-backend")
    unfused = backend in ("unfused", "local") or not is_transformer_engine(arguments)
    found: dict[str, Any] = {
        "kernel_profile": "gpt-dropout" if is_positive(arguments, "hidden-dropout") else "fused",
        "flash_attention": "off" if unfused else "on",
    }
    if not is_positive(arguments, "attention-dropout"):
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


MODULES = {"core_attn", "layernorm", "mlp", "mla_up_proj", "moe", "moe_act"}


def recompute(row: Row, arguments: Arguments) -> dict[str, Any]:
    """What is computed again, by the arguments or the words of the row."""
    words = f"{row.text('recompute')} {arguments.get('recompute-modules', '')}".casefold()
    if words.startswith("full") or arguments.get("recompute-granularity") == "full":
        return {"recompute": "full", "recompute_group_layers": max(1, whole(arguments, "recompute-num-layers", 1))}
    modules = set(re.findall(r"[a-z_]+", words))
    if not modules & MODULES and not arguments:
        return recompute_inputs(row.text("recompute"))
    return {
        "recompute": "selective" if "core_attn" in modules or modules == {"selective"} else "none",
        "recompute_norms": "yes" if "layernorm" in modules else "no",
        "recompute_mlp_activation": "yes" if "mlp" in modules else "no",
        "recompute_latent": "yes" if "mla_up_proj" in modules else "no",
        "recompute_experts": "whole" if "moe" in modules else "activation" if "moe_act" in modules else "none",
    }
