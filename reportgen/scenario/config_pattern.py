"""Which layer is of which kind, as a person edits it: leading layers, a repeating pattern, and the exceptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """Some layers at the start of one kind, then a period that ends in layers of another kind than the main one."""

    leading_count: int
    leading_kind: int
    period: int
    pattern_count: int
    pattern_kind: int
    main_kind: int

    def kind_of(self, layer: int) -> int:
        """The kind of a layer by this rule, as the estimator reads it."""
        if layer < self.leading_count:
            return self.leading_kind
        in_pattern = layer % self.period >= self.period - self.pattern_count
        return self.pattern_kind if in_pattern else self.main_kind

    def exceptions(self, layers: Sequence[int]) -> dict[int, int]:
        """The layers that the rule gets wrong, with the kind that they are of."""
        return {layer: kind for layer, kind in enumerate(layers) if kind != self.kind_of(layer)}


def rule_of(layers: Sequence[int]) -> Rule:
    """The simplest rule without exceptions, or else the one with the shortest period and the fewest exceptions."""
    if not layers:
        raise ValueError("a model without layers has no rule for them")
    found: list[tuple[int, Rule]] = []
    for rule in _rules(layers):
        exceptions = len(rule.exceptions(layers))
        if not exceptions:
            return rule
        found.append((rule.period + exceptions, rule))
    return min(found, key=lambda one: one[0])[1]


def _rules(layers: Sequence[int]) -> Iterator[Rule]:
    """All rules whose period fits twice, simple ones first; the leading layers are none, or all equal ones."""
    first_run = next((place for place, kind in enumerate(layers) if kind != layers[0]), 0)
    for period in range(1, max(1, len(layers) // 2) + 1):
        for leading in dict.fromkeys((0, first_run)):
            yield from _splits(layers, leading, period)


def _splits(layers: Sequence[int], leading: int, period: int) -> Iterator[Rule]:
    """The rules of one period: its last layers, from none to all but one, are of the pattern's kind."""
    at_place = [Counter[int]() for _ in range(period)]
    for layer in range(leading, len(layers)):
        at_place[layer % period][layers[layer]] += 1
    for count in range(period):
        main, pattern = (sum(part, Counter[int]()) for part in (at_place[: period - count], at_place[period - count :]))
        main_kind = _most(main, layers[-1])
        yield Rule(leading, layers[0] if leading else main_kind, period, count, _most(pattern, main_kind), main_kind)


def _most(kinds: Counter[int], otherwise: int) -> int:
    return max(kinds, key=lambda kind: (kinds[kind], -kind)) if kinds else otherwise
