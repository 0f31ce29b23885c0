"""What recomputation drops of a layer, and what of it comes back."""

from __future__ import annotations

from collections.abc import Iterator

from tests.model.brute_force import kept
from tests.model.brute_force.given import Kind, Model, Run


def dropped_modules(run: Run) -> set[str]:
    """Modules that are computed again, and what frozen matrices without adapters read, which is not kept."""
    recompute = run.recompute
    chosen = {
        "scores": recompute.what == "selective",
        "norm outputs": recompute.norms,
        "mlp product": recompute.mlp_activation,
        "latent up": recompute.latent,
        "routed product": recompute.experts == "activation",
        "experts": recompute.experts == "whole",
        "read by mlp": run.tuning != "full" and run.adapted == "attention",
    }
    return {module for module, dropped in chosen.items() if dropped}


def saved_operators(model: Model, run: Run, kind: Kind) -> Iterator[kept.Kept]:
    """The layer's input, attention with what it needs, and every second product.

    Products in order: query, key, value, output, gate, up, down; without a gate down is the sixth, and not saved.
    """
    between, cut = run.layout.between, run.layout.tensor
    width = {"dense": kind.ffn, "experts": model.experts.shared_ffn, "none": 0}[kind.mlp]
    yield kept.Kept("layer input", 2 * model.hidden, between)
    if width and model.gated:
        yield kept.Kept("mlp output", 2 * model.hidden, between)
    yield kept.Kept("gate" if model.gated else "up", 2 * width, cut)
    if kind.attention in ("attention", "latent"):
        core = kept.attention_core(model, run, kind)
        yield from (one for one in core if one.name in ("query", "value", "attention output", "log-sum-exp"))


def kept_by_layer(model: Model, run: Run, kind: Kind) -> tuple[float, float]:
    """Bytes of one layer that is not recomputed whole: all that it has, and what of that it keeps."""
    everything = kept.layer(model, run, kind)
    if run.recompute.what == "operators":
        return kept.held(everything, run), kept.held(saved_operators(model, run, kind), run)
    dropped = dropped_modules(run)
    return kept.held(everything, run), kept.held((one for one in everything if dropped.isdisjoint(one.modules)), run)
