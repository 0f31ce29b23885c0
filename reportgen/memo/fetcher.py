"""The one door through which the PDF writer gets anything: our font files and `data:`, nothing else.

Import this only where WeasyPrint is already paid for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weasyprint.urls import URLFetcher, URLFetcherResponse

from reportgen.memo.typeface import FACES, face_bytes

FACE_OF_URL = {face.url: face for face in FACES}


class MemoFetcher(URLFetcher):  # type: ignore[misc] # WeasyPrint publishes no types
    """Answers for the memo's typeface and for `data:`; refuses files, the network and every redirect.

    A refusal stops the rendering with WeasyPrint's FatalURLFetchingError, which is a BaseException; inside a
    picture the writer swallows even that, so every refused address is also kept in `refused`.
    """

    def __init__(self) -> None:
        super().__init__(allowed_protocols=("data",), allow_redirects=False, fail_on_errors=True)
        self.refused: list[str] = []

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> Any:
        """The response for an address of the typeface or a `data:` address; ValueError for any other."""
        face = FACE_OF_URL.get(url)
        if face is None:
            return self._data(url, headers)
        return URLFetcherResponse(url, face_bytes(face), {"Content-Type": "font/ttf"})

    def _data(self, url: str, headers: Mapping[str, str] | None) -> Any:
        try:
            return super().fetch(url, headers)
        except Exception:
            self.refused.append(url)
            raise
