"""Kernel profiles: what each set of kernels keeps for the backward pass, tensor by tensor, one column each."""

from __future__ import annotations

from reportgen.formula.quantity import Input, number, words
from reportgen.formula.sources import Origin
from reportgen.model.axes import PROFILE
from reportgen.model.references import DAO_2023, KORTHIKANTI_2022, PYTORCH_AUTOGRAD

PROFILE_NAMES = ("fused", "eager", "gpt-dropout", "fused norms", "gpt-gelu")
LLAMA = PYTORCH_AUTOGRAD.at("fused and eager Llama layers")
GPT = PYTORCH_AUTOGRAD.at("GPT layer")
QWEN = PYTORCH_AUTOGRAD.at("Qwen3 layer")
MIXTRAL = PYTORCH_AUTOGRAD.at("Mixtral layer")


def kept(name: str, description: str, origin: Origin, values: tuple[float, ...]) -> Input:
    """A column of the table: bytes per token and value that each profile keeps."""
    return number(
        name, "byte/token", description, origin, section="catalogue", default=values, between=(0, 64), axis=PROFILE
    )


PROFILE_INPUTS = (
    words(
        "profile_name",
        "Name of the kernel profile.",
        LLAMA,
        section="catalogue",
        default=PROFILE_NAMES,
        axis=PROFILE,
    ),
    kept(
        "profile_norm_column",
        "Bytes per hidden value and norm: input 2 and output 2; eager an fp32 copy 4, the normed value 2, output 2.",
        LLAMA,
        (4, 8, 4, 4, 4),
    ),
    kept(
        "profile_query_column",
        "Bytes per query value: the queries, 2, with positions applied.",
        LLAMA,
        (2, 2, 2, 2, 2),
    ),
    kept(
        "profile_key_column",
        "Bytes per key and per value element: the keys 2, the values 2.",
        LLAMA,
        (2, 2, 2, 2, 2),
    ),
    kept(
        "profile_repeated_column",
        "Bytes per element of keys and values repeated for query heads by eager attention, without FlashAttention.",
        LLAMA,
        (0, 2, 0, 2, 0),
    ),
    kept(
        "profile_output_column",
        "Bytes per value of attention's output, 2, which is the output projection's input as well.",
        LLAMA,
        (2, 2, 2, 2, 2),
    ),
    kept(
        "profile_statistic_column",
        "Bytes per head of the log-sum-exp that FlashAttention keeps.",
        DAO_2023.at("section 3.1"),
        (4, 4, 4, 4, 4),
    ),
    number(
        "profile_score_column",
        "byte*sequence/token^2",
        "Bytes per head and attended token without FlashAttention: softmax 2, mask 1, dropped 2; eager fp32 4 and 2.",
        KORTHIKANTI_2022.at("section 4.1"),
        section="catalogue",
        default=(5, 6, 5, 6, 5),
        between=(0, 64),
        axis=PROFILE,
    ),
    kept(
        "profile_qk_norm_column",
        "Bytes per normalised query and key value: input 2; eager an fp32 copy 4 and the normed value 2.",
        QWEN,
        (2, 6, 2, 2, 2),
    ),
    kept(
        "profile_gated_column",
        "Bytes per value of a gated MLP's width: gate 2, up 2, product 2; eager the activated gate 2 as well.",
        LLAMA,
        (6, 8, 6, 8, 6),
    ),
    kept(
        "profile_plain_column",
        "Bytes per value of a plain MLP's width: before 2 and after 2 its activation; unfused tanh GELU 6 more.",
        GPT,
        (4, 4, 4, 4, 10),
    ),
    kept(
        "profile_dropout_column",
        "Bytes per hidden value of a layer for dropout masks: 1 behind attention and 1 behind the MLP.",
        GPT,
        (0, 0, 2, 0, 2),
    ),
    kept(
        "profile_routed_hidden_column",
        "Bytes per hidden value and routed expert of a token: the sorted input 2, the output 2; eager one copy more.",
        MIXTRAL,
        (4, 6, 4, 4, 4),
    ),
    kept(
        "profile_router_column",
        "Bytes per routed expert of a layer for the router's probabilities.",
        MIXTRAL,
        (4, 4, 4, 4, 4),
    ),
)
