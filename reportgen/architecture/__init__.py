"""From the config.json of a published model to its exact parameter count; model families are data files."""

from reportgen.architecture.config import Config, read_config
from reportgen.architecture.count import count
from reportgen.architecture.result import KindSizes, LayerKind, ParameterCount, Tensor

__all__ = ["Config", "KindSizes", "LayerKind", "ParameterCount", "Tensor", "count", "read_config"]
