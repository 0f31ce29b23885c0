"""Random edits of a scenario: for each the cells that a person would change, and the same change as `with_inputs`.

Valid edits are drawn so that the layout still divides, changing several inputs together where it takes several.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from reportgen.errors import ScenarioError
from reportgen.formula.quantity import Input
from reportgen.model import estimator
from reportgen.result import Result, estimate
from reportgen.scenario.accept import Problem, accept
from reportgen.scenario.scenario import CASES, Range, Scenario, choices_of
from reportgen.workbook.cells import Given, Layout
from reportgen.workbook.positions import ACTIVE_CASE
from tests.engines.interface import CellAddress, CellValue

VALID_SHARE = 0.85  # a little over the 80 % that have to be: some that were meant to be valid do not divide
ATTEMPTS = 12
Inputs = Mapping[str, Any]
Changes = dict[str, Any]


@dataclass(frozen=True)
class Edit:
    """An edit: `changes` for `with_inputs`, other ends of ranges, and what is typed into which cells.

    `valid` says what was intended; `typed` has the words as typed where their case differs.
    """

    valid: bool
    changes: Changes = field(default_factory=dict)
    spans: Mapping[str, Range] = field(default_factory=dict)
    typed: Mapping[Given, CellValue] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The inputs that are edited."""
        return tuple(dict.fromkeys((*self.changes, *self.spans, *(given.name for given in self.typed))))

    def cells(self, layout: Layout) -> dict[CellAddress, CellValue]:
        """What goes into which cell of the workbook."""
        found: dict[Given, CellValue] = {}
        for name, value in self.changes.items():
            rows = value if isinstance(value, Mapping) else {-1: value}
            found.update({Given(name, row): entry for row, entry in rows.items()})
        for name, span in self.spans.items():
            found[Given(name, side="low")], found[Given(name, side="high")] = span.low, span.high
        found.update(self.typed)
        return {layout.inputs[given]: as_typed(value) for given, value in found.items()}

    def outcome(self, scenario: Scenario) -> Result | None:
        """The result after the edit; None where the scenario cannot be estimated any more."""
        if not self.valid:
            return None
        try:
            ranged = replace(scenario, ranges={**scenario.ranges, **self.spans})
            return estimate(ranged.with_inputs(**self.changes))
        except ScenarioError:
            return None


def as_typed(value: CellValue) -> CellValue:
    """A value as a cell holds it: every number is a double."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def draw(scenario: Scenario, random: Random) -> Iterator[Edit]:
    """Edits without end, every input in turn before one comes again, valid more often than not."""
    deck = [ACTIVE_CASE, *estimator().inputs]
    while True:
        random.shuffle(deck)
        yield from (edit_of(name, scenario, random) for name in deck)


def edit_of(name: str, scenario: Scenario, random: Random) -> Edit:
    """An edit of an input, valid more often than not."""
    if random.random() > VALID_SHARE:
        return _invalid(scenario, name, random)
    for _ in range(ATTEMPTS):
        edit = _cased(_valid(scenario, name, random), random)
        if edit.outcome(scenario) is not None:
            return edit
    return edit


def _invalid(scenario: Scenario, name: str, random: Random) -> Edit:
    """A value that is refused, typed into one cell of an input."""
    if name == ACTIVE_CASE:
        return Edit(False, typed={Given(name): random.choice((None, "worst", 1, "b*"))})
    declared = estimator().inputs[name]
    choices = choices_of(declared, scenario.inputs)
    bad = [value for value in _bad_values(declared) if isinstance(accept(declared, value, choices), Problem)]
    row = random.randrange(declared.axis.rows) if declared.axis else -1
    side = random.choice(("low", "base", "high")) if name in scenario.ranges else "base"
    return Edit(False, typed={Given(name, row, side): random.choice(bad)})  # type: ignore[arg-type]


def _bad_values(declared: Input) -> list[CellValue]:
    if declared.kind == "text":
        return [None, 5, "a*b", "x" * 81]
    if declared.kind == "choice":
        return [None, "nonsense", 5, "*", "–"]
    assert declared.minimum is not None
    assert declared.maximum is not None
    beyond = [declared.minimum - 1, declared.maximum * 2, 0, -1]
    return [None, "80", "nonsense", *beyond, *([80.5, 2.5] if declared.kind == "whole" else [])]


def _valid(scenario: Scenario, name: str, random: Random) -> Edit:
    if name == ACTIVE_CASE:
        return Edit(True, {name: random.choice(CASES)})
    if name in scenario.ranges and random.random() < 0.5:
        return Edit(True, spans={name: _span(scenario, name, random)})
    inputs = scenario.inputs
    changes = DRAWN.get(name, _plain)(name, inputs, random)
    return Edit(True, {**changes, **_repairs({**inputs, **changes}, frozenset(changes), random)})


def _cased(edit: Edit, random: Random) -> Edit:
    """The same edit, a choice typed in other case now and then."""
    if random.random() > 0.2:
        return edit
    typed = {Given(name): value.upper() for name, value in edit.changes.items() if isinstance(value, str)}
    return replace(edit, typed=typed)


def _span(scenario: Scenario, name: str, random: Random) -> Range:
    span, declared = scenario.ranges[name], estimator().inputs[name]
    if isinstance(span.low, str) or isinstance(span.high, str):
        return span
    return Range(*sorted((_near(declared, span.low, random), _near(declared, span.high, random))))


def _near(declared: Input, value: float, random: Random) -> float:
    """A number near another one, now and then at a limit."""
    assert declared.minimum is not None
    assert declared.maximum is not None
    if random.random() < 0.1:
        return random.choice((declared.minimum, declared.maximum))
    drawn = (value or 1) * random.choice((0.5, 0.9, 1.1, 2, random.uniform(0.3, 3)))
    drawn = round(drawn) if declared.kind == "whole" else drawn
    return min(declared.maximum, max(declared.minimum, drawn))


def _plain(name: str, inputs: Inputs, random: Random) -> Changes:
    """A new value of one cell: another choice, a number nearby, or the word of an override."""
    declared = estimator().inputs[name]
    row = _row(declared, inputs, random)
    now = inputs[name][row] if declared.axis else inputs[name]
    value = _value(declared, now, inputs, random)
    return {name: {row: value} if declared.axis else value}


def _row(declared: Input, inputs: Inputs, random: Random) -> int:
    if declared.axis is None:
        return -1
    count = inputs[declared.axis.count] if declared.axis.count else declared.axis.rows
    return random.randrange(int(count)) if random.random() < 0.9 else random.randrange(declared.axis.rows)


def _value(declared: Input, now: Any, inputs: Inputs, random: Random) -> Any:
    if declared.kind == "choice":
        words = [declared.word] if declared.word else []
        return random.choice([*choices_of(declared, inputs), *words])
    if declared.word and random.random() < 0.2:
        return declared.word
    return _near(declared, now if isinstance(now, int | float) else TYPICAL.get(declared.name, 8), random)


TYPICAL = {
    "accelerator_memory_override": 8e10,
    "accelerator_memory_column": 8e10,
    "peak_flops_override": 1e15,
    "peak_flops_column": 1e15,
    "price_override": 3,
    "listing_price": 3,
    "rule_parameters_override": 7e10,
    "kind_window": 4096,
}


def _repairs(inputs: Inputs, kept: frozenset[str], random: Random) -> Changes:
    """Other inputs changed so that GPUs form whole copies and batches divide, where they do not."""
    changes: Changes = {}
    copy, step = _copy(inputs), _whole(inputs)
    gpus = inputs["gpu_count"]
    if gpus % step and "gpu_count" not in kept:
        gpus = changes["gpu_count"] = step * random.choice((1, 2, 4, 8))
    copies = inputs["micro_batch_size"] * (gpus // copy or 1)
    rounds = inputs["pipeline_stages"] if inputs["virtual_stages"] > 1 else 1
    if inputs["global_batch_size"] % (copies * rounds) and "global_batch_size" not in kept:
        changes["global_batch_size"] = copies * rounds * random.choice((1, 2, 4, 16))
    if inputs["vocabulary_size"] % inputs["tensor_parallel"] and "vocabulary_multiple" not in kept:
        changes["vocabulary_multiple"] = 128 * inputs["tensor_parallel"]
    return {name: value for name, value in changes.items() if value != inputs[name]}


def _copy(inputs: Inputs) -> int:
    """GPUs of one copy of the model."""
    return int(inputs["tensor_parallel"] * inputs["pipeline_stages"] * inputs["context_parallel"])


def _whole(inputs: Inputs) -> int:
    """GPUs that form whole copies of the model, and whole groups that hold all experts, on every stage."""
    shards = inputs["expert_tensor_parallel"]
    shards = inputs["tensor_parallel"] if isinstance(shards, str) else shards
    return math.lcm(_copy(inputs), inputs["pipeline_stages"] * inputs["expert_parallel"] * shards)


def _token_shards(inputs: Inputs) -> int:
    """GPUs that share the tokens of a sequence between matrices, context-parallel ones apart."""
    return int(inputs["tensor_parallel"]) if inputs["sequence_parallel"] == "on" else 1


def _divisors(number: int) -> list[int]:
    return [size for size in range(1, min(number, 4096) + 1) if number % size == 0]


def _tensor_parallel(name: str, inputs: Inputs, random: Random) -> Changes:
    tokens = inputs["sequence_length"] // inputs["context_parallel"]
    common = math.gcd(inputs["head_count"], inputs["kv_head_count"], inputs["ffn_size"], tokens)
    return {name: random.choice([size for size in _divisors(common) if size <= 64])}


def _head_count(name: str, inputs: Inputs, random: Random) -> Changes:
    step = math.lcm(inputs["tensor_parallel"], inputs["kv_head_count"])
    return {name: step * random.randint(1, max(1, min(16, 4096 // step)))}


def _kv_head_count(name: str, inputs: Inputs, random: Random) -> Changes:
    sizes = [size for size in _divisors(inputs["head_count"]) if size % inputs["tensor_parallel"] == 0]
    return {name: random.choice(sizes)}


def _ffn_size(name: str, inputs: Inputs, random: Random) -> Changes:
    return {name: inputs["tensor_parallel"] * random.randint(16, 8192)}


def _layer_count(name: str, inputs: Inputs, random: Random) -> Changes:
    chunks = inputs["pipeline_stages"] * inputs["virtual_stages"]
    if inputs["virtual_stages"] > 1:
        return {name: chunks * random.randint(1, 256 // chunks)}
    return {name: random.randint(chunks, 256)}


def _pipeline_stages(name: str, inputs: Inputs, random: Random) -> Changes:
    most = min(64, inputs["layer_count"])
    return {"virtual_stages": 1, name: random.choice((1, 2, most, random.randint(1, most)))}


def _virtual_stages(name: str, inputs: Inputs, random: Random) -> Changes:
    stages = random.choice([size for size in _divisors(inputs["layer_count"]) if size <= 64])
    if inputs["schedule"] != "1f1b":
        return {name: 1}
    share = inputs["layer_count"] // stages
    chunks = {"pipeline_stages": stages, name: random.choice([size for size in _divisors(share) if size <= 64])}
    narrow = {1: inputs["tensor_parallel"] * 1024}
    mixed = {"leading_layer_count": 1, "leading_layer_kind": inputs["kind_name"][1], "kind_ffn_override": narrow}
    return {**chunks, **(mixed if random.random() < 0.5 else {})}


def _context_parallel(name: str, inputs: Inputs, random: Random) -> Changes:
    tokens = inputs["sequence_length"] // _token_shards(inputs)
    return {name: random.choice([size for size in _divisors(tokens) if size <= 64])}


def _sequence_length(name: str, inputs: Inputs, random: Random) -> Changes:
    shards = inputs["context_parallel"] * _token_shards(inputs)
    return {name: shards * random.choice((1, 128, 1000, 4096, 16384))}


def _gpu_count(name: str, inputs: Inputs, random: Random) -> Changes:
    return {name: _whole(inputs) * random.randint(1, 64)}


def _global_batch_size(name: str, inputs: Inputs, random: Random) -> Changes:
    step = inputs["micro_batch_size"] * (inputs["gpu_count"] // _copy(inputs) or 1)
    return {name: step * random.randint(1, 64) * (inputs["pipeline_stages"] if inputs["virtual_stages"] > 1 else 1)}


def _micro_batch_size(name: str, _: Inputs, random: Random) -> Changes:
    return {name: random.choice((1, 2, 3, 4, 8, 16))}


def _pattern(_: str, inputs: Inputs, random: Random) -> Changes:
    period = random.randint(1, 12)
    return {
        "pattern_period": period,
        "pattern_layer_count": random.randint(0, period),
        "pattern_layer_kind": random.choice(inputs["kind_name"][: inputs["layer_kind_count"]]),
    }


def _layer_kind_count(name: str, _: Inputs, random: Random) -> Changes:
    return {name: random.randint(2, 8)}


def _kind_name(name: str, inputs: Inputs, random: Random) -> Changes:
    """A kind renamed, with everything that says its name."""
    row = random.randrange(8)
    old, new = inputs[name][row], f"renamed {random.randrange(10**6)}"
    users = ("leading_layer_kind", "pattern_layer_kind", "main_layer_kind")
    overrides = {layer: new for layer, kind in enumerate(inputs["kind_override"]) if kind == old}
    return {
        name: {row: new},
        **{user: new for user in users if inputs[user] == old},
        **({"kind_override": overrides} if overrides else {}),
    }


def _kind_heads(name: str, inputs: Inputs, random: Random) -> Changes:
    step = math.lcm(inputs["tensor_parallel"], inputs["kv_head_count"])
    return {name: {random.randrange(8): random.choice((step, 2 * step, "as model"))}}


def _kind_kv(name: str, inputs: Inputs, random: Random) -> Changes:
    sizes = [size for size in _divisors(inputs["head_count"]) if size % inputs["tensor_parallel"] == 0]
    return {name: {random.randrange(8): random.choice((*sizes, "as model"))}}


def _kind_ffn(name: str, inputs: Inputs, random: Random) -> Changes:
    return {name: {random.randrange(8): random.choice((inputs["tensor_parallel"] * 1024, "as model"))}}


def _stage_layers(name: str, inputs: Inputs, random: Random) -> Changes:
    """A layer moved from one stage to another; where there is one stage, its own number is spelled out."""
    stages, layers = inputs["pipeline_stages"], inputs["layer_count"]
    even = [layers // stages + (stage < layers % stages) for stage in range(stages)]
    giver, taker = random.randrange(stages), random.randrange(stages)
    moved = 0 if giver == taker else min(1, even[giver])
    return {"virtual_stages": 1, name: {taker: even[taker] + moved, giver: even[giver] - moved}}


def _main_row(inputs: Inputs) -> int:
    """The row of the kind that most layers are of."""
    return int(inputs["kind_name"].index(inputs["main_layer_kind"]))


def _expert_parallel(name: str, inputs: Inputs, random: Random) -> Changes:
    """Experts, in the main kind of layer, shared out over a number of GPUs that divides them."""
    count = inputs["expert_count"] if inputs["expert_count"] > 1 else 16
    size = random.choice([size for size in _divisors(count) if size <= 64])
    experts = {"kind_mlp": {_main_row(inputs): "experts"}, "expert_count": count}
    return {**experts, name: size, "expert_tensor_parallel": random.choice((1, "as tensor_parallel"))}


def _expert_tensor_parallel(name: str, inputs: Inputs, random: Random) -> Changes:
    return {name: random.choice((1, 2, inputs["tensor_parallel"], "as tensor_parallel"))}


def _expert_count(name: str, inputs: Inputs, random: Random) -> Changes:
    return {name: math.lcm(inputs["expert_parallel"], inputs["experts_per_token"]) * random.randint(1, 32)}


def _experts_per_token(name: str, inputs: Inputs, random: Random) -> Changes:
    count = max(inputs["expert_count"], 8 * inputs["expert_parallel"])
    return {"expert_count": count, name: random.randint(1, min(count, 16))}


def _shard_group_size(name: str, inputs: Inputs, random: Random) -> Changes:
    replicas = inputs["gpu_count"] // (inputs["tensor_parallel"] * inputs["pipeline_stages"])
    return {name: random.choice((*_divisors(replicas), "all")), "zero_stage": random.randint(0, 3)}


def _schedule(name: str, inputs: Inputs, random: Random) -> Changes:
    """Another schedule, which takes whole stages, an even number of them where it goes both ways."""
    stages = 2 * random.randint(1, max(1, min(32, inputs["layer_count"] // 2)))
    return {name: random.choice(estimator().inputs[name].choices), "virtual_stages": 1, "pipeline_stages": stages}


def _flash_attention(name: str, inputs: Inputs, random: Random) -> Changes:
    """Scores stored or not, by kernels some of which repeat keys and values where they are."""
    return {name: random.choice(("on", "off")), "kernel_profile": random.choice(inputs["profile_name"])}


def _recompute_latent(name: str, inputs: Inputs, random: Random) -> Changes:
    return {name: random.choice(("yes", "no")), "kind_attention": {_main_row(inputs): "latent"}}


def _kind_mlp(name: str, inputs: Inputs, random: Random) -> Changes:
    """Another MLP for a kind; where that is experts, the model has several."""
    count = inputs["expert_count"] if inputs["expert_count"] > 1 else 8 * inputs["expert_parallel"]
    return {name: {random.randrange(8): random.choice(("dense", "experts", "none"))}, "expert_count": count}


def _flops_utilization(name: str, _: Inputs, random: Random) -> Changes:
    """A utilisation that leaves room for what is computed again."""
    return {name: random.uniform(0.05, 0.7)}


def _learned_positions(name: str, inputs: Inputs, random: Random) -> Changes:
    return {name: random.choice((0, inputs["sequence_length"], 2 * inputs["sequence_length"]))}


def _kind_further(name: str, inputs: Inputs, random: Random) -> Changes:
    """As many further parameters as a layer may well have: fractions of one would drown in rounding."""
    return {name: {_main_row(inputs): random.choice((0, 1e6, 3e8, -1e6))}}


def _framework(name: str, inputs: Inputs, random: Random) -> Changes:
    return {name: random.choice(inputs["framework_name"]), "zero_stage": random.randint(0, 3), "pipeline_stages": 1}


def _accelerator(name: str, inputs: Inputs, random: Random) -> Changes:
    """Another accelerator, at a price of its own; figures that the catalogue lacks are given."""
    chosen = random.choice(inputs["accelerator_name"])
    row = inputs["accelerator_name"].index(chosen)
    changes: Changes = {name: chosen, "price_override": round(random.uniform(1, 9), 2)}
    if isinstance(inputs["accelerator_memory_column"][row], str):
        changes["accelerator_memory_override"] = 8e10
    if isinstance(inputs["peak_flops_column"][row], str):
        changes["peak_flops_override"] = 1e15
    return changes


def _price_listing(name: str, inputs: Inputs, random: Random) -> Changes:
    """Another listing, with the accelerator that it is for."""
    rows = [
        row
        for row, price in enumerate(inputs["listing_price"])
        if not isinstance(price, str) and inputs["listing_accelerator"][row] in inputs["accelerator_name"]
    ]
    row = random.choice(rows)
    changes = _accelerator("accelerator", inputs, random)
    return {
        **changes,
        "accelerator": inputs["listing_accelerator"][row],
        name: inputs["listing_name"][row],
        "price_override": "as listed",
    }


def _unused_name(name: str, inputs: Inputs, random: Random) -> Changes:
    """A row of the catalogue renamed that nothing has chosen."""
    chosen = {inputs[user] for user in ("accelerator", "price_listing", "optimizer", "kernel_profile", "framework")}
    used_row = inputs["listing_name"].index(inputs["price_listing"])
    rows = [row for row, label in enumerate(inputs[name]) if label not in chosen]
    if name == "listing_accelerator":
        rows = [row for row in range(len(inputs[name])) if row != used_row]
    return {name: {random.choice(rows): f"renamed {random.randrange(10**6)}"}}


def _catalogue_figure(name: str, inputs: Inputs, random: Random) -> Changes:
    """A figure of the catalogue, as a rule in the row that is in use."""
    key, labels = USED_ROWS[name]
    declared = estimator().inputs[name]
    used = inputs[labels].index(inputs[key])
    row = used if random.random() < 0.7 else random.randrange(len(inputs[name]))
    return {name: {row: _value(replace(declared, word=None), inputs[name][row], inputs, random)}}


CHOSEN_FROM = {
    "optimizer": ("optimizer", "optimizer_name"),
    "kernel_profile": ("kernel_profile", "profile_name"),
    "framework": ("framework", "framework_name"),
}
USED_ROWS = {
    "accelerator_memory_column": ("accelerator", "accelerator_name"),
    "peak_flops_column": ("accelerator", "accelerator_name"),
    "listing_price": ("price_listing", "listing_name"),
    **{
        entry.name: CHOSEN_FROM[entry.axis.name]
        for entry in estimator().inputs.values()
        if entry.axis and entry.axis.name in CHOSEN_FROM and entry.kind == "number"
    },
}

DRAWN: dict[str, Callable[[str, Inputs, Random], Changes]] = {
    "tensor_parallel": _tensor_parallel,
    "head_count": _head_count,
    "kv_head_count": _kv_head_count,
    "ffn_size": _ffn_size,
    "layer_count": _layer_count,
    "pipeline_stages": _pipeline_stages,
    "virtual_stages": _virtual_stages,
    "context_parallel": _context_parallel,
    "sequence_length": _sequence_length,
    "gpu_count": _gpu_count,
    "global_batch_size": _global_batch_size,
    "micro_batch_size": _micro_batch_size,
    "pattern_period": _pattern,
    "pattern_layer_count": _pattern,
    "pattern_layer_kind": _pattern,
    "layer_kind_count": _layer_kind_count,
    "kind_name": _kind_name,
    "kind_head_override": _kind_heads,
    "kind_kv_override": _kind_kv,
    "kind_ffn_override": _kind_ffn,
    "stage_layers_override": _stage_layers,
    "accelerator": _accelerator,
    "price_listing": _price_listing,
    "accelerator_name": _unused_name,
    "listing_name": _unused_name,
    "listing_accelerator": _unused_name,
    "optimizer_name": _unused_name,
    "profile_name": _unused_name,
    "framework_name": _unused_name,
    "expert_parallel": _expert_parallel,
    "expert_tensor_parallel": _expert_tensor_parallel,
    "expert_count": _expert_count,
    "experts_per_token": _experts_per_token,
    "shard_group_size": _shard_group_size,
    "schedule": _schedule,
    "recompute_latent": _recompute_latent,
    "flash_attention": _flash_attention,
    "framework": _framework,
    "kind_further_parameters": _kind_further,
    "kind_mlp": _kind_mlp,
    "learned_positions": _learned_positions,
    "flops_utilization": _flops_utilization,
    **dict.fromkeys(USED_ROWS, _catalogue_figure),
}
