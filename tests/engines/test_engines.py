"""Both spreadsheet engines tell the truth about a workbook, before and after edits, and agree."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from tests.engines import libreoffice_engine
from tests.engines.expressions import evaluate_formulas
from tests.engines.interface import CellValue, SpreadsheetEngine
from tests.engines.ironcalc_engine import IronCalcEngine
from tests.engines.libreoffice_engine import LibreOfficeEngine

pytestmark = pytest.mark.xdist_group("libreoffice")

_FORMULAS = {
    "B1": "=gpu_count*hourly_price",
    "B2": '=SUMIF(Catalogue!A2:A4,"dense",Catalogue!B2:B4)',
    "B3": "=INDEX(Catalogue!B2:B4,MATCH(chosen_kind,Catalogue!A2:A4,0))",
    "B4": "=1/(gpu_count-8)",
    "B5": '=IF(ISNUMBER(gpu_count),"OK","not a number")',
    "B6": "=is_reserved",
    "B7": '=chosen_kind&"!"',
    "B8": '=IF(gpu_count>100,gpu_count,"–")',
}
_INPUTS: dict[str, CellValue] = {
    "gpu_count": 16,
    "hourly_price": 2.5,
    "chosen_kind": "MoE",
    "is_reserved": True,
}
_GPU_COUNT = ("Inputs", "B1")
_CHOSEN_KIND = ("Inputs", "B3")
_IS_RESERVED = ("Inputs", "B4")
_COST = ("Results", "B1")
_LOOKUP = ("Results", "B3")
_INVERSE = ("Results", "B4")
_CHECK = ("Results", "B5")


def _results(*values: CellValue) -> dict[tuple[str, str], CellValue]:
    return {("Results", reference): value for reference, value in zip(_FORMULAS, values, strict=True)}


@pytest.fixture(scope="module")
def libreoffice() -> Iterator[LibreOfficeEngine]:
    with LibreOfficeEngine() as engine:
        yield engine


@pytest.fixture(params=["ironcalc", "libreoffice"])
def engine(request: pytest.FixtureRequest, libreoffice: LibreOfficeEngine) -> SpreadsheetEngine:
    return IronCalcEngine() if request.param == "ironcalc" else libreoffice


@pytest.fixture
def workbook_path(tmp_path: Path) -> Path:
    workbook = Workbook()
    inputs = workbook.active
    inputs.title = "Inputs"
    for row, (name, value) in enumerate(_INPUTS.items(), start=1):
        inputs.append([name, value])
        workbook.defined_names[name] = DefinedName(name, attr_text=f"Inputs!$B${row}")
    catalogue = workbook.create_sheet("Catalogue")
    for values in (["kind", "layers"], ["dense", 3], ["MoE", 61], ["Dense", 4]):
        catalogue.append(values)
    results = workbook.create_sheet("Results")
    for reference, formula in _FORMULAS.items():
        results[reference] = formula
    path = tmp_path / "small.xlsx"
    workbook.save(path)
    return path


@pytest.fixture
def opened(engine: SpreadsheetEngine, workbook_path: Path) -> SpreadsheetEngine:
    return engine.open(workbook_path)


def test_every_formula_cell_is_read_as_it_was_saved(opened: SpreadsheetEngine) -> None:
    assert opened.values() == _results(40.0, 7.0, 61.0, 0.125, "OK", True, "MoE!", "–")


def test_every_formula_follows_an_edit(opened: SpreadsheetEngine) -> None:
    opened.edit({_GPU_COUNT: 108, _CHOSEN_KIND: "DENSE", _IS_RESERVED: False})
    assert opened.values() == _results(270.0, 7.0, 3.0, 0.01, "OK", False, "DENSE!", 108.0)


def test_both_engines_agree_after_a_row_of_edits(libreoffice: LibreOfficeEngine, workbook_path: Path) -> None:
    ironcalc = IronCalcEngine().open(workbook_path)
    libreoffice.open(workbook_path)
    for value in (0, 1e12, -3.25, None, "80", "many"):
        ironcalc.edit({_GPU_COUNT: value})
        libreoffice.edit({_GPU_COUNT: value})
        assert (value, libreoffice.values()) == (value, ironcalc.values())


def test_only_the_cells_asked_for_are_returned(opened: SpreadsheetEngine) -> None:
    assert opened.values([_COST, _CHOSEN_KIND]) == {_COST: 40.0, _CHOSEN_KIND: "MoE"}


def test_errors_read_as_their_text(opened: SpreadsheetEngine) -> None:
    opened.edit({_GPU_COUNT: 8, _CHOSEN_KIND: "unknown"})
    assert opened.values([_INVERSE, _LOOKUP]) == {_INVERSE: "#DIV/0!", _LOOKUP: "#N/A"}


def test_an_unknown_name_reads_as_a_name_error(engine: SpreadsheetEngine) -> None:
    assert evaluate_formulas(engine, ["=no_such_quantity+1"]) == ["#NAME?"]


def test_a_number_typed_as_text_stays_text(opened: SpreadsheetEngine) -> None:
    opened.edit({_GPU_COUNT: "80"})
    assert opened.values([_GPU_COUNT, _CHECK]) == {_GPU_COUNT: "80", _CHECK: "not a number"}


def test_a_text_that_looks_like_a_formula_stays_text(opened: SpreadsheetEngine) -> None:
    opened.edit({_CHOSEN_KIND: "=1+1"})
    assert opened.values([_CHOSEN_KIND, ("Results", "B7")]) == {
        _CHOSEN_KIND: "=1+1",
        ("Results", "B7"): "=1+1!",
    }


def test_a_blanked_cell_is_blank_and_counts_as_zero(opened: SpreadsheetEngine) -> None:
    opened.edit({_GPU_COUNT: None})
    assert opened.values([_GPU_COUNT, _COST, _CHECK]) == {
        _GPU_COUNT: None,
        _COST: 0.0,
        _CHECK: "not a number",
    }


def test_a_number_put_over_a_truth_value_is_a_number(opened: SpreadsheetEngine) -> None:
    opened.edit({_IS_RESERVED: 5})
    assert opened.values([_IS_RESERVED, ("Results", "B6")]) == {_IS_RESERVED: 5.0, ("Results", "B6"): 5.0}


def test_a_formula_overwritten_by_a_number_is_no_formula_cell_any_more(opened: SpreadsheetEngine) -> None:
    opened.edit({_COST: 1})
    assert (_COST in opened.values(), opened.values([_COST])) == (False, {_COST: 1.0})


def test_a_cell_outside_the_used_area_is_blank(opened: SpreadsheetEngine) -> None:
    assert opened.values([("Inputs", "AB900")]) == {("Inputs", "AB900"): None}


def test_a_truth_value_typed_over_a_number_is_no_formula(opened: SpreadsheetEngine) -> None:
    opened.edit({_GPU_COUNT: True})
    assert (_GPU_COUNT in opened.values(), opened.values([_CHECK, _GPU_COUNT])[_GPU_COUNT]) == (False, True)


def test_opening_the_file_again_undoes_edits(opened: SpreadsheetEngine, workbook_path: Path) -> None:
    opened.edit({_GPU_COUNT: 1})
    assert opened.open(workbook_path).values([_COST]) == {_COST: 40.0}


def test_a_stale_cached_value_is_not_echoed(engine: SpreadsheetEngine, workbook_path: Path) -> None:
    stale = _with_cached_values(workbook_path, "999")
    assert engine.open(stale).values() == _results(40.0, 7.0, 61.0, 0.125, "OK", True, "MoE!", "–")


def test_a_stale_cached_value_is_not_echoed_after_an_edit_elsewhere(
    engine: SpreadsheetEngine, workbook_path: Path
) -> None:
    engine.open(_with_cached_values(workbook_path, "999"))
    engine.edit({_CHOSEN_KIND: "dense"})
    assert engine.values() == _results(40.0, 7.0, 3.0, 0.125, "OK", True, "dense!", "–")


def test_an_unknown_sheet_is_an_error_that_lists_the_sheets(opened: SpreadsheetEngine) -> None:
    with pytest.raises((KeyError, RuntimeError), match="no sheet 'Nowhere' in the workbook; it has Inputs, Cat"):
        opened.values([("Nowhere", "A1")])


def test_expressions_see_names_and_keep_their_order(engine: SpreadsheetEngine) -> None:
    names: dict[str, CellValue] = {"token_count": 3.0, "layer_kind": "=dense"}
    values = evaluate_formulas(engine, ["=token_count^2", '=layer_kind&"."', "=1/0", "=-2^2", "=TRUE()", '=""'], names)
    assert values == [9.0, "=dense.", "#DIV/0!", 4.0, True, ""]


def test_an_expression_without_its_equals_sign_is_refused(engine: SpreadsheetEngine) -> None:
    with pytest.raises(ValueError, match=re.escape("a formula starts with '=', these do not: ['1+1']")):
        evaluate_formulas(engine, ["=1", "1+1"])


def test_closing_ends_the_worker_and_soffice(workbook_path: Path) -> None:
    engine = LibreOfficeEngine()
    profile = engine.directory
    engine.open(workbook_path)
    before = _processes_naming(profile)
    engine.close()
    engine.close()
    assert (len(before) >= 2, _processes_naming(profile), profile.exists()) == (True, [], False)


def test_an_error_inside_the_with_block_ends_soffice_too() -> None:
    engine = LibreOfficeEngine()
    with pytest.raises(ZeroDivisionError), engine:
        raise ZeroDivisionError
    assert _processes_naming(engine.directory) == []


def test_a_killed_worker_is_an_error_and_leaves_no_soffice(workbook_path: Path) -> None:
    with LibreOfficeEngine() as engine:
        assert engine._worker is not None
        engine._worker.kill()
        with pytest.raises(RuntimeError, match="LibreOffice's worker ended at 'open'; its last words: "):
            engine.open(workbook_path)
    assert _processes_naming(engine.directory) == []


def test_opening_leaves_no_lock_file_beside_the_workbook(opened: SpreadsheetEngine, workbook_path: Path) -> None:
    opened.values()
    assert [path.name for path in workbook_path.parent.iterdir()] == ["small.xlsx"]


def test_a_closed_engine_says_so() -> None:
    engine = IronCalcEngine()
    with pytest.raises(RuntimeError, match="no workbook is open; call open"):
        engine.values()


def test_missing_soffice_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RuntimeError, match="soffice was not found: install the package libreoffice-calc-nogui"):
        LibreOfficeEngine()


def test_missing_uno_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libreoffice_engine, "_SYSTEM_PYTHON", "/nowhere/python3")
    with pytest.raises(RuntimeError, match="/nowhere/python3 cannot import uno: install the package python3-uno"):
        LibreOfficeEngine()


def _with_cached_values(path: Path, cached: str) -> Path:
    """Copy a workbook, with one wrong number cached behind every formula."""
    stale = path.with_name("stale.xlsx")
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(stale, "w") as target:
        for name in source.namelist():
            target.writestr(name, _cached(source.read(name).decode(), cached))
    assert sum(_cached_count(stale)) == len(_FORMULAS)
    return stale


def _cached(xml: str, cached: str) -> str:
    return re.sub(r"</f><v ?/?>(</v>)?", f"</f><v>{cached}</v>", xml)


def _cached_count(path: Path) -> list[int]:
    with zipfile.ZipFile(path) as archive:
        return [archive.read(name).decode().count("<v>999</v>") for name in archive.namelist()]


def _processes_naming(directory: Path) -> list[str]:
    """Return the ids of the processes whose command line names a directory."""
    return [
        entry.parent.name
        for entry in Path("/proc").glob("[0-9]*/cmdline")
        if _read_or_empty(entry.read_bytes).find(str(directory).encode()) >= 0
    ]


def _read_or_empty(read: Callable[[], bytes]) -> bytes:
    try:
        return read()
    except OSError:  # the process ended in between
        return b""
