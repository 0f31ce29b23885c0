"""A memo to HTML and HTML to PDF: same bytes for same input, in one typeface, fetching nothing.

The PDF is tagged, has a language, a title and its own font files. No conformance to PDF/A or PDF/UA is
claimed: no validator has confirmed any.
"""

from __future__ import annotations

import base64
import datetime as dt
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from reportgen.errors import Fault, MemoError
from reportgen.memo.document import Memo
from reportgen.memo.glyphs import glyph_faults
from reportgen.memo.typeface import FAMILY, inlined_faces, linked_faces, shorten

PDF_VERSION = "1.7"
PAGE = "memo.html"
PIXELS_PER_MILLIMETRE = 96 / 25.4
# The running heads of memo.css are set in 8 points.
RUNNING_SIZE = 8 * 96 / 72


@dataclass(frozen=True)
class Attachment:
    """A file inside the PDF; its media type is stated, as guessing it would depend on the machine."""

    name: str
    description: str
    media_type: str
    content: bytes


def environment(template_folder: Path) -> ImmutableSandboxedEnvironment:
    """Templates that escape every text, refuse an undefined name and can change no value."""
    templates = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(template_folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["running"] = running
    return templates


def running(words: str, millimetres: float) -> str:
    """A title shortened to the width of a page's head or foot.

    Not left to CSS: `text-overflow: ellipsis` writes all hidden words into the PDF's text as one character.
    """
    return shorten(" ".join(words.split()), millimetres * PIXELS_PER_MILLIMETRE, RUNNING_SIZE)


def page_html(memo: Memo, template_folder: Path, *, self_contained: bool = False) -> str:
    """The memo as one HTML page; self-contained with the font files inside, for a browser."""
    font_faces = Markup(inlined_faces() if self_contained else "")  # noqa: S704 - our own rules
    return environment(template_folder).get_template(PAGE).render(memo=memo, font_faces=font_faces)


def render_pdf(html: str, *, title: str, date: dt.date, attachments: Sequence[Attachment] = ()) -> bytes:
    """The page as a tagged PDF whose dates are `date`.

    MemoError names every character the typeface cannot print, every address other than `data:`, any other
    typeface that the page would use, and whatever else the PDF writer could not do.
    """
    # Imported here: an estimate must not pay for the PDF writer.
    from weasyprint.urls import FatalURLFetchingError

    from reportgen.memo.fetcher import MemoFetcher

    if unprintable := glyph_faults(html):
        raise MemoError(unprintable)
    fetcher = MemoFetcher()
    with errors_told() as errors:
        try:
            document = _laid_out(html, fetcher)
            pdf = _written(document, title, date, attachments)
        except FatalURLFetchingError as refusal:
            raise MemoError(_refusals(fetcher.refused or [str(refusal)])) from refusal
    # A refusal inside a picture is swallowed by the writer, which then leaves the picture out.
    if faults := _refusals(fetcher.refused) or _failures(errors) or _foreign_typefaces(document):
        raise MemoError(faults)
    return pdf


@contextmanager
def errors_told() -> Iterator[list[str]]:
    """The errors that WeasyPrint only writes to its log, such as a figure it could not draw and left out."""
    messages: list[str] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("weasyprint")
    logger.addHandler(handler)
    try:
        yield messages
    finally:
        logger.removeHandler(handler)


def _laid_out(html: str, fetcher: Any) -> Any:
    """WeasyPrint's document: the page cut into sheets."""
    from weasyprint import CSS, HTML
    from weasyprint.text.fonts import FontConfiguration

    fonts = FontConfiguration()
    faces = CSS(string=linked_faces(), url_fetcher=fetcher, font_config=fonts)
    return HTML(string=html, url_fetcher=fetcher).render(font_config=fonts, stylesheets=[faces])


def _written(document: Any, title: str, date: dt.date, attachments: Sequence[Attachment]) -> bytes:
    metadata = document.metadata
    metadata.title = title
    metadata.lang = metadata.lang or "en"
    metadata.created = metadata.modified = date.isoformat()
    pdf: bytes = document.write_pdf(
        pdf_version=PDF_VERSION,
        pdf_tags=True,
        attachments=[_embedded(attachment, date) for attachment in attachments],
    )
    return pdf


def _embedded(attachment: Attachment, date: dt.date) -> Any:
    from weasyprint import Attachment as Embedded

    from reportgen.memo.fetcher import MemoFetcher

    moment = dt.datetime.combine(date, dt.time(), dt.UTC)
    body = base64.b64encode(attachment.content).decode("ascii")
    return Embedded(
        url=f"data:{attachment.media_type};base64,{body}",
        url_fetcher=MemoFetcher(),
        name=attachment.name,
        description=attachment.description,
        created=moment,
        modified=moment,
    )


def _refusals(addresses: Sequence[str]) -> list[Fault]:
    return [
        Fault(
            where="memo, while rendering",
            found=f"the address {address}",
            expected="a page that brings everything along, or `data:` addresses",
            remedy="take the address out of the template or the scenario's text",
        )
        for address in dict.fromkeys(addresses)
    ]


def _failures(messages: Sequence[str]) -> list[Fault]:
    return [
        Fault(
            where="memo, while rendering",
            found=f"an error of the PDF writer: {message}",
            expected="a page that is printed whole",
            remedy="mend the template or the figure that the message names",
        )
        for message in dict.fromkeys(messages)
    ]


def _foreign_typefaces(document: Any) -> list[Fault]:
    families = {font.family for font in document.fonts.values()} - {FAMILY}
    return [
        Fault(
            where="memo, while rendering",
            found=f"text set in {family}",
            expected=f"{FAMILY} alone, the typeface that comes with the package",
            remedy="name no other typeface in memo.css or in a figure",
        )
        for family in sorted(families)
    ]
