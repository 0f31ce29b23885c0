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
        checks_experts,
        checks_findings,
        checks_frameworks,
        checks_kinds,
        checks_layers,
        checks_layout,
        checks_recomputation,
        checks_schedule,
        checks_sums,
        compute,
        constants,
        cost,
        frameworks,
        in_flight,
        inputs_frameworks,
        inputs_hardware,
        inputs_layers,
        inputs_memory,
        inputs_model,
        inputs_money,
        inputs_profiles,
        inputs_run,
        inputs_tuning,
        kinds,
        layer_parameters,
        layers,
        loss_head,
        memory,
        parameters,
        profiles,
        recomputation,
        rules_of_thumb,
        sharding,
        stage_parameters,
        state,
        stored_weights,
        time,
        tuning,
    )
    from reportgen.model.axes import AXES

    modules = (
        inputs_model,
        inputs_layers,
        inputs_hardware,
        inputs_run,
        inputs_memory,
        inputs_tuning,
        inputs_money,
        inputs_profiles,
        inputs_frameworks,
        constants,
        kinds,
        layer_parameters,
        parameters,
        layers,
        sharding,
        stage_parameters,
        tuning,
        profiles,
        activations,
        recomputation,
        in_flight,
        loss_head,
        frameworks,
        stored_weights,
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
        checks_kinds,
        checks_experts,
        checks_schedule,
        checks_recomputation,
        checks_frameworks,
        checks_findings,
        checks_sums,
    )
    return assemble(modules, AXES)
