"""A count says what it took for granted, where another value of a real file would change it, and nothing else."""

from typing import Any

import pytest

from reportgen.architecture import Config, ParameterCount, count

LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 160,
    "vocab_size": 1000,
    "tie_word_embeddings": False,
}
EXPERTS: dict[str, Any] = {
    **LLAMA,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 20,
    "attention_bias": False,
    "head_dim": 32,
}
GLM: dict[str, Any] = {
    **EXPERTS,
    "model_type": "glm4_moe",
    "n_routed_experts": 8,
    "n_shared_experts": 1,
    "first_k_dense_replace": 1,
    "use_qk_norm": False,
}
QWEN: dict[str, Any] = {**EXPERTS, "model_type": "qwen3_moe", "num_experts": 8, "decoder_sparse_step": 1}
DEEPSEEK: dict[str, Any] = {
    **{key: value for key, value in GLM.items() if key not in {"head_dim", "use_qk_norm"}},
    "model_type": "deepseek_v3",
    "kv_lora_rank": 16,
    "q_lora_rank": 24,
    "qk_nope_head_dim": 8,
    "qk_rope_head_dim": 4,
    "v_head_dim": 12,
    "moe_layer_freq": 1,
}
CHATGLM: dict[str, Any] = {
    "model_type": "chatglm",
    "hidden_size": 64,
    "num_layers": 3,
    "num_attention_heads": 4,
    "ffn_hidden_size": 160,
    "padded_vocab_size": 1000,
    "tie_word_embeddings": False,
    "multi_query_attention": True,
    "multi_query_group_num": 2,
    "add_bias_linear": False,
    "add_qkv_bias": True,
    "kv_channels": 16,
    "post_layer_norm": True,
    "rmsnorm": True,
}


def counted(values: dict[str, Any]) -> ParameterCount:
    return count(Config(where="config.json", values=values, outer=values))


def without(values: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != key}


@pytest.mark.parametrize("values", [LLAMA, GLM, QWEN, DEEPSEEK, CHATGLM], ids=lambda values: values["model_type"])
def test_a_file_that_says_everything_leaves_no_doubt(values: dict[str, Any]) -> None:
    assert counted(values).doubts == ()


# The rows of a head of 16 (64 / 4) in place of 32: queries and outputs 64 less, keys and values 32 less, of 64 each.
NARROWER = 3 * 64 * (2 * 64 + 2 * 32)
# Norms of queries and keys, one of 32 elements each, and biases over queries (4 heads), keys and values (2 heads).
NORMS, BIASES = 3 * 2 * 32, 3 * 32 * (4 + 2 + 2)


@pytest.mark.parametrize(
    ("values", "key", "change", "doubt"),
    [
        (
            GLM,
            "head_dim",
            -NARROWER,
            "head_dim is missing: taken as hidden_size_over_heads = 16, the default of glm4_moe",
        ),
        (
            QWEN,
            "head_dim",
            # Each of the three layers has norms over the head, for queries and for keys.
            -NARROWER - 3 * 2 * 16,
            "head_dim is missing: taken as hidden_size_over_heads = 16, the default of qwen3_moe",
        ),
        (
            GLM,
            "use_qk_norm",
            0,
            f"use_qk_norm is missing: taken as false, the default of glm4_moe; with true the total is +{NORMS}",
        ),
        (
            GLM,
            "attention_bias",
            0,
            f"attention_bias is missing: taken as false, the default of glm4_moe; with true the total is +{BIASES}",
        ),
        (
            QWEN,
            "attention_bias",
            0,
            # Qwen has a bias on the output as well.
            "attention_bias is missing: taken as false, the default of qwen3_moe;"
            f" with true the total is +{BIASES + 3 * 64}",
        ),
        (QWEN, "decoder_sparse_step", 0, "decoder_sparse_step is missing: taken as 1, the default of qwen3_moe"),
        (
            QWEN,
            "num_experts",
            # 128 experts for 8, each with three matrices of 20 x 64 and a row of the router.
            3 * 120 * (3 * 20 * 64 + 64),
            "num_experts is missing: taken as 128, the default of qwen3_moe",
        ),
        (DEEPSEEK, "moe_layer_freq", 0, "moe_layer_freq is missing: taken as 1, the default of deepseek_v3"),
        (
            CHATGLM,
            "multi_query_attention",
            # Four heads of keys and values for two, each 16 wide, with their biases.
            3 * 2 * 2 * 16 * (64 + 1),
            "multi_query_attention is missing: taken as false, the default of chatglm; with true the total is"
            f" -{3 * 2 * 2 * 16 * 65}",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and " " not in value else "",
)
def test_a_default_that_changes_the_count_is_a_doubt(values: dict[str, Any], key: str, change: int, doubt: str) -> None:
    spellings = {"num_experts": "num_local_experts"}
    whole, found = counted(values).total, counted(without(values, key))
    assert whole + change == found.total
    words, plus, rest = doubt.partition(" total is ")
    expected = f"{words}{plus}{found.total + int(rest):,}" if rest else doubt
    assert [expected.replace(key, spellings.get(key, key), 1)] == list(found.doubts)


def test_a_default_that_changes_nothing_is_no_doubt() -> None:
    # Without experts there is no layer that a frequency of experts could change.
    dense = {**DEEPSEEK, "first_k_dense_replace": 3}
    assert counted(without(dense, "moe_layer_freq")).doubts == ()


def test_null_is_told_as_null_where_the_class_decides() -> None:
    found = counted({**GLM, "first_k_dense_replace": None})
    assert (counted(GLM).total, "first_k_dense_replace is null: taken as 1, the default of glm4_moe") == (
        found.total,
        *found.doubts,
    )


def test_zero_is_a_value_where_the_class_counts_from_zero() -> None:
    # No dense layer: the first becomes one with eight experts, one shared expert and a router.
    found = counted({**GLM, "first_k_dense_replace": 0})
    assert counted(GLM).total - 3 * 64 * 160 + 9 * 3 * 64 * 20 + 8 * 64 == found.total
    assert found.doubts == ()


def test_no_shared_experts_may_be_said_by_zero_or_null() -> None:
    one = counted(GLM).total
    for nothing in (0, None):
        assert (one - 2 * 3 * 64 * 20, ()) == (
            counted({**GLM, "n_shared_experts": nothing}).total,
            counted({**GLM, "n_shared_experts": nothing}).doubts,
        )


@pytest.mark.parametrize("key", ["num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"])
@pytest.mark.parametrize("model_type", ["llama", "mistral", "qwen2", "qwen3", "phi3", "gemma"])
def test_experts_in_a_dense_family_are_passed_over_and_said(model_type: str, key: str) -> None:
    dense = {**LLAMA, "model_type": model_type, "head_dim": 16, "attention_bias": False}
    found = counted({**dense, key: 8, "num_experts_per_tok": 2})
    assert counted(dense).total == found.total
    assert (
        f"{key} is 8, but {model_type} has no experts: counted as dense, as its class does;"
        " if the model has experts, architectures or model_type is wrong",
    ) == found.doubts


@pytest.mark.parametrize("experts", [None, 0, 1])
def test_one_expert_or_none_is_a_dense_model(experts: int | None) -> None:
    assert counted({**LLAMA, "num_experts": experts}).doubts == ()


def test_one_size_under_two_keys_that_differ_is_said_with_both_totals() -> None:
    found = counted({**QWEN, "n_routed_experts": 16})
    # Eight experts more in each of three layers, with their rows of the router.
    more = 3 * 8 * (3 * 20 * 64 + 64)
    assert found.total == counted(QWEN).total
    assert found.doubts == (
        "num_experts is 8 and n_routed_experts is 16: counted with num_experts;"
        f" with n_routed_experts the total is {found.total + more:,}",
    )
    assert counted({**QWEN, "n_routed_experts": 8}).doubts == ()


def test_a_layer_beyond_the_last_is_passed_over_and_said() -> None:
    found = counted({**QWEN, "mlp_only_layers": [7]})
    assert counted(QWEN).total == found.total
    assert found.doubts == ("mlp_only_layers names layer 7, and layers end at 2: what lies beyond is ignored",)


def test_a_default_that_does_not_fit_is_counted_as_the_class_builds_it_and_said() -> None:
    mistral = {**without(LLAMA, "num_key_value_heads"), "model_type": "mistral"}
    found = counted(mistral)
    # Eight heads of keys and values, 16 wide, though there are four heads.
    assert found.layer_parameters(0) == 64 * 64 + 2 * 128 * 64 + 64 * 64 + 3 * 64 * 160 + 2 * 64
    assert found.doubts[-1] == (
        "num_key_value_heads: missing, taken as 8, num_attention_heads: 4: expected key and value heads that divide"
        " the heads, counted as the class builds it"
    )


def test_more_layers_in_a_pattern_than_said_are_counted_and_said() -> None:
    hybrid = {**LLAMA, "model_type": "nemotron_h", "hybrid_override_pattern": "-*-*", "head_dim": 16}
    found = counted(hybrid)
    assert len(found.layers) == 4
    assert found.doubts == (
        'num_hidden_layers: 3, hybrid_override_pattern: "-*-*": expected a pattern with one entry per layer,'
        " counted as the class builds it",
    )


def test_a_nested_model_that_writes_only_what_differs_is_counted_with_the_sizes_of_its_class() -> None:
    # LLaVA 1.5 7B writes of its Llama 2 7B (6,738,415,616 parameters) the vocabulary alone: 64 words more.
    llava = {
        "model_type": "llava",
        "tie_word_embeddings": False,
        "text_config": {"model_type": "llama", "vocab_size": 32064},
        "vision_config": {"hidden_size": 1024},
    }
    found = counted(llava)
    assert found.total == 6_738_415_616 + 2 * 64 * 4096
    assert "num_hidden_layers is missing: taken as 32, the default of llama" in found.doubts
