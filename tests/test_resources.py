"""Templates and scenarios are found in a checkout and in an installed package."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportgen import resources

_REPOSITORY = Path(__file__).parent.parent


def test_a_checkout_uses_the_directories_at_its_top() -> None:
    found = (resources.templates_directory(), resources.scenarios_directory())
    assert found == (_REPOSITORY / "templates", _REPOSITORY / "scenarios")


def test_an_installed_package_uses_the_copies_inside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "reportgen"
    (tmp_path / "site-packages" / "templates").mkdir(parents=True)  # left there by some other package
    monkeypatch.setattr(resources, "_PACKAGE", package)
    monkeypatch.setattr(resources, "_CHECKOUT", package.parent)
    found = (resources.templates_directory(), resources.scenarios_directory())
    assert found == (package / "_templates", package / "_scenarios")


def test_the_catalog_is_part_of_the_package() -> None:
    assert resources.catalog_directory() == _REPOSITORY / "reportgen" / "catalog"
