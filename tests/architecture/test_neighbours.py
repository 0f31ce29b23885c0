"""Families beside the recorded ones: by hand from the shapes of their classes, or to their published parameters."""

from typing import Any

import pytest

from reportgen.architecture import Config, ParameterCount, count

SMALL: dict[str, Any] = {
    "hidden_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 160,
    "vocab_size": 1000,
    "tie_word_embeddings": False,
    "attention_bias": False,
    "mlp_bias": False,
}
# Queries and outputs of 64 x 64, keys and values of 32 x 64; matrices of the feed-forward of 160 x 64.
ATTENTION, MATRIX, EMBEDDINGS = 2 * 64 * 64 + 2 * 32 * 64, 160 * 64, 2 * 64_000


def counted(values: dict[str, Any]) -> ParameterCount:
    return count(Config(where="config.json", values=values, outer=values))


@pytest.mark.parametrize(
    ("model_type", "more", "total"),
    [
        # Four norms a layer and the last one.
        ("hyperclovax", {"use_post_norm": True}, EMBEDDINGS + 3 * (ATTENTION + 3 * MATRIX + 4 * 64) + 64),
        ("hyperclovax", {"use_post_norm": False}, EMBEDDINGS + 3 * (ATTENTION + 3 * MATRIX + 2 * 64) + 64),
        # Norms with biases, no gate.
        ("jais2", {}, EMBEDDINGS + 3 * (ATTENTION + 2 * MATRIX + 4 * 64) + 2 * 64),
        (
            "jais2",
            {"attention_bias": True, "mlp_bias": True},
            EMBEDDINGS + 3 * (ATTENTION + 2 * MATRIX + 4 * 64 + 64 + 2 * 32 + 64 + 160 + 64) + 2 * 64,
        ),
        # No parameters in norms, no gate.
        ("nanochat", {}, EMBEDDINGS + 3 * (ATTENTION + 2 * MATRIX)),
        # Four vectors over a head of 16.
        ("diffllama", {}, EMBEDDINGS + 3 * (ATTENTION + 3 * MATRIX + 2 * 64 + 4 * 16) + 64),
        # One norm a layer; the first layer dense with 96, then four experts of 160 with two shared ones.
        (
            "cohere2_moe",
            {
                "head_dim": 16,
                "num_experts": 4,
                "num_experts_per_tok": 2,
                "num_shared_experts": 2,
                "first_k_dense_replace": 1,
                "prefix_dense_intermediate_size": 96,
            },
            EMBEDDINGS + 3 * (ATTENTION + 64) + 3 * 96 * 64 + 2 * (4 * 64 + 6 * 3 * MATRIX) + 64,
        ),
        # As GLM 4.5 without norms of queries and keys; biases as the two flags say.
        (
            "bailing_moe",
            {
                "head_dim": 16,
                "num_experts": 4,
                "num_experts_per_tok": 2,
                "num_shared_experts": 1,
                "moe_intermediate_size": 20,
                "first_k_dense_replace": 0,
                "use_bias": False,
                "use_qkv_bias": True,
            },
            EMBEDDINGS + 3 * (ATTENTION + 64 + 2 * 32 + 4 * 64 + 5 * 3 * 20 * 64 + 2 * 64) + 64,
        ),
        ("xverse", {}, EMBEDDINGS + 3 * (4 * 64 * 64 + 3 * MATRIX + 2 * 64) + 64),
        ("mimo", {}, EMBEDDINGS + 3 * (ATTENTION + 64 + 2 * 32 + 3 * MATRIX + 2 * 64) + 64),
    ],
)
def test_a_small_model_by_hand(model_type: str, more: dict[str, Any], total: int) -> None:
    own = {key: value for key, value in SMALL.items() if model_type != "xverse" or key != "num_key_value_heads"}
    assert counted({**own, "model_type": model_type, **more}).total == total


GEMMA: dict[str, Any] = {
    **SMALL,
    "model_type": "gemma4_text",
    "tie_word_embeddings": True,
    "head_dim": 16,
    "global_head_dim": 32,
    "hidden_size_per_layer_input": 0,
    "num_kv_shared_layers": 0,
    "attention_k_eq_v": False,
    "use_double_wide_mlp": False,
    "enable_moe_block": False,
}
# Two layers with a window and heads of 16, the last one without and with heads of 32; each with norms over a head.
WINDOWED, FULL = ATTENTION + 2 * 16, 2 * ATTENTION + 2 * 32
GEMMA_REST = 64_000 + 64 + 3 * 4 * 64


def test_gemma_4_has_wider_heads_where_it_has_no_window() -> None:
    found = counted(GEMMA)
    assert (found.total, found.doubts) == (GEMMA_REST + 2 * WINDOWED + FULL + 9 * MATRIX, ())
    assert found.layers == (0, 0, 1)


def test_gemma_4_with_inputs_for_each_layer() -> None:
    found = counted({**GEMMA, "hidden_size_per_layer_input": 8, "vocab_size_per_layer_input": 500})
    assert found.total - counted(GEMMA).total == 500 * 24 + 24 * 64 + 8 + 3 * (2 * 8 * 64 + 64)


def test_gemma_4_with_keys_that_are_values_and_fewer_of_them() -> None:
    found = counted({**GEMMA, "attention_k_eq_v": True, "num_global_key_value_heads": 1})
    last = 2 * (4 * 32) * 64 + 32 * 64 + 2 * 32
    assert found.total == GEMMA_REST + 2 * WINDOWED + last + 9 * MATRIX


def test_gemma_4_with_shared_keys_and_a_wider_feed_forward_there() -> None:
    found = counted({**GEMMA, "num_kv_shared_layers": 1, "use_double_wide_mlp": True})
    last = 2 * (4 * 32) * 64 + 32
    assert found.total == GEMMA_REST + 2 * WINDOWED + last + 12 * MATRIX


def test_gemma_4_with_experts_beside_its_feed_forward() -> None:
    experts = {"enable_moe_block": True, "num_experts": 8, "top_k_experts": 2, "moe_intermediate_size": 20}
    found = counted({**GEMMA, **experts})
    # A router with scales over the width and the experts, three further norms, eight experts.
    more = 8 * 64 + 64 + 8 + 3 * 64 + 8 * 3 * 20 * 64
    assert found.total == counted(GEMMA).total + 3 * more
    assert found.active == found.total - 3 * 6 * 3 * 20 * 64


QWEN_VISION: dict[str, Any] = {
    "depth": 32,
    "embed_dim": 1280,
    "mlp_ratio": 4,
    "num_heads": 16,
    "in_chans": 3,
    "patch_size": 14,
    "spatial_merge_size": 2,
    "temporal_patch_size": 2,
}
# Qwen2-VL and GLM-4.1V as their model cards give them, quoted from memory like the keys; the others worked by hand from
# the same keys, and alike to the digits that are commonly given (7.27B, 1.04B and 8.34B).
PUBLISHED: list[tuple[str, int, dict[str, Any]]] = [
    (
        "Qwen2-VL-2B",
        2_208_985_600,
        {
            "model_type": "qwen2_vl",
            "hidden_size": 1536,
            "intermediate_size": 8960,
            "num_attention_heads": 12,
            "num_hidden_layers": 28,
            "num_key_value_heads": 2,
            "tie_word_embeddings": True,
            "vocab_size": 151936,
            "vision_config": {**QWEN_VISION, "hidden_size": 1536},
        },
    ),
    (
        "Qwen2-VL-7B",
        8_291_375_616,
        {
            "model_type": "qwen2_vl",
            "hidden_size": 3584,
            "intermediate_size": 18944,
            "num_attention_heads": 28,
            "num_hidden_layers": 28,
            "num_key_value_heads": 4,
            "tie_word_embeddings": False,
            "vocab_size": 152064,
            "vision_config": {**QWEN_VISION, "hidden_size": 3584},
        },
    ),
    (
        "GLM-4.1V-9B",
        10_292_777_472,
        {
            "architectures": ["Glm4vForConditionalGeneration"],
            "tie_word_embeddings": False,
            "text_config": {
                "model_type": "glm4v_text",
                "hidden_size": 4096,
                "intermediate_size": 13696,
                "num_hidden_layers": 40,
                "num_attention_heads": 32,
                "num_key_value_heads": 2,
                "vocab_size": 151552,
            },
            "vision_config": {"depth": 24, "hidden_size": 1536, "out_hidden_size": 4096, "intermediate_size": 13696},
        },
    ),
    (
        "Falcon-Mamba-7B",
        7_272_665_088,
        {
            "model_type": "falcon_mamba",
            "hidden_size": 4096,
            "expand": 16,
            "intermediate_size": 8192,
            "state_size": 16,
            "num_hidden_layers": 64,
            "conv_kernel": 4,
            "time_step_rank": 256,
            "vocab_size": 65024,
            "tie_word_embeddings": False,
        },
    ),
    (
        "VaultGemma-1B",
        1_038_741_120,
        {
            "model_type": "vaultgemma",
            "hidden_size": 1152,
            "intermediate_size": 6912,
            "num_hidden_layers": 26,
            "num_attention_heads": 4,
            "num_key_value_heads": 4,
            "head_dim": 256,
            "vocab_size": 256000,
        },
    ),
    (
        "LFM2-8B-A1B",
        8_339_929_856,
        {
            "model_type": "lfm2_moe",
            "hidden_size": 2048,
            "intermediate_size": 7168,
            "moe_intermediate_size": 1792,
            "num_hidden_layers": 24,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "num_dense_layers": 2,
            "num_experts": 32,
            "num_experts_per_tok": 4,
            "layer_types": ["full_attention" if layer in {2, 6, 10, 14, 18, 21} else "conv" for layer in range(24)],
            "vocab_size": 65536,
        },
    ),
]


@pytest.mark.parametrize(("name", "total", "values"), PUBLISHED, ids=[case[0] for case in PUBLISHED])
def test_a_model_has_its_published_parameters(name: str, total: int, values: dict[str, Any]) -> None:
    assert counted(values).total == total, name


def test_a_mamba_without_a_width_takes_it_from_the_factor() -> None:
    mamba = {"model_type": "mamba", "hidden_size": 64, "num_hidden_layers": 1, "vocab_size": 1000}
    assert counted({**mamba, "expand": 3}).total == counted({**mamba, "expand": 2, "intermediate_size": 192}).total
