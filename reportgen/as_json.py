"""A result as JSON: every value by its name, in base units."""

from __future__ import annotations

import json
from typing import Any

from reportgen.breakdown import buffer_terms, of_stage, peak_parts
from reportgen.result import TABLES, Result
from reportgen.scenario.load import scenario_hash


def to_json(result: Result) -> str:
    """The whole result as JSON text: scenario, values, units, fullest stage, tables, checks and assumptions.

    Numbers are in base units; `tables` has one object for each row that exists. `fullest_stage` has the parts that
    add up to its peak, and the terms that add up to its buffers.
    """
    return as_text(as_data(result))


def as_text(data: Any) -> str:
    """Plain data as JSON text, readable, ending with a line break; ValueError for what JSON has no number for."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_data(result: Result) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "scenario": _scenario(result),
        "values": result.scalars,
        "units": result.units,
        "fullest_stage": _fullest(result),
        "tables": {table: _rows(result.columns(table)) for table in TABLES},
        "checks": [_check(outcome) for outcome in result.outcomes],
        "assumptions": list(result.assumptions),
    }


def _scenario(result: Result) -> dict[str, Any]:
    scenario = result.scenario
    return {
        "name": scenario.name,
        "title": scenario.title,
        "story": scenario.story,
        "date": scenario.date.isoformat(),
        "active_case": scenario.case,
        "model_preset": scenario.preset,
        "doubts": list(scenario.configured.doubts) if scenario.configured else [],
        "scenario_hash": scenario_hash(scenario),
    }


def _fullest(result: Result) -> dict[str, Any]:
    stage = int(result["worst_stage"])
    return {
        "stage_index": stage,
        "kernel_profile": result["kernel_profile"],
        "framework": result["framework"],
        "parts": {name: of_stage(result, name, stage) for name in peak_parts()},
        "buffer_terms": {name: of_stage(result, name, stage) for name in buffer_terms()},
    }


def _rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _check(outcome: Any) -> dict[str, Any]:
    check = outcome.check
    return {
        "name": check.name,
        "description": check.description,
        "severity": check.severity,
        "left": outcome.left,
        "right": outcome.right,
        "passed": outcome.passed,
        "verdict": outcome.verdict,
    }
