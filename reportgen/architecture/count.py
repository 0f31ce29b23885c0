"""Counts the parameters of a model from its config.json, exactly, with every assumption said."""

from __future__ import annotations

from dataclasses import replace

from reportgen.architecture.config import Config
from reportgen.architecture.doubts import doubts
from reportgen.architecture.fill import filled
from reportgen.architecture.names import Names
from reportgen.architecture.recognise import recognise, refusal
from reportgen.architecture.result import ParameterCount
from reportgen.errors import ReportgenError


def count(config: Config) -> ParameterCount:
    """Count the parameters of the model; raise ReportgenError where the file does not say enough.

    Source of the shapes: the classes that each family file cites.
    """
    recognised = recognise(config)
    if recognised is None:
        raise ReportgenError([refusal(config)])
    names = Names(family=recognised.family, config=recognised.config)
    counted = filled(names)
    return replace(counted, doubts=tuple(doubts(recognised, names, counted)))
