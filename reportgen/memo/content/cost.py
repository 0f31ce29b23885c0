"""Cost: the price with its date and source, GPU-hours, contingency, over the cases."""

from __future__ import annotations

from reportgen.memo.axis import US_DOLLARS
from reportgen.memo.content.brief import brief
from reportgen.memo.content.say import Teller, column
from reportgen.memo.content.variants import in_case
from reportgen.memo.content.words import Sentence, listed, sentence
from reportgen.memo.document import Column, Row, Section, Table
from reportgen.origin import listing
from reportgen.result import Result

LINES = ("gpu_cost_usd", "contingency_usd", "total_cost_usd")


def cost(result: Result) -> Section:
    """What is paid for what, and what is not in it."""
    teller = Teller(result)
    return Section("Cost", paragraphs=(_price(teller), _per_token(teller)), tables=(_table(teller),))


def price_name(result: Result) -> str:
    """A price from the list is a list price; one that is given is a quoted price."""
    return "list price" if listing(result) else "quoted price"


def cost_name(result: Result) -> str:
    """The cost at that price."""
    return "list cost" if listing(result) else "quoted cost"


def terms(result: Result) -> str:
    """Whose price it is, for what term, as of when; where it is given, by whom."""
    row = listing(result)
    if row is None:
        return f"quoted price, {given_price(result)}"
    return f"{row.provider}, {row.term}, {row.date}"


def given_price(result: Result) -> str:
    """Where a price that is not from the list comes from."""
    if "price_override" in result.scenario.changes:
        return "set for this estimate"
    note = result.scenario.notes.get("price_override")
    return brief(note.source) if note and note.source else "given by the scenario"


def _price(teller: Teller) -> Sentence:
    """The price and where it is from; its date and confidence stand among the assumptions."""
    row = listing(teller.result)
    price = teller.say("gpu_hour_price")
    if row is None:
        return sentence("A GPU-hour is priced at ", price, ", a quoted price, ", given_price(teller.result), ".")
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
    pairs = [(case, formula) for formula in LINES for _, case in tellers]
    titles = (f"GPU-hours at {price_name(teller.result)}", "Contingency", cost_name(teller.result).capitalize())
    unit, cells = column(pairs, US_DOLLARS)
    width = len(tellers)
    rows = tuple(
        Row((words, *cells[index * width : (index + 1) * width]), total=formula == "total_cost_usd")
        for index, (words, formula) in enumerate(zip(titles, LINES, strict=True))
    )
    heads = (Column("Item", align="left"), *(Column(words, unit) for words, _ in tellers))
    return Table(f"{cost_name(teller.result).capitalize()} of the run", heads, rows, note=_note(teller))


def _cases(teller: Teller) -> list[tuple[str, Teller]]:
    """The cases side by side where the ranges reach the cost, else the one there is."""
    result = teller.result
    cases = [
        ("Low case", in_case(result, "low")),
        ("Base", in_case(result, "base")),
        ("High case", in_case(result, "high")),
    ]
    differ = len({case.value("total_cost_usd") for _, case in cases}) > 1
    return cases if differ else [("Estimate", teller)]


def _note(teller: Teller) -> Sentence:
    cases = _cases(teller)
    if len(cases) == 1:
        return ()
    hours = listed([sentence(words.lower(), " ", case.say("gpu_hours")) for words, case in cases])
    return sentence(
        "GPU-hours: ", hours, ". Each case sets all uncertain inputs to their low, or all to their high, "
        "together; it is no bound of the cost.",
    )  # fmt: skip
