"""What cannot be counted is refused: what was found, what was expected, what it resembles; never a traceback."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.architecture import Config, count, read_config
from reportgen.architecture.as_json import counts_as_json
from reportgen.architecture.config import MAX_BYTES
from reportgen.architecture.expression import UnknownValueError
from reportgen.architecture.load_families import shelf
from reportgen.architecture.names import Names, key_names, read_keys
from reportgen.errors import ReportgenError

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


FAMILIES = {family.name: family for family in shelf().families}


def config(values: dict[str, Any]) -> Config:
    return Config(where="config.json", values=values, outer=values)


def refusal(values: dict[str, Any]) -> str:
    with pytest.raises(ReportgenError) as caught:
        count(config(values))
    return str(caught.value)


def reading_refusal(directory: Path, text: str | bytes) -> str:
    file = directory / "config.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ReportgenError) as caught:
        read_config(file)
    return str(caught.value).replace(str(file), "config.json")


def test_an_unknown_family_is_refused_with_what_it_resembles() -> None:
    assert refusal({**LLAMA, "model_type": "lama3"}) == (
        "config.json: found 'lama3', which is no known family (its keys resemble llama, its name llama);"
        " expected a family whose tensors are known;"
        " set architectures or model_type to a known family if the model is built like it"
    )


def test_a_file_without_a_name_is_refused() -> None:
    assert refusal({"colour": "blue"}) == (
        "config.json: found neither architectures nor model_type, which is no known family"
        " (its keys resemble no family); expected a family whose tensors are known;"
        " set architectures or model_type to a known family if the model is built like it"
    )


def test_all_missing_sizes_are_named_at_once() -> None:
    without_widths = {key: value for key, value in LLAMA.items() if key not in {"hidden_size", "intermediate_size"}}
    expected = "expected the sizes of a llama model; add it from the config.json that was published with the model"
    assert [
        f"config.json: found no hidden_size or n_embd or n_embed or d_model or dim or model_dim; {expected}",
        f"config.json: found no intermediate_size or n_inner or ffn_dim or ffn_hidden_size; {expected}",
    ] == sorted(refusal(without_widths).splitlines())


SIZE = "a whole number from 1 to 2,147,483,648"


@pytest.mark.parametrize(
    ("key", "value", "found", "expected"),
    [
        ("hidden_size", -64, "-64", SIZE),
        ("hidden_size", 0, "0", SIZE),
        ("hidden_size", 10**30, str(10**30), SIZE),
        ("hidden_size", "64", '"64"', SIZE),
        ("hidden_size", True, "true", SIZE),
        ("hidden_size", 64.5, "64.5", SIZE),
        ("hidden_size", float("inf"), "Infinity", SIZE),
        ("num_attention_heads", 0, "0", SIZE),
        ("num_attention_heads", [4], "[4]", SIZE),
        ("num_key_value_heads", 0, "0", f"{SIZE}, or null"),
        ("head_dim", 0, "0", f"{SIZE}, or null"),
        ("num_hidden_layers", 0, "0", SIZE),
        ("num_hidden_layers", 2.5, "2.5", SIZE),
    ],
)
def test_a_size_is_a_whole_number_from_1(key: str, value: Any, found: str, expected: str) -> None:
    assert (f"config.json: found {key}: {found}; expected {expected}; correct the value in the config.json") == refusal(
        {**LLAMA, key: value}
    )


def test_more_layers_than_any_model_has_are_refused() -> None:
    assert refusal({**LLAMA, "num_hidden_layers": 10**9}) == (
        "config.json: found 1,000,000,000 layers; expected 1 to 4,096 layers; correct the value in the config.json"
    )


def test_a_null_where_a_size_is_needed_is_a_missing_size() -> None:
    assert refusal({**LLAMA, "hidden_size": None}) == (
        "config.json: found hidden_size: null; expected the sizes of a llama model;"
        " add it from the config.json that was published with the model"
    )


NO_FLAGS: list[Any] = ["false", "true", "", [], [True], {}, {"value": True}, 3.7, 0, 1]


@pytest.mark.parametrize("value", NO_FLAGS, ids=repr)
@pytest.mark.parametrize("key", ["tie_word_embeddings", "attention_bias", "mlp_bias"])
def test_a_flag_is_true_or_false_and_nothing_that_only_looks_like_it(key: str, value: Any) -> None:
    assert (
        f"config.json: found {key}: {json.dumps(value)}; expected true or false; correct the value in the config.json"
    ) == refusal({**LLAMA, key: value})


@pytest.mark.parametrize(
    ("family", "key"),
    [
        (family.name, name)
        for family in shelf().families
        for name in sorted(read_keys(family))
        if family.kinds[name].text == "flag" and not family.keys.get(name, (name,))[0].startswith("outer.")
    ],
)
def test_every_flag_of_every_family_refuses_text_wherever_it_reads_it(family: str, key: str) -> None:
    names = Names(family=FAMILIES[family], config=config({FAMILIES[family].keys.get(key, (key,))[0]: "false"}))
    with pytest.raises(UnknownValueError):
        names.named(key)
    assert [fault.expected for fault in names.faults.values()] == ["true or false"]


DEEPSEEK: dict[str, Any] = {
    **{key: value for key, value in LLAMA.items() if key != "num_key_value_heads"},
    "model_type": "deepseek_v3",
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
QWEN: dict[str, Any] = {
    **LLAMA,
    "model_type": "qwen3_moe",
    "head_dim": 16,
    "num_experts": 8,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 20,
    "decoder_sparse_step": 1,
    "attention_bias": False,
}
JAMBA: dict[str, Any] = {**LLAMA, "model_type": "jamba", "attn_layer_period": 3, "attn_layer_offset": 1}


@pytest.mark.parametrize("value", [3.7, 1.5, "1", True, -1], ids=repr)
@pytest.mark.parametrize(
    ("values", "key"),
    [
        (DEEPSEEK, "moe_layer_freq"),
        (DEEPSEEK, "first_k_dense_replace"),
        (DEEPSEEK, "n_shared_experts"),
        (QWEN, "decoder_sparse_step"),
        (JAMBA, "attn_layer_period"),
        (JAMBA, "attn_layer_offset"),
        (JAMBA, "expert_layer_period"),
    ],
)
def test_what_tells_layers_apart_is_whole(values: dict[str, Any], key: str, value: Any) -> None:
    assert f"config.json: found {key}: {json.dumps(value)}; expected a whole number from" in refusal(
        {**values, key: value}
    )


@pytest.mark.parametrize("value", [7, 3, 8, 128])
def test_key_heads_divide_the_heads(value: int) -> None:
    assert refusal({**LLAMA, "num_key_value_heads": value}) == (
        f"config.json: found num_key_value_heads: {value}, num_attention_heads: 4;"
        " expected key and value heads that divide the heads; correct the values in the config.json"
    )


def test_heads_divide_the_width_where_the_file_gives_no_head_size() -> None:
    uneven = {**LLAMA, "num_attention_heads": 63, "num_key_value_heads": 63}
    assert refusal(uneven) == (
        "config.json: found 64 / 63, which leaves a remainder (hidden_size: 64, num_attention_heads: 63);"
        " expected heads that divide the width of the model, or a head_dim of their own;"
        " correct the value in the config.json"
    )
    # With a size of their own, 63 heads of 2 are 126 wide: 4 projections of 126 x 64.
    found = count(config({**uneven, "head_dim": 2}))
    assert found.layer_parameters(0) == 4 * 126 * 64 + 3 * 64 * 160 + 2 * 64


@pytest.mark.parametrize("value", [0, -1, "24", 2.5])
def test_a_query_latent_is_a_size_or_null(value: Any) -> None:
    assert f"q_lora_rank: {json.dumps(value)}; expected {SIZE}, or null" in refusal({**DEEPSEEK, "q_lora_rank": value})


def test_a_token_has_at_most_as_many_experts_as_there_are() -> None:
    assert refusal({**DEEPSEEK, "num_experts_per_tok": 9}) == (
        "config.json: found n_routed_experts: 8, num_experts_per_tok: 9;"
        " expected at most as many experts for a token as there are; correct the values in the config.json"
    )


def test_dense_layers_are_at_most_all_layers() -> None:
    assert refusal({**DEEPSEEK, "first_k_dense_replace": 4}) == (
        "config.json: found first_k_dense_replace: 4, num_hidden_layers: 3;"
        " expected at most as many dense layers as layers; correct the values in the config.json"
    )
    assert {kind.name for kind in count(config({**DEEPSEEK, "first_k_dense_replace": 3})).kinds} == {
        "latent attention + feed-forward"
    }


@pytest.mark.parametrize("model_type", ["llama", "gemma2", "qwen2", "olmo3"])
@pytest.mark.parametrize("entries", [0, 1, 2, 4])
def test_a_list_of_layers_has_one_entry_for_each(model_type: str, entries: int) -> None:
    values = {**LLAMA, "model_type": model_type, "layer_types": ["full_attention"] * entries}
    assert refusal(values) == (
        f"config.json: found layer_types: {entries} entries; expected one for each of the 3 layers;"
        " correct the value in the config.json"
    )


def test_a_list_may_go_on_for_the_prediction_layers() -> None:
    plain = count(config({**DEEPSEEK, "moe_layer_freq": [0, 1, 1]}))
    longer = count(config({**DEEPSEEK, "moe_layer_freq": [0, 1, 1, 1], "num_nextn_predict_layers": 1}))
    assert (plain.total, plain.layers) == (longer.total, longer.layers)
    assert "moe_layer_freq: 4 entries" in refusal({**DEEPSEEK, "moe_layer_freq": [0, 1, 1, 1]})


@pytest.mark.parametrize("key", ["layer_types", "mlp_layer_types"])
@pytest.mark.parametrize("entry", ["foo", "", None, 1, ["full_attention"]], ids=repr)
def test_an_unknown_sort_of_layer_is_refused(key: str, entry: Any) -> None:
    assert f"config.json: found {key}: " in refusal({**LLAMA, key: [entry] * 3})


def test_a_letter_of_no_block_is_refused() -> None:
    assert 'hybrid_override_pattern: "MX*"; expected a text of the letters M*-E' in refusal(
        {**LLAMA, "model_type": "nemotron_h", "hybrid_override_pattern": "MX*"}
    )


def test_an_offset_beyond_its_period_is_refused() -> None:
    assert "found attn_layer_offset: 3, attn_layer_period: 3; expected an offset of attention layers below" in refusal(
        {**JAMBA, "attn_layer_offset": 3}
    )


def test_all_faults_are_told_at_once_and_each_where_it_stands() -> None:
    inner = {**DEEPSEEK, "hidden_size": -3, "moe_layer_freq": 1.5, "attention_bias": "no", "v_head_dim": None}
    del inner["vocab_size"]
    faults = refusal({"architectures": ["UnheardOfForVision"], "text_config": {**inner, "q_lora_rank": 0}})
    assert sorted(line.split("; ")[0] for line in faults.splitlines()) == [
        'config.json: found text_config.attention_bias: "no"',
        "config.json: found text_config.hidden_size: -3",
        "config.json: found text_config.moe_layer_freq: 1.5",
        "config.json: found text_config.q_lora_rank: 0",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{", "config.json:1: found text that is no JSON"),
        ("[1]", "config.json: found JSON of type list; expected one JSON object with the model's sizes"),
        ('{"a": 1, "a": 2}', "config.json: found 'a' twice in one object; expected each key once"),
        ('{"a": NaN}', "config.json: found NaN; expected a number"),
        ('{"a": ' + "9" * 5000 + "}", "config.json: found a number of 5,000 digits; expected numbers of at most 40"),
        (
            '{"a":' + "[" * 60 + "]" * 60 + "}",
            "config.json: found values nested more than 40 deep; expected at most 40",
        ),
        ('{"a":' + "[" * 10**5 + "]" * 10**5 + "}", "config.json: found values nested more than 40 deep"),
        (b"\xff\xfe{}", "config.json: found a byte that is no UTF-8 at position 0; expected JSON in UTF-8"),
        (b" " * (MAX_BYTES + 1), "config.json: found more than 4,000,000 bytes; expected a config.json of at most"),
    ],
    ids=["broken", "list", "twice", "nan", "digits", "nested", "deep", "bytes", "large"],
)
def test_a_file_that_is_no_config_is_refused(tmp_path: Path, text: str | bytes, found: str) -> None:
    assert found == reading_refusal(tmp_path, text)[: len(found)]


def test_infinity_is_read_because_published_files_hold_it(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps({**LLAMA, "time_step_limit": [0.0, float("inf")]}))
    assert read_config(file).get("time_step_limit") == [0.0, float("inf")]


def test_many_files_are_counted_and_each_failure_stands_in_its_place(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(LLAMA))
    bad.write_text("{}")
    entries = counts_as_json([good, bad, tmp_path / "none.json"])
    assert [str(good), str(bad), str(tmp_path / "none.json")] == [entry["file"] for entry in entries]
    assert ["total" in entry for entry in entries] == [True, False, False]
    assert ["error" in entry for entry in entries] == [False, True, True]
    assert entries == json.loads(json.dumps(entries))


NONSENSE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@given(key=st.sampled_from([*LLAMA, "head_dim", "layer_types", "text_config", "architectures"]), value=NONSENSE)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_no_value_ends_in_anything_but_a_count_or_a_refusal(key: str, value: Any) -> None:
    with suppress(ReportgenError):
        assert count(config({**LLAMA, key: value})).total > 0


FULL = [LLAMA, DEEPSEEK, QWEN, JAMBA]
KEYS = [
    (values, key)
    for values in FULL
    for key in sorted(key_names(shelf().by_model_type[values["model_type"]]))
    if "." not in key
]


@given(place=st.sampled_from(KEYS), value=NONSENSE)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_no_value_of_any_key_that_a_family_reads_ends_in_a_traceback(
    place: tuple[dict[str, Any], str], value: Any
) -> None:
    values, key = place
    with suppress(ReportgenError):
        assert count(config({**values, key: value})).total > 0


@pytest.mark.parametrize("value", ["foo", [["foo"]], {"a": 1}, 3, None], ids=repr)
def test_a_list_of_layers_that_nothing_reads_is_passed_over(value: Any) -> None:
    lfm = {**LLAMA, "model_type": "lfm2", "layer_types": ["conv"] * 3, "full_attn_idxs": [value]}
    assert count(config(lfm)).total > 0
