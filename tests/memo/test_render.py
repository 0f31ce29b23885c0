"""The PDF is the same every time, brings everything along, fetches nothing and loses no character."""

from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import hashlib
import io
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError
from jinja2.exceptions import SecurityError
from pypdf import PdfReader

from reportgen.errors import MemoError
from reportgen.memo.document import Decision, Memo, Printed
from reportgen.memo.render import environment, page_html, render_pdf

DATE = dt.date(2026, 3, 14)
HOSTILE = "</style><script>alert(1)</script><img src='file:///etc/hostname'>{{ 7 * 7 }}"

RENDER_AGAIN = """
import hashlib, sys
from pathlib import Path
from reportgen.memo.render import page_html, render_pdf
from tests.memo.conftest import SCENARIO
from tests.memo.sample import sample_memo
memo = sample_memo()
page = page_html(memo, Path("templates"))
print(hashlib.sha256(render_pdf(page, title=memo.title, date=memo.date, attachments=[SCENARIO])).hexdigest())
"""


def page_of(body: str, head: str = "") -> str:
    style = '<style>html { font-family: "Source Sans Pro" }</style>'
    return f'<!doctype html><html lang="en"><head><title>T</title>{style}{head}</head><body>{body}</body></html>'


def rendered(html: str) -> PdfReader:
    return PdfReader(io.BytesIO(render_pdf(html, title="T", date=DATE)))


def text_of(reader: PdfReader) -> str:
    return " ".join(" ".join(sheet.extract_text() for sheet in reader.pages).split())


def test_the_same_memo_gives_the_same_bytes_in_this_process_and_in_another(pdf: bytes) -> None:
    other = subprocess.run(
        [sys.executable, "-c", RENDER_AGAIN],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": "7", "TZ": "Pacific/Auckland"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert other.stdout.strip() == hashlib.sha256(pdf).hexdigest()


def test_rendering_warns_of_nothing(page: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        render_pdf(page, title="T", date=DATE)
    assert caplog.messages == []


def test_the_memo_is_tagged_titled_dated_and_in_a_language(pdf: bytes, memo: Memo) -> None:
    reader = PdfReader(io.BytesIO(pdf))
    assert reader.metadata is not None
    root: Any = reader.root_object
    facts = {
        "title": reader.metadata.title,
        "created": reader.metadata["/CreationDate"],
        "language": root["/Lang"],
        "marked": root["/MarkInfo"]["/Marked"],
        "shows its title": root["/ViewerPreferences"]["/DisplayDocTitle"],
    }
    assert facts == {
        "title": memo.title,
        "created": "D:20260314",
        "language": "en",
        "marked": True,
        "shows its title": True,
    }


def test_the_memo_claims_no_conformance(pdf: bytes) -> None:
    assert "/Metadata" not in PdfReader(io.BytesIO(pdf)).root_object


def test_headings_tables_and_figures_are_in_the_tag_tree(pdf: bytes) -> None:
    tags = [str(element["/S"]) for element in structure(pdf)]
    assert (tags.count("/H1"), tags.count("/Figure"), tags.count("/Table")) == (1, 3, 7)
    assert [level for level in range(1, 7) if f"/H{level}" in tags] == [1, 2, 3]


def test_figures_have_their_title_as_alternative_text(pdf: bytes) -> None:
    titles = [str(element["/Alt"]) for element in structure(pdf) if element["/S"] == "/Figure"]
    assert titles == [
        "Memory per GPU by pipeline stage, in GB",
        "Training time against GPU count, in days",
        "Effective cost by part, in million USD",
    ]


def test_only_the_memos_own_typeface_is_used_and_it_is_embedded(pdf: bytes) -> None:
    fonts = [font for sheet in PdfReader(io.BytesIO(pdf)).pages for font in fonts_of(sheet)]
    names = {str(font["/BaseFont"]).partition("+")[2] for font in fonts}
    descriptors = [font["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object() for font in fonts]
    assert {name.partition("-Pro")[0] for name in names} == {"Source-Sans"}
    assert all({"/FontFile2", "/FontFile3"} & set(descriptor) for descriptor in descriptors)


def test_the_memos_words_are_text_in_the_pdf(pdf: bytes, memo: Memo) -> None:
    words = text_of(PdfReader(io.BytesIO(pdf)))
    expected = [
        memo.title,
        "The run fits with 8.5 GB to spare and ends 4 days before the deadline.",
        "Decision asked for: Approve $5.10 million",
        "Dr. Hélène Østergård",
        "989 TFLOP/s",
        "Head of Finance",
        "Page 1 of 3",
        "3 Memory per GPU",
        "Capacity of the card",
        "Narayanan et al. 2021, equation 4",
    ]
    assert [phrase for phrase in expected if phrase not in words] == []


def test_attachments_are_inside_the_pdf(pdf: bytes) -> None:
    assert PdfReader(io.BytesIO(pdf)).attachments == {"aurora-70b.yaml": [b"name: Aurora\n"]}


@pytest.mark.parametrize(
    ("body", "address"),
    [
        ('<img src="file:///etc/hostname">', "file:///etc/hostname"),
        ('<img src="http://127.0.0.1:9/x.png">', "http://127.0.0.1:9/x.png"),
        ('<img src="FILE:///etc/hostname">', "FILE:///etc/hostname"),
        ('<p style="background: url(file:///etc/hostname)">x</p>', "file:///etc/hostname"),
        ('<object data="file:///etc/hostname">x</object>', "file:///etc/hostname"),
        ('<embed src="ftp://127.0.0.1/x">', "ftp://127.0.0.1/x"),
        ('<a rel="attachment" href="file:///etc/hostname">x</a>', "file:///etc/hostname"),
        ('<base href="file:///etc/"><img src="hostname">', "file:///etc/hostname"),
        ('<svg width="9" height="9"><image href="file:///etc/hostname" width="9" height="9"/></svg>', "file:///etc/hostname"),
        ('<img src="memo-font:../../secret.ttf">', "memo-font:../../secret.ttf"),
    ],
)  # fmt: skip
def test_nothing_but_data_is_fetched_for_a_page(body: str, address: str) -> None:
    with pytest.raises(MemoError, match=re.escape(f"found the address {address}; expected")):
        render_pdf(page_of(body), title="T", date=DATE)


@pytest.mark.parametrize(
    "head",
    [
        '<link rel="stylesheet" href="file:///etc/hostname">',
        '<link rel="attachment" href="file:///etc/hostname">',
        "<style>@import url(file:///etc/hostname);</style>",
        "<style>@font-face { font-family: X; src: url(file:///etc/hostname) }</style>",
    ],
)
def test_nothing_but_data_is_fetched_for_a_head(head: str) -> None:
    with pytest.raises(MemoError, match="found the address file:///etc/hostname; expected"):
        render_pdf(page_of("<p>x</p>", head), title="T", date=DATE)


def test_a_picture_inside_a_picture_is_not_fetched_either() -> None:
    inner = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/hostname"/></svg>'
    body = f'<img src="data:image/svg+xml;base64,{base64.b64encode(inner).decode()}">'
    with pytest.raises(MemoError, match="found the address file:///etc/hostname; expected"):
        render_pdf(page_of(body), title="T", date=DATE)


def test_a_part_of_another_drawing_is_not_read(tmp_path: Path) -> None:
    other = tmp_path / "other.svg"
    other.write_text('<svg xmlns="http://www.w3.org/2000/svg"><text id="a" y="9">secret</text></svg>')
    body = f'<p>open</p><svg width="99" height="9"><use href="{other.as_uri()}#a"/></svg>'
    assert text_of(rendered(page_of(body))) == "open"


def test_a_figure_that_cannot_be_drawn_is_an_error_and_not_a_gap() -> None:
    with pytest.raises(MemoError) as failure:
        render_pdf(page_of('<svg width="9" height="9"><text rotate="nowhere">x</text></svg>'), title="T", date=DATE)
    assert str(failure.value) == (
        "memo, while rendering: found an error of the PDF writer: Failed to render SVG image None; "
        "expected a page that is printed whole; mend the template or the figure that the message names"
    )


def test_a_refused_address_is_told_with_what_to_do() -> None:
    with pytest.raises(MemoError) as failure:
        render_pdf(page_of('<img src="file:///etc/hostname">'), title="T", date=DATE)
    assert str(failure.value) == (
        "memo, while rendering: found the address file:///etc/hostname; "
        "expected a page that brings everything along, or `data:` addresses; "
        "take the address out of the template or the scenario's text"
    )


def test_a_missing_glyph_is_an_error_that_names_it() -> None:
    with pytest.raises(MemoError) as failure:
        render_pdf(page_of("<p>one</p>\n<td>Cluster 漢 in Kyoto</td>"), title="T", date=DATE)
    assert str(failure.value) == (
        "memo, line 2 of the page, in <td>: found the character '漢' (U+6F22 CJK UNIFIED IDEOGRAPH-6F22) "
        "in 'Cluster 漢 in Kyoto'; expected a character that the memo's typeface Source Sans Pro normal can "
        "print; write this name or sentence with other letters in the scenario"
    )


def test_all_missing_glyphs_are_told_at_once() -> None:
    with pytest.raises(MemoError) as failure:
        render_pdf(page_of("<p>a ⋅ b 漢</p><svg><text>字</text></svg><p>漢</p>"), title="T", date=DATE)
    assert sorted(re.findall("U\\+([0-9A-F]+)", str(failure.value))) == ["22C5", "5B57", "6F22"]


def test_a_glyph_missing_in_italic_alone_is_an_error_in_emphasis_alone() -> None:
    assert text_of(rendered(page_of("<p>Σ</p>"))) == "Σ"
    with pytest.raises(MemoError, match=r"U\+03A3 GREEK CAPITAL LETTER SIGMA.*Source Sans Pro italic"):
        render_pdf(page_of("<p><em>Σ</em></p>"), title="T", date=DATE)


def test_what_is_not_printed_needs_no_glyph() -> None:
    html = page_of("<p>soft\u00adhyphen,\ttab</p><svg><title>漢</title></svg>", "<style>/* 漢 */</style>")
    assert "tab" in text_of(rendered(html))


def test_another_typeface_is_an_error() -> None:
    with pytest.raises(MemoError) as failure:
        render_pdf(page_of('<p style="font-family: serif">x</p>'), title="T", date=DATE)
    assert re.sub("set in [^;]+", "set in …", str(failure.value)) == (
        "memo, while rendering: found text set in …; expected Source Sans Pro alone, the typeface that comes "
        "with the package; name no other typeface in memo.css or in a figure"
    )


def test_the_words_of_a_scenario_stay_words(memo: Memo, templates: Path) -> None:
    decision = Decision(HOSTILE, (HOSTILE, Printed(HOSTILE, HOSTILE)), (HOSTILE,), "adverse")
    hostile = dataclasses.replace(memo, title=HOSTILE, subject=HOSTILE, version=HOSTILE, decision=decision)
    page = page_html(hostile, templates)
    assert (page.count("<script"), page.count("<img"), page.count("</style>")) == (0, 0, 1)
    assert "{{ 7 * 7 }}" in text_of(rendered(page))


def test_a_title_too_long_for_the_page_head_is_shortened_there_alone(memo: Memo, templates: Path) -> None:
    title = "A training run whose name " + "and reason " * 20 + "never end"
    words = text_of(rendered(page_html(dataclasses.replace(memo, title=title), templates)))
    assert words.count("never end") == 2  # the heading and the approval
    assert words.count("A training run whose name and reason and reason and reason and reason and") == 5
    assert words.count("…") == 3  # the foot of each page


def test_every_printed_number_names_its_quantity_on_the_page(page: str) -> None:
    assert '<span data-quantity="headroom_bytes">8.5 GB</span>' in page


def test_every_heading_of_a_table_says_its_scope(page: str) -> None:
    headings = re.findall("<th[^>]*>", page.replace("<thead>", ""))
    assert [heading for heading in headings if "scope=" not in heading] == []


def test_a_self_contained_page_brings_its_typeface_and_fetches_nothing(memo: Memo, templates: Path) -> None:
    page = page_html(memo, templates, self_contained=True)
    addresses = set(re.findall(r'(?:url\(|src=|href=)"?([a-z-]+:)', page))
    assert addresses == {"data:"}


def test_an_undefined_name_in_a_template_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UndefinedError, match="'memo' is undefined"):
        environment(tmp_path).from_string("{{ memo }}").render()


def test_a_template_reaches_no_python(tmp_path: Path) -> None:
    with pytest.raises(SecurityError):
        environment(tmp_path).from_string("{{ ''.__class__.__mro__ }}").render()


def test_the_estimate_does_not_pay_for_the_pdf_writer() -> None:
    program = "import sys, reportgen.memo.render, reportgen.memo.figures; print('weasyprint' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"


def structure(pdf: bytes) -> list[Any]:
    """Every element of the tag tree, in reading order."""
    root: Any = PdfReader(io.BytesIO(pdf)).root_object
    return list(_below(root["/StructTreeRoot"]["/K"][0].get_object()))


def _below(element: Any) -> Iterator[Any]:
    yield element
    for kid in element.get("/K", ()):
        child = kid.get_object()
        if hasattr(child, "get") and "/S" in child:
            yield from _below(child)


def fonts_of(sheet: Any) -> list[Any]:
    return [font.get_object() for font in sheet["/Resources"]["/Font"].get_object().values()]
