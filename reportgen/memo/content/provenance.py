"""Where the memo comes from: scenario, program, prices, so that anyone can make it again."""

from __future__ import annotations

from reportgen import __version__
from reportgen.memo.content.cost import given_price
from reportgen.memo.document import Detail
from reportgen.origin import listing
from reportgen.result import Result
from reportgen.scenario.load import scenario_hash


def version(result: Result) -> str:
    """What the memo's head calls it."""
    return f"reportgen {__version__} · {scenario_hash(result.scenario)[:8]}"


def provenance(result: Result, attached: tuple[str, ...] = ()) -> tuple[Detail, ...]:
    """Scenario, its fingerprint, case, program, price date, and what is attached inside the document."""
    scenario, price = result.scenario, listing(result)
    details = (
        Detail("Scenario", f"{scenario.name}, {scenario.case} case, fingerprint {scenario_hash(scenario)}"),
        Detail("Program", f"reportgen {__version__}"),
        Detail("Price", f"{price.price_key}, as of {price.date}" if price else f"quoted price, {given_price(result)}"),
    )
    inside = ", ".join(attached) if attached else "nothing"
    return (*details, Detail("Attached inside", inside))
