"""Cost: GPU-hours at a dated price, and a contingency."""

from __future__ import annotations

from reportgen.formula.functions import is_number, lookup
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION


@quantity("USD/hour/GPU", source=BY_DEFINITION)
def listed_price(price_listing, listing_name, listing_price):
    """Price of one GPU-hour as the price list has it."""
    return lookup(price_listing, listing_name, listing_price)


@quantity("USD/hour/GPU", source=BY_DEFINITION)
def gpu_hour_price(price_override, listed_price):
    """Price of one GPU-hour that is paid."""
    return listed_price if price_override == "as listed" else price_override


@quantity("1", source=BY_DEFINITION)
def missing_price_figures(gpu_hour_price):
    """Figures of the price that are needed and that nobody has given: the listing has only a range, or nothing."""
    return 0 if is_number(gpu_hour_price) else 1


@quantity("text", source=BY_DEFINITION)
def priced_accelerator(price_listing, listing_name, listing_accelerator):
    """The accelerator that the listing is for."""
    return lookup(price_listing, listing_name, listing_accelerator)


@quantity("text", source=BY_DEFINITION)
def expected_accelerator(price_override, priced_accelerator, accelerator):
    """The accelerator that the price should be for: any, where the price is given outright."""
    return priced_accelerator if price_override == "as listed" else accelerator


@quantity("USD", source=BY_DEFINITION)
def gpu_cost_usd(gpu_hours, gpu_hour_price):
    """Cost of the GPU-hours."""
    return gpu_hours * gpu_hour_price


@quantity("USD", source=BY_DEFINITION)
def contingency_usd(gpu_cost_usd, contingency_fraction):
    """Contingency on the cost of the GPU-hours."""
    return gpu_cost_usd * contingency_fraction


@quantity("USD", source=BY_DEFINITION)
def total_cost_usd(gpu_cost_usd, contingency_usd):
    """Cost of the run, contingency included."""
    return gpu_cost_usd + contingency_usd


@quantity("USD/token", source=BY_DEFINITION)
def cost_per_token_usd(total_cost_usd, training_tokens):
    """Cost of training on one token."""
    return total_cost_usd / training_tokens


@quantity("USD", source=BY_DEFINITION)
def sensitivity_cost_usd(total_cost_usd, sensitivity_training_days, training_days):
    """Cost of the run at the second utilisation."""
    return total_cost_usd * sensitivity_training_days / training_days
