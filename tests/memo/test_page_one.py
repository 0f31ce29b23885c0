"""What a director reads first: spreads that are bounds, checks that fail, what is assumed, and what was changed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from reportgen import Result, estimate, load
from reportgen.memo.content import memo_of
from reportgen.memo.content.cost import cost
from reportgen.memo.content.decision import decision
from reportgen.memo.content.demand import demand
from reportgen.memo.content.key_figures import key_figures
from reportgen.memo.content.spread import corners, over_what, spread
from reportgen.memo.content.words import plain
from reportgen.memo.document import Detail
from reportgen.resources import scenarios_directory
from reportgen.scenario.load import load_text
from reportgen.scenario.scenario import Range
from tests.memo.reading import disagreement, printed_in

# A low utilisation with a low price costs about what both in the middle cost, so the cases are no bounds.
PRICED = """
  price_override:
    low: 2.1
    base: 4
    high: 4.5
    source: Quote of 2026-11-02
"""


def text(name: str = "llama3-70b-8k") -> str:
    return (scenarios_directory() / f"{name}.yaml").read_text(encoding="utf-8")


@cache
def shipped(name: str) -> Result:
    return estimate(load(scenarios_directory() / f"{name}.yaml"))


@cache
def priced() -> Result:
    listed = "  price_listing: Lambda H100 SXM x8 on-demand 2026-05\n"
    return estimate(load_text(text().replace(listed, PRICED.lstrip("\n")), "priced"))


def result(**changes: Any) -> Result:
    return estimate(shipped("llama3-70b-8k").scenario.with_inputs(**changes))


def assumed_deadline() -> Result:
    return estimate(load_text(text().replace("  deadline_days: 45\n", ""), "undated"))


def reasons(found: Result) -> list[str]:
    return [spaced(plain(reason)) for reason in decision(found).reasons]


def spaced(words: str) -> str:
    return words.replace("\u00a0", " ")


def details(found: Result) -> dict[str, Any]:
    return {detail.label: detail.words for detail in memo_of(found).details}


def test_a_spread_reaches_the_least_and_the_greatest_of_every_combination() -> None:
    found, ranges = priced(), priced().scenario.ranges
    ends_of_each = product(*((span.low, span.high) for span in ranges.values()))
    totals = [changed_total(dict(zip(ranges, chosen, strict=True))) for chosen in ends_of_each]
    ends = spread(found, "total_cost_usd")
    assert ends is not None
    assert [end.value("total_cost_usd") for end in ends] == pytest.approx([min(totals), max(totals)])


def changed_total(changes: dict[str, Any]) -> float:
    pinned = replace(priced().scenario, ranges={})
    return float(estimate(pinned.with_inputs(**changes))["total_cost_usd"])


def test_a_spread_is_wider_than_the_cases_where_they_cancel() -> None:
    assert "the quoted cost runs from 611,000 USD to 1.8 million USD" in reasons(priced())[-1]
    rows = [[spaced(plain(cell)) for cell in row.cells] for row in cost(priced()).tables[0].rows]
    assert rows[-1] == ["Quoted cost", "0.84", "1.32", "1.31"]


def test_the_ends_of_a_spread_are_named_by_what_is_changed() -> None:
    names = [read.name for read in printed_in(memo_of(priced()))]
    least = "total_cost_usd | flops_utilization=0.43, goodput_fraction=0.95, price_override=2.1"
    assert least in names


def test_the_sentence_says_over_what_the_spread_runs() -> None:
    assert reasons(priced())[-1].startswith("Over every combination of the low and high inputs, the time runs from ")


def test_a_range_that_reaches_only_the_checkpoints_is_told_too() -> None:
    words = reasons(shipped("checkpoint-405b"))[-1]
    assert words == (
        "Over every combination of the low and high inputs, the synchronous checkpoint overhead runs from 0.18 % to "
        "3.48 %."
    )


def test_the_cases_are_said_to_be_no_bound() -> None:
    assert "Each case sets all uncertain inputs to their low, or all to their high, together; it is no bound" in spaced(
        plain(cost(priced()).tables[0].note)
    )


def test_a_cost_that_no_range_reaches_is_not_told_by_case() -> None:
    columns = cost(shipped("checkpoint-405b")).tables[0].columns
    assert [column.label for column in columns] == ["Item", "Estimate"]


def test_beyond_ten_ranged_inputs_one_at_a_time_goes_to_its_ends() -> None:
    inputs = result().scenario.inputs
    fractional = [name for name, value in inputs.items() if isinstance(value, float) and value]
    names = [*fractional, "framework_bytes", "checkpoint_interval_seconds"]
    assert len(set(names)) > 10
    spans = {name: Range(inputs[name] * 0.9, inputs[name] * 1.1) for name in names}
    many = estimate(replace(result().scenario, ranges=spans))
    assert {len(corner) for corner in corners(many)} == {0, 1}
    assert over_what(many) == "With one input at a time at its low or its high"


def test_a_price_of_ones_own_is_called_quoted_and_never_list() -> None:
    said = " ".join([*reasons(priced()), spaced(plain(decision(priced()).ask)), plain(cost(priced()).paragraphs[0])])
    assert "quoted" in said
    assert "list" not in said
    assert key_figures(priced())[3].label == "Quoted cost"
    assert "a quoted price, Quote of 2026-11-02." in spaced(plain(cost(priced()).paragraphs[0]))
    assert "a quoted price, set for this estimate." in plain(cost(result(price_override=2)).paragraphs[0])


def test_page_one_says_whose_price_it_is_for_what_term_and_as_of_when() -> None:
    assert spaced(plain(key_figures(result())[3].note)).endswith("; Lambda, on-demand, 2026-05-28")


def test_the_head_says_what_was_changed_from_the_scenario() -> None:
    found = result(gpu_count=1024, flops_utilization=0.9)
    assert details(found)["Changed"] == (
        "GPU count 1,024 GPUs (the scenario has 512 GPUs); FLOPs utilization 90 % (the scenario has 40 %)"
    ).replace(" GPUs", "\u00a0GPUs").replace(" %", "\u00a0%")
    assert "Changed" not in details(result())


def test_the_head_tells_six_changes_and_counts_the_rest() -> None:
    changes = {"gpu_count": 1024, "flops_utilization": 0.5, "deadline_days": 50, "zero_stage": 0, "recompute": "full",
               "goodput_fraction": 0.8, "training_tokens": 2e12, "gradient_bytes_per_parameter": 2}  # fmt: skip
    assert details(result(**changes))["Changed"].count(";") == 6
    assert details(result(**changes))["Changed"].endswith("; and 2 more")


def test_the_head_says_which_case_it_is_unless_it_is_the_base() -> None:
    head = memo_of(result(active_case="low")).details
    assert Detail("Case", "low: every uncertain input stands at its low, not at its base") in head
    assert "Case" not in details(result())


def test_a_check_that_fails_is_told_on_page_one_and_turns_the_box_amber() -> None:
    found = shipped("checkpoint-405b")
    assert reasons(found)[0] == (
        "Does not hold: synchronous checkpoints cost no more than the goal (synchronous overhead 1.77 % against "
        "checkpoint goal 1 %)."
    )
    assert decision(found).tone == "conditional"
    assert plain(decision(found).ask).endswith(", once what does not hold (below) is settled.")


def test_every_check_that_fails_has_a_bullet() -> None:
    found = shipped("llama3-70b-too-small")
    failed = [outcome for outcome in found.outcomes if not outcome.passed]
    assert len([reason for reason in reasons(found) if reason.startswith("Does not hold: ")]) == len(failed)
    assert decision(found).tone == "adverse"


def test_a_deadline_that_nobody_gave_is_called_assumed() -> None:
    found = assumed_deadline()
    assert "before the assumed deadline of 90 days." in spaced(plain(decision(found).verdict))
    assert "The assumed deadline needs 160 GPUs; 512 GPUs are planned." in reasons(found)
    assert spaced(plain(key_figures(found)[1].note)) == "assumed deadline: 90 days"
    assert "within an assumed deadline of 90 days" in spaced(plain(demand(found).paragraphs[0]))
    assert "assumed" not in plain(decision(result()).verdict)
    assert "assumed" not in plain(decision(result(deadline_days=90)).verdict)


def test_a_goodput_of_one_is_said_to_count_no_failures() -> None:
    words = "Goodput is 100 %: no time is counted for failures and restarts."
    assert words in reasons(result(goodput_fraction=1))
    assert words not in reasons(result())


def test_one_copy_is_not_sharded_and_not_counted_each() -> None:
    found = result(gpu_count=32, global_batch_size=64)
    words = spaced(plain(demand(found).paragraphs[1]))
    assert "1 copy of the model on 32 GPUs" in words
    assert "There is one copy, over which ZeRO stage 1 shards nothing" in words


@pytest.mark.parametrize(
    "found",
    [priced(), assumed_deadline(), result(active_case="high", gpu_count=1024), result(price_override=2)],
    ids=["priced", "assumed deadline", "high case", "price set"],
)
def test_every_number_is_its_quantitys_value_there_too(found: Result) -> None:
    assert [wrong for read in printed_in(memo_of(found)) if (wrong := disagreement(found, read))] == []
