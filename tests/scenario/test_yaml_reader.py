"""The YAML reader reads a strict subset of YAML 1.2 and tells a person everything that is wrong, at once."""
# ruff: noqa: E501 - a message stands whole on its line

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.errors import ScenarioError
from reportgen.scenario.yaml_reader import Document, read, read_text

SYNTAX_REMEDY = "check the indentation, colons and quotes of this line and the one before"


def told(text: str) -> list[str]:
    """What the reader says about a text that it refuses."""
    with pytest.raises(ScenarioError) as error:
        read_text(text, "run.yaml")
    return str(error.value).splitlines()


def value(scalar: str) -> object:
    """The value that a scalar is read as."""
    return read_text(f"key: {scalar}\n", "run.yaml").values["key"]


@pytest.mark.parametrize(
    ("scalar", "expected"),
    [
        ("1e12", 1e12),
        ("1.5E+3", 1500.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("-3", -3),
        ("+3", 3),
        ("017", 17),
        ("989e12", 989e12),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
    ],
)
def test_core_schema_numbers_and_constants_are_values(scalar: str, expected: object) -> None:
    assert (value(scalar), type(value(scalar))) == (expected, type(expected))


@pytest.mark.parametrize(
    "scalar",
    [
        "NO",
        "no",
        "yes",
        "on",
        "off",
        "y",
        "1:30",
        "2026-11-30",
        "15_000_000_000_000",
        "15,000",
        "=SUM(1)",
        "=",
        "1e",
        "tRUE",
    ],
)
def test_what_only_yaml_1_1_interprets_stays_text(scalar: str) -> None:
    assert value(scalar) == scalar


@pytest.mark.parametrize("text", ["1e12", "true", "null", "0x1F", ".inf", "", "=1+1", "<<"])
def test_quoted_scalars_are_always_text(text: str) -> None:
    assert (value(f"'{text}'"), value(f'"{text}"')) == (text, text)


def test_block_scalars_are_always_text() -> None:
    assert read_text("note: |\n  12\nother: >\n  a\n  b\n", "run.yaml").values == {
        "note": "12\n",
        "other": "a b\n",
    }


def test_nested_values_come_out_plain() -> None:
    text = "run:\n  gpus: 512\n  stages: [1, two, 3.0]\n  empty: {}\n"
    assert read_text(text, "run.yaml").values == {"run": {"gpus": 512, "stages": [1, "two", 3.0], "empty": {}}}


def test_keys_that_yaml_1_1_reads_as_truth_are_text() -> None:
    assert read_text("on: 1\nNO: 2\n", "run.yaml").values == {"on": 1, "NO": 2}


def document() -> Document:
    return read_text("# first\nname: a\nrun:\n  gpus: 8\n  layers:\n    - kind: dense\n    - kind: moe\n", "run.yaml")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), 2),
        (("name",), 2),
        (("run",), 3),
        (("run", "gpus"), 4),
        (("run", "layers", 0), 6),
        (("run", "layers", 1, "kind"), 7),
    ],
)
def test_every_key_and_item_knows_its_line(path: tuple[str | int, ...], expected: int) -> None:
    assert document().line(path) == expected


def test_a_missing_key_has_the_line_of_the_key_above_it() -> None:
    assert document().where(("run", "days", "low")) == "run.yaml:3"


def test_carriage_returns_count_as_line_breaks() -> None:
    assert read_text("a: 1\r\nb: 2\rc: 3\n", "run.yaml").line(("c",)) == 3


def test_an_explicit_document_start_is_allowed() -> None:
    assert read_text("---\na: 1\n...\n", "run.yaml").values == {"a": 1}


REFUSED = {
    "duplicate key": (
        "a: 1\nb: 2\na: 3\n",
        "3: found the key `a` again (first on line 1); expected each key once; delete or rename one of them",
    ),
    "quoted duplicate key": (
        "a: 1\n'a': 3\n",
        "2: found the key `a` again (first on line 1); expected each key once; delete or rename one of them",
    ),
    "anchor": (
        "a: &base 1\n",
        "1: found the anchor `&base`; expected a plain value; write the value itself in each place",
    ),
    "alias": (
        "a: *base\n",
        "1: found the alias `*base`; expected a plain value; write the value itself in each place",
    ),
    "core tag": (
        "a: !!str 1\n",
        "1: found the tag `!!str`; expected a plain value; delete the tag, and use quotes if the value is text",
    ),
    "local tag": (
        "a: !env HOME\n",
        "1: found the tag `!env`; expected a plain value; delete the tag, and use quotes if the value is text",
    ),
    "python tag": (
        "a: !!python/object/apply:os.system [ls]\n",
        "1: found the tag `!!python/object/apply:os.system`; expected a plain value; delete the tag, and use quotes if the value is text",
    ),
    "merge key": (
        "a:\n  <<: {b: 1}\n",
        "2: found the merge key `<<`; expected plain keys; write the merged keys out",
    ),
    "second document": (
        "a: 1\n---\nb: 2\n",
        "2: found a second document; expected one document; put it in a file of its own, or delete the `---`",
    ),
    "directive": (
        "%YAML 1.1\n---\na: 1\n",
        "1: found a directive (a line that starts with %); expected plain YAML 1.2; delete that line",
    ),
    "empty": ("", "1: found an empty file; expected keys with values; write the scenario into it"),
    "only comments": (
        "# nothing\n\n",
        "1: found an empty file; expected keys with values; write the scenario into it",
    ),
    "only a document start": (
        "---\n",
        "1: found an empty file; expected keys with values; write the scenario into it",
    ),
    "list at the top": (
        "- 1\n- 2\n",
        "1: found a list at the top; expected keys with values; start with a key such as `name: first run`",
    ),
    "text at the top": (
        "\nhello\n",
        "2: found a single value at the top; expected keys with values; start with a key such as `name: first run`",
    ),
    "fraction as key": (
        "8.5: 1\n",
        "1: found the key `8.5`, which is not text; expected text as a key; write a name, or the key in quotes",
    ),
    "truth value as key": (
        "true: 1\n",
        "1: found the key `true`, which is not text; expected text as a key; write a name, or the key in quotes",
    ),
    "no key": (
        "? \n: 1\n",
        "1: found a colon without a key; expected text as a key; write a name, or the key in quotes",
    ),
    "list as key": (
        "? [a]\n: 1\n",
        "1: found a list or a mapping as a key; expected text as a key; write a name before the colon",
    ),
    "octal": (
        "a: 0o17\n",
        "1: found `0o17`, an octal or hexadecimal number; expected a decimal number; write it in decimal, or in quotes if it is text",
    ),
    "hexadecimal": (
        "a: 0x1F\n",
        "1: found `0x1F`, an octal or hexadecimal number; expected a decimal number; write it in decimal, or in quotes if it is text",
    ),
    "infinity": (
        "a: -.inf\n",
        "1: found `-.inf`; expected a finite number; write a finite number, or leave the key out",
    ),
    "not a number": (
        "a: .NaN\n",
        "1: found `.NaN`; expected a finite number; write a finite number, or leave the key out",
    ),
    "overflow": (
        "a: 1e999\n",
        "1: found `1e999`, too large for a number; expected a finite number; write a smaller number, or put it in quotes if it is text",
    ),
    "endless number": (
        f"a: {'9' * 5000}\n",
        "1: found a number of 5,000 characters; expected at most 100 characters; write it with an exponent such as 1e12, or in quotes if it is text",
    ),
    "long text": (
        f"a: {'x' * 8193}\n",
        "1: found a text of 8,193 characters; expected at most 8,192 characters; shorten it",
    ),
    "too deep": (
        f"a: {'[' * 16}{']' * 16}\n",
        "1: found values nested more than 16 deep; expected at most 16 levels; move them up",
    ),
    "too many": (
        "a:\n" + "  - 1\n" * 10_000,
        "9999: found more than 10,000 keys and values; expected at most 10,000; keep data outside the scenario",
    ),
    "control character": (
        "a: 1\nb: x\x07y\n",
        "2: found U+0007 (a control character) at column 5; expected printable text; delete the character or type it again",
    ),
    "null character": (
        "\x00",
        "1: found U+0000 (a control character) at column 1; expected printable text; delete the character or type it again",
    ),
    "replacement character": (
        "a: caf\ufffd\n",
        "1: found U+FFFD (a replacement character) at column 7; expected printable text; delete the character or type it again",
    ),
    "lone surrogate": (
        "a: \ud800\n",
        "1: found U+D800 (half of a surrogate pair) at column 4; expected printable text; delete the character or type it again",
    ),
    "line separator": (
        "a: 1\u2028b: 2\n",
        "1: found U+2028 (a line separator) at column 5; expected printable text; delete the character or type it again",
    ),
    "stray byte order mark": (
        "a: \ufeff1\n",
        "1: found U+FEFF (a byte order mark) at column 4; expected printable text; delete the character or type it again",
    ),
    "escaped null": (
        'a: "\\0"\n',
        "1: found an escape for U+0000 (a control character); expected printable text; delete the escape",
    ),
    "escaped surrogate": (
        'a: "\\ud800"\n',
        "1: found an escape for U+D800 (half of a surrogate pair); expected printable text; delete the escape",
    ),
    "escape beyond Unicode": (
        'a: "\\U00110000"\n',
        f"1: found a syntax error at column 7 (a character or number out of range); expected YAML; {SYNTAX_REMEDY}",
    ),
    "missing space": (
        "a:1\nb: 2\n",
        f"2: found a syntax error at column 2 (mapping values are not allowed here); expected YAML; {SYNTAX_REMEDY}",
    ),
    "tab": (
        "a:\n\tb: 1\n",
        f"2: found a syntax error at column 1 (found character '\\t' that cannot start any token); expected YAML; {SYNTAX_REMEDY}",
    ),
    "open quote": (
        'a: "x\n',
        f"2: found a syntax error at column 1 (found unexpected end of stream); expected YAML; {SYNTAX_REMEDY}",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_every_refusal_says_where_what_and_what_to_do(case: str) -> None:
    text, expected = REFUSED[case]
    assert told(text) == [f"run.yaml:{expected}"]


def test_all_faults_are_reported_at_once_in_the_order_of_lines() -> None:
    assert told("a: &x 1\nb: .inf\na: *x\n8.5: 0x1\n---\nc: 1\n") == [
        "run.yaml:1: found the anchor `&x`; expected a plain value; write the value itself in each place",
        "run.yaml:2: found `.inf`; expected a finite number; write a finite number, or leave the key out",
        "run.yaml:3: found the key `a` again (first on line 1); expected each key once; delete or rename one of them",
        "run.yaml:3: found the alias `*x`; expected a plain value; write the value itself in each place",
        "run.yaml:4: found the key `8.5`, which is not text; expected text as a key; write a name, or the key in quotes",
        "run.yaml:4: found `0x1`, an octal or hexadecimal number; expected a decimal number; write it in decimal, or in quotes if it is text",
        "run.yaml:5: found a second document; expected one document; put it in a file of its own, or delete the `---`",
    ]


def test_past_twenty_refused_characters_only_their_number_is_told() -> None:
    lines = told("a: " + "\x07" * 1025 + "\n")
    assert (len(lines), lines[-1]) == (
        21,
        "run.yaml: found 1,005 more refused characters; expected printable text; check that this is a text file",
    )


def test_a_name_is_shown_on_one_line_and_not_endlessly() -> None:
    assert told('"a\\nb": 1\n"a\\nb": 2\n' + f"c: &{'x' * 99} 1\n") == [
        "run.yaml:2: found the key `a\\nb` again (first on line 1); expected each key once; delete or rename one of them",
        f"run.yaml:3: found the anchor `&{'x' * 60}…`; expected a plain value; write the value itself in each place",
    ]


def test_sixteen_levels_and_a_text_at_the_limit_are_allowed() -> None:
    assert read_text(f"a: {'[' * 15}{']' * 15}\nb: {'x' * 8192}\n", "run.yaml").line(("b",)) == 2


def file_told(path: Path) -> str:
    with pytest.raises(ScenarioError) as error:
        read(path)
    return str(error.value).replace(str(path), "run.yaml")


def test_a_file_is_read_with_the_path_as_its_name(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: \xc3\xa9\r\nb: 2\r\n")
    assert (read(path).values, read(str(path)).where(("b",))) == ({"a": "é", "b": 2}, f"{path}:2")


def test_a_missing_file_is_a_fault(tmp_path: Path) -> None:
    expected = "run.yaml: found no such file; expected a YAML file; check the path and the working folder"
    assert file_told(tmp_path / "none.yaml") == expected


def test_a_folder_is_a_fault(tmp_path: Path) -> None:
    assert file_told(tmp_path) == "run.yaml: found a folder; expected a YAML file; name the file inside the folder"


def test_an_unreadable_file_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "run.yaml"
    path.write_text("a: 1\n", encoding="utf-8")
    monkeypatch.setattr(Path, "open", refuse)
    expected = "run.yaml: found a file that cannot be read (Permission denied); expected a readable YAML file; check its permissions"
    assert file_told(path) == expected


def test_a_file_that_is_not_utf_8_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_bytes(b"a: 1\nb: \xc3\xa9\xe9\n")
    expected = "run.yaml:2: found the byte 0xE9 at column 5; expected UTF-8 text; save the file with the encoding UTF-8"
    assert file_told(path) == expected


def test_a_file_above_one_mebibyte_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_bytes(b"#" * (1024 * 1024 + 1))
    expected = "run.yaml: found more than 1,048,576 bytes; expected at most 1,048,576 bytes; keep data and long texts outside the scenario"
    assert file_told(path) == expected


def test_a_text_above_one_mebibyte_is_a_fault() -> None:
    expected = "run.yaml: found more than 1,048,576 bytes; expected at most 1,048,576 bytes; keep data and long texts outside the scenario"
    assert told("#" * (1024 * 1024 + 1)) == [expected]


def outcome(text: str) -> str:
    try:
        read_text(text, "run.yaml")
    except ScenarioError as error:
        return "refused" if error.faults else "refused without a fault"
    return "read"


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(alphabet=st.sampled_from("ab: \n-[]{}&*!|>'\"%#?,\\x0.\t<~eU\u2028"), max_size=40))
def test_any_text_is_read_or_refused_with_a_fault(text: str) -> None:
    assert outcome(text) in ("read", "refused")


def test_a_whole_number_as_a_key_stands_for_a_row_of_a_table() -> None:
    assert read_text("17: local\n", "run.yaml").values == {"17": "local"}
