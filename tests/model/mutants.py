"""Formulas with one thing changed each: an operator, a comparison or a number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from reportgen.formula.expression import Binary, Compare, Expression, Number, walk

OTHER_OPERATOR = {"+": "-", "-": "+", "*": "/", "/": "*", "**": "*"}
OTHER_COMPARISON = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}


def mutants(expression: Expression) -> Iterator[Expression]:
    """The formula once for each operator, comparison and number in it, that one changed."""
    for node in walk(expression):
        if isinstance(node, Binary):
            yield _replaced(expression, node, replace(node, operator=OTHER_OPERATOR[node.operator]))
        if isinstance(node, Compare):
            yield _replaced(expression, node, replace(node, operator=OTHER_COMPARISON[node.operator]))
        if isinstance(node, Number):
            yield _replaced(expression, node, replace(node, value=node.value + 1))


def _replaced(tree: Any, old: Expression, new: Expression) -> Any:
    """The tree with one of its nodes, the very object, replaced."""
    if tree is old:
        return new
    if isinstance(tree, tuple):
        return tuple(_replaced(part, old, new) for part in tree)
    if not is_dataclass(tree) or isinstance(tree, type):
        return tree
    parts = {part.name: _replaced(getattr(tree, part.name), old, new) for part in fields(tree)}
    return replace(tree, **parts)
