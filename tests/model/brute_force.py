"""A second estimator that knows no formula: it lists every tensor, places every layer, plays every schedule event.

It shares no code with the estimator. It is slow and means to be obvious: what it adds up can be read off its lists.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Kind:
    """One kind of layer: its heads, MLP width and window; no window means the whole sequence."""

    name: str
    heads: int
    kv_heads: int
    ffn: int
    window: int | None = None


@dataclass(frozen=True)
class Model:
    """An architecture, layer by layer."""

    kinds: tuple[Kind, ...]
    hidden: int
    head_size: int
    vocabulary: int
    held_vocabulary: int
    gated: bool = True
    tied: bool = False
    qkv_bias: bool = False
    output_bias: bool = False
    mlp_bias: bool = False
    head_bias: bool = False
    norm_bias: bool = False
    norms: int = 2
    qk_norm: str = "none"
    positions: int = 0
    embedding_norm: bool = False


@dataclass(frozen=True)
class Run:
    """How it is trained."""

    sequence: int
    micro_batch: int
    micro_batches: int
    tensor: int = 1
    sequence_parallel: bool = True
    stages: int = 1
    chunks: int = 1
    context: int = 1
    copies: int = 1
    zero: int = 0
    gathered: int = 1
    recompute: str = "none"
    flash: bool = True
    weight: float = 2
    gradient: float = 2
    optimizer: float = 12


@dataclass(frozen=True)
class Tensor:
    """A weight with its shape; `split` where tensor parallelism cuts it."""

    name: str
    shape: tuple[int, ...]
    split: bool

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def held(self, run: Run) -> float:
        """Elements on one GPU."""
        return self.size / run.tensor if self.split else self.size


@dataclass(frozen=True)
class Kept:
    """Something kept for the backward pass: bytes of one token, and over how many GPUs it is split."""

    name: str
    token_bytes: int
    shards: int

    def held(self, run: Run) -> float:
        """Bytes on one GPU for one micro-batch."""
        return self.token_bytes * run.sequence * run.micro_batch / run.context / self.shards


@dataclass
class Stage:
    """What one GPU of a pipeline stage holds."""

    tensors: list[Tensor] = field(default_factory=list)
    layers: list[list[int]] = field(default_factory=list)
    most_held: float = 0.0
    in_flight: float = 0.0
    working: float = 0.0
    head: float = 0.0


def norm(name: str, width: int, *, bias: bool) -> Iterator[Tensor]:
    yield Tensor(f"{name}.weight", (width,), split=False)
    if bias:
        yield Tensor(f"{name}.bias", (width,), split=False)


def linear(name: str, outputs: int, inputs: int, *, bias: bool, split_bias: bool) -> Iterator[Tensor]:
    yield Tensor(f"{name}.weight", (outputs, inputs), split=True)
    if bias:
        yield Tensor(f"{name}.bias", (outputs,), split=split_bias)


def layer_tensors(model: Model, kind: Kind) -> list[Tensor]:
    """All weights of one layer."""
    query, key = kind.heads * model.head_size, kind.kv_heads * model.head_size
    found = [
        *linear("query", query, model.hidden, bias=model.qkv_bias, split_bias=True),
        *linear("key", key, model.hidden, bias=model.qkv_bias, split_bias=True),
        *linear("value", key, model.hidden, bias=model.qkv_bias, split_bias=True),
        *linear("output", model.hidden, query, bias=model.output_bias, split_bias=False),
        *linear("up", kind.ffn, model.hidden, bias=model.mlp_bias, split_bias=True),
        *linear("down", model.hidden, kind.ffn, bias=model.mlp_bias, split_bias=False),
    ]
    if model.gated:
        found += linear("gate", kind.ffn, model.hidden, bias=model.mlp_bias, split_bias=True)
    for number in range(model.norms):
        found += norm(f"norm {number}", model.hidden, bias=model.norm_bias)
    if model.qk_norm != "none":
        wide = model.qk_norm == "full"
        found += norm("query norm", query if wide else model.head_size, bias=False)
        found += norm("key norm", key if wide else model.head_size, bias=False)
    return found


def first_tensors(model: Model) -> list[Tensor]:
    """Weights before the first layer."""
    found = [Tensor("embedding", (model.held_vocabulary, model.hidden), split=True)]
    if model.positions:
        found.append(Tensor("positions", (model.positions, model.hidden), split=False))
    if model.embedding_norm:
        found += norm("embedding norm", model.hidden, bias=model.norm_bias)
    return found


def last_tensors(model: Model, *, shares_stage: bool) -> list[Tensor]:
    """Weights behind the last layer; a tied head is the embedding itself where both stand on one stage."""
    found = list(norm("final norm", model.hidden, bias=model.norm_bias))
    if not (model.tied and shares_stage):
        found.append(Tensor("head", (model.held_vocabulary, model.hidden), split=True))
    if model.head_bias:
        found.append(Tensor("head bias", (model.vocabulary,), split=True))
    return found


def whole_model(model: Model) -> int:
    """Parameters, vocabulary not padded."""
    layers = sum(tensor.size for kind in model.kinds for tensor in layer_tensors(model, kind))
    ends = [*first_tensors(model), *last_tensors(model, shares_stage=True)]
    padding = (model.held_vocabulary - model.vocabulary) * model.hidden
    return layers + sum(tensor.size for tensor in ends) - padding * (1 if model.tied else 2)


def kept_norm(name: str, width: int, statistics: int, shards: int, *, output: bool = True) -> list[Kept]:
    found = [Kept(f"{name} input", 2 * width, shards), Kept(f"{name} statistics", 4 * statistics, shards)]
    return [*found, Kept(f"{name} output", 2 * width, shards)] if output else found


def kept_scores(run: Run, kind: Kind) -> list[Kept]:
    """Softmax output, dropout mask, dropout output; nothing but the log-sum-exp with FlashAttention."""
    if run.flash:
        return []
    pairs = kind.heads * run.sequence
    return [
        Kept(name, size * pairs, run.tensor) for name, size in (("softmax", 2), ("mask", 1), ("dropped softmax", 2))
    ]


def kept_by_layer(model: Model, run: Run, kind: Kind) -> list[Kept]:
    """Everything that one layer with fused kernels keeps, but scores."""
    query, key, cut = kind.heads * model.head_size, kind.kv_heads * model.head_size, run.tensor
    between = run.tensor if run.sequence_parallel else 1
    found: list[Kept] = []
    for number in range(model.norms):
        found += kept_norm(f"norm {number}", model.hidden, 2 if model.norm_bias else 1, between)
    for name, width in (("query", query), ("key", key), ("value", key), ("attention output", query)):
        found.append(Kept(name, 2 * width, cut))
    if model.qk_norm != "none":
        wide = model.qk_norm == "full"
        found += kept_norm("query norm", query, 1 if wide else kind.heads, cut, output=False)
        found += kept_norm("key norm", key, 1 if wide else kind.kv_heads, cut, output=False)
    if run.flash:
        found.append(Kept("log-sum-exp", 4 * kind.heads, cut))
    names = ("gate", "up", "product") if model.gated else ("up", "activated")
    return found + [Kept(name, 2 * kind.ffn, cut) for name in names]


def layer_memory(model: Model, run: Run, kind: Kind) -> tuple[float, float]:
    """Bytes that one layer keeps for one micro-batch, and bytes that come back while it is recomputed."""
    plain = sum(kept.held(run) for kept in kept_by_layer(model, run, kind))
    scores = sum(kept.held(run) for kept in kept_scores(run, kind))
    if run.recompute == "full":
        between = run.tensor if run.sequence_parallel else 1
        return Kept("input", 2 * model.hidden, between).held(run), plain + scores
    return (plain, scores) if run.recompute == "selective" else (plain + scores, 0.0)


def head_memory(model: Model, run: Run) -> float:
    """bf16 logits, their fp32 copy, its gradient, and the final norm."""
    between = run.tensor if run.sequence_parallel else 1
    logits = [
        Kept(name, size * model.held_vocabulary, run.tensor)
        for name, size in (("logits", 2), ("fp32 logits", 4), ("logit gradients", 4))
    ]
    final = kept_norm("final norm", model.hidden, 2 if model.norm_bias else 1, between)
    return sum(kept.held(run) for kept in [*logits, *final])


def placed(layer_count: int, run: Run) -> list[list[list[int]]]:
    """For each stage its chunks, for each chunk its layers: in turn, or dealt out like cards."""
    pieces = run.stages * run.chunks
    small, more = divmod(layer_count, pieces)
    chunks, start = [], 0
    for piece in range(pieces):
        end = start + small + (1 if piece < more else 0)
        chunks.append(list(range(start, end)))
        start = end
    return [chunks[stage :: run.stages] for stage in range(run.stages)]


Event = tuple[str, int, int]  # "forward" or "backward", micro-batch, chunk


def order_of_events(run: Run, stage: int) -> list[Event]:
    """One stage's schedule: forwards to warm up, then one forward and one backward in turn, then the rest."""
    count = run.micro_batches * run.chunks
    behind = run.stages - stage - 1
    warm = behind if run.chunks == 1 else 2 * behind + (run.chunks - 1) * run.stages
    forwards = [("forward", *virtual_micro_batch(run, step)) for step in range(count)]
    backwards = [
        ("backward", micro_batch, run.chunks - 1 - chunk)
        for micro_batch, chunk in (virtual_micro_batch(run, step) for step in range(count))
    ]
    warm = min(warm, count)
    events: list[Event] = forwards[:warm]
    for step in range(count - warm):
        events += [forwards[warm + step], backwards[step]]
    return events + backwards[count - warm :]


def virtual_micro_batch(run: Run, step: int) -> tuple[int, int]:
    """Micro-batches go in groups of one per stage; a group goes through all chunks before the next one starts."""
    if run.chunks == 1:
        return step, 0
    group, inside = divmod(step, run.stages * run.chunks)
    chunk, place = divmod(inside, run.stages)
    return group * run.stages + place, chunk


def play(run: Run, chunk_bytes: list[list[float]]) -> list[tuple[float, float]]:
    """Plays all stages' schedules against each other; for each the most bytes, and the most micro-batches' worth.

    An event waits for the one that feeds it: the chunk before for a forward, the chunk behind for a backward.
    Raises AssertionError where all stages wait for each other.
    """
    waiting = [order_of_events(run, stage) for stage in range(run.stages)]
    done: set[tuple[str, int, int]] = set()
    held = [0.0] * run.stages
    flying = [0] * run.stages
    most = [(0.0, 0.0)] * run.stages
    while any(waiting):
        ready = [stage for stage in range(run.stages) if waiting[stage] and fed(run, waiting, done, stage)]
        assert ready, "the schedule stands still"
        for stage in ready:
            what, micro_batch, chunk = waiting[stage].pop(0)
            done.add((what, micro_batch, chunk * run.stages + stage))
            sign = 1 if what == "forward" else -1
            held[stage] += sign * chunk_bytes[stage][chunk]
            flying[stage] += sign
            most[stage] = (
                max(most[stage][0], held[stage]),
                max(most[stage][1], flying[stage] / run.chunks),
            )
    return most


def fed(run: Run, waiting: list[list[Event]], done: set[tuple[str, int, int]], stage: int) -> bool:
    """Whether what a stage's next event needs has been done."""
    what, micro_batch, chunk = waiting[stage][0]
    place = chunk * run.stages + stage
    if what == "forward":
        return place == 0 or ("forward", micro_batch, place - 1) in done
    last = place == run.stages * run.chunks - 1
    return ("forward", micro_batch, place) in done and (last or (what, micro_batch, place + 1) in done)


def all_stages(model: Model, run: Run) -> list[Stage]:
    """What one GPU of every stage holds."""
    memory = [layer_memory(model, run, kind) for kind in model.kinds]
    layout = placed(len(model.kinds), run)
    chunk_bytes = [[sum(memory[layer][0] for layer in chunk) for chunk in chunks] for chunks in layout]
    stages = []
    for chunks, (most, flying) in zip(layout, play(run, chunk_bytes), strict=True):
        layers = [layer for chunk in chunks for layer in chunk]
        tensors = [tensor for layer in layers for tensor in layer_tensors(model, model.kinds[layer])]
        working = max((memory[layer][1] for layer in layers), default=0.0)
        stages.append(Stage(tensors, chunks, most, flying, working))
    stages[0].tensors += first_tensors(model)
    stages[-1].tensors += last_tensors(model, shares_stage=run.stages == 1)
    stages[-1].head = head_memory(model, run)
    return stages


def state(run: Run, stage: Stage) -> tuple[float, float, float]:
    """Bytes of weights, gradients and optimizer on one GPU, sharded from ZeRO stages 3, 2 and 1."""
    held = sum(tensor.held(run) for tensor in stage.tensors)
    shards = run.copies * run.context
    return (
        held * run.weight / (shards if run.zero == 3 else 1),
        held * run.gradient / (shards if run.zero in (2, 3) else 1),
        held * run.optimizer / (shards if run.zero in (1, 2, 3) else 1),
    )


def gathered(model: Model, run: Run) -> list[float]:
    """Full weights at hand on each stage under ZeRO stage 3: the largest layers, and all tensors at the ends."""
    if run.zero != 3:
        return [0.0] * run.stages
    layers = (sum(tensor.held(run) for tensor in layer_tensors(model, kind)) for kind in model.kinds)
    held = [run.gathered * max(layers)] * run.stages
    held[0] += sum(tensor.held(run) for tensor in first_tensors(model))
    held[-1] += sum(tensor.held(run) for tensor in last_tensors(model, shares_stage=run.stages == 1))
    return [parameters * run.weight for parameters in held]


def attended_pairs(sequence: int, window: int | None, *, causal: bool) -> float:
    """Pairs of query and key, counted one by one; a pair on the edge of the causal band counts half, as an area."""
    reach = min(window or sequence, sequence)
    if not causal:
        return sequence * reach
    return sum(
        0.5 if behind in (0, reach) else 1.0 for query in range(sequence) for behind in range(min(query, reach) + 1)
    )


def flops_per_token(model: Model, run: Run, *, causal: bool) -> float:
    """Two FLOPs per weight of a matrix and per element of a score, forward and twice backward; the head too."""
    total = 6.0 * model.vocabulary * model.hidden
    for kind in model.kinds:
        matrices = [tensor for tensor in layer_tensors(model, kind) if len(tensor.shape) > 1]
        pairs = attended_pairs(run.sequence, kind.window, causal=causal) / run.sequence
        total += 3 * (2 * sum(tensor.size for tensor in matrices) + 4 * pairs * kind.heads * model.head_size)
    return total
