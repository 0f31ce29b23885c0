"""What a key may hold is told from what it may not, by the JSON value alone."""

import pytest

from reportgen.architecture.kinds import LARGEST_LIST, LARGEST_SIZE, kind

EVERYTHING: list[object] = [
    None, True, False, -2, -1, 0, 1, 7, LARGEST_SIZE + 1, 1.0, 0.0, -0.5, 3.7, float("inf"), "", "true", "auto", "7",
    "LG", [], [0, 1], [0, 2], [True], [1.0], ["sparse"], ["dense", "sparse"], ["foo"], [None], {}, {"a": 1},
]  # fmt: skip


def accepted(text: str) -> list[object]:
    # repr, because 1, 1.0 and True are equal to Python and three values to JSON.
    return [repr(value) for value in EVERYTHING if kind(text).accepts(value)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("size", [1, 7]),
        ("count", [0, 1, 7]),
        ("index", [-1, 0, 1, 7]),
        ("switch", [0, 1]),
        ("flag", [True, False]),
        ("off", [False]),
        ("null", [None]),
        ("ratio", [1, 7, 1.0, 3.7]),
        ("object", [{}, {"a": 1}]),
        ("size or null", [None, 1, 7]),
        ("'auto' or size", [1, 7, "auto"]),
        ("letters LG", ["LG"]),
        ("per_layer switch", [[], [0, 1]]),
        ("list count", [[], [0, 1], [0, 2]]),
        ("per_layer 'sparse'|'dense' or null", [None, [], ["sparse"], ["dense", "sparse"]]),
        ("per_layer object", [[]]),
    ],
)
def test_a_kind_takes_its_own_values_and_no_others(text: str, expected: list[object]) -> None:
    assert [repr(value) for value in expected] == accepted(text)


def test_only_null_that_is_named_is_a_value_of_its_own() -> None:
    assert (kind("size or null").nullable, kind("size").nullable) == (True, False)


def test_a_list_longer_than_any_model_is_none() -> None:
    assert kind("list count").accepts([0] * LARGEST_LIST)
    assert not kind("list count").accepts([0] * (LARGEST_LIST + 1))


@pytest.mark.parametrize("text", ["", "sizes", "list", "per_layer nonsense", "size, null"])
def test_what_is_no_kind_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no kind of value"):
        kind(text)
