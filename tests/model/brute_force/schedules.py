"""The order in which each stage of a pipeline takes forward and backward passes, schedule by schedule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.model.brute_force.given import Run


@dataclass(frozen=True)
class Event:
    """A pass of one micro-batch through one place of the pipeline.

    `stream` tells micro-batches that flow one way from those that flow the other way, `part` what the stage passes
    it through: a chunk, or the stage itself and its mirrored one. What was kept is set free where `frees`.
    """

    what: str
    stream: int
    micro_batch: int
    place: int
    part: int = 0
    frees: bool = False


def events(run: Run, stage: int) -> list[Event]:
    """One stage's schedule."""
    schedule, chunks = run.layout.schedule, run.layout.chunks
    if schedule == "gpipe":
        return all_forward(run, stage)
    if schedule == "zero bubble":
        return list(zero_bubble(run, stage))
    if schedule == "dualpipe":
        return list(DualPipe(run, stage).events())
    return by_turns(run, stage) if chunks == 1 else interleaved(run, stage)


def passes(what: str, run: Run, stage: int, *, frees: bool = False) -> list[Event]:
    """All micro-batches one way through a whole stage."""
    return [Event(what, 0, number, stage, frees=frees) for number in range(run.micro_batches)]


def all_forward(run: Run, stage: int) -> list[Event]:
    """GPipe: every forward pass, then every backward pass."""
    return [*passes("forward", run, stage), *passes("backward", run, stage, frees=True)]


def taking_turns(warm: int, forwards: list[Event], backwards: list[Event]) -> list[Event]:
    """Forward passes to warm up, then one forward and one backward in turn, then the rest."""
    warm = min(warm, len(forwards))
    turns = [event for pair in zip(forwards[warm:], backwards, strict=False) for event in pair]
    return [*forwards[:warm], *turns, *backwards[len(forwards) - warm :]]


def by_turns(run: Run, stage: int) -> list[Event]:
    """1F1B: as many to warm up as stages lie behind."""
    behind = run.layout.stages - stage - 1
    return taking_turns(behind, passes("forward", run, stage), passes("backward", run, stage, frees=True))


def interleaved(run: Run, stage: int) -> list[Event]:
    """1F1B on chunks: micro-batches go in groups of one per stage, each group through all chunks before the next."""
    stages, chunks = run.layout.stages, run.layout.chunks
    forwards, backwards = [], []
    for step in range(run.micro_batches * chunks):
        group, inside = divmod(step, stages * chunks)
        chunk, number = divmod(inside, stages)
        micro_batch, back = group * stages + number, chunks - 1 - chunk
        forwards.append(Event("forward", 0, micro_batch, chunk * stages + stage, chunk))
        backwards.append(Event("backward", 0, micro_batch, back * stages + stage, back, frees=True))
    return taking_turns(2 * (stages - stage - 1) + (chunks - 1) * stages, forwards, backwards)


def zero_bubble(run: Run, stage: int) -> Iterator[Event]:
    """ZB-H1: 1F1B with the weights' gradients put off, on each stage by as many micro-batches as stages lie before it.

    What a micro-batch kept is set free only when the weights' gradients are done.
    """
    weights = iter(passes("weight", run, stage, frees=True))
    put_off = 0
    for event in by_turns(run, stage):
        yield Event(event.what, 0, event.micro_batch, stage)
        put_off += event.what == "backward"
        if put_off > stage:
            put_off -= 1
            yield next(weights)
    yield from weights


class DualPipe:
    """DeepSeek's schedule, in the steps of its published code: each GPU stands at two places, one for either way.

    Phase 0 is the way that enters the pipeline at the nearer end. Overlapped passes: forward first.
    """

    def __init__(self, run: Run, stage: int) -> None:
        stages = run.layout.stages
        self.each_way, self.stages, self.stage = run.micro_batches // 2, stages, stage
        self.from_end = min(stage, stages - 1 - stage)
        self.from_middle = stages // 2 - 1 - self.from_end
        self.done = {("forward", 0): 0, ("forward", 1): 0, ("backward", 0): 0, ("backward", 1): 0}
        self.put_off: list[Event] = []

    def way(self, what: str, phase: int, *, frees: bool = False) -> Event:
        """The next pass of this phase."""
        stream = phase if self.stage < self.stages // 2 else 1 - phase
        place = self.stage if stream == 0 else self.stages - 1 - self.stage
        number = self.done[what, phase]
        self.done[what, phase] += 1
        return Event(what, stream, number, place, stream, frees)

    def forward(self, phase: int) -> Event:
        return self.way("forward", phase)

    def backward(self, phase: int, *, split: bool = False) -> Event:
        """A backward pass; where it is split the weights' gradients wait."""
        event = self.way("backward", phase, frees=not split)
        if split:
            weight = Event("weight", event.stream, event.micro_batch, event.place, event.part, frees=True)
            self.put_off.append(weight)
        return event

    def events(self) -> Iterator[Event]:
        for _ in range(2 * self.from_middle):
            yield self.forward(0)
        for _ in range(self.from_end + 1):
            yield from (self.forward(0), self.forward(1))
        for _ in range(self.from_middle):
            yield from (self.backward(1, split=True), self.put_off.pop(0), self.forward(1))
        for _ in range(self.each_way - self.stages + self.from_end + 1):
            yield from (self.forward(0), self.backward(1), self.forward(1), self.backward(0))
        for _ in range(self.from_middle):
            yield from (self.backward(1), self.forward(1), self.backward(0))
        yield from self.ending()

    def ending(self) -> Iterator[Event]:
        """Backward passes both ways, the later half of them split, then what of the weights' gradients waits."""
        for turn in range(2 * (self.from_end + 1)):
            yield self.backward(1 - turn % 2, split=turn > self.from_end)
        for _ in range(self.from_middle):
            yield from (self.put_off.pop(0), self.backward(0, split=True))
        yield from self.put_off
