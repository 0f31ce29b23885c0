"""Whatever a file or a setting holds, a person gets faults and never a traceback."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reportgen
from reportgen.errors import ReportgenError, ScenarioError
from reportgen.model import estimator
from reportgen.remedies import remedies
from reportgen.scenario.load import load_text
from reportgen.scenario.settings import with_settings

BASE = reportgen.load("scenarios/llama3-70b-8k.yaml")
NAMES = sorted(name for name, entry in estimator().inputs.items() if entry.section != "catalogue")
ROWS = sorted(name for name, entry in estimator().inputs.items() if entry.axis is not None)

awkward = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.integers(-3, 300),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from(["", "80", "1e12", "=1+1", "#REF!", "none", "NONE", "as rule", "*", "?", "\u202e", "x" * 300]),
    st.lists(st.integers(0, 3), max_size=3),
    st.dictionaries(st.sampled_from(["0", "17", "local", "x"]), st.integers(0, 9), max_size=2),
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(changes=st.dictionaries(st.sampled_from(NAMES), awkward, min_size=1, max_size=4))
def test_any_change_is_estimated_or_refused(changes: dict[str, Any]) -> None:
    try:
        result = reportgen.estimate(BASE.with_inputs(**changes))
    except ScenarioError as error:
        assert all(fault.found and fault.expected and fault.remedy for fault in error.faults)
    else:
        assert result["peak_memory_bytes"] > 0


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    section=st.sampled_from(["model", "layers", "hardware", "run", "time", "checkpoint", "cost", "memo", "x"]),
    key=st.sampled_from([*NAMES, "preset", "to", "bogus"]),
    value=st.sampled_from(
        "1 -1 0 1e400 nan 1.5 {} [] [[1]] {low:1} '=cmd' ~ yes *a {1:2} \"\\0\" 2026-11-30 | <<".split()
    ),
)
def test_any_line_of_a_file_is_taken_or_refused(section: str, key: str, value: str) -> None:
    text = f"title: x\ndate: 2026-11-30\nmodel:\n  preset: llama3-8b\n{section}:\n  {key}: {value}\n"
    try:
        load_text(text, "hostile.yaml")
    except ScenarioError as error:
        assert all(str(fault).startswith("hostile.yaml") for fault in error.faults)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(text=st.text(max_size=200))
def test_any_text_is_refused_with_faults(text: str) -> None:
    with pytest.raises(ScenarioError):
        load_text(text, "hostile.yaml")


@settings(max_examples=200, deadline=None, derandomize=True)
@given(name=st.sampled_from([*ROWS, "gpu_count", "bogus"]), row=st.text(max_size=5), value=st.text(max_size=8))
def test_any_setting_is_taken_or_refused(name: str, row: str, value: str) -> None:
    try:
        with_settings(BASE, [f"{name}[{row}]={value}"])
    except ReportgenError as error:
        assert error.faults


@pytest.mark.parametrize(
    "changes",
    [
        {"hidden_size": 2**20, "ffn_size": 2**22, "layer_count": 256, "vocabulary_size": 2**24},
        {"training_tokens": 1e18, "flops_utilization": 0.001, "goodput_fraction": 0.01},
        {"sequence_length": 2**27, "flash_attention": "off"},
        {"gpu_count": 2**22, "global_batch_size": 2**24},
        {"price_override": 0, "contingency_fraction": 10},
        {"gpu_count": 1, "tensor_parallel": 1, "pipeline_stages": 1, "deadline_days": 0.01},
    ],
)
def test_the_limits_are_estimated(changes: dict[str, Any]) -> None:
    result = reportgen.estimate(BASE.with_inputs(**changes))
    assert result["peak_memory_bytes"] > 0
    assert isinstance(remedies(result), tuple)
