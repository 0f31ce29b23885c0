"""Who may import whom: data flows from scenario through model to the writers, and never back."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "reportgen"

# For each part, the parts that it may import; anything else of reportgen is refused.
ALLOWED = {
    "accuracy": {"catalog", "errors", "formula", "model", "terminal"},
    "breakdown": {"formula", "model", "result"},
    "errors": set(),
    "architecture": {"errors"},
    "catalog": set(),
    "output": {"errors"},
    "resources": set(),
    "formula": set(),
    "model": {"catalog", "formula"},
    "scenario": {"architecture", "catalog", "errors", "formula", "model"},
    "origin": {"catalog", "model", "result", "scenario"},
    "result": {"errors", "formula", "model", "origin", "scenario"},
    "workbook": {"breakdown", "catalog", "errors", "formula", "model", "origin", "output", "result", "scenario", ""},
    "memo": {
        "breakdown",
        "catalog",
        "errors",
        "formula",
        "headline",
        "model",
        "origin",
        "output",
        "remedies",
        "resources",
        "result",
        "scenario",
        "",
    },
}
HEAVY = (
    "weasyprint",
    "pandas",
    "openpyxl",
    "numpy",
    "lxml",
    "ironcalc",
    "reportgen.architecture",
    "reportgen.accuracy",
)


def imported_parts(file: Path) -> set[str]:
    """The parts of reportgen that a file imports, at its top or inside; "" is the package itself."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    modules += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    ours = [module.split(".") for module in modules if module.split(".")[0] == "reportgen"]
    return {parts[1] if len(parts) > 1 else "" for parts in ours}


@pytest.mark.parametrize("part", sorted(ALLOWED))
def test_each_part_imports_only_what_stands_before_it(part: str) -> None:
    single = PACKAGE / f"{part}.py"
    files = [single] if single.exists() else sorted((PACKAGE / part).rglob("*.py"))
    strays = {
        f"{file.relative_to(PACKAGE)} imports {other or 'reportgen itself'}"
        for file in files
        for other in imported_parts(file) - ALLOWED[part] - {part}
    }
    assert files
    assert strays == set()


def test_estimate_starts_without_the_heavy_libraries() -> None:
    program = (
        "import sys; from reportgen.cli import main; "
        "main(['estimate', 'scenarios/llama3-70b-8k.yaml']); "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_file_says_its_job_in_its_first_line() -> None:
    silent = [
        str(file.relative_to(PACKAGE))
        for file in sorted(PACKAGE.rglob("*.py"))
        if not ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    ]
    assert silent == []
