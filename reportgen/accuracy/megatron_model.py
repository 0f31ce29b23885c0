"""The model of a Megatron-LM run, by its arguments and their defaults: vocabulary, biases, norms, MLP and head."""

from __future__ import annotations

from typing import Any

from reportgen.accuracy.cells import Row
from reportgen.accuracy.megatron_arguments import Arguments, whole

VOCABULARY_MULTIPLE = 128  # its default of make-vocab-size-divisible-by
PADDED_TOKENIZERS = {"Llama2Tokenizer": 32000, "GPTSentencePieceTokenizer": 256000, "BertWordPieceCase": 28996}


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
