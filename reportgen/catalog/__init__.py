"""Shipped facts, each with its source: accelerators, dated prices and model presets."""

from reportgen.catalog.load import (
    accelerator_named,
    accelerators,
    model_named,
    models,
    price_named,
    prices,
    sources_of,
)
from reportgen.catalog.presets import inputs_of
from reportgen.catalog.rows import Accelerator, ModelPreset, Price

__all__ = [
    "Accelerator",
    "ModelPreset",
    "Price",
    "accelerator_named",
    "accelerators",
    "inputs_of",
    "model_named",
    "models",
    "price_named",
    "prices",
    "sources_of",
]
