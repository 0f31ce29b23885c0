"""Where the data files are: beside the package in a checkout, inside it when installed."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent
_CHECKOUT = _PACKAGE.parent


def templates_directory() -> Path:
    """Return the directory of memo.html, its parts and memo.css."""
    return _shared_directory("templates")


def scenarios_directory() -> Path:
    """Return the directory of the example scenarios."""
    return _shared_directory("scenarios")


def catalog_directory() -> Path:
    """Return the directory of the shipped facts, which is part of the package itself."""
    return _PACKAGE / "catalog"


def _shared_directory(name: str) -> Path:
    """Return a directory that stands at the top of the repository and travels in the wheel as `_<name>`."""
    # An editable install holds copies as old as itself, so the checkout comes first. pyproject.toml tells a
    # checkout from a site-packages directory where some other package has left a folder of this name.
    if (_CHECKOUT / "pyproject.toml").is_file():
        return _CHECKOUT / name
    return _PACKAGE / f"_{name}"
