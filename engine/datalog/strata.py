"""Strata: the strongly connected components of the precedence graph, lowest first, and only those that are needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..errors import DatalogError, Diagnostic
from .aggregates import Aggregation
from .syntax import Rule, diagnostic_at


@dataclass(frozen=True, slots=True)
class Component:
    """Relations that depend on each other (or one alone)."""

    relations: tuple[str, ...]
    recursive: bool


def stratify(
    rules: Sequence[Rule], wanted: Iterable[str], sources: Mapping[str, str], aggregations: Mapping[str, Aggregation]
) -> list[Component]:
    """Components in an order in which each comes after what it depends on; only what `wanted` depends on.

    Raises DatalogError for each negated atom and each aggregate inside a component.
    """
    depends: dict[str, dict[str, None]] = {each.relation: {each.source: None} for each in aggregations.values()}
    for rule in rules:
        depends.setdefault(rule.head.relation, {}).update((literal.atom.relation, None) for literal in rule.literals)
    components = _components(depends, wanted)
    component_of = {name: index for index, component in enumerate(components) for name in component.relations}
    found: dict[Diagnostic, None] = {}
    for rule in rules:
        head = rule.head.relation
        if "@" in head:
            continue  # made for an aggregate; the rule that holds the aggregate is told of
        for literal in rule.literals:
            body = literal.atom.relation
            aggregation = aggregations.get(body)
            if (literal.negated or aggregation) and head in component_of and component_of[head] == component_of[body]:
                what = f"`{aggregation.text}`" if aggregation else f"!{body}"
                path = " -> ".join(name for name in (head, *_way(depends, body, head)) if "@" not in name)
                message = (
                    f"{head} depends on {what}, which depends on {head} ({path}): "
                    f"{'an aggregate' if aggregation else 'negation'} inside a recursion cannot be stratified"
                )
                found[diagnostic_at(message, literal.atom.position, sources)] = None
    if found:
        raise DatalogError(list(found))
    return components


def _way(depends: Mapping[str, Mapping[str, None]], start: str, goal: str) -> list[str]:
    """A shortest way from one relation to another that it depends on, both included."""
    came: dict[str, str] = {}
    queue = [start]
    for name in queue:
        if name == goal:
            break
        for below in depends.get(name, ()):
            if below not in came and below != start:
                came[below] = name
                queue.append(below)
    way = [goal]
    while way[-1] != start:
        way.append(came[way[-1]])
    return way[::-1]


def _components(depends: Mapping[str, Mapping[str, None]], wanted: Iterable[str]) -> list[Component]:
    """Tarjan's algorithm with a stack of its own; a component comes out after all that it reaches."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    open_names: list[str] = []
    is_open: set[str] = set()
    found: list[Component] = []
    for root in wanted:
        if root in number:
            continue
        path = [(root, iter(depends.get(root, ())))]
        number[root] = low[root] = len(number)
        open_names.append(root)
        is_open.add(root)
        while path:
            name, rest = path[-1]
            for below in rest:
                if below not in number:
                    number[below] = low[below] = len(number)
                    open_names.append(below)
                    is_open.add(below)
                    path.append((below, iter(depends.get(below, ()))))
                    break
                if below in is_open:
                    low[name] = min(low[name], number[below])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    low[above] = min(low[above], low[name])
                if low[name] == number[name]:
                    members = []
                    while True:
                        member = open_names.pop()
                        is_open.discard(member)
                        members.append(member)
                        if member == name:
                            break
                    recursive = len(members) > 1 or name in depends.get(name, ())
                    found.append(Component(tuple(sorted(members)), recursive))
    return found
