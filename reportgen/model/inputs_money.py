"""Checkpoint and cost inputs: what is written how often, and what a GPU-hour costs."""

from __future__ import annotations

from reportgen.catalog import prices
from reportgen.formula.quantity import choice, number, words
from reportgen.formula.sources import Assumption, Definition
from reportgen.model.axes import PRICE
from reportgen.model.references import BLOOM_2022

PRICE_LIST = Definition("from the price list, whose rows carry date, source and confidence")
MISSING = "missing"
LISTINGS = tuple(row.price_key for row in prices())

CHECKPOINT_INPUTS = (
    number(
        "checkpoint_interval_seconds",
        "second",
        "Seconds of training between two checkpoints.",
        Assumption("every half hour"),
        section="checkpoint",
        default=1800,
        between=(1, 1e7),
    ),
    choice(
        "checkpoint_gradients",
        ("yes", "no"),
        "Whether gradients are written too: the rule of 16 bytes counts them, frameworks do not write them.",
        BLOOM_2022.at("checkpoint sizes, 14 bytes per parameter"),
        section="checkpoint",
        default="no",
    ),
    number(
        "checkpoint_goal_fraction",
        "1",
        "Share of the run that checkpoints may cost.",
        Assumption("a goal of one per cent"),
        section="checkpoint",
        default=0.01,
        between=(0.0001, 1),
    ),
    number(
        "retained_checkpoints",
        "1",
        "Checkpoints kept at any time.",
        Assumption("enough to go back past a bad stretch"),
        section="checkpoint",
        default=10,
        between=(1, 1e6),
        whole=True,
    ),
)

COST_INPUTS = (
    choice(
        "price_listing",
        LISTINGS,
        "The row of the price list that is paid.",
        Assumption("a dated on-demand list price of the default accelerator"),
        section="cost",
        default="Lambda H100 SXM x8 on-demand 2026-05",
        choices_from="listing_name",
    ),
    number(
        "price_override",
        "USD/hour/GPU",
        "Price of one GPU-hour, where it differs from the listing.",
        PRICE_LIST,
        section="cost",
        between=(0, 1e4),
        word="as listed",
    ),
    number(
        "contingency_fraction",
        "1",
        "Share added to the cost for what is not foreseen.",
        Assumption("none unless a scenario sets one"),
        section="cost",
        default=0,
        between=(0, 10),
    ),
    words(
        "listing_name",
        "Name of the price.",
        PRICE_LIST,
        section="catalogue",
        default=LISTINGS,
        axis=PRICE,
    ),
    number(
        "listing_price",
        "USD/hour/GPU",
        "Price of one GPU-hour.",
        PRICE_LIST,
        section="catalogue",
        default=tuple(row.usd_per_gpu_hour or MISSING for row in prices()),
        between=(0, 1e4),
        word=MISSING,
        axis=PRICE,
    ),
    words(
        "listing_accelerator",
        "The accelerator that the price is for.",
        PRICE_LIST,
        section="catalogue",
        default=tuple(row.accelerator for row in prices()),
        axis=PRICE,
    ),
)
