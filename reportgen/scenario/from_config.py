"""A model's config.json to the estimator's model inputs: sizes, kinds of layer, and by name what is left over.

Sizes that the inputs have are in config_sizes.py, how kinds are called in config_kinds.py, which layer is of which
kind in config_pattern.py, and in config_left_over.py every tensor that no size counts. The result is evaluated and
has to equal the exact count in total, in active parameters and in every layer, or the file is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reportgen.architecture.config import read_config
from reportgen.architecture.count import count
from reportgen.architecture.result import ParameterCount
from reportgen.errors import Fault, ScenarioError
from reportgen.formula.evaluate import evaluate
from reportgen.model import estimator
from reportgen.model.axes import LAYER, LAYER_KIND
from reportgen.scenario.accept import Problem
from reportgen.scenario.config_kinds import forms_of, labels_of, names_of
from reportgen.scenario.config_left_over import LeftOver, left_over
from reportgen.scenario.config_pattern import rule_of
from reportgen.scenario.config_sizes import Formed, differing, kind_sizes, model_sizes
from reportgen.scenario.scenario import ConfiguredModel, accept_input

WHOLE = frozenset({"model_parameters", "active_parameters", "layer_parameters"})
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
# What the rows of kinds that the model does not have hold.
EMPTY_ROWS = {
    "kind_attention": "attention",
    "kind_mlp": "dense",
    "kind_window": "whole sequence",
    "kind_further_width": 0,
    "kind_further_parameters": 0,
}


def model_from_config(path: Path, defaults: dict[str, Any]) -> ConfiguredModel:
    """The model inputs of a file, equal to its exact parameter count to the last one.

    `defaults` are all inputs, which what the file says is laid over. Raises ReportgenError for a file that cannot be
    counted, or whose layers the inputs cannot describe.
    """
    counted = count(read_config(path))
    kinds = tuple(map(Formed, counted.kinds, forms_of(counted)))
    refused = "; ".join(_beyond(counted, kinds))
    if refused:
        raise _not_held(path, refused)
    model = model_sizes(counted, kinds)
    rests = left_over(kinds, {**defaults, **model})
    inputs = {**model, **_layers(counted, kinds, model, rests)}
    inputs["further_parameters"] = counted.total - _held(defaults, {**inputs, "further_parameters": 0})[0]
    _refuse_unequal(path, counted, _held(defaults, inputs))
    _refuse_unaccepted(path, {**defaults, **inputs}, inputs)
    doubts = (*counted.doubts, *_doubts(kinds, rests, inputs["further_parameters"]))
    return ConfiguredModel(inputs, f"{path.name}, family {counted.family} ({counted.source})", doubts)


def _beyond(counted: ParameterCount, kinds: Sequence[Formed]) -> Iterator[str]:
    """What no input has a place for."""
    if len(counted.layers) > LAYER.rows or len(kinds) > LAYER_KIND.rows:
        yield f"{len(kinds)} kinds in {len(counted.layers)} layers, of which {LAYER_KIND.rows} and {LAYER.rows} fit"
    for size in differing(kinds):
        yield f"kinds of layer with another {size} each"
    for label in dict.fromkeys(label for kind in counted.kinds for label in labels_of(kind)):
        if label.startswith("second "):
            yield f"a {label} in each layer"
    for one in kinds:
        if _routed(one) != sum(tensor.parameters for tensor in one.kind.tensors if tensor.routed):
            yield f"experts ({one.kind.name}) whose matrices are not hidden_size by expert_ffn_size"


def _routed(one: Formed) -> int:
    """Parameters of a layer's routed experts as the inputs describe them."""
    sizes, names = one.kind.sizes, names_of(one.kind)
    hidden, width, matrices = sizes.hidden_size or 0, sizes.expert_ffn_size or 0, sizes.expert_matrices or 0
    biases = (matrices - 1) * width + hidden if "experts.down_proj_bias" in names else 0
    return (sizes.expert_count or 0) * (matrices * hidden * width + biases)


def _layers(
    counted: ParameterCount, kinds: Sequence[Formed], model: dict[str, Any], rests: Sequence[LeftOver]
) -> dict[str, Any]:
    """The inputs of the section layers."""
    names = [one.form.name for one in kinds]
    rule = rule_of(counted.layers)
    exceptions = rule.exceptions(counted.layers)
    columns = {
        **kind_sizes(kinds, model),
        "kind_further_width": [sum(rest.width for rest in rests if rest.kind == name) for name in names],
        "kind_further_parameters": [
            sum(rest.parameters for rest in rests if rest.kind == name and not rest.width) for name in names
        ],
    }
    rows = [names[exceptions[index]] if index in exceptions else "as rule" for index in range(LAYER.rows)]
    return {
        "layer_kind_count": len(kinds),
        "leading_layer_count": rule.leading_count,
        "leading_layer_kind": names[rule.leading_kind],
        "pattern_period": rule.period,
        "pattern_layer_count": rule.pattern_count,
        "pattern_layer_kind": names[rule.pattern_kind],
        "main_layer_kind": names[rule.main_kind],
        "kind_override": tuple(rows),
        **{name: _filled(name, values) for name, values in columns.items()},
    }


def _filled(name: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """A column over all kinds that the workbook has room for."""
    spare = range(len(values), LAYER_KIND.rows)
    if name == "kind_name":
        return (*values, *(f"kind {NUMBERS[row]}" for row in spare))
    return (*values, *(EMPTY_ROWS.get(name, "as model") for _ in spare))


def _held(defaults: Mapping[str, Any], inputs: Mapping[str, Any]) -> tuple[Any, Any, list[Any]]:
    """Total, active and by layer what the estimator makes of the inputs."""
    values = evaluate(estimator(), {**defaults, **inputs}, WHOLE)
    return values["model_parameters"], values["active_parameters"], list(values["layer_parameters"])


def _refuse_unequal(path: Path, counted: ParameterCount, held: tuple[Any, Any, list[Any]]) -> None:
    layers = [counted.layer_parameters(index) for index in range(len(counted.layers))]
    if held != (counted.total, counted.active, layers):
        exact = f"{counted.total:,} parameters, {counted.active:,} active"
        raise _not_held(path, f"{exact}, of which the estimator would hold {held[0]:,.0f} and {held[1]:,.0f}")


def _refuse_unaccepted(path: Path, inputs: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Refuses a size beyond what its input may be."""
    for name, value in given.items():
        accepted = accept_input(estimator().inputs[name], value, inputs)
        if isinstance(accepted, Problem):
            raise _not_held(path, f"{name}: {accepted.found}, not {accepted.expected}")


def _not_held(path: Path, found: str) -> ScenarioError:
    expected = "layers that the inputs can describe: up to eight kinds that share their latents and experts"
    remedy = "count it with `reportgen params`, or describe the nearest model by hand"
    return ScenarioError([Fault(str(path), found, expected, remedy)])


def _doubts(kinds: Sequence[Formed], rests: Sequence[LeftOver], outside: int) -> Iterator[str]:
    """What the inputs say only nearly, though the count is exact."""
    labels = {label for one in kinds for label in labels_of(one.kind)}
    if "chunked" in labels:
        yield "attention in chunks is estimated as a sliding window as wide as a chunk"
    if any(one.has_heads and "state space" in labels_of(one.kind) for one in kinds):
        yield "of the state space beside attention the projections alone are estimated, not what its scan keeps"
    if outside < 0:
        too_many = f"outside the layers the sizes amount to {-outside:,} parameters too many"
        yield f"{too_many}; further_parameters takes them off"
    for rest in rests:
        if rest.parameters < 0:
            missing = f"{-rest.parameters:,} parameters of {rest.tensor} that the sizes amount to"
            yield f"layers of the kind {rest.kind} lack {missing}; kind_further_parameters takes them off"
