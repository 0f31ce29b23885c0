"""The estimator: nothing but quantities, put together into one model."""

from __future__ import annotations

from functools import cache

from reportgen.formula.model import Model, assemble


@cache
def estimator() -> Model:
    """The whole model, put together once.

    Raises ModelError or RefusedSyntax for definitions that do not fit together.
    """
    from reportgen.model import (
        activations,
        checkpoint,
        checks_catalogue,
        checks_findings,
        checks_layers,
        checks_layout,
        checks_sums,
        compute,
        constants,
        cost,
        inputs_hardware,
        inputs_model,
        inputs_money,
        inputs_run,
        layers,
        memory,
        parameters,
        rules_of_thumb,
        state,
        time,
    )
    from reportgen.model.axes import AXES

    modules = (
        inputs_model,
        inputs_hardware,
        inputs_run,
        inputs_money,
        constants,
        parameters,
        layers,
        activations,
        state,
        memory,
        compute,
        time,
        checkpoint,
        cost,
        rules_of_thumb,
        checks_catalogue,
        checks_layout,
        checks_layers,
        checks_findings,
        checks_sums,
    )
    return assemble(modules, AXES)
