"""Counts equal real instantiations, published models and closed forms, to the last parameter."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from reportgen.architecture import Config, KindSizes, ParameterCount, count

HERE = Path(__file__).parent
PUBLISHED: list[dict[str, Any]] = yaml.safe_load((HERE.parent / "cases" / "architectures.yaml").read_text("utf-8"))
# Source: huggingface/transformers 5.24.0, each class built on the meta device from a made-up config; per line the
# config, all parameters of the model, those of its input embedding, and those of each layer. Recorded once.
CLASS_FIGURES: list[dict[str, Any]] = [
    json.loads(line) for line in (HERE / "class_figures.jsonl").read_text("utf-8").splitlines()
]
FIGURES_BY_CLASS = sorted({figure["class"] for figure in CLASS_FIGURES})

LLAMA: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 160,
    "vocab_size": 1000,
    "tie_word_embeddings": False,
}
DEEPSEEK: dict[str, Any] = {
    "model_type": "deepseek_v2",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 160,
    "vocab_size": 1000,
    "tie_word_embeddings": False,
    "kv_lora_rank": 16,
    "q_lora_rank": 24,
    "qk_nope_head_dim": 8,
    "qk_rope_head_dim": 4,
    "v_head_dim": 12,
    "n_routed_experts": 8,
    "num_experts_per_tok": 2,
    "n_shared_experts": 2,
    "moe_intermediate_size": 20,
    "first_k_dense_replace": 1,
    "moe_layer_freq": 1,
    "attention_bias": False,
}


def counted(values: dict[str, Any]) -> ParameterCount:
    return count(Config(where="config.json", values=values, outer=values))


@pytest.mark.parametrize("case", PUBLISHED, ids=[case["model"] for case in PUBLISHED])
def test_a_published_model_has_its_known_parameters(case: dict[str, Any]) -> None:
    found = counted(case["config"])
    expected = {key: case[key] for key in ("total", "active", "embedding", "layers")}
    assert expected == {
        "total": found.total,
        "active": found.active,
        "embedding": found.embedding,
        "layers": [found.layer_parameters(0), found.layer_parameters(-1)],
    }


@pytest.mark.parametrize("name", FIGURES_BY_CLASS)
def test_made_up_configs_count_as_the_class_itself_does(name: str) -> None:
    figures = [figure for figure in CLASS_FIGURES if figure["class"] == name]
    found = [counted({"architectures": [name], **figure["config"]}) for figure in figures]
    assert [(figure["total"], figure["embedding"], figure["layers"]) for figure in figures] == [
        (one.total, one.embedding, [one.layer_parameters(index) for index in range(len(one.layers))]) for one in found
    ]


def test_parts_add_up_to_the_total() -> None:
    for figure in CLASS_FIGURES:
        found = counted({"architectures": [figure["class"]], **figure["config"]})
        layers = sum(kind.parameters * kind.layers for kind in found.kinds)
        head = found.head - (found.embedding if found.tied else 0)
        beside = sum(tensor.parameters for tensor in found.beside)
        assert found.total == found.embedding + layers + found.final_norm + head + beside


def test_llama_by_hand() -> None:
    layer = 64 * 64 + 2 * 32 * 64 + 64 * 64 + 3 * 64 * 160 + 2 * 64
    found = counted(LLAMA)
    assert (2 * 64_000 + 3 * layer + 64, 64_000, 64_000, 64, layer) == (
        found.total,
        found.embedding,
        found.head,
        found.final_norm,
        found.layer_parameters(1),
    )


def test_a_tied_head_is_counted_once_and_still_has_its_size() -> None:
    tied, untied = counted({**LLAMA, "tie_word_embeddings": True}), counted(LLAMA)
    assert (64_000, untied.total - 64_000) == (tied.head, tied.total)


def test_active_leaves_out_the_experts_a_token_does_not_use_and_nothing_else() -> None:
    found = counted(DEEPSEEK)
    one_expert = 3 * 64 * 20
    assert found.total - 6 * one_expert == found.active


def test_layers_are_grouped_into_kinds_in_their_order() -> None:
    found = counted({**DEEPSEEK, "num_hidden_layers": 4, "first_k_dense_replace": 2})
    assert found.layers == (0, 0, 1, 1)
    assert [(kind.name, kind.layers) for kind in found.kinds] == [
        ("latent attention + feed-forward", 2),
        ("latent attention + experts + shared experts", 2),
    ]


def test_a_kind_carries_the_sizes_that_apply_to_it() -> None:
    expected = KindSizes(
        hidden_size=64,
        query_heads=4,
        head_size=12,
        value_head_size=12,
        query_size=48,
        output_size=48,
        query_latent_size=24,
        key_value_latent_size=16,
        rotary_head_size=4,
        unrotated_head_size=8,
        expert_count=8,
        experts_per_token=2,
        expert_ffn_size=20,
        expert_matrices=3,
        shared_ffn_size=40,
        norm_count=2,
    )
    assert expected == counted(DEEPSEEK).kinds[1].sizes


def test_a_query_latent_of_null_is_none_and_a_missing_one_is_the_class_default_with_a_doubt() -> None:
    without = {key: value for key, value in DEEPSEEK.items() if key != "q_lora_rank"}
    null, missing = counted({**without, "q_lora_rank": None}), counted(without)
    assert null.doubts == ()
    assert (
        f"q_lora_rank is missing: taken as 1536, the default of deepseek_v2; with null the total is {null.total:,}",
    ) == missing.doubts


def test_an_unsaid_tie_gives_both_answers() -> None:
    without = {key: value for key, value in LLAMA.items() if key != "tie_word_embeddings"}
    found = counted(without)
    assert (
        "tie_word_embeddings is missing: taken as false, the default of llama;"
        f" with true the total is {found.total - 64_000:,}",
    ) == found.doubts


def test_missing_key_value_heads_are_all_heads_and_a_null_says_the_same() -> None:
    without = {key: value for key, value in LLAMA.items() if key != "num_key_value_heads"}
    missing, null = counted(without), counted({**without, "num_key_value_heads": None})
    assert missing.doubts == ("num_key_value_heads is missing: taken as query_heads = 4, the default of llama",)
    assert null.doubts == ()
    assert counted({**LLAMA, "num_key_value_heads": 4}).total == missing.total == null.total


def test_the_class_counts_more_than_a_model_type_that_contradicts_it() -> None:
    grok = {**LLAMA, "architectures": ["Grok1ModelForCausalLM"], "model_type": "mixtral", "num_local_experts": 4}
    as_mixtral = counted({**grok, "architectures": ["MixtralForCausalLM"]})
    found = counted(grok)
    assert found.family == "grok1"
    assert (
        "architectures says grok1, model_type says mixtral: counted as grok1;"
        f" as mixtral the total is {as_mixtral.total:,}"
    ) == found.doubts[0]


def test_quantisation_and_data_type_do_not_change_the_count() -> None:
    quantised = {**LLAMA, "quantization_config": {"quant_method": "fp8", "bits": 8}, "dtype": "float8"}
    assert counted(LLAMA) == counted(quantised)


def test_a_nested_language_model_is_counted_and_what_is_left_out_is_said() -> None:
    wrapper = {"architectures": ["UnheardOfForVision"], "text_config": LLAMA, "vision_config": {"hidden_size": 8}}
    found = counted(wrapper)
    assert counted(LLAMA).total == found.total
    assert found.doubts == (
        "UnheardOfForVision is not known: the language model inside it is counted alone",
        "the vision tower is not counted: the total is of the language model alone",
    )


def test_prediction_layers_are_left_out_and_said() -> None:
    found = counted({**DEEPSEEK, "num_nextn_predict_layers": 1})
    assert counted(DEEPSEEK).total == found.total
    assert found.doubts == ("num_nextn_predict_layers is 1: layers for multi-token prediction are not counted",)


@pytest.mark.parametrize(
    ("pattern", "sliding_layers"),
    [("LLLG", [0, 1, 2]), (4, [0, 1, 2]), ("LG", [0, 2])],
)
def test_a_sliding_pattern_may_be_letters_or_a_number(pattern: str | int, sliding_layers: list[int]) -> None:
    exaone = {**LLAMA, "architectures": ["Exaone4ForCausalLM"], "model_type": "exaone4", "num_hidden_layers": 4}
    found = counted({**exaone, "sliding_window": 128, "sliding_window_pattern": pattern})
    windows = [found.kinds[kind].sizes.attention_window for kind in found.layers]
    assert sliding_layers == [index for index, window in enumerate(windows) if window == 128]


# Published sizes of models whose code stands beside their weights, to the digits that are commonly given. Quoted from
# memory, not read again from the model cards; so are the keys. They show that the shapes are of the right kind.
REMOTE: list[tuple[str, float, float, dict[str, Any]]] = [
    (
        "arctic",
        479e9,
        0.5e9,
        {
            "hidden_size": 7168,
            "num_hidden_layers": 35,
            "num_attention_heads": 56,
            "num_key_value_heads": 8,
            "intermediate_size": 4864,
            "num_local_experts": 128,
            "moe_layer_frequency": 1,
            "parallel_attn_mlp_res": True,
            "vocab_size": 32000,
        },
    ),
    (
        "hunyuan",
        389e9,
        0.5e9,
        {
            "hidden_size": 6400,
            "num_hidden_layers": 64,
            "num_attention_heads": 80,
            "num_key_value_heads": 8,
            "intermediate_size": 18304,
            "num_experts": 16,
            "moe_topk": 1,
            "use_cla": True,
            "cla_share_factor": 2,
            "vocab_size": 128512,
            "tie_word_embeddings": True,
        },
    ),
    (
        "phi3small",
        7.39e9,
        0.005e9,
        {
            "hidden_size": 4096,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "ff_intermediate_size": 14336,
            "vocab_size": 100352,
        },
    ),
    (
        "longcat_flash",
        560e9,
        1e9,
        {
            "hidden_size": 6144,
            "num_layers": 28,
            "num_attention_heads": 64,
            "ffn_hidden_size": 12288,
            "expert_ffn_hidden_size": 2048,
            "vocab_size": 131072,
        },
    ),
    (
        "grok-2",
        270e9,
        1e9,
        {
            "hidden_size": 8192,
            "num_hidden_layers": 64,
            "num_attention_heads": 64,
            "num_key_value_heads": 8,
            "head_dim": 128,
            "intermediate_size": 32768,
            "moe_intermediate_size": 16384,
            "residual_moe": True,
            "vocab_size": 131072,
        },
    ),
    (
        "minimax_text_01",
        456e9,
        0.5e9,
        {
            "hidden_size": 6144,
            "num_hidden_layers": 80,
            "num_attention_heads": 64,
            "num_key_value_heads": 8,
            "head_dim": 128,
            "intermediate_size": 9216,
            "num_local_experts": 32,
            "attn_type_list": [0, 0, 0, 0, 0, 0, 0, 1] * 10,
            "vocab_size": 200064,
        },
    ),
]


@pytest.mark.parametrize(("model_type", "published", "within", "sizes"), REMOTE, ids=[case[0] for case in REMOTE])
def test_a_model_with_its_own_code_comes_to_its_published_size(
    model_type: str, published: float, within: float, sizes: dict[str, Any]
) -> None:
    assert pytest.approx(published, abs=within) == counted({"model_type": model_type, **sizes}).total
