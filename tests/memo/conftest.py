"""One sample memo and its PDF, written once for the tests that read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportgen.memo.document import Memo
from reportgen.memo.render import Attachment, page_html, render_pdf
from tests.memo.sample import sample_memo

TEMPLATES = Path(__file__).parents[2] / "templates"
SCENARIO = Attachment("aurora-70b.yaml", "The scenario", "application/yaml", b"name: Aurora\n")


@pytest.fixture(scope="session")
def templates() -> Path:
    return TEMPLATES


@pytest.fixture(scope="session")
def memo() -> Memo:
    return sample_memo()


@pytest.fixture(scope="session")
def page(memo: Memo) -> str:
    return page_html(memo, TEMPLATES)


@pytest.fixture(scope="session")
def pdf(memo: Memo, page: str) -> bytes:
    return render_pdf(page, title=memo.title, date=memo.date, attachments=[SCENARIO])
