"""Inputs about what is trained and how: bytes per parameter, optimizers, adapters."""

from __future__ import annotations

from reportgen.formula.quantity import choice, number, words
from reportgen.formula.sources import Definition
from reportgen.model.axes import OPTIMIZER
from reportgen.model.references import (
    DETTMERS_2022,
    DETTMERS_2023,
    HU_2021,
    JORDAN_2024,
    LOSHCHILOV_2019,
    PEFT,
    RAJBHANDARI_2020,
    SHAZEER_2018,
)

RUN = Definition("from the planned run")
OPTIMIZER_NAMES = (
    "adamw",
    "adamw 8-bit",
    "lion",
    "sgd with momentum",
    "adafactor",
    "sgd",
    "muon",
    "adamw bf16",
    "adamw fp8",
)

OPTIMIZER_INPUTS = (
    choice(
        "optimizer",
        OPTIMIZER_NAMES,
        "The optimizer, as named in the optimizer table.",
        RUN,
        section="run",
        default="adamw",
        choices_from="optimizer_name",
    ),
    number(
        "weight_bytes_per_parameter",
        "byte/parameter",
        "Bytes of a weight as used in matrix products.",
        RAJBHANDARI_2020.at("section 3.1, 16-bit weights"),
        section="run",
        default=2,
        between=(0.25, 8),
    ),
    number(
        "gradient_bytes_per_parameter",
        "byte/parameter",
        "Bytes of a gradient as accumulated: 2 in bf16, 4 in fp32.",
        RAJBHANDARI_2020.at("section 3.1, 16-bit gradients; Megatron-LM keeps 4"),
        section="run",
        default=2,
        between=(0, 8),
    ),
    number(
        "master_bytes_per_parameter",
        "byte/parameter",
        "Bytes of the fp32 master copy of a weight; 0 where there is none.",
        RAJBHANDARI_2020.at("section 3.1"),
        section="run",
        default=4,
        between=(0, 8),
    ),
    words(
        "optimizer_name",
        "Name of the optimizer.",
        LOSHCHILOV_2019.at("algorithm 2"),
        section="catalogue",
        default=OPTIMIZER_NAMES,
        axis=OPTIMIZER,
    ),
    number(
        "optimizer_state_column",
        "byte/parameter",
        "State of each optimizer: fp32 moments 4 and 4, in bf16 2 and 2, in 8 bits 1 and 1, one fp32 momentum 4.",
        DETTMERS_2022.at("section 1, beside Loshchilov and Hutter 2019, Chen et al. 2023 and Jordan et al. 2024"),
        section="catalogue",
        default=(8, 2, 4, 4, 0, 0, 4, 4, 2),
        between=(0, 64),
        axis=OPTIMIZER,
    ),
    number(
        "optimizer_end_column",
        "byte/parameter",
        "State of each optimizer for embedding and head: as for layers, but Muon leaves these to AdamW.",
        JORDAN_2024.at("only hidden layers are optimized with Muon"),
        section="catalogue",
        default=(8, 2, 4, 4, 0, 0, 8, 4, 2),
        between=(0, 64),
        axis=OPTIMIZER,
    ),
    number(
        "optimizer_factored_column",
        "byte/parameter",
        "Bytes of each row's and each column's mean where second moments are factored; 0 where they are not.",
        SHAZEER_2018.at("algorithm 4"),
        section="catalogue",
        default=(0, 0, 0, 0, 4, 0, 0, 0, 0),
        between=(0, 64),
        axis=OPTIMIZER,
    ),
)

TUNING_INPUTS = (
    choice(
        "tuning",
        ("full", "lora", "qlora"),
        "What is trained: all weights, low-rank adapters beside frozen weights, or beside frozen 4-bit weights.",
        HU_2021.at("section 4.1"),
        section="run",
        default="full",
    ),
    number(
        "adapter_rank",
        "1",
        "Rank of the adapters.",
        HU_2021.at("section 4.1"),
        section="run",
        default=16,
        between=(1, 2**14),
        whole=True,
    ),
    choice(
        "adapter_targets",
        ("attention", "all linear"),
        "Matrices that have an adapter: those of attention, or those of the dense MLP too.",
        DETTMERS_2023.at("section 4, all linear layers"),
        section="run",
        default="all linear",
    ),
    number(
        "quantised_bytes_per_parameter",
        "byte/parameter",
        "Bytes of a frozen 4-bit weight: half a byte, an 8-bit constant per 64 weights, and 32 bits per 256 constants.",
        DETTMERS_2023.at("section 3, double quantization: 0.127 bits per parameter"),
        section="run",
        default=0.5 + 1 / 64 + 4 / (64 * 256),
        between=(0.125, 4),
    ),
    number(
        "unquantised_bytes_per_parameter",
        "byte/parameter",
        "Bytes of a weight that QLoRA leaves as it is (norms, biases, embedding, head): 4 where PEFT casts it to fp32.",
        PEFT.at("utils/other.py, prepare_model_for_kbit_training; it leaves GPTQ models alone"),
        section="run",
        between=(1, 8),
        word="as weights",
    ),
)
