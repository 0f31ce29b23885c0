"""Plays all stages' schedules against each other and watches what each stage holds."""

from __future__ import annotations

from dataclasses import dataclass

from tests.model.brute_force.given import Run
from tests.model.brute_force.schedules import Event, events

Pass = tuple[str, int, int, int]


@dataclass
class Held:
    """What a stage holds now and at its fullest: bytes, and passes in flight."""

    bytes: float = 0.0
    passes: int = 0
    most_bytes: float = 0.0
    most_passes: int = 0

    def take(self, event: Event, size: float) -> None:
        change = 1 if event.what == "forward" else -1 if event.frees else 0
        self.bytes += change * size
        self.passes += change
        self.most_bytes = max(self.most_bytes, self.bytes)
        self.most_passes = max(self.most_passes, self.passes)


def play(run: Run, part_bytes: list[list[float]]) -> list[Held]:
    """Every event, each as soon as what feeds it is done. Raises AssertionError where all wait for each other."""
    waiting = [events(run, stage) for stage in range(run.layout.stages)]
    held = [Held() for _ in waiting]
    done: set[Pass] = set()
    last = run.layout.stages * run.layout.chunks - 1
    while any(waiting):
        ready = [stage for stage, left in enumerate(waiting) if left and needed(left[0], last) <= done]
        assert ready, "the schedule stands still"
        for stage in ready:
            event = waiting[stage].pop(0)
            done.add((event.what, event.stream, event.micro_batch, event.place))
            held[stage].take(event, part_bytes[stage][event.part])
    assert all(stage.passes == 0 for stage in held), "something is kept for ever"
    return held


def needed(event: Event, last: int) -> set[Pass]:
    """Passes that must be done before: the place before for a forward one, the place behind for a backward one."""
    stream, number, place = event.stream, event.micro_batch, event.place
    if event.what == "forward":
        return {("forward", stream, number, place - 1)} if place else set()
    if event.what == "weight":
        return {("backward", stream, number, place)}
    behind = set() if place == last else {("backward", stream, number, place + 1)}
    return {("forward", stream, number, place), *behind}
