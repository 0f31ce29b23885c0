"""Files appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportgen.errors import ReportgenError
from reportgen.output import write_whole


def test_a_file_is_written_with_its_folder(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "new" / "file.txt", b"whole")
    assert path.read_bytes() == b"whole"
    assert [entry.name for entry in path.parent.iterdir()] == ["file.txt"]


def test_an_old_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(b"old")
    assert write_whole(path, b"new").read_bytes() == b"new"


def test_a_folder_in_the_way_is_a_fault_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "file.txt").mkdir()
    with pytest.raises(ReportgenError, match="expected a place that can be written"):
        write_whole(tmp_path / "file.txt", b"new")
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.txt"]


def test_a_file_as_a_folder_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ReportgenError, match="name another folder with --output"):
        write_whole(tmp_path / "file" / "inner.txt", b"new")
