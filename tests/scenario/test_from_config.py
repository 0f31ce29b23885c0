"""A model from its config.json: equal to its exact count, layer by layer, or refused with what is not held."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import reportgen
from reportgen.architecture.config import read_config
from reportgen.architecture.count import count
from reportgen.architecture.result import ParameterCount
from reportgen.errors import ScenarioError
from reportgen.formula.evaluate import evaluate
from reportgen.model import estimator
from reportgen.scenario.config_kinds import forms_of
from reportgen.scenario.config_left_over import LeftOver, left_over
from reportgen.scenario.config_sizes import Formed, model_sizes
from reportgen.scenario.from_config import model_from_config
from reportgen.scenario.scenario import ConfiguredModel
from tests.model.cases import preset

# Made-up sizes of every class of huggingface/transformers 5.24, with what the class itself allocates for them.
FIGURES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "architecture" / "class_figures.jsonl").read_text("utf-8").splitlines()
]
CLASSES = sorted({figure["class"] for figure in FIGURES})
# Experts in attention, and experts in a latent space, are no inputs.
REFUSED = {"JetMoeForCausalLM": 2, "NemotronHForCausalLM": 1}
# Families of which the inputs' sizes count every single tensor.
PLAIN = """
    ArceeForCausalLM BloomForCausalLM CodeGenForCausalLM Cohere2ForCausalLM CohereForCausalLM CwmForCausalLM
    Dots1ForCausalLM Ernie4_5ForCausalLM Exaone4ForCausalLM FalconForCausalLM FlexOlmoForCausalLM GPT2LMHeadModel
    GPTBigCodeForCausalLM GPTJForCausalLM GPTNeoXForCausalLM Gemma2ForCausalLM Gemma3ForCausalLM GemmaForCausalLM
    Glm4ForCausalLM Glm4MoeForCausalLM GlmForCausalLM GraniteForCausalLM GraniteMoeForCausalLM
    GraniteMoeSharedForCausalLM HunYuanDenseV1ForCausalLM Llama4ForCausalLM LlamaForCausalLM MiniMaxM2ForCausalLM
    Ministral3ForCausalLM MistralForCausalLM MixtralForCausalLM MptForCausalLM NemotronForCausalLM Olmo2ForCausalLM
    Olmo3ForCausalLM OlmoeForCausalLM Phi3ForCausalLM PhimoeForCausalLM Qwen2ForCausalLM Qwen2MoeForCausalLM
    Qwen3ForCausalLM Qwen3MoeForCausalLM SeedOssForCausalLM SmolLM3ForCausalLM StableLmForCausalLM
    Starcoder2ForCausalLM
""".split()
LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 160,
    "num_hidden_layers": 3,
    "vocab_size": 1000,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "tie_word_embeddings": False,
}
GEMMA = {**LLAMA, "model_type": "gemma2", "head_dim": 32, "sliding_window": 128, "tie_word_embeddings": True}
GPT = {**LLAMA, "model_type": "gpt2", "n_inner": 160, "n_positions": 128}
DBRX_EXPERTS = {"ffn_hidden_size": 48, "moe_num_experts": 4, "moe_top_k": 2}
GPT_OSS = {
    **LLAMA,
    "model_type": "gpt_oss",
    "head_dim": 32,
    "num_local_experts": 4,
    "num_experts_per_tok": 2,
    "sliding_window": 16,
}
DEEPSEEK = {
    **LLAMA,
    "model_type": "deepseek_v3",
    "num_hidden_layers": 5,
    "first_k_dense_replace": 2,
    "moe_intermediate_size": 48,
    "n_routed_experts": 8,
    "n_shared_experts": 2,
    "num_experts_per_tok": 3,
    "q_lora_rank": 40,
    "kv_lora_rank": 24,
    "qk_nope_head_dim": 16,
    "qk_rope_head_dim": 8,
    "v_head_dim": 12,
    "attention_bias": False,
}
QWEN_NEXT = {
    **LLAMA,
    "model_type": "qwen3_next",
    "num_hidden_layers": 8,
    "head_dim": 32,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 16,
    "linear_value_head_dim": 16,
    "linear_conv_kernel_dim": 4,
    "moe_intermediate_size": 24,
    "shared_expert_intermediate_size": 40,
    "num_experts": 16,
    "num_experts_per_tok": 4,
}
NEMOTRON = {
    **LLAMA,
    "model_type": "nemotron_h",
    "head_dim": 16,
    "hybrid_override_pattern": "M-M*-M-M*-",
    "ssm_state_size": 8,
    "mamba_num_heads": 4,
    "mamba_head_dim": 16,
    "n_groups": 2,
}
WITHIN_LAYERS = ("kind_further_width", "kind_further_parameters")


def load(folder: Path, config: dict[str, Any]) -> reportgen.Scenario:
    """A scenario beside a config.json."""
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    path = folder / "run.yaml"
    path.write_text("title: x\ndate: 2026-11-30\nmodel:\n  config: config.json\n", encoding="utf-8")
    return reportgen.load(path)


@cache
def defaults() -> dict[str, Any]:
    """All inputs, to lay what a config says over."""
    return dict(preset("llama3-8b").inputs)


def configured(folder: Path, config: dict[str, Any]) -> tuple[ConfiguredModel, ParameterCount]:
    """A config's inputs, beside its count."""
    path = folder / "config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    return model_from_config(path, defaults()), count(read_config(path))


def of_class(name: str, folder: Path) -> Iterator[tuple[dict[str, Any], ConfiguredModel, ParameterCount]]:
    """The figures of a class that can be described, with their inputs; the others are counted by `REFUSED`."""
    refused = 0
    for figure in FIGURES:
        if figure["class"] == name:
            try:
                yield (figure, *configured(folder, {"architectures": [name], **figure["config"]}))
            except ScenarioError as error:
                refused += 1
                assert "whose matrices are not hidden_size by expert_ffn_size" in str(error)
    assert refused == REFUSED.get(name, 0)


def rests(model: ConfiguredModel, counted: ParameterCount) -> tuple[LeftOver, ...]:
    """What the sizes leave over."""
    kinds = tuple(map(Formed, counted.kinds, forms_of(counted)))
    return left_over(kinds, {**model.inputs, **model_sizes(counted, kinds)})


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_is_held_to_the_last_parameter_of_every_layer(name: str, tmp_path: Path) -> None:
    for figure, model, counted in of_class(name, tmp_path):
        wanted = frozenset({"model_parameters", "active_parameters", "layer_parameters"})
        values = evaluate(estimator(), {**defaults(), **model.inputs}, wanted)
        assert values["model_parameters"] == figure["total"]
        assert values["layer_parameters"] == figure["layers"]
        assert values["active_parameters"] == counted.active


@pytest.mark.parametrize("name", PLAIN)
def test_of_a_plain_family_nothing_is_left_over(name: str, tmp_path: Path) -> None:
    for _, model, counted in of_class(name, tmp_path):
        assert rests(model, counted) == ()
        assert not any(any(model.inputs[column]) for column in WITHIN_LAYERS)
        assert model.inputs["further_parameters"] == 0


@pytest.mark.parametrize("name", CLASSES)
def test_what_is_left_over_is_all_named(name: str, tmp_path: Path) -> None:
    for _, model, counted in of_class(name, tmp_path):
        left, kinds = rests(model, counted), model.inputs["kind_name"]
        for row, kind in enumerate(kinds):
            named = [rest for rest in left if rest.kind == kind]
            assert sum(rest.width for rest in named) == model.inputs["kind_further_width"][row]
            small = sum(rest.parameters for rest in named if not rest.width)
            assert small == model.inputs["kind_further_parameters"][row]


@pytest.mark.parametrize(
    "config",
    [
        DEEPSEEK,
        {**DEEPSEEK, "model_type": "deepseek_v2", "q_lora_rank": None},
        {**DEEPSEEK, "model_type": "kimi_k2", "first_k_dense_replace": 1},
        {**GPT, "model_type": "phi", "tie_word_embeddings": False},
        {**LLAMA, "model_type": "chatglm", "kv_channels": 16, "ffn_hidden_size": 160, "add_qkv_bias": True},
        {**LLAMA, "model_type": "dbrx", "n_heads": 4, "attn_config": {"kv_n_heads": 2}, "ffn_config": DBRX_EXPERTS},
    ],
    ids=lambda config: str(config["model_type"]),
)
def test_of_published_shapes_nothing_is_left_over(tmp_path: Path, config: dict[str, Any]) -> None:
    assert rests(*configured(tmp_path, config)) == ()


@pytest.mark.parametrize(
    ("config", "matrices", "others"),
    [
        (GPT_OSS, set(), {"sinks"}),
        (
            {**DEEPSEEK, "model_type": "deepseek_v32", "index_n_heads": 2, "index_head_dim": 4},
            {"indexer.wk.weight", "indexer.weights_proj.weight"},
            {"indexer.wq_b.weight", "indexer.k_norm.weight", "indexer.k_norm.bias"},
        ),
        (
            QWEN_NEXT,
            {"in_proj_qkvz.weight", "in_proj_ba.weight", "out_proj.weight", "q_proj.weight"},
            {"dt_bias", "A_log", "conv1d.weight", "norm.weight"},
        ),
        (
            NEMOTRON,
            {"in_proj.weight", "out_proj.weight"},
            {"dt_bias", "A_log", "D", "conv1d.weight", "conv1d.bias", "norm.weight"},
        ),
    ],
    ids=["gpt_oss", "deepseek_v32", "qwen3_next", "nemotron_h"],
)
def test_gates_and_projections_are_widths_and_the_rest_is_small(
    tmp_path: Path, config: dict[str, Any], matrices: set[str], others: set[str]
) -> None:
    left = rests(*configured(tmp_path, config))
    assert {rest.tensor for rest in left if rest.width} == matrices
    assert {rest.tensor for rest in left if not rest.width} == others


def test_latent_attention_and_experts_by_hand(tmp_path: Path) -> None:
    result = reportgen.estimate(load(tmp_path, DEEPSEEK))
    queries = 64 * 40 + 40 + 40 * 4 * 24
    keys_and_values = 64 * (24 + 8) + 24 + 24 * 4 * (16 + 12)
    attention = queries + keys_and_values + 4 * 12 * 64
    dense = attention + 3 * 64 * 160 + 2 * 64
    expert = 3 * 64 * 48
    routed = attention + 64 * 8 + (8 + 2) * expert + 2 * 64
    assert result["layer_parameters"] == [dense, dense, routed, routed, routed]
    assert result["model_parameters"] == 2 * dense + 3 * routed + 2 * 64 * 1000 + 64
    assert result["model_parameters"] - result["active_parameters"] == 3 * (8 - 3) * expert


def test_first_layers_become_leading_layers(tmp_path: Path) -> None:
    result = reportgen.estimate(load(tmp_path, DEEPSEEK))
    assert result["kind_name"] == ["latent + dense", "latent + experts"]
    assert (result["leading_layer_count"], result["leading_layer_kind"]) == (2, "latent + dense")
    assert result["main_layer_kind"] == "latent + experts"
    assert set(result["kind_override"]) == {"as rule"}


def test_alternating_windows_become_kinds_in_a_pattern(tmp_path: Path) -> None:
    result = reportgen.estimate(load(tmp_path, {**GEMMA, "num_hidden_layers": 6}))
    assert result["kind_name"] == ["local", "dense"]
    assert result["kind_window"] == [128, "whole sequence"]
    assert result["layer_kind"] == ["local", "dense"] * 3
    assert (result["pattern_period"], result["pattern_layer_count"]) == (2, 1)
    assert set(result["kind_override"]) == {"as rule"}


def test_linear_attention_is_another_mixer_with_its_projections(tmp_path: Path) -> None:
    result = reportgen.estimate(load(tmp_path, QWEN_NEXT))
    assert result["kind_name"] == ["linear + experts", "experts"]
    assert result["kind_attention"] == ["other", "attention"]
    assert result["layer_kind"] == [*["linear + experts"] * 3, "experts"] * 2
    # Keys 2 x 16 twice, values and gate 4 x 16 twice, output 4 x 16, and two numbers a head; the gate of attention.
    assert result["kind_further_width"] == [2 * 32 + 2 * 64 + 64 + 2 * 4, 4 * 32]
    # A decay and a step a head, a convolution over keys and values, and a norm.
    assert result["kind_further_parameters"] == [4 + 4 + (2 * 32 + 64) * 4 + 16, 0]


def test_blocks_that_stand_alone_are_kinds_of_their_own(tmp_path: Path) -> None:
    result = reportgen.estimate(load(tmp_path, NEMOTRON))
    assert result["kind_name"] == ["state space", "MLP", "attention"]
    assert result["kind_attention"] == ["other", "none", "attention"]
    assert result["kind_mlp"] == ["none", "dense", "none"]
    words = {"M": "state space", "-": "MLP", "*": "attention"}
    assert result["layer_kind"] == [words[block] for block in str(NEMOTRON["hybrid_override_pattern"])]


def test_a_person_can_edit_what_a_config_gave(tmp_path: Path) -> None:
    scenario = load(tmp_path, DEEPSEEK).with_inputs(leading_layer_count=3)
    assert reportgen.estimate(scenario)["layer_kind"] == ["latent + dense"] * 3 + ["latent + experts"] * 2


def test_names_of_kinds_that_a_model_does_not_have_are_free(tmp_path: Path) -> None:
    scenario = load(tmp_path, {**GEMMA, "layer_types": ["sliding_attention"] * 3})
    names = scenario.inputs["kind_name"]
    assert names[0] == "local"
    assert len(set(names)) == len(names)


def test_the_source_is_the_file(tmp_path: Path) -> None:
    result = reportgen.estimate(load(tmp_path, LLAMA))
    assert result.origin("hidden_size").startswith("config.json, family llama (huggingface/transformers")


def test_what_the_inputs_say_only_nearly_is_a_doubt(tmp_path: Path) -> None:
    olmo, _ = configured(tmp_path, {**LLAMA, "model_type": "olmo"})
    assert olmo.doubts[-2:] == (
        "outside the layers the sizes amount to 64 parameters too many; further_parameters takes them off",
        "layers of the kind dense lack 128 parameters of norms.weight that the sizes amount to;"
        " kind_further_parameters takes them off",
    )


def test_too_many_kinds_are_refused_with_how_many_fit(tmp_path: Path) -> None:
    blocks = [
        {"attention": {"n_heads_in_group": 2}, "ffn": {"intermediate_size": 64 + 16 * index}} for index in range(9)
    ]
    config = {**LLAMA, "model_type": "nemotron-nas", "num_hidden_layers": 9, "block_configs": blocks}
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path, config)
    assert len(caught.value.faults) == 1
    told = str(caught.value)
    assert told.startswith(f"{tmp_path / 'run.yaml'}:4: model.config: found {tmp_path / 'config.json'}: ")
    assert "9 kinds in 9 layers, of which 8 and 256 fit" in told
    assert "count it with `reportgen params`" in told


def test_sizes_that_the_model_has_once_may_not_differ_between_kinds(tmp_path: Path) -> None:
    hunyuan = {**LLAMA, "model_type": "hunyuan_v1_moe", "num_experts": 4, "moe_topk": [1, 2, 2]}
    with pytest.raises(ScenarioError, match="kinds of layer with another experts_per_token each"):
        load(tmp_path, hunyuan)


def test_a_missing_config_is_a_fault_of_its_line(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("title: x\ndate: 2026-11-30\nmodel:\n  config: nowhere.json\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"run.yaml:4: model.config: found .*nowhere.json"):
        reportgen.load(path)


def test_a_preset_and_a_config_do_not_go_together(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("title: x\ndate: 2026-11-30\nmodel: {preset: llama3-8b, config: x.json}\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match="found a preset as well; expected a preset or a config"):
        reportgen.load(path)
