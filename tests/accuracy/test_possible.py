"""Runs that cannot have been are listed with the words of the estimator's check; what frameworks do is let pass."""

from __future__ import annotations

import json

import pytest

from reportgen.accuracy.cells import IncompleteError, NotEstimatedError
from reportgen.accuracy.possible import JUDGED, REAL_RUNS_HAVE, faults
from reportgen.accuracy.predict import compare
from reportgen.model import estimator
from tests.accuracy.tables import row

# Eight experts of a width of 128, two for each token, and four copies of the model.
EXPERTS = {"experts": "8", "topk": "2", "expert_ffn": "128", "dp": "4"}


@pytest.mark.parametrize(
    ("cells", "broken"),
    [
        ({"tp": "3"}, "heads_split_evenly"),
        ({"pp": "3"}, "stages_have_layers"),
        ({"pp": "64", "layers": "32"}, "stages_have_layers"),
        ({"heads": "12", "kv_heads": "3", "tp": "2", "hidden": "192"}, "kv_heads_split_evenly"),
        ({"kv_heads": "3"}, "heads_group_evenly"),
        ({"kv_heads": "8"}, "heads_group_evenly"),
        ({"tp": "2", "ffn": "255"}, "ffn_splits_evenly"),
        ({"cp": "3"}, "sequence_splits_evenly"),
        ({"gbs": "3", "mbs": "2"}, "batch_divides_evenly"),
        ({"gbs": "12", "mbs": "2", "dp": "8"}, "batch_divides_evenly"),
        ({"gbs": "1", "mbs": "2"}, "every_copy_has_work"),
        ({"ep": "2", "dp": "2"}, "expert_parallelism_has_experts"),
        ({**EXPERTS, "ep": "3", "dp": "3"}, "experts_share_out_evenly"),
        ({**EXPERTS, "ep": "8"}, "experts_find_their_ranks"),
        ({**EXPERTS, "topk": "9"}, "tokens_find_enough_experts"),
        (
            {**EXPERTS, "framework": "megatron", "expert_ffn": "129", "expert_tensor_parallel": "2"},
            "experts_split_evenly",
        ),
        ({"framework": "transformers", "notes": "LoRA r=64"}, "adapters_are_narrower_than_the_model"),
    ],
)
def test_run_that_cannot_have_been_is_told_in_the_words_of_the_check(cells: dict[str, str], broken: str) -> None:
    (check,) = (check for check in faults() if check.name == broken)
    with pytest.raises(NotEstimatedError) as told:
        compare(row(**cells))
    assert not isinstance(told.value, IncompleteError)
    assert str(told.value).startswith("what does not hold: ")
    assert f"{check.description} {check.remedy}" in str(told.value)


def test_size_beyond_the_estimators_inputs_is_told_with_what_it_may_be() -> None:
    with pytest.raises(NotEstimatedError) as told:
        compare(row(pp="65"))
    assert str(told.value) == "pipeline_stages is 65; expected a whole number from 1 to 64"


def test_faults_that_real_runs_have_are_faults_of_the_estimator() -> None:
    judged = {check.name for check in estimator().checks if check.function.__module__ in JUDGED}
    assert judged >= REAL_RUNS_HAVE
    assert not REAL_RUNS_HAVE & {check.name for check in faults()}


def test_interleaved_chunks_take_groups_of_any_size() -> None:
    # Four layers on two stages, one to a chunk, and three micro-batches: a group of three.
    arguments = json.dumps({"num-layers-per-virtual-pipeline-stage": 1})
    assert compare(row(framework="megatron", layers="4", pp="2", gbs="3", raw_args=arguments)).estimated > 0
