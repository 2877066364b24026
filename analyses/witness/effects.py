"""What functions may write, with all that they run: found once for each function of a side, callees first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

_MOST_FIELDS = 1_000  # that are told apart; who may write more may write any


@dataclass(frozen=True, slots=True)
class Effects:
    """What calls may write. fields: their names; None for any. code: whether code of the repository runs, which may
    set variables that it shares with others. elements: whether elements of containers may be written."""

    fields: frozenset[str] | None
    code: bool
    elements: bool = False

    def __or__(self, other: Effects) -> Effects:
        fields = None if self.fields is None or other.fields is None else self.fields | other.fields
        return Effects(fields, self.code or other.code, self.elements or other.elements)


ANYTHING = Effects(None, code=True, elements=True)


class Closure:
    """own: what a function itself writes, its calls of others aside. runs: the functions that it
    runs."""

    def __init__(self, own: Callable[[int], Effects], runs: Callable[[int], Iterable[int]]) -> None:
        self._own, self._runs = own, runs
        self._found: dict[int, Effects] = {}

    def of(self, function: int) -> Effects:
        """Of a function with all that it runs."""
        if function not in self._found:
            self._find(function)
        return self._found[function]

    def _find(self, function: int) -> None:
        """Tarjan's strongly connected components: the functions of one may write the same."""
        number: dict[int, int] = {function: 0}
        lowest: dict[int, int] = {function: 0}
        waiting = [function]  # those whose component is not known yet
        stack = [(function, iter(list(self._runs(function))))]
        while stack:
            at, others = stack[-1]
            for other in others:
                if other in self._found:
                    continue
                if other in number:
                    lowest[at] = min(lowest[at], number[other])
                    continue
                number[other] = lowest[other] = len(number)
                waiting.append(other)
                stack.append((other, iter(list(self._runs(other)))))
                break
            else:
                stack.pop()
                if stack:
                    lowest[stack[-1][0]] = min(lowest[stack[-1][0]], lowest[at])
                if lowest[at] == number[at]:
                    component = [waiting.pop()]
                    while component[-1] != at:
                        component.append(waiting.pop())
                    self._settle(component)

    def _settle(self, component: list[int]) -> None:
        fields: set[str] | None = set()
        elements = False
        parts = [self._own(each) for each in component]
        parts += [self._found[other] for each in component for other in self._runs(each) if other in self._found]
        for part in parts:
            elements |= part.elements
            if fields is None or part.fields is None:
                fields = None
            else:
                fields |= part.fields
        if fields is None or len(fields) > _MOST_FIELDS:
            effects = ANYTHING
        else:
            effects = Effects(frozenset(fields), code=True, elements=elements)
        for each in component:
            self._found[each] = effects
