"""What brute force is given, as inputs of the estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.model.brute_force.given import Kind, Layout, Model, Recompute, Run

YES_NO = {True: "yes", False: "no"}


@dataclass(frozen=True)
class Pattern:
    """Kinds of layer by rule: leading layers of the third, then periods of the first that end in some of the second."""

    described: tuple[Kind, Kind, Kind]
    leading: int = 0
    period: int = 1
    ending: int = 0
    exception: int | None = None

    def kinds(self, count: int) -> tuple[Kind, ...]:
        """The kinds of so many layers; the exception is of the second kind whatever the rule."""
        main, other, lead = self.described
        block = [main] * (self.period - self.ending) + [other] * self.ending
        layers = [*[lead] * self.leading, *(block * count)[self.leading :]][:count]
        if self.exception is not None:
            layers[self.exception] = other
        return tuple(layers)


def pattern_inputs(pattern: Pattern) -> dict[str, Any]:
    main, other, lead = pattern.described
    return {
        "layer_kind_count": len(pattern.described),
        "main_layer_kind": main.name,
        "leading_layer_count": pattern.leading,
        "leading_layer_kind": lead.name,
        "pattern_period": pattern.period,
        "pattern_layer_count": pattern.ending,
        "pattern_layer_kind": other.name,
        "kind_override": {} if pattern.exception is None else {pattern.exception: other.name},
    }


def kind_inputs(described: tuple[Kind, Kind, Kind]) -> dict[str, Any]:
    rows = list(enumerate(described))
    first = described[0]
    return {
        "head_count": first.heads,
        "kv_head_count": first.kv_heads,
        "head_size": first.head_size,
        "ffn_size": first.ffn,
        "norms_per_layer": first.norms,
        "kind_name": {row: kind.name for row, kind in rows},
        "kind_attention": {row: kind.attention for row, kind in rows},
        "kind_mlp": {row: kind.mlp for row, kind in rows},
        "kind_head_override": {row: kind.heads for row, kind in rows[1:]},
        "kind_kv_override": {row: kind.kv_heads for row, kind in rows[1:]},
        "kind_head_size_override": {row: kind.head_size for row, kind in rows[1:]},
        "kind_ffn_override": {row: kind.ffn for row, kind in rows[1:]},
        "kind_norm_override": {row: kind.norms for row, kind in rows[1:]},
        "kind_window": {row: kind.window or "whole sequence" for row, kind in rows},
        "kind_further_width": {row: kind.further_width for row, kind in rows},
        "kind_further_parameters": {row: kind.further_parameters for row, kind in rows},
    }


def model_inputs(model: Model) -> dict[str, Any]:
    latent, experts = model.latent, model.experts
    return {
        "layer_count": len(model.kinds),
        "hidden_size": model.hidden,
        "value_head_size": model.value_head_size or "as head_size",
        "vocabulary_size": model.vocabulary,
        "vocabulary_multiple": model.held_vocabulary,
        "mlp_kind": "gated" if model.gated else "plain",
        "embedding_tying": "tied" if model.tied else "untied",
        "qkv_bias": YES_NO[model.qkv_bias],
        "attention_output_bias": YES_NO[model.output_bias],
        "mlp_bias": YES_NO[model.mlp_bias],
        "head_bias": YES_NO[model.head_bias],
        "norm_bias": YES_NO[model.norm_bias],
        "qk_norm": model.qk_norm,
        "learned_positions": model.positions,
        "embedding_norm": YES_NO[model.embedding_norm],
        "further_parameters": model.further_parameters,
        "query_latent_size": latent.query,
        "key_value_latent_size": latent.key_value,
        "rotary_head_size": latent.rotary,
        "expert_count": experts.count,
        "experts_per_token": experts.per_token,
        "expert_ffn_size": experts.ffn,
        "shared_ffn_size": experts.shared_ffn,
        "router_bias": YES_NO[experts.router_bias],
        "expert_bias": YES_NO[experts.bias],
        "shared_expert_gate": YES_NO[experts.shared_gate],
    }


def layout_inputs(layout: Layout) -> dict[str, Any]:
    return {
        "gpu_count": layout.tensor * layout.stages * layout.replicas,
        "tensor_parallel": layout.tensor,
        "sequence_parallel": "on" if layout.sequence_parallel else "off",
        "pipeline_stages": layout.stages,
        "virtual_stages": layout.chunks,
        "context_parallel": layout.context,
        "expert_parallel": layout.expert,
        "expert_tensor_parallel": layout.expert_tensor,
        "zero_stage": layout.zero,
        "shard_group_size": layout.group or "all",
        "schedule": layout.schedule,
        "stage_split": "by compute" if layout.split_costs else "even",
        "stage_layers_override": dict(enumerate(layout.stage_layers)),
    }


def recompute_inputs(recompute: Recompute) -> dict[str, Any]:
    return {
        "recompute": recompute.what,
        "recompute_interval": recompute.interval,
        "recompute_group_layers": recompute.group,
        "recompute_norms": YES_NO[recompute.norms],
        "recompute_mlp_activation": YES_NO[recompute.mlp_activation],
        "recompute_latent": YES_NO[recompute.latent],
        "recompute_experts": recompute.experts,
    }


def bytes_inputs(run: Run) -> dict[str, Any]:
    each = run.bytes
    return {
        "weight_bytes_per_parameter": each.weight,
        "gradient_bytes_per_parameter": each.gradient,
        "master_bytes_per_parameter": each.master,
        "quantised_bytes_per_parameter": each.quantised,
        "unquantised_bytes_per_parameter": "as weights" if each.unquantised is None else each.unquantised,
        "compute_copy_bytes_per_parameter": each.copy,
        "gathered_bytes_per_parameter": "as weights" if each.gathered is None else each.gathered,
    }


def run_inputs(run: Run) -> dict[str, Any]:
    return {
        **layout_inputs(run.layout),
        **recompute_inputs(run.recompute),
        **bytes_inputs(run),
        "sequence_length": run.sequence,
        "micro_batch_size": run.micro_batch,
        "global_batch_size": run.micro_batch * run.micro_batches * run.layout.copies,
        "kernel_profile": run.profile,
        "flash_attention": "on" if run.flash else "off",
        "gathered_layers": run.gathered_layers,
        "framework": "textbook",
        "framework_gather_copies_column": {0: run.gathered_copies},
        "framework_bytes": 0,
        "gathered_inputs": "kept" if run.inputs_kept else "gathered again",
        "expert_load_factor": run.load,
        "loss_head": run.loss_head,
        "loss_chunks": run.loss_chunks,
        "tuning": run.tuning,
        "adapter_rank": run.rank,
        "adapter_targets": run.adapted,
        "optimizer_offload": "host memory" if run.offload else "none",
        "gpus_per_node": run.node_gpus,
        "flops_convention": "causal attention with head",
    }
