"""What variables, values and fields hold at a place of a run: asked for when it is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pliant.analyses.witness.terms import Node, Terms

Cell = tuple[object, ...]  # (kind, ...); kinds are in `cells`
ELEMENTS: Cell = ("elements",)
CONTENT: Cell = ("field", "")  # changes with what an object holds, by object


class State:
    """What cells hold where a run has come to some place.

    sources: what came before, each under the condition of the way from there; none where the run begins. forgets:
    whether a cell holds something unknown from here on. instead: what a cell holds by what a call has done; None where
    it has done nothing to it. changed: of private objects, those in which what is forgotten may have changed; None
    where there are none.
    """

    __slots__ = ("_forgets", "_held", "_instead", "_now", "_sources", "_terms", "changed")

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
        self._now = terms.now()
        self._instead = instead
        self.changed: frozenset[object] | None = None

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
                    found = state._after(cell, begins=not sources)
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

    def _after(self, cell: Cell, *, begins: bool) -> Node:
        """What a cell holds that is forgotten here."""
        terms, changed = self._terms, self.changed
        if begins or (cell[0] != "kept" and (changed is None or cell[0] != "field")):
            return self._unknown(cell, begins)
        before = State(terms, self._sources, None, self._instead)
        if cell[0] == "kept":  # for good: new objects aside, it is what it was
            return terms.pending(lambda: terms.renewed(before.get(cell), self._now))
        assert changed is not None
        known, unknown = changed, self._unknown(cell, begins)
        return terms.pending(lambda: terms.kept(before.get(cell), unknown, known))

    def _unknown(self, cell: Cell, begins: bool) -> Node:
        if cell[0] in ("field", "kept", "elements", "items"):
            return self._terms.table(f"{cell[0]} {cell[-1]}", before=begins, born=self._now)
        make = self._terms.other if begins else self._terms.some
        return make(str(cell[3] if cell[0] == "shared" else cell[-1]))


class Later(State):
    """Where a later round of a loop begins. counters: of the variables that only count in it, `+` or `-`. carried: by
    the other variables that the loop sets and that were asked for here, the condition under which a round before has
    left the null in it that is marked."""

    __slots__ = ("_counters", "carried")

    def __init__(
        self,
        terms: Terms,
        sources: Sequence[tuple[Node, State]],
        forgets: Callable[[Cell], bool],
        counters: Mapping[Cell, str],
    ) -> None:
        super().__init__(terms, sources, forgets)
        self._counters = counters
        self.carried: dict[Cell, Node] = {}

    def _unknown(self, cell: Cell, begins: bool) -> Node:
        if cell[0] not in ("variable", "shared"):
            return super()._unknown(cell, begins)
        if cell in self._counters:
            first = State(self._terms, self._sources).get(cell)
            if self._terms.is_a_number(first):
                return self._terms.sum(self._counters[cell], [first, self._terms.natural_number(str(cell[-1]))])
        self.carried[cell] = self._terms.open("carried")
        return self._terms.carried(self.carried[cell], super()._unknown(cell, True))


class AnyRound(Later):
    """Where any round of a loop begins, if nothing before the loop has been run: what is kept for good may be that of
    objects of rounds before."""

    __slots__ = ()

    def _after(self, cell: Cell, *, begins: bool) -> Node:
        return self._unknown(cell, begins)
