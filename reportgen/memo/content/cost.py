"""Cost: the list price with its date and source, GPU-hours, contingency, over the cases."""

from __future__ import annotations

from reportgen.catalog import prices
from reportgen.catalog.rows import Price
from reportgen.memo.axis import US_DOLLARS
from reportgen.memo.content.say import Teller, column
from reportgen.memo.content.variants import in_case
from reportgen.memo.content.words import Sentence, listed, sentence
from reportgen.memo.document import Column, Row, Section, Table
from reportgen.result import Result

LINES = (
    ("GPU-hours at list price", "gpu_cost_usd"),
    ("Contingency", "contingency_usd"),
    ("List cost", "total_cost_usd"),
)


def cost(result: Result) -> Section:
    """What is paid for what, and what is not in it."""
    teller = Teller(result)
    return Section("Cost", paragraphs=(_price(teller), _per_token(teller)), tables=(_table(teller),))


def listing(result: Result) -> Price | None:
    """The row of the price list that is paid; None where a price is given outright."""
    if result["price_override"] != "as listed":
        return None
    return next((row for row in prices() if row.price_key == result["price_listing"]), None)


def _price(teller: Teller) -> Sentence:
    """The price and where it is from; its date and confidence stand among the assumptions."""
    row = listing(teller.result)
    price = teller.say("gpu_hour_price")
    if row is None:
        return sentence("A GPU-hour is priced at ", price, ", as the scenario gives it outright.")
    return sentence(
        "A GPU-hour is priced at ", price, ": ", teller.say("price_listing"), ", a list price of ", row.confidence,
        " confidence; its source stands among the assumptions. No discount, commitment, storage, network or staff is "
        "counted.",
    )  # fmt: skip


def _per_token(teller: Teller) -> Sentence:
    if teller.value("total_cost_usd") == 0:
        return sentence("At this price the run costs nothing in the estimate.")
    share = teller.value("contingency_fraction")
    extra = (
        sentence(", with a contingency of ", teller.share("contingency_fraction"))
        if share
        else sentence(", with no contingency")
    )
    return sentence(
        teller.say("gpu_hours"), " come to ", teller.say("total_cost_usd"), extra, ": ",
        teller.say("cost_per_token_usd"), ". At an MFU of ", teller.share("sensitivity_utilization"), " it would be ",
        teller.say("sensitivity_cost_usd"), ".",
    )  # fmt: skip


def _table(teller: Teller) -> Table:
    tellers = _cases(teller)
    pairs = [(case, formula) for _, formula in LINES for _, case in tellers]
    unit, cells = column(pairs, US_DOLLARS)
    width = len(tellers)
    rows = tuple(
        Row((words, *cells[index * width : (index + 1) * width]), total=formula == "total_cost_usd")
        for index, (words, formula) in enumerate(LINES)
    )
    heads = (Column("Item", align="left"), *(Column(words, unit) for words, _ in tellers))
    return Table("List cost of the run", heads, rows, note=_note(teller))


def _cases(teller: Teller) -> list[tuple[str, Teller]]:
    """The cases side by side where inputs have ranges, else the one there is."""
    result = teller.result
    if not result.scenario.ranges:
        return [("Estimate", teller)]
    return [
        ("Low case", in_case(result, "low")),
        ("Base", in_case(result, "base")),
        ("High case", in_case(result, "high")),
    ]


def _note(teller: Teller) -> Sentence:
    if not teller.result.scenario.ranges:
        return ()
    hours = listed([sentence(words.lower(), " ", case.say("gpu_hours")) for words, case in _cases(teller)])
    return sentence("GPU-hours: ", hours, ". In the low case every uncertain input is at its low, which may cost more.")
