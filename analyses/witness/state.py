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
        self._held: dict[int, Node] = {}  # by the numbers of cells
        self._sources = sources
        self._forgets = forgets
        self._instead = instead

    def set(self, cell: Cell, value: Node) -> None:
        self._held[self._terms.number(cell)] = value

    def change(self, cell: Cell, changed: Callable[[Node], Node]) -> None:
        """Let a cell hold what `changed` makes of what it holds, once something reads it."""
        terms, number = self._terms, self._terms.number(cell)
        held = self._held.get(number)
        if held is None:
            before = State(terms, self._sources, self._forgets, self._instead)
            self._held[number] = terms.pending(lambda: changed(before.get(cell)))
        else:
            self._held[number] = terms.pending(lambda: changed(held))

    def get(self, cell: Cell) -> Node:
        """What a cell holds here. Without recursion, but where calls are run for it: functions are long."""
        number = self._terms.number(cell)
        found = self._held.get(number)
        if found is not None:
            return found
        local = cell[0] in ("variable", "value")
        steps = self._terms.steps
        todo = [self]
        while todo:
            state: State | None = todo[-1]
            passed: list[State] = []  # which hold the same
            found = None
            while state is not None:
                found = state._held.get(number)
                if found is not None:
                    break
                steps.spend(1)
                passed.append(state)
                if state._instead is not None and not local:
                    found = state._instead(cell)
                    if found is not None:
                        break
                sources = state._sources
                if not sources or (state._forgets is not None and state._forgets(cell)):
                    found = self._unknown(cell, begins=not sources)
                    break
                if len(sources) == 1:
                    state = sources[0][1]
                    continue
                steps.spend(len(sources))
                missing = [before for _, before in sources if number not in before._held]
                if not missing:
                    found = self._terms.joined([(holds, before._held[number]) for holds, before in sources])
                elif state is todo[-1]:
                    todo += missing
                else:
                    todo += (state, *missing)
                state = None
            if found is not None:
                for each in passed:
                    each._held[number] = found
                todo.pop()
        return self._held[number]

    def _unknown(self, cell: Cell, *, begins: bool) -> Node:
        if cell[0] in ("field", "elements", "items"):
            return self._terms.table(f"{cell[0]} {cell[-1]}", before=begins)
        make = self._terms.other if begins else self._terms.some
        return make(str(cell[3] if cell[0] == "shared" else cell[-1]))
