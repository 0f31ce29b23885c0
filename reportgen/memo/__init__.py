"""The memo: values to what it says, values to figures, HTML to a PDF that can be signed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reportgen.errors import Fault, MemoError
from reportgen.memo.content import memo_of
from reportgen.memo.render import Attachment, page_html, render_pdf
from reportgen.output import write_whole
from reportgen.resources import templates_directory
from reportgen.result import Result

WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def write_memo(
    result: Result, path: Path, workbook: Path | None = None, *, attachments: Sequence[Attachment] = ()
) -> Path:
    """Writes the memo as PDF, the scenario's text inside it, the workbook too where there is one.

    Raises MemoError where it cannot be rendered, ReportgenError where the place cannot be written.
    """
    inside = (*attachments, *([workbook_attachment(workbook)] if workbook else ()))
    return write_whole(path, memo_pdf(result, attachments=inside))


def memo_pdf(result: Result, *, attachments: Sequence[Attachment] = ()) -> bytes:
    """The memo as PDF; the same result and attachments give the same bytes. Raises MemoError."""
    inside = (*_scenario(result), *attachments)
    memo = memo_of(result, tuple(attachment.name for attachment in inside))
    html = page_html(memo, templates_directory())
    return render_pdf(html, title=memo.title, date=memo.date, attachments=inside)


def memo_html(result: Result) -> str:
    """The memo as one HTML page that brings its typeface and fetches nothing."""
    return page_html(memo_of(result), templates_directory(), self_contained=True)


def workbook_attachment(path: Path) -> Attachment:
    """A workbook to be put inside the memo. Raises MemoError where it cannot be read."""
    try:
        content = path.read_bytes()
    except OSError as error:
        fault = Fault(str(path), error.strerror or str(error), "a workbook to attach", "build the workbook first")
        raise MemoError([fault]) from error
    return Attachment(path.name, "The live workbook", WORKBOOK_TYPE, content)


def _scenario(result: Result) -> tuple[Attachment, ...]:
    scenario = result.scenario
    if not scenario.text:
        return ()
    return (Attachment(f"{scenario.name}.yaml", "The scenario", "application/yaml", scenario.text.encode()),)
