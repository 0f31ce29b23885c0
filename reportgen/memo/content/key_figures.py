"""The four figures that a director reads: memory, time, GPUs and cost, with their ranges."""

from __future__ import annotations

from reportgen.memo.content.cost import cost_name, terms
from reportgen.memo.content.parts import fullest_stage
from reportgen.memo.content.say import Teller
from reportgen.memo.content.spread import spread
from reportgen.memo.content.standing import deadline_is_assumed
from reportgen.memo.content.words import sentence
from reportgen.memo.document import KeyFigure, Words
from reportgen.result import Result


def key_figures(result: Result) -> tuple[KeyFigure, ...]:
    """Memory of the fullest GPU, training time, GPUs and list cost."""
    teller = Teller(result)
    return (_memory(teller), _time(teller), _gpus(teller), _cost(teller))


def _memory(teller: Teller) -> KeyFigure:
    return KeyFigure(
        label="Peak memory per GPU",
        value=teller.say("peak_memory_bytes"),
        span=_range(teller, "peak_memory_bytes") or sentence("of ", teller.say("accelerator_memory_bytes"), " usable"),
        note=sentence("on ", fullest_stage(teller)),
    )


def _time(teller: Teller) -> KeyFigure:
    return KeyFigure(
        label="Training time",
        value=teller.span("training_days"),
        span=_range(teller, "training_days"),
        note=sentence(_due(teller), teller.span("deadline_days")),
    )


def _due(teller: Teller) -> str:
    return "assumed deadline: " if deadline_is_assumed(teller.result) else "deadline: "


def _gpus(teller: Teller) -> KeyFigure:
    return KeyFigure(
        label="GPUs planned",
        value=teller.say("gpu_count"),
        span=sentence("for the deadline: ", teller.say("deadline_gpus")),
        note=sentence(teller.say("accelerator")),
    )


def _cost(teller: Teller) -> KeyFigure:
    return KeyFigure(
        label=cost_name(teller.result).capitalize(),
        value=teller.say("total_cost_usd"),
        span=_range(teller, "total_cost_usd"),
        note=sentence(teller.say("gpu_hours"), " at ", teller.say("gpu_hour_price"), "; ", terms(teller.result)),
    )


def _range(teller: Teller, quantity: str) -> Words:
    ends = spread(teller.result, quantity)
    if ends is None:
        return ""
    least, most = (end.headline(quantity) for end in ends)
    return sentence("from ", least, " to ", most)
