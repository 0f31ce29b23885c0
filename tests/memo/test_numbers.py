"""Every number that a memo prints is a value of the estimator, rounded as printed; nothing else is a number."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from reportgen import Result, estimate, load
from reportgen.breakdown import held_terms
from reportgen.catalog import models
from reportgen.memo import memo_pdf
from reportgen.memo.content import memo_of
from reportgen.memo.content.buffers import term_formula, term_reason
from reportgen.memo.content.cost import terms
from reportgen.memo.content.mixture import FROZEN
from reportgen.memo.content.training_time import CONVENTIONS
from reportgen.memo.document import Memo, Printed, Section
from reportgen.memo.render import page_html, render_pdf
from reportgen.resources import scenarios_directory, templates_directory
from tests.memo.reading import (
    Read,
    disagreement,
    marks_of,
    numbers_in,
    printed_in,
    text_of_pdf,
    unnamed_drawn,
)

SCENARIOS = sorted(scenarios_directory().glob("*.yaml"))
IDS = [path.stem for path in SCENARIOS]
LITERALS = "0 1 2"


@dataclasses.dataclass(frozen=True)
class Built:
    """A memo with its PDF."""

    result: Result
    memo: Memo
    pdf: Path


@pytest.fixture(scope="module", params=SCENARIOS, ids=IDS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    result = estimate(load(request.param))
    pdf = tmp_path_factory.mktemp("memo") / "memo.pdf"
    pdf.write_bytes(memo_pdf(result))
    return Built(result, memo_of(result, (f"{result.scenario.name}.yaml",)), pdf)


def test_every_named_number_is_its_quantitys_value_as_printed(built: Built) -> None:
    reads = printed_in(built.memo)
    print(f"{built.result.scenario.name}: {len(reads)} named numbers")  # noqa: T201 - the count is asked for
    assert [wrong for read in reads if (wrong := disagreement(built.result, read))] == []


def test_every_number_on_paper_is_a_named_one_or_of_a_kind_that_is_none(built: Built) -> None:
    on_paper = numbers_in(text_of_pdf(built.pdf))
    print(f"{built.result.scenario.name}: {on_paper.total()} numbers on paper")  # noqa: T201 - the count is asked for
    assert on_paper - allowed(built) == Counter()


def test_every_named_number_is_on_paper(built: Built) -> None:
    named = sum((numbers_in(read.text) for read in printed_in(built.memo)), Counter[str]())
    assert named - numbers_in(text_of_pdf(built.pdf)) == Counter()


def test_the_unnamed_numbers_of_a_drawing_are_even_marks_of_its_axes(built: Built) -> None:
    for section in built.memo.sections:
        for figure in section.figures:
            for marks in marks_of(str(figure.svg)):
                steps = {round(right - left, 9) for left, right in pairwise(sorted(marks))}
                assert len(steps) <= 1


def test_a_memo_has_four_to_six_pages(built: Built) -> None:
    assert 4 <= len(PdfReader(built.pdf).pages) <= 6


def test_a_stray_number_in_a_sentence_is_found(tmp_path: Path) -> None:
    built = planted("The cluster draws 12,345 kilowatts.", tmp_path)
    assert numbers_in(text_of_pdf(built.pdf)) - allowed(built) == Counter({"12,345": 1})


def test_a_stray_number_that_equals_a_printed_one_is_found(tmp_path: Path) -> None:
    built = planted("It is 38.9 again.", tmp_path)
    assert numbers_in(text_of_pdf(built.pdf)) - allowed(built) == Counter({"38.9": 1})


@pytest.mark.parametrize(
    "read",
    [
        Read("39.0\u00a0GB", "", "peak_memory_bytes"),
        Read("38.9\u00a0MB", "", "peak_memory_bytes"),
        Read("38.9", "GB", "stage_peak_bytes[1]"),
        Read("26.9\u00a0days", "", "training_days | gpu_count=256"),
        Read("26.9\u00a0days", "", "training_days | case=low"),
        Read("4.23\u00a0×\u00a010²²\u00a0FLOP", "", "training_flops"),
        Read("6N + 12Lhs", "", "flops_convention"),
    ],
)
def test_a_number_that_is_not_its_quantity_is_found(read: Read) -> None:
    assert disagreement(first(), read) != ""


def first() -> Result:
    return estimate(load(scenarios_directory() / "llama3-70b-8k.yaml"))


def planted(words: str, folder: Path) -> Built:
    """A memo with one more sentence, which no quantity stands behind."""
    result = first()
    honest = memo_of(result)
    sections = (dataclasses.replace(honest.sections[0], paragraphs=(words,)), *honest.sections[1:])
    memo = dataclasses.replace(honest, sections=sections)
    pdf = folder / "planted.pdf"
    pdf.write_bytes(render_pdf(page_html(memo, templates_directory()), title=memo.title, date=memo.date))
    bare = dataclasses.replace(honest, sections=(Section(honest.sections[0].title), *honest.sections[1:]))
    return Built(result, bare, pdf)


def allowed(built: Built) -> Counter[str]:
    """What may stand on paper, kind by kind, as often as it may stand there."""
    kinds: tuple[Iterator[str], ...] = (
        (read.text for read in printed_in(built.memo)),
        unnamed_drawn(built.memo),
        headings(built.memo),
        header(built.memo),
        sources(built.memo),
        conventions(built),
        formula_literals(built.memo),
        buffer_words(built),
        checks(built.result),
        dates(built.memo),
        prices(built.result),
    )
    return sum((numbers_in(text) for kind in kinds for text in kind), Counter[str]())


def headings(memo: Memo) -> Iterator[str]:
    """The numbers of the sections."""
    count = len(memo.sections) + bool(memo.assumptions) + bool(memo.signatories)
    yield from (str(number) for number in range(1, count + 1))


def header(memo: Memo) -> Iterator[str]:
    """What the scenario says of itself, and what the memo is called at its head and where it is signed."""
    # Title and version stand at the head and where the memo is signed.
    yield from (memo.title, memo.subject, memo.version, memo.title, memo.version)
    for detail in (*memo.details, *memo.provenance):
        assert isinstance(detail.words, str)
        yield detail.words
    yield from (f"{signatory.role} {signatory.name}" for signatory in memo.signatories)


def sources(memo: Memo) -> Iterator[str]:
    """Where an assumption or a formula is from, and as of when."""
    for assumption in memo.assumptions:
        yield f"{assumption.source} {assumption.date}"
        if isinstance(assumption.value, str):
            yield assumption.value
    for section in memo.appendix:
        yield from (derivation.source for derivation in section.derivations)


def conventions(built: Built) -> Iterator[str]:
    """Names of conventions, schedules and models that hold digits."""
    yield from (words for words, _, _ in CONVENTIONS)
    yield "6N"
    plain = built.result["schedule"] == "1f1b" and built.result["virtual_stages"] == 1
    if built.result["pipeline_stages"] > 1 and plain:
        yield "1F1B"
    yield from (row.description for row in models() if row.model_preset == built.result.scenario.preset)


def formula_literals(memo: Memo) -> Iterator[str]:
    """The numbers that a formula may hold itself."""
    for section in memo.appendix:
        for derivation in section.derivations:
            for words in (derivation.words, derivation.numbers):
                yield " ".join(number for number in numbers_in(plain_text(words)) if number in LITERALS.split())


def buffer_words(built: Built) -> Iterator[str]:
    """What the terms of the buffers are, in the model's own words, and how they come about."""
    yield from (f"{term_formula(name)} {term_reason(name)}" for name in held_terms(built.result))
    if built.result["tuning"] == "qlora":
        yield FROZEN["qlora"]


def plain_text(words: Any) -> str:
    """The words of a sentence without its named numbers."""
    if isinstance(words, Printed):
        return ""
    return words if isinstance(words, str) else " ".join(map(plain_text, words))


def checks(result: Result) -> Iterator[str]:
    """What the failed checks say."""
    yield from (
        f"{outcome.check.description} {outcome.check.remedy}" for outcome in result.outcomes if not outcome.passed
    )


def prices(result: Result) -> Iterator[str]:
    """Whose price it is, for what term and as of when, on page one."""
    yield terms(result)


def dates(memo: Memo) -> Iterator[str]:
    """The day on which the sensitivity was computed."""
    yield memo.date.isoformat()
