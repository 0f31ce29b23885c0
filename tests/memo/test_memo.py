"""The written memo: attachments, same bytes, hostile texts, and where it is put."""

from __future__ import annotations

import dataclasses
import io
import re
from functools import cache
from pathlib import Path

import pytest
from pypdf import PdfReader

from reportgen import MemoError, Result, estimate, load
from reportgen.memo import WORKBOOK_TYPE, memo_html, memo_pdf, write_memo
from reportgen.memo.render import Attachment
from reportgen.resources import scenarios_directory
from reportgen.scenario.scenario import Header

SCENARIO = scenarios_directory() / "llama3-70b-8k.yaml"
HOSTILE = (
    "<script>alert('1')</script>",
    "=cmd|' /C calc'!A0",
    "{{ 7 * 7 }} {% include '/etc/hostname' %}",
    '"><img src=file:///etc/hostname>',
    "Donaudampfschifffahrtsgesellschaft" * 3,
)


@cache
def first() -> Result:
    return estimate(load(SCENARIO))


def headed(title: str, to: str, sender: str, decision_by: str, purpose: str) -> Result:
    """The first result under other words."""
    header = Header(to=to, sender=sender, decision_by=decision_by, purpose=purpose)
    return dataclasses.replace(first(), scenario=dataclasses.replace(first().scenario, title=title, header=header))


def words_of(pdf: bytes) -> str:
    return " ".join(" ".join(sheet.extract_text() for sheet in PdfReader(io.BytesIO(pdf)).pages).split())


def test_the_same_result_gives_the_same_bytes() -> None:
    assert memo_pdf(first()) == memo_pdf(estimate(load(SCENARIO)))


def test_the_scenario_is_inside_as_it_was_written() -> None:
    attached = PdfReader(io.BytesIO(memo_pdf(first()))).attachments
    assert attached == {"llama3-70b-8k.yaml": [SCENARIO.read_bytes()]}


def test_the_workbook_is_inside_where_there_is_one(tmp_path: Path) -> None:
    workbook = tmp_path / "llama3-70b-8k.xlsx"
    workbook.write_bytes(b"PK the workbook")
    memo = write_memo(first(), tmp_path / "memo.pdf", workbook)
    assert PdfReader(memo).attachments["llama3-70b-8k.xlsx"] == [b"PK the workbook"]
    assert "llama3-70b-8k.yaml, llama3-70b-8k.xlsx" in words_of(memo.read_bytes())


def test_an_attachment_given_as_bytes_is_inside(tmp_path: Path) -> None:
    attachment = Attachment("book.xlsx", "The live workbook", WORKBOOK_TYPE, b"PK bytes")
    memo = write_memo(first(), tmp_path / "memo.pdf", attachments=[attachment])
    assert PdfReader(memo).attachments["book.xlsx"] == [b"PK bytes"]


def test_a_workbook_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(MemoError) as failure:
        write_memo(first(), tmp_path / "memo.pdf", tmp_path / "none.xlsx")
    assert str(failure.value) == (
        f"{tmp_path / 'none.xlsx'}: found No such file or directory; expected a workbook to attach; "
        "build the workbook first"
    )
    assert not (tmp_path / "memo.pdf").exists()


def test_a_changed_scenario_has_no_text_to_attach() -> None:
    changed = estimate(first().scenario.with_inputs(gpu_count=1024))
    pdf = memo_pdf(changed)
    assert PdfReader(io.BytesIO(pdf)).attachments == {}
    assert "Attached inside nothing" in words_of(pdf)


def test_hostile_texts_stay_texts() -> None:
    pdf = memo_pdf(headed(*HOSTILE))
    words = words_of(pdf).replace(" ", "")
    assert [text for text in HOSTILE if text.replace(" ", "") not in words] == []
    assert 4 <= len(PdfReader(io.BytesIO(pdf)).pages) <= 6


def test_hostile_texts_add_no_element_to_the_page() -> None:
    page = memo_html(headed(*HOSTILE))
    assert [page.count(tag) for tag in ("<script", "<img", "<iframe")] == [0, 0, 0]


@pytest.mark.parametrize(
    ("title", "character"),
    [
        ("תוכנית אימון", "'ת' (U+05EA HEBREW LETTER TAV)"),
        ("خطة التدريب", "'خ' (U+062E ARABIC LETTER KHAH)"),
        ("Llama \N{LLAMA} run", "'\N{LLAMA}' (U+1F999 LLAMA)"),
    ],
)
def test_a_character_that_cannot_be_printed_is_named(title: str, character: str) -> None:
    with pytest.raises(MemoError) as failure:
        memo_pdf(headed(title, "", "", "", ""))
    assert character in str(failure.value)


def test_the_html_page_stands_alone() -> None:
    page = memo_html(first())
    assert page.startswith("<!doctype html>")
    assert "data:font/ttf;base64," in page
    assert set(re.findall(r'(?:url\(|src=|href=)"?([a-z-]+:)', page)) == {"data:"}
