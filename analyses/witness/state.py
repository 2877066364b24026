"""What variables, values and fields hold at a place of a run: asked for when it is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pliant.analyses.witness.terms import Node, Terms

Cell = tuple[object, ...]  # (kind, ...); kinds are in `execute`


class State:
    """What cells hold where a run has come to some place.

    sources: what came before, each under the condition of the way from there; none where the run begins. forgets:
    whether a cell holds something unknown from here on. instead: what a cell holds by what a call has done; None where
    it has done nothing to it.
    """

    __slots__ = ("_forgets", "_held", "_instead", "_sources", "_terms")

    def __init__(
        self,
        terms: Terms,
        sources: Sequence[tuple[Node, State]],
        forgets: Callable[[Cell], bool] | None = None,
        instead: Callable[[Cell], Node | None] | None = None,
    ) -> None:
        self._terms = terms
        self._held: dict[Cell, Node] = {}
        self._sources = sources
        self._forgets = forgets
        self._instead = instead

    def set(self, cell: Cell, value: Node) -> None:
        self._held[cell] = value

    def get(self, cell: Cell) -> Node:
        """What a cell holds here. Without recursion, but where calls are run for it: functions are long."""
        found = self._held.get(cell)
        if found is not None:
            return found
        todo = [self]
        while todo:
            state = todo[-1]
            self._terms.steps.spend(1 + len(state._sources))
            if cell in state._held:
                todo.pop()
                continue
            if state._instead is not None and (value := state._instead(cell)) is not None:
                state._held[cell] = value
            elif not state._sources or (state._forgets is not None and state._forgets(cell)):
                state._held[cell] = state._unknown(cell)
            elif len(state._sources) == 1:
                before = state._sources[0][1]
                if cell not in before._held:
                    todo.append(before)
                    continue
                state._held[cell] = before._held[cell]
            elif missing := [before for _, before in state._sources if cell not in before._held]:
                todo += missing
                continue
            else:
                ways = [(holds, before._held[cell]) for holds, before in state._sources]
                state._held[cell] = self._terms.joined(ways)
            todo.pop()
        return self._held[cell]

    def _unknown(self, cell: Cell) -> Node:
        begins = not self._sources
        if cell[0] in ("field", "elements", "items"):
            return self._terms.table(f"{cell[0]} {cell[-1]}", before=begins)
        make = self._terms.other if begins else self._terms.some
        return make(str(cell[3] if cell[0] == "shared" else cell[-1]))
