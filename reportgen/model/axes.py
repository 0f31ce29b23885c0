"""The axes: what repeats in rows, how many rows there can be, and what says how many there are."""

from __future__ import annotations

from reportgen.catalog import accelerators, prices
from reportgen.formula.quantity import Axis

LAYER_KIND = Axis("layer_kind", "layer_kinds", rows=8, index="kind_index", count="layer_kind_count", label="kind_name")
STAGE = Axis("stage", "stages", rows=64, index="stage_index", count="pipeline_stages")
LAYER = Axis(
    "layer",
    "layers",
    rows=256,
    index="layer_index",
    count="layer_count",
)
ACCELERATOR = Axis(
    "accelerator",
    "accelerators",
    rows=len(accelerators()),
    index="accelerator_index",
    count=None,
    label="accelerator_name",
)
PRICE = Axis("price", "prices", rows=len(prices()), index="price_index", count=None, label="listing_name")
OPTIMIZER = Axis("optimizer", "optimizers", rows=9, index="optimizer_index", count=None, label="optimizer_name")
PROFILE = Axis("kernel_profile", "kernel_profiles", rows=5, index="profile_index", count=None, label="profile_name")
FRAMEWORK = Axis("framework", "frameworks", rows=6, index="framework_index", count=None, label="framework_name")

AXES = (LAYER_KIND, STAGE, LAYER, ACCELERATOR, PRICE, OPTIMIZER, PROFILE, FRAMEWORK)
