"""Every name that is shown can be explained: of quantities, checks, cases of inputs, and of the workbook itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import reportgen
from reportgen.as_json import as_data
from reportgen.errors import ReportgenError
from reportgen.explained import explained
from reportgen.workbook.shown import WORKBOOK_CONSTANTS

RESULT = reportgen.estimate(reportgen.load("scenarios/mixtral-8x7b.yaml"))
DATA = as_data(RESULT)
OF_THE_CASES = ("active_case", "case_number", "fault_count", "finding_count", "master_verdict")


def lines(name: str) -> dict[str, str]:
    return dict(explained(RESULT, name).lines())


def names_in_json() -> Iterator[str]:
    yield from DATA["values"]
    yield from DATA["units"]
    yield from DATA["fullest_stage"]["parts"]
    yield from DATA["fullest_stage"]["buffer_terms"]
    yield from (check["name"] for check in DATA["checks"])
    yield from (entry["name"] for entry in DATA["assumptions"])
    yield from (name for table in DATA["tables"].values() for name in table[0])


@pytest.mark.parametrize("name", sorted(set(names_in_json())))
def test_every_name_in_the_json_is_explained(name: str) -> None:
    found = lines(name)
    assert found["Name"] == name
    assert found["Meaning"]
    assert found["Result"]


@pytest.mark.parametrize("name", [*(constant.name for constant in WORKBOOK_CONSTANTS), *OF_THE_CASES])
def test_every_name_of_the_workbook_alone_is_explained(name: str) -> None:
    found = lines(name)
    assert found["Meaning"]
    assert found["Result"]


@pytest.mark.parametrize(("case", "value"), [("low", "30 %"), ("base", "35 %"), ("high", "40 %")])
def test_the_cases_of_an_input_are_explained(case: str, value: str) -> None:
    found = lines(f"flops_utilization_{case}")
    assert found["Quantity"] == f"FLOPs utilization, {case} case"
    assert found["Result"] == value
    assert "training days" in found["Feeds"]
    assert "from 30 % (low) to 40 % (high)" in found["Source"]


def test_a_check_is_explained_by_what_it_compares() -> None:
    found = lines("deadline_is_met")
    assert found["Formula"] == "training days is at most deadline days"
    assert found["In numbers"].endswith("is at most 60 days")
    assert found["Result"] == "OK"
    assert found["Source"] == "a check; where it does not hold, the results are right, and a reader has to know"


def test_a_check_of_a_column_is_explained_by_its_sum() -> None:
    found = lines("heads_split_evenly")
    assert found["Formula"] == "the sum of kind heads left over is 0"
    assert found["Source"] == "a check; where it does not hold, the results are unusable"


def test_counts_of_the_workbook_are_those_of_the_estimate() -> None:
    late = reportgen.estimate(RESULT.scenario.with_inputs(deadline_days=1, active_case="high"))
    found = {name: dict(explained(late, name).lines())["Result"] for name in OF_THE_CASES}
    assert found == {
        "active_case": "high",
        "case_number": "3",
        "fault_count": "0",
        "finding_count": "1",
        "master_verdict": f"1 of {len(RESULT.outcomes)} checks do not hold",
    }


@pytest.mark.parametrize("name", ["flops_utilization_middle", "gpu_count_low", "date", "scenario"])
def test_a_name_that_nothing_bears_is_refused(name: str) -> None:
    with pytest.raises(ReportgenError) as caught:
        explained(RESULT, name)
    assert caught.value.faults[0].expected == "the name of a quantity or a check"


@pytest.mark.parametrize("name", ["deadline_is_met", "flops_utilization_low", "one_million"])
def test_a_row_of_what_has_none_is_refused(name: str) -> None:
    with pytest.raises(ReportgenError, match="no row: this is one value"):
        explained(RESULT, name, 0)
