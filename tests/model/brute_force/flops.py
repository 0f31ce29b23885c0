"""FLOPs per token from listed matrices and counted pairs of tokens, useful ones and those done again."""

from __future__ import annotations

from collections.abc import Iterable

from tests.model.brute_force.given import Kind, Model, Run
from tests.model.brute_force.stages import placed
from tests.model.brute_force.tensors import Tensor, at_work


def attended_pairs(sequence: int, window: int | None, *, causal: bool) -> float:
    """Pairs of query and key, counted one by one; a pair on the edge of the causal band counts half, as an area."""
    reach = min(window or sequence, sequence)
    if not causal:
        return sequence * reach
    return sum(
        0.5 if behind in (0, reach) else 1.0 for query in range(sequence) for behind in range(min(query, reach) + 1)
    )


def of_matrices(found: Iterable[Tensor]) -> float:
    """A multiplication and an addition for each element of each matrix."""
    return sum(2.0 * tensor.size for tensor in found if len(tensor.shape) > 1)


def of_attention(model: Model, run: Run, kind: Kind, *, causal: bool) -> float:
    """The same for each pair of tokens: queries by keys, and scores by values."""
    if kind.attention not in ("attention", "latent"):
        return 0.0
    pairs = attended_pairs(run.sequence, kind.window, causal=causal) / run.sequence
    return 2 * pairs * kind.heads * (kind.head_size + model.value_size(kind))


def forward(model: Model, run: Run, kind: Kind, *, causal: bool) -> float:
    """One layer's forward pass."""
    return of_matrices(at_work(model, kind)) + of_attention(model, run, kind, causal=causal)


def per_token(model: Model, run: Run, *, causal: bool) -> float:
    """Forward and twice backward, weights' gradients only where they are trained; the head too."""
    matrices = sum(of_matrices(at_work(model, kind)) for kind in model.kinds) + 2.0 * model.vocabulary * model.hidden
    attention = sum(of_attention(model, run, kind, causal=causal) for kind in model.kinds)
    return (3 if run.tuning == "full" else 2) * matrices + 3 * attention


def done_again(model: Model, run: Run) -> float:
    """What is recomputed per token, attention counted as causal."""
    total = 0.0
    for stage in placed(model, run.layout):
        for chunk in stage:
            for place, layer in enumerate(chunk):
                whole = run.recompute.what == "full" and (place + 1) % run.recompute.interval == 0
                kind = model.kinds[layer]
                total += forward(model, run, kind, causal=True) if whole else parts_again(model, run, kind)
    return total


def parts_again(model: Model, run: Run, kind: Kind) -> float:
    """What a layer that is not recomputed whole does again."""
    chosen = run.recompute
    other = "up" if model.gated else "down"
    second = {"key", "output", f"mlp {other}", f"shared experts {other}"}
    found = []
    for tensor in at_work(model, kind):
        name = tensor.name.removesuffix(".weight")
        again = (
            (chosen.what == "operators" and (name in second or tensor.expert is not None))
            or (chosen.latent and name in ("query up", "key up", "value up"))
            or (chosen.experts == "whole" and (tensor.expert is not None or name.startswith(("router", "shared"))))
        )
        found += [tensor] if again else []
    core = of_attention(model, run, kind, causal=True) if chosen.what == "selective" else 0.0
    return of_matrices(found) + core
