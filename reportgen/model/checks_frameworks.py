"""Checks of the framework: whether it can shard as asked, and whether the model is one that can run so."""

from __future__ import annotations

from reportgen.formula.functions import lookup
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION


@quantity("1", source=BY_DEFINITION)
def allowed_zero_stage(
    pipeline_stages, framework, framework_name, framework_sharding_column, framework_pipeline_sharding_column
):
    """The highest ZeRO stage that the framework has, with a pipeline where there is one."""
    return (
        lookup(framework, framework_name, framework_pipeline_sharding_column)
        if pipeline_stages > 1
        else lookup(framework, framework_name, framework_sharding_column)
    )


@check("fault", remedy="Lower zero_stage, do without the pipeline, or choose a framework that has it.")
def framework_has_the_sharding(zero_stage, allowed_zero_stage):
    """The framework has the ZeRO stage, together with a pipeline where there is one."""
    return zero_stage <= allowed_zero_stage


@quantity("1", source=BY_DEFINITION)
def lone_expert_layers(expert_count, expert_layers):
    """Layers with routed experts of which there is only one."""
    return expert_layers if expert_count < 2 else 0


@check("fault", remedy="Give expert_count, experts_per_token and expert_ffn_size, or make the kind of layer dense.")
def experts_are_several(lone_expert_layers):
    """Layers with routed experts have more than one."""
    return lone_expert_layers == 0


@quantity("token/sequence", source=BY_DEFINITION)
def missing_positions(learned_positions, sequence_length, one_position):
    """Tokens of a sequence for which no position is learned; none where positions are computed."""
    return max(sequence_length - learned_positions * one_position, 0) if learned_positions > 0 else 0


@check("finding", remedy="Raise learned_positions to sequence_length, or set it to 0 where positions are computed.")
def every_token_has_a_position(missing_positions):
    """Learned positions reach to the end of the sequence."""
    return missing_positions == 0
