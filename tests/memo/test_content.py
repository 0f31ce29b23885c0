"""Values to sentences: what a memo says over the whole range, and that no sentence contradicts its numbers."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from reportgen import Result, estimate, load
from reportgen.errors import ScenarioError
from reportgen.memo.content import memo_of
from reportgen.memo.content.assumptions import assumptions
from reportgen.memo.content.checkpoints import checkpoints
from reportgen.memo.content.cost import cost
from reportgen.memo.content.decision import decision
from reportgen.memo.content.demand import demand
from reportgen.memo.content.key_figures import key_figures
from reportgen.memo.content.memory import memory, stages_to_print
from reportgen.memo.content.options import options
from reportgen.memo.content.parts import STAGE_PARTS
from reportgen.memo.content.risks import risks
from reportgen.memo.content.say import Teller
from reportgen.memo.content.training_time import counts_around, sensitivity, training_time, utilizations_around
from reportgen.memo.content.words import plain
from reportgen.memo.document import Printed, Section
from reportgen.resources import scenarios_directory
from reportgen.scenario.scenario import ConfiguredModel, Scenario
from tests.memo.reading import disagreement, printed_in

TINY = {
    "layer_count": 4, "hidden_size": 256, "head_count": 4, "kv_head_count": 4, "head_size": 64, "ffn_size": 1024,
    "vocabulary_size": 1000, "gpu_count": 1, "gpus_per_node": 1, "tensor_parallel": 1, "pipeline_stages": 1,
    "zero_stage": 0, "global_batch_size": 8, "training_tokens": 1e7, "sequence_length": 512, "price_override": 0,
}  # fmt: skip
DEEP = {"layer_count": 128, "pipeline_stages": 64, "gpu_count": 1024, "global_batch_size": 256}
HOPELESS = {
    "layer_count": 128, "hidden_size": 32768, "head_count": 256, "kv_head_count": 32, "ffn_size": 131072,
    "gpu_count": 8, "pipeline_stages": 1, "global_batch_size": 1, "training_tokens": 15e12, "zero_stage": 3,
}  # fmt: skip
BARELY = {"accelerator_memory_override": 41e9}
OVER = {"accelerator_memory_override": 30e9}
IDS = ["plan", "tiny", "deep", "hopeless", "barely", "over", "stored scores"]
STORED_SCORES = {"flash_attention": "off", "sequence_length": 2048, "global_batch_size": 4096}


@cache
def base() -> Scenario:
    return load(scenarios_directory() / "llama3-70b-8k.yaml")


def result(**changes: Any) -> Result:
    return estimate(base().with_inputs(**changes))


def said(section: Section) -> str:
    """All paragraphs of a section as text, with plain spaces."""
    return spaced(" ".join(plain(paragraph) for paragraph in section.paragraphs))


def spaced(words: str) -> str:
    return words.replace("\u00a0", " ")


def verdict(**changes: Any) -> str:
    return spaced(plain(decision(result(**changes)).verdict))


def asked(**changes: Any) -> str:
    return spaced(plain(decision(result(**changes)).ask))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "The run fits with 46.6 GB free on stage 0, 38.1 GB beyond the 8.55 GB kept for what is not modelled."),
        (TINY, "The run fits with 84.3 GB free on the GPU, 75.8 GB beyond the 8.55 GB kept for what is not modelled."),
        (BARELY, "The run fits barely, with 2.1 GB left on stage 0 where 4.1 GB should stay free for what is not "
                 "modelled; the smallest change that fits is full recomputation."),
        (OVER, "The run does not fit: 8.9 GB over on stage 0; the smallest change that fits is full recomputation."),
        (HOPELESS, "The run does not fit: 4.51 TB over on every GPU; no change of layout that was tried makes it fit."),
    ],
)  # fmt: skip
def test_the_verdict_on_memory_says_what_the_values_say(changes: dict[str, Any], sentence: str) -> None:
    assert verdict(**changes).startswith(sentence)


def test_a_card_that_is_filled_to_the_last_byte_leaves_nothing_to_spare() -> None:
    peak = result()["peak_memory_bytes"]
    full = {"accelerator_memory_override": peak, "memory_reserve_fraction": 0}
    assert verdict(**full).startswith("The run fits with nothing to spare on stage 0.")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "It takes 26.9 days and ends 18.1 days before the deadline of 45 days."),
        ({"deadline_days": 26}, "It takes 26.9 days and misses the deadline of 26 days by 21.1 hours."),
        ({"deadline_days": 20}, "It takes 26.9 days and misses the deadline of 20 days by 6.88 days."),
        ({"training_tokens": 1e15}, "It takes 26,900 days and misses the deadline of 45 days by 26,800 days."),
        ({"training_tokens": 1e16}, "It takes 269,000 days and misses the deadline of 45 days by far."),
        (TINY, "It takes 793 ms and ends long before the deadline of 45 days."),
        (OVER, "If it fitted, it would take 26.9 days and end 18.1 days before the deadline of 45 days."),
        (OVER | {"deadline_days": 20},
         "If it fitted, it would take 26.9 days and miss the deadline of 20 days by 6.88 days."),
    ],
)  # fmt: skip
def test_the_verdict_on_time_says_what_the_values_say(changes: dict[str, Any], sentence: str) -> None:
    assert verdict(**changes).endswith(sentence)


def test_a_run_that_ends_on_the_deadline_is_neither_early_nor_late() -> None:
    days = result()["training_days"]
    assert verdict(deadline_days=days).endswith("exactly as long as the deadline allows.")


@pytest.mark.parametrize(
    ("changes", "tone"),
    [
        ({}, "favourable"),
        (BARELY, "conditional"),
        ({"deadline_days": 20}, "conditional"),
        (OVER, "adverse"),
        ({"training_tokens": 1e16}, "adverse"),
        (HOPELESS, "adverse"),
    ],
)
def test_the_tone_follows_the_values(changes: dict[str, Any], tone: str) -> None:
    assert decision(result(**changes)).tone == tone


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "Approve 512 GPUs (NVIDIA H100 SXM) for 26.9 days, 330,000 GPU-hours, at a list cost of 1.32 million "
             "USD."),
        (TINY, "Approve 1 GPU (NVIDIA H100 SXM) for 793 ms, 0.00022 GPU-hours, at a quoted cost of 0 USD."),
        (BARELY, "Approve 512 GPUs (NVIDIA H100 SXM) for 26.9 days, 330,000 GPU-hours, at a list cost of 1.32 million "
                 "USD on condition that a trial step on stage 0 confirms the peak, or with full recomputation."),
        ({"deadline_days": 20}, "Choose: 1,024 GPUs meet the deadline at a list cost of 1.32 million USD; the 512 GPUs "
                                "planned need 26.9 days at 1.32 million USD."),
        ({"training_tokens": 1e16}, "Move the deadline to 269,000 days, or raise the global batch: no count of GPUs "
                                    "that shares it evenly meets the deadline."),
        (HOPELESS, "Do not approve 8 GPUs (NVIDIA H100 SXM) for this run; ask for a plan with more memory per GPU or a "
                   "smaller model."),
    ],
)  # fmt: skip
def test_what_is_asked_follows_the_values(changes: dict[str, Any], sentence: str) -> None:
    assert asked(**changes) == sentence


def test_a_run_that_does_not_fit_is_not_approved_but_with_the_change_that_fits() -> None:
    words = asked(**OVER)
    assert words.startswith("Do not approve the layout as planned. With full recomputation it fits with")


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({}, "Activations weigh most"),
        ({"recompute": "full"}, "Gradients weigh most"),
        ({"recompute": "full", "zero_stage": 0}, "Optimizer states weigh most"),
        ({"recompute": "full", "gradient_bytes_per_parameter": 1}, "Weights weigh most"),
        (TINY, "Buffers and the framework weigh most"),
    ],
)
def test_the_part_that_weighs_most_is_named(changes: dict[str, Any], part: str) -> None:
    assert part in said(memory(result(**changes)))


@pytest.mark.parametrize("changes", [{}, TINY, DEEP, HOPELESS, {"recompute": "full"}, STORED_SCORES])
def test_the_parts_of_the_chart_add_up_to_the_peak(changes: dict[str, Any]) -> None:
    found = result(**changes)
    sums = [sum(found[part.quantity][stage] for part in STAGE_PARTS) for stage in found["stage_index"]]
    assert sums == pytest.approx(found["stage_peak_bytes"])


def test_selective_recomputation_with_flash_attention_is_said_to_save_almost_nothing() -> None:
    expected = (
        "With FlashAttention the attention scores are never stored, so selective recomputation saves almost nothing"
    )
    assert f"{expected}." in said(memory(result()))
    assert f"{expected}: the peak is 38.9 GB with it and 38.9 GB without." in said(
        memory(result(recompute="selective"))
    )


def test_selective_recomputation_without_flash_attention_is_said_to_drop_the_scores() -> None:
    assert "selective recomputation would drop them and bring the peak down to" in said(memory(result(**STORED_SCORES)))
    with_it = said(memory(result(**STORED_SCORES, recompute="selective")))
    assert "Selective recomputation drops the attention scores: without it the peak would be" in with_it


def test_full_recomputation_says_what_it_costs() -> None:
    words = said(memory(result(recompute="full")))
    assert "Full recomputation keeps each layer's input and computes the rest again, for" in words
    assert "Nothing is recomputed" not in words


@pytest.mark.parametrize(
    ("changes", "opening"),
    [
        ({}, "Of 4 stages, stage 0 is the fullest: 38.9 GB of 85.5 GB usable."),
        (TINY, "The GPU holds 1.19 GB of 85.5 GB usable."),
        ({"pipeline_stages": 1, "gpu_count": 512}, "There is one pipeline stage, so all GPUs hold the same:"),
    ],
)
def test_stages_are_counted_in_words_that_agree(changes: dict[str, Any], opening: str) -> None:
    assert said(memory(result(**changes))).startswith(opening)


@pytest.mark.parametrize("count", [1, 2, 12, 13, 16, 33, 64])
def test_at_most_a_dozen_stages_are_printed_with_the_ends_and_the_fullest(count: int) -> None:
    fullest = count // 3
    printed = stages_to_print(count, fullest)
    assert len(printed) <= 12
    assert {0, fullest, count - 1} <= set(printed)


def test_the_classic_rule_stands_beside_the_itemised_figure_with_the_reason() -> None:
    words = said(memory(result()))
    assert "The classic rule of 34·s·b·h bytes gives 2.28 GB for a layer" in words
    assert "tensor by tensor the first layer keeps 2.25 GB, 33.53·s·b·h" in words
    assert "no dropout masks are kept, the MLP is gated, with three wide tensors kept where the rule has two" in words
    assert "64 query heads share 8 KV heads." in words


def test_a_plain_mlp_with_all_heads_is_not_called_gated_or_grouped() -> None:
    words = said(memory(result(mlp_kind="plain", kv_head_count=64)))
    assert "the MLP is plain" in words
    assert "share" not in words


def test_the_demand_counts_in_words_that_agree() -> None:
    words = said(demand(result(**TINY)))
    assert "The plan is 1 GPU (NVIDIA H100 SXM) in 1 node: 1 copy of the model on 1 GPU." in words
    assert "State is not sharded (ZeRO stage 0)" in words
    assert "(tensor 8, pipeline 4)" in said(demand(result()))


def test_options_begin_with_doing_nothing_and_hold_each_layout_once() -> None:
    rows = options(result(deadline_days=20)).tables[0].rows
    labels = [plain(row.cells[0]) for row in rows]
    counts = [plain(row.cells[1]) for row in rows]
    assert labels == [
        "Do nothing",
        "As planned",
        "Minimum: the fewest GPUs of this layout that hold it",
        "Fewest GPUs that meet the deadline",
    ]
    assert counts == ["–", "512", "32", "1,024"]


def test_a_run_that_does_not_fit_has_the_change_that_fits_among_its_options() -> None:
    rows = options(result(**OVER)).tables[0].rows
    assert plain(rows[2].cells[0]) == "As planned with full recomputation"
    assert plain(rows[2].cells[5]) == "yes"


def test_a_plan_that_is_the_minimum_is_said_to_be() -> None:
    assert "The plan is also the smallest of this layout that holds the model." in said(options(result(**TINY)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "within the goal of 1 %"),
        ({"store_bandwidth": 1e9}, "over the goal of 1 %, which it would meet at one every"),
        ({"store_bandwidth": 1e8}, "it would back up: it drains in"),
        ({}, "before the next one starts."),
        ({"retained_checkpoints": 1}, "1 kept checkpoint fills"),
        ({}, "10 kept checkpoints fill"),
    ],
)
def test_checkpoints_say_what_the_values_say(changes: dict[str, Any], words: str) -> None:
    assert words in said(checkpoints(result(**changes)))


def test_a_run_that_costs_nothing_says_so() -> None:
    assert "At this price the run costs nothing in the estimate." in said(cost(result(price_override=0)))


def test_a_contingency_is_told_or_said_to_be_none() -> None:
    assert "with no contingency" in said(cost(result()))
    assert "with a contingency of 15 %" in said(cost(result(contingency_fraction=0.15)))


def test_checks_that_fail_are_told_in_words() -> None:
    section = risks(result(deadline_days=20))
    assert plain(section.paragraphs[0]) == "One check does not hold."
    assert [spaced(plain(cell)) for cell in section.tables[0].rows[0].cells] == [
        "The training is done by the deadline.",
        "training 26.9 days; deadline 20 days",
        "Late: take 704 GPUs, or move the deadline.",
    ]
    assert said(risks(result())) == "All checks of the estimate hold."


def test_a_key_figure_shows_its_range_from_the_least_to_the_greatest() -> None:
    spans = [figure.span for figure in key_figures(result())]
    assert spaced(plain(spans[1])) == "from 23.7 days to 32.5 days"


def test_doubts_about_a_models_file_are_assumptions_of_the_memo() -> None:
    doubt = "layers for multi-token prediction are not counted"
    configured = ConfiguredModel({}, "config.json, family llama", (doubt,))
    doubtful = estimate(replace(result().scenario, configured=configured))
    told = [each for each in assumptions(doubtful) if each.label == "Doubt about the model's file"]
    assert [(each.value, each.own) for each in told] == [(doubt, True)]


def test_own_assumptions_stand_apart_and_the_list_is_short() -> None:
    listed = assumptions(result())
    assert {assumption.own for assumption in listed} == {True, False}
    assert len(listed) <= 40


@pytest.mark.parametrize("base_share", [0.001, 0.05, 0.3, 0.38, 0.4, 0.9, 1.0])
def test_utilisations_around_the_base_hold_it_and_stay_within_their_bounds(base_share: float) -> None:
    found = utilizations_around(base_share)
    assert base_share in found
    assert all(0 < share <= 1 for share in found)


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, (128, 256, 512, 1024, 2048)),
        ({"gpu_count": 32768}, (2048, 4096, 8192, 16384, 32768)),
        (HOPELESS, (8,)),
        (TINY, (1, 2, 4, 8)),
    ],
)
def test_gpu_counts_around_the_plan_are_those_that_layout_and_batch_allow(
    changes: dict[str, Any], counts: tuple[int, ...]
) -> None:
    assert counts_around(result(**changes)) == counts


def test_a_gpu_count_that_the_scenario_would_refuse_is_not_in_the_sensitivity() -> None:
    with pytest.raises(ScenarioError):
        base().with_inputs(gpu_count=384)
    assert 384 not in sensitivity(result()).gpu_counts


def test_the_sensitivity_table_says_that_it_is_not_live() -> None:
    assert training_time(result()).tables[0].caption.endswith("computed on 2026-11-30, not live")


def test_the_sensitivity_agrees_with_the_estimate_at_the_plan() -> None:
    found, grid = result(), sensitivity(result())
    row, place = grid.utilizations.index(0.4), grid.gpu_counts.index(512)
    assert grid.seconds[row][place] == pytest.approx(found["training_days"] * 86400)


@pytest.mark.parametrize("changes", [{}, TINY, DEEP, HOPELESS, BARELY, OVER, STORED_SCORES], ids=IDS)
def test_every_number_is_right_at_the_extremes_too(changes: dict[str, Any]) -> None:
    found = result(**changes)
    reads = printed_in(memo_of(found))
    assert [wrong for read in reads if (wrong := disagreement(found, read))] == []


@pytest.mark.parametrize("case", ["low", "high"])
def test_every_number_is_that_of_the_case_that_the_scenario_names(case: str) -> None:
    found = estimate(base().with_inputs(active_case=case))
    assert [wrong for read in printed_in(memo_of(found)) if (wrong := disagreement(found, read))] == []


@pytest.mark.parametrize(
    ("formula", "unit", "printed"),
    [
        ("gpu_count", "", "512 GPUs"),
        ("deadline_days - training_days", "day", "18.1 days"),
        ("training_flops", "", "4.23 × 10²³ FLOP"),
        ("model_parameters", "", "70.6 billion parameters"),
        ("stage_peak_bytes[3]", "", "23.4 GB"),
        ("accelerator", "", "NVIDIA H100 SXM"),
    ],
)
def test_a_number_is_printed_to_three_digits_or_exactly_where_it_is_a_count(
    formula: str, unit: str, printed: str
) -> None:
    number = Teller(result()).say(formula, unit)
    assert number == Printed(number.text, formula)
    assert spaced(number.text) == printed


def test_an_architecture_that_the_scenario_changes_is_said_to_be_changed() -> None:
    assert [assumptions(result())[0].value, assumptions(result(layer_count=84))[0].value] == [
        "Llama 3 70B",
        "Llama 3 70B, changed",
    ]
