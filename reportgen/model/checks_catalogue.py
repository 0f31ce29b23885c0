"""Checks of figures: the card and the price are known, and names stand once in their tables."""

from __future__ import annotations

from reportgen.formula.functions import count_where
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION


@check(
    "fault",
    remedy="Choose an accelerator with these figures, or give accelerator_memory_override and peak_flops_override.",
)
def accelerator_figures_known(missing_accelerator_figures):
    """Memory and dense peak of the accelerator are known."""
    return missing_accelerator_figures == 0


@check("fault", remedy="Choose another price_listing, or give price_override.")
def price_known(missing_price_figures):
    """The price of a GPU-hour is known."""
    return missing_price_figures == 0


@quantity("1", source=BY_DEFINITION)
def accelerator_rows(accelerator_name, accelerator):
    """Rows of the catalogue that bear the accelerator's name."""
    return count_where(accelerator_name, accelerator)


@check("fault", remedy="Give every accelerator of the catalogue a name of its own.")
def accelerator_stands_once(accelerator_rows):
    """The accelerator's name stands once in the catalogue."""
    return accelerator_rows == 1


@quantity("1", source=BY_DEFINITION)
def listing_rows(listing_name, price_listing):
    """Rows of the price list that bear the listing's name."""
    return count_where(listing_name, price_listing)


@check("fault", remedy="Give every row of the price list a name of its own.")
def listing_stands_once(listing_rows):
    """The listing's name stands once in the price list."""
    return listing_rows == 1


@quantity("1", source=BY_DEFINITION)
def optimizer_rows(optimizer_name, optimizer):
    """Rows of the optimizer table that bear the optimizer's name."""
    return count_where(optimizer_name, optimizer)


@check("fault", remedy="Give every row of the optimizer table a name of its own.")
def optimizer_stands_once(optimizer_rows):
    """The optimizer's name stands once in its table."""
    return optimizer_rows == 1


@check("fault", remedy="Choose a price_listing of the accelerator, or give price_override.")
def price_is_for_this_accelerator(expected_accelerator, accelerator):
    """The price is that of the chosen accelerator."""
    return expected_accelerator == accelerator


@quantity("1", source=BY_DEFINITION)
def profile_rows(profile_name, kernel_profile):
    """Rows of the table of kernel profiles that bear the profile's name."""
    return count_where(profile_name, kernel_profile)


@check("fault", remedy="Give every row of the table of kernel profiles a name of its own.")
def profile_stands_once(profile_rows):
    """The kernel profile's name stands once in its table."""
    return profile_rows == 1


@quantity("1", source=BY_DEFINITION)
def framework_rows(framework_name, framework):
    """Rows of the table of frameworks that bear the framework's name."""
    return count_where(framework_name, framework)


@check("fault", remedy="Give every row of the table of frameworks a name of its own.")
def framework_stands_once(framework_rows):
    """The framework's name stands once in its table."""
    return framework_rows == 1
