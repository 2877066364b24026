"""Whether a body is cyclic: the reduction of Graham, and of Yu and Ozsoyoglu (GYO), on its hypergraph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set


def is_cyclic(edges: Iterable[Set[int]]) -> bool:
    """Whether something is left when vertices of one edge alone, and edges inside others, are taken away in turn."""
    left = list({frozenset(edge) for edge in edges})
    while True:
        uses = Counter(vertex for edge in left for vertex in edge)
        reduced = {frozenset(vertex for vertex in edge if uses[vertex] > 1) for edge in left}
        reduced = {edge for edge in reduced if not any(edge < other for other in reduced)}
        if len(reduced) <= 1:
            return False
        if len(reduced) == len(left) and reduced == set(left):
            return True
        left = list(reduced)
