"""The family files hold together: sourced, closed, without circles, each reachable under its own name."""

from collections.abc import Iterator

import pytest

from reportgen.architecture.expression import ValueProblemError, parse
from reportgen.architecture.family import Family
from reportgen.architecture.load_families import shelf
from reportgen.architecture.names import expressions, read_keys

FAMILIES = shelf().families
NAMES = [family.name for family in FAMILIES]


def test_family_names_are_unique() -> None:
    assert sorted(set(NAMES)) == sorted(NAMES)


@pytest.mark.parametrize("family", FAMILIES, ids=NAMES)
def test_a_family_cites_the_code_its_shapes_come_from(family: Family) -> None:
    assert family.source.count(" ") > 0
    assert "/" in family.source


@pytest.mark.parametrize("family", FAMILIES, ids=NAMES)
def test_a_family_is_found_under_its_own_names(family: Family) -> None:
    found = {shelf().by_model_type[name].name for name in family.model_types}
    found |= {shelf().by_architecture[name].name for name in family.architectures}
    assert {family.name} == found


@pytest.mark.parametrize("family", FAMILIES, ids=NAMES)
def test_no_name_is_worked_out_from_itself(family: Family) -> None:
    rules = {**family.defaults, **family.usual, **family.names}
    edges = {name: rule.names & set(rules) for name, rule in rules.items()}
    # What a default says of a key matters only where no rule of the family has the same name.
    assert [name for name in edges if name in set(reachable(name, edges))] == []


@pytest.mark.parametrize("family", FAMILIES, ids=NAMES)
def test_every_key_that_a_family_reads_says_what_it_may_hold(family: Family) -> None:
    assert set() == read_keys(family) - set(family.kinds)


@pytest.mark.parametrize("family", FAMILIES, ids=NAMES)
def test_a_default_without_names_is_what_its_key_may_hold(family: Family) -> None:
    taken = {**family.defaults, **family.usual, **family.inside}
    values = {key: rule.value(dict[str, object]().__getitem__) for key, rule in taken.items() if not rule.names}
    read = read_keys(family)
    assert [
        key
        for key, value in values.items()
        if key in read and value is not None and not family.kinds[key].accepts(value)
    ] == []


def reachable(start: str, edges: dict[str, frozenset[str]]) -> Iterator[str]:
    waiting, seen = list(edges[start]), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            yield name
            waiting.extend(edges[name])


@pytest.mark.parametrize("family", FAMILIES, ids=NAMES)
def test_every_layer_has_something_in_it(family: Family) -> None:
    assert family.layer
    assert list(expressions(family))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "a.b",
        "a[0]",
        "lambda: 1",
        "[1, 2]",
        "a < b < c",
        "a ** b",
        "a / b",
        "f'{a}'",
        "a; b",
    ],
)
def test_what_leaves_the_language_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"language|comparisons"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("width * 2 + 1", 9),
        ("width // 3 % 2", 1),
        ("nothing or width", 4),
        ("nothing and missing", None),
        ("1 if width > 3 and not nothing else missing", 1),
        ("at(kinds, 1) == 'b'", True),
        ("2 in kinds", False),
        ("length(kinds)", 2),
        ("ceil_division(width, 3)", 2),
        ("round_up(width, 3)", 6),
        ("floor(width * 1.3)", 5),
        ("field(entry, 'ffn', 'width')", 7),
        ("field(entry, 'none', 'width')", None),
        ("flag(entry, 'ffn', 'on')", True),
        ("flag(entry, 'ffn', 'off')", False),
        ("even_division(width, 2, 'halves')", 2),
        ("is_list(kinds) and is_text(width)", False),
        ("-width + 5", 1),
    ],
)
def test_expressions_read_as_written(text: str, expected: object) -> None:
    values = {"width": 4, "nothing": None, "kinds": ["a", "b"], "entry": {"ffn": {"width": 7, "on": True}}}
    assert expected == parse(text).value(lambda name: values[name])


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("1 if word else 2", "'true'", "true or false"),
        ("not share", "3.7", "true or false"),
        ("word and share", "'true'", "true or false"),
        ("share or word", "3.7", "true or false"),
        ("flag(entry, 'word')", "word: 'false'", "true or false"),
        ("even_division(7, 2, 'an even number')", "7 / 2, which leaves a remainder", "an even number"),
        ("7 // 0", "7 and 0 (integer division or modulo by zero)", "two numbers that give a third"),
        ("word + 1", "'true'", "a number"),
        ("at(word, 4)", "4 entries", "an entry 5"),
    ],
)
def test_a_value_that_an_expression_cannot_use_is_told(text: str, found: str, expected: str) -> None:
    values = {"word": "true", "share": 3.7, "entry": {"word": "false"}}
    with pytest.raises(ValueProblemError) as caught:
        parse(text).value(lambda name: values[name])
    assert (found, expected) == (caught.value.found, caught.value.expected)
