"""Shipped facts, each with its source: accelerators, dated prices and model presets."""

from reportgen.catalog.load import accelerators, models, prices, sources_of
from reportgen.catalog.rows import Accelerator, ModelPreset, Price

__all__ = ["Accelerator", "ModelPreset", "Price", "accelerators", "models", "prices", "sources_of"]
