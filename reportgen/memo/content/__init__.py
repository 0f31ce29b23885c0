"""A result to what the memo says: rules choose the sentences, values fill them, nothing else prints a number."""

from __future__ import annotations

from reportgen.memo.content.assumptions import assumptions
from reportgen.memo.content.checkpoints import checkpoints
from reportgen.memo.content.cost import cost
from reportgen.memo.content.decision import decision
from reportgen.memo.content.demand import demand
from reportgen.memo.content.derivations import derivations
from reportgen.memo.content.glossary import GLOSSARY
from reportgen.memo.content.head import standing_details
from reportgen.memo.content.key_figures import key_figures
from reportgen.memo.content.layers import layers
from reportgen.memo.content.memory import memory
from reportgen.memo.content.options import options
from reportgen.memo.content.provenance import provenance, version
from reportgen.memo.content.risks import risks
from reportgen.memo.content.training_time import training_time
from reportgen.memo.document import Detail, Memo, Signatory
from reportgen.result import Result

SECTIONS = (demand, options, memory, layers, training_time, checkpoints, cost, risks)


def memo_of(result: Result, attached: tuple[str, ...] = ()) -> Memo:
    """The whole memo of a result; `attached` names the files that travel inside the document."""
    scenario = result.scenario
    return Memo(
        title=scenario.title,
        subject=scenario.header.purpose or scenario.story,
        date=scenario.date,
        version=version(result),
        details=_details(result),
        decision=decision(result),
        key_figures=key_figures(result),
        sections=tuple(section(result) for section in SECTIONS),
        assumptions=assumptions(result),
        signatories=_signatories(result),
        appendix=(derivations(result),),
        glossary=GLOSSARY,
        provenance=provenance(result, attached),
    )


def _details(result: Result) -> tuple[Detail, ...]:
    header = result.scenario.header
    lines = (
        ("To", header.to),
        ("From", header.sender),
        ("Date", result.scenario.date.isoformat()),
        ("Decision needed by", header.decision_by),
    )
    return (*(Detail(label, text) for label, text in lines if text), *standing_details(result))


def _signatories(result: Result) -> tuple[Signatory, ...]:
    header = result.scenario.header
    return (
        Signatory("Approved", header.to),
        Signatory("Prepared", header.sender),
        Signatory("Finance"),
    )
