"""What cells mean: numbers with words around them, sharding, experts, methods, and what makes a row incomplete."""

from __future__ import annotations

import json

import pytest

from reportgen.accuracy.card import card_bytes
from reportgen.accuracy.cells import IncompleteError, NotEstimatedError, as_number
from reportgen.accuracy.experts import pattern_of
from reportgen.accuracy.frameworks import reading_of
from reportgen.accuracy.measured import measured_bytes
from reportgen.accuracy.megatron import megatron
from reportgen.accuracy.megatron_stages import chunks_of
from reportgen.accuracy.others import gradient_bytes
from reportgen.accuracy.presets import preset_for
from reportgen.accuracy.report import report_on
from reportgen.accuracy.shape import shape_of
from reportgen.accuracy.tuning import method_of, quantised_bytes, rank_of, stays_in_16_bits, tuning
from reportgen.model.inputs_frameworks import FRAMEWORK_NAMES
from tests.accuracy.tables import row


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("4096", 4096),
        ("4,096", 4096),
        ("2.0", 2),
        ("<= 1034 (longest sample)", 1034),
        ("1e3", 1000),
        ("3x2", None),
        ("MLA", None),
        ("1e999", None),
        ("1,5", None),  # a decimal comma is no thousands' mark
        ("10000", 10000),
        ("1,024,000", 1_024_000),
    ],
)
def test_number_may_have_a_bound_before_it_and_brackets_behind(words: str, expected: float | None) -> None:
    assert as_number(words) == expected


@pytest.mark.parametrize(
    ("framework", "profile"),
    [
        ("nanotron", "nanotron"),
        ("Megatron-LM", "megatron-lm"),
        ("Megatron-DeepSpeed", "megatron-lm"),
        ("torchtitan", "torchtitan"),
        ("torchtune", "transformers"),
        ("litgpt", "transformers"),
        ("InternEvo", "deepspeed"),
        ("DeepSpeed", "deepspeed"),
        ("something new", "textbook"),
        ("", "textbook"),
    ],
)
def test_every_framework_has_a_profile_and_a_reason(framework: str, profile: str) -> None:
    reading = reading_of(framework)
    assert reading.read(row(framework=framework)).profile == profile
    assert reading.reason


def test_blank_sizes_come_from_the_preset_of_that_name() -> None:
    shape = shape_of(row(model="meta-llama/Llama-3.1-8B-Instruct", layers="", hidden="", heads="", kv_heads="", ffn=""))
    assert (shape["layer_count"], shape["hidden_size"], shape["kv_head_count"], shape["ffn_size"]) == (
        32,
        4096,
        8,
        14336,
    )


def test_size_that_the_row_gives_stands_before_the_preset() -> None:
    assert shape_of(row(model="llama3.1-8b", layers="2"))["layer_count"] == 2


def test_name_that_only_resembles_a_preset_is_none() -> None:
    assert preset_for("StableLM-Base-Alpha-3B") is None


def test_row_without_sizes_and_without_a_preset_is_incomplete() -> None:
    with pytest.raises(IncompleteError) as told:
        shape_of(row(model="unheard-of", layers="", ffn=""))
    assert str(told.value) == "incomplete: layers, ffn blank, and no preset of this model in the catalogue"


def test_zero_is_no_size() -> None:
    with pytest.raises(NotEstimatedError, match='layers is "0"; expected a whole number from 1'):
        shape_of(row(model="llama3.1-8b", layers="0"))


@pytest.mark.parametrize("words", ["9" * 5000, "²", "[1]*" + "9" * 5000, "8+" + "9" * 5000 + "shared"])
def test_numbers_beyond_every_run_are_told_and_never_fail(words: str) -> None:
    for column in ("gpus", "layers", "experts", "moe_layer_freq", "notes"):
        judged = report_on([row(**{"experts": "8", column: words})])
        assert judged.total.count + len(judged.refused) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        '{"a":' + "[" * 100_000,
        '{"model-provider": ["vlm"]}',
        '{"num-virtual-stages-per-pipeline-rank": -3}',
        '{"num-layers-per-virtual-pipeline-stage": 0.5}',
        '{"make-vocab-size-divisible-by": 1e308}',
        '{"pipeline-model-parallel-layout": "' + "(t*999)*999" * 100 + '"}',
    ],
)
def test_arguments_that_make_no_sense_refuse_their_row(arguments: str) -> None:
    (refused,) = report_on([row(framework="megatron", pp="2", raw_args=arguments)]).refused
    assert str(refused.reason)


def test_megatron_bridge_takes_what_its_recipe_sets_unless_the_row_has_arguments() -> None:
    cells = {"framework": "megatron", "source": "NVIDIA-NeMo/Megatron-Bridge skills", "model": "Moonlight-16B-A3B"}
    names = ("gradient_bytes_per_parameter", "optimizer", "loss_head")
    rows = (row(**cells), row(**cells, raw_args='{"bf16": true}'), row(**{**cells, "model": "llama3-8b"}))
    found = [tuple(megatron(entry).inputs.get(name) for name in names) for entry in rows]
    assert found == [(2, "adamw bf16", "fused"), (4, None, "vocabulary-parallel"), (4, None, "vocabulary-parallel")]


def test_instances_of_the_optimizer_share_the_copies_evenly() -> None:
    cells = {"framework": "megatron", "dp": "8", "sharding": "distributed optimizer"}
    inputs = megatron(row(**cells, raw_args='{"num-distributed-optimizer-instances": 2}')).inputs
    assert inputs["shard_group_size"] == 4
    with pytest.raises(NotEstimatedError, match="3 instances of the optimizer do not share 8 GPUs evenly"):
        megatron(row(**cells, raw_args='{"num-distributed-optimizer-instances": 3}'))


def test_sharded_state_needs_to_know_over_how_many_gpus() -> None:
    with pytest.raises(IncompleteError) as told:
        megatron(row(framework="megatron", dp="", sharding="distributed optimizer"))
    assert str(told.value) == "incomplete: gpus and dp are blank, and state is split over them"


def test_unsharded_state_does_not_need_the_number_of_gpus() -> None:
    assert megatron(row(framework="megatron", dp="", sharding="none")).inputs["gpu_count"] == 1


def test_cell_that_is_no_number_names_itself() -> None:
    with pytest.raises(NotEstimatedError) as told:
        shape_of(row(layers="3x2"))
    assert str(told.value) == 'layers is "3x2"; expected a whole number from 1 to 1,000,000,000'


def test_experts_with_a_pattern_stand_in_the_layers_that_it_marks() -> None:
    shape = shape_of(row(layers="3", experts="8+2shared", topk="2", expert_ffn="128", moe_layer_freq="([0]*1+[1]*2)"))
    assert (shape["expert_count"], shape["experts_per_token"], shape["shared_ffn_size"]) == (8, 2, 2 * 128)
    assert shape["kind_override"][:4] == ("dense", "experts", "experts", "as rule")
    assert shape["kind_mlp"][:2] == ("dense", "experts")


def test_pattern_that_does_not_fit_the_layers_is_told() -> None:
    with pytest.raises(NotEstimatedError) as told:
        pattern_of("([0]*3+[1]*11)", 13)
    assert str(told.value) == "moe_layer_freq does not name 13 layers: ([0]*3+[1]*11)"


def test_latent_attention_is_read_from_its_ranks() -> None:
    shape = shape_of(
        row(kv_lora_rank="512", q_lora_rank="1536", qk_head_dim="128", qk_pos_head_dim="64", v_head_dim="128")
    )
    assert (shape["head_size"], shape["value_head_size"], shape["kv_head_count"]) == (192, 128, 4)
    assert shape["kind_attention"][0] == "latent"


def test_layout_of_a_pipeline_is_spelled_out_into_chunks() -> None:
    spelled = chunks_of({"pipeline-model-parallel-layout": "Et*2|(tt|)*5t|tmL"})
    assert spelled == ("Ett", "tt", "tt", "tt", "tt", "tt", "t", "tmL")


@pytest.mark.parametrize(
    ("layout", "reason"),
    [
        ("Et|tttL", "a layout of 4 layers, for a model of 2"),
        ("Et|t|L", "a layout of 3 chunks does not fit 2 stages"),
    ],
)
def test_layout_that_does_not_fit_the_model_or_its_stages_is_told(layout: str, reason: str) -> None:
    arguments = json.dumps({"pipeline-model-parallel-layout": layout})
    with pytest.raises(NotEstimatedError, match=reason):
        megatron(row(framework="megatron", pp="2", raw_args=arguments))


def test_head_that_nobody_sizes_is_an_even_share_of_the_width() -> None:
    assert shape_of(row(head_dim="", hidden="96"))["head_size"] == 24
    with pytest.raises(IncompleteError, match="head_dim is blank, and 4 heads do not divide a width of 98"):
        shape_of(row(head_dim="", hidden="98"))


def test_latent_attention_of_a_preset_has_keys_for_each_query_head_whatever_the_table_says() -> None:
    assert shape_of(row(model="Moonlight-16B-A3B", heads="16", kv_heads="1"))["kv_head_count"] == 16


def test_megatron_arguments_that_are_no_json_are_told() -> None:
    with pytest.raises(NotEstimatedError) as told:
        megatron(row(framework="megatron", raw_args="{"))
    assert str(told.value) == 'raw_args is "{"; expected a JSON object of arguments'


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"hybrid-layer-pattern": "M*M"}, "state-space layers: what they keep for the backward pass is not known"),
        ({"encoder-num-layers": 12}, "an encoder beside the decoder: not a decoder alone"),
        ({"model-provider": "vlm"}, "a model of several parts (vlm): not a decoder alone"),
    ],
)
def test_megatron_model_of_another_kind_is_refused_with_the_reason(arguments: dict[str, object], reason: str) -> None:
    with pytest.raises(NotEstimatedError) as told:
        megatron(row(framework="megatron", raw_args=json.dumps(arguments)))
    assert str(told.value) == reason


def test_fine_tuning_method_is_read_from_the_words_of_the_row() -> None:
    rows = [row(), row(notes="LoRA"), row(notes="PEFT", precision="bf16-true + bnb.nf4"), row(precision="QLoRA nf4")]
    assert [method_of(entry) for entry in rows] == ["full", "lora", "qlora", "qlora"]


def test_rank_is_the_one_stated_or_the_tools_own() -> None:
    tools = ("transformers", "litgpt", "another")
    assert [rank_of(row(framework=tool)) for tool in tools] == [64, 8, 16]
    assert rank_of(row(notes="LoRA r=32")) == 32


def test_four_bit_weights_carry_the_constants_of_their_format() -> None:
    formats = ("bf16-true + bnb.nf4", "bf16-true + bnb.nf4-dq", "int4 base (gptq) fp16")
    assert [quantised_bytes(words) for words in formats] == [
        0.5 + 4 / 64,
        0.5 + 1 / 64 + 4 / (64 * 256),
        0.5 + 2.5 / 128,
    ]


def test_figure_divided_by_a_billion_is_in_decimal_gigabytes() -> None:
    assert measured_bytes(row(peak_mem_GiB="2", peak_kind="torch allocated/1e9")) == 2e9
    assert measured_bytes(row(peak_mem_GiB="2")) == 2 * 2**30


def test_card_is_found_by_its_number() -> None:
    assert card_bytes("H100-80GB SXM (8/node)") == 81559 * 2**20
    assert card_bytes("an abacus") == float("inf")


def test_paged_optimizer_lies_off_the_gpu_and_takes_a_byte_each() -> None:
    inputs = tuning(row(framework="torchtune", optimizer="PagedAdamW8bit, optimizer_in_bwd")).inputs
    assert (inputs["optimizer"], inputs["optimizer_offload"]) == ("adamw 8-bit", "host memory")
    assert inputs["gradient_bytes_per_parameter"] == 0


def test_torchtune_copies_one_chunk_of_eight_to_fp32() -> None:
    column = tuning(row(framework="torchtune")).inputs["framework_logit_column"]
    assert column[FRAMEWORK_NAMES.index("transformers")] == 2 + (4 + 4 + 4) / 8


def test_deepspeed_with_megatron_holds_gradients_in_both_widths_unless_fp32_ones_are_sharded() -> None:
    runs = [("bf16", "ZeRO-1"), ("fp16", "ZeRO-0"), ("fp16", "ZeRO-1")]
    assert [gradient_bytes(row(precision=precision, sharding=sharding)) for precision, sharding in runs] == [6, 6, 2]


def test_litgpt_holds_whole_weights_beside_its_shards_while_it_loads() -> None:
    loaded = row(framework="litgpt", sharding="FSDP", dp="4", notes="PEFT", precision="bf16-true", recompute="full")
    assert tuning(loaded).loading_bytes_per_parameter == 2 * (1 + 1 / 4)


def test_qwen_trains_embedding_and_head_whole_where_its_name_says_so() -> None:
    assert tuning(row(framework="transformers", name="LoRA (emb)")).beside == 12 * 2 * 1000 * 64


def test_loss_stays_in_16_bits_under_deepspeed_without_autocast() -> None:
    runs = [("bf16", 3), ("int4 base (GPTQ) fp16", 0), ("bf16", 0)]
    sharded = [stays_in_16_bits(row(precision=words, sharding="DeepSpeed ZeRO-3"), stage) for words, stage in runs]
    assert sharded == [True, True, False]


@pytest.mark.parametrize("column", ["layers", "hidden", "heads"])
def test_size_that_is_no_whole_number_refuses_its_row(column: str) -> None:
    with pytest.raises(NotEstimatedError, match=f'{column} is "0.5"; expected a whole number'):
        shape_of(row(**{column: "0.5"}))


@pytest.mark.parametrize("value", ['"x"', "1e400"])
def test_expert_size_that_is_no_number_refuses_its_row(value: str) -> None:
    with pytest.raises(NotEstimatedError, match=r"raw_args: expert-tensor-parallel-size is .*; expected a number"):
        megatron(row(framework="megatron", raw_args=f'{{"expert-tensor-parallel-size": {value}}}'))


def test_control_characters_of_a_cell_do_not_reach_the_terminal() -> None:
    assert row(name="a\x1b[31mb").name == "a [31mb"
