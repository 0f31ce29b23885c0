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


def refusal(values: dict[str, Any]) -> str:
    with pytest.raises(ReportgenError) as caught:
        count(Config(where="config.json", values=values, outer=values))
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


@pytest.mark.parametrize(
    ("key", "value", "found"),
    [
        ("hidden_size", -64, "hidden_size: -64, where 0 to 2,147,483,648 is possible"),
        ("hidden_size", 10**30, f"hidden_size: {10**30}, where 0 to 2,147,483,648 is possible"),
        ("hidden_size", "64", "'64' for hidden_size, which must be a whole number from 1"),
        ("hidden_size", True, "True for hidden_size, which must be a whole number from 1"),
        ("hidden_size", 64.5, "64.5 for hidden_size, which must be a whole number from 1"),
        ("hidden_size", float("inf"), "hidden_size: inf, where 0 to 2,147,483,648 is possible"),
        ("hidden_size", None, "None for hidden_size, which must be a whole number from 1"),
        ("num_hidden_layers", 10**9, "1000000000 layers, where 1 to 4,096 are possible"),
        ("num_hidden_layers", 0, "0 layers, where 1 to 4,096 are possible"),
        ("num_attention_heads", 0, "64 and 0 with the result “integer division or modulo by zero”"),
        ("num_attention_heads", [4], "[4] where a number is needed"),
    ],
)
def test_an_impossible_value_is_said(key: str, value: Any, found: str) -> None:
    assert (
        f"config.json: found {found}; expected the sizes of a model; correct the value in the config.json"
    ) == refusal({**LLAMA, key: value})


def test_a_list_shorter_than_the_layers_is_said() -> None:
    gemma = {**LLAMA, "model_type": "gemma2", "layer_types": ["full_attention"]}
    assert refusal(gemma) == (
        "config.json: found a list of 1 entries where entry 2 is needed;"
        " expected the sizes of a model; correct the value in the config.json"
    )


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
    values = {**LLAMA, key: value}
    with suppress(ReportgenError):
        assert count(Config(where="config.json", values=values, outer=values)).total > 0
