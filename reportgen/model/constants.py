"""Constants: numbers of arithmetic and convention, each with a name, a unit and a source."""

from __future__ import annotations

from reportgen.formula.quantity import constant
from reportgen.formula.sources import BY_DEFINITION, Definition
from reportgen.model.references import (
    CHOWDHERY_2022,
    KORTHIKANTI_2022,
    NARAYANAN_2021,
    PYTORCH_AUTOGRAD,
    RAJBHANDARI_2020,
    SHAZEER_2020,
    VASWANI_2017,
)

SI_AND_IEC = Definition("from the definition of the unit")

CONSTANTS = (
    constant("seconds_per_day", 86400, "second/day", "Seconds in a day.", SI_AND_IEC),
    constant("hours_per_day", 24, "hour/day", "Hours in a day.", SI_AND_IEC),
    constant(
        "one_gpu",
        1,
        "GPU",
        "One GPU: what a tensor that nothing splits lies on.",
        BY_DEFINITION,
    ),
    constant("one_step", 1, "step", "One optimizer step.", BY_DEFINITION),
    constant("one_position", 1, "token/sequence", "One learned position: a token of a sequence.", BY_DEFINITION),
    constant("one_node", 1, "node", "One server.", BY_DEFINITION),
    constant(
        "gated_mlp_matrices",
        3,
        "1",
        "Weight matrices of a gated MLP: gate, up and down.",
        SHAZEER_2020.at("section 2"),
    ),
    constant(
        "attention_matrices",
        4,
        "1",
        "Weight matrices of attention: query, key, value and output.",
        VASWANI_2017.at("section 3.2.2"),
    ),
    constant(
        "plain_mlp_matrices",
        2,
        "1",
        "Weight matrices of a plain MLP: up and down.",
        VASWANI_2017.at("section 3.3"),
    ),
    constant(
        "activation_value_bytes",
        2,
        "byte/token",
        "Bytes of one 16-bit activation value of one token.",
        KORTHIKANTI_2022.at("section 4"),
    ),
    constant(
        "statistic_value_bytes",
        4,
        "byte/token",
        "Bytes of one fp32 statistic of one token: a norm's reciprocal deviation, an attention head's log-sum-exp.",
        PYTORCH_AUTOGRAD.at("fused Llama layer"),
    ),
    constant(
        "attention_score_bytes",
        5,
        "byte*sequence/token^2",
        "Bytes kept per head and pair of tokens without FlashAttention: softmax output, dropout mask, dropout output.",
        KORTHIKANTI_2022.at("section 4.1"),
    ),
    constant(
        "forward_matmul_flops",
        2,
        "FLOP/parameter/token",
        "A multiplication and an addition for each weight and token.",
        NARAYANAN_2021.at("appendix"),
    ),
    constant(
        "training_passes",
        3,
        "1",
        "Matrix products of a training step relative to the forward pass: forward, input gradients, weight gradients.",
        NARAYANAN_2021.at("appendix"),
    ),
    constant(
        "forward_attention_flops",
        4,
        "FLOP*sequence/token^2",
        "FLOPs per query element and attended token in the forward pass: queries by keys 2, scores by values 2.",
        CHOWDHERY_2022.at("appendix B"),
    ),
    constant(
        "classic_state_bytes_per_parameter",
        16,
        "byte/parameter",
        "The rule of 16 bytes: bf16 weights 2, bf16 gradients 2, fp32 master 4, Adam's moments 4 and 4.",
        RAJBHANDARI_2020.at("section 3.1"),
    ),
    constant(
        "classic_eight_bit_saving",
        6,
        "byte/parameter",
        "What 8-bit moments save under the rule of 16 bytes: two moments of 1 byte instead of 4.",
        RAJBHANDARI_2020.at("section 3.1, with both moments at one byte"),
    ),
    constant(
        "classic_activation_factor",
        34,
        "byte/token",
        "The rule of 34 bytes per token and hidden value that one layer keeps, attention scores apart.",
        KORTHIKANTI_2022.at("equation 1"),
    ),
    constant(
        "classic_logit_bytes",
        4,
        "byte/token",
        "Bytes per token and vocabulary entry of fp32 logits.",
        KORTHIKANTI_2022.at("section 4.3"),
    ),
    constant(
        "classic_selective_share",
        0.4,
        "1",
        "The share of activations that a widely quoted rule of thumb lets selective recomputation keep.",
        Definition("from the rule of thumb that is being checked; itemised figures stand beside it"),
    ),
)
