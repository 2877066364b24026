"""Candidates that both sides have, and whose answer the change of a function has turned: a condition came or went."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from pliant.analyses.findings import Place
from pliant.analyses.identity import Group, Pair
from pliant.analyses.witness.bounds import LEVELS, LOOKED_UP, READING_DEPTH, Steps, TooLarge
from pliant.analyses.witness.changed import Changed, changed_effects
from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.programs import Programs
from pliant.analyses.witness.reads import Rests
from pliant.analyses.witness.route import Routes, function_symbol

MOST_OF_TURNED = 1_000_000  # steps for the questions of a side
_MOST_OF_ONE = 100_000  # of those, for all origins of a candidate
MOST_OF_LOOKING = 400_000  # steps to see which answers may rest on what has changed; past that, all are asked
_MOST_TO_LOOK = 10_000  # of those, for one origin of a candidate
_MOST_LOOKED_AT = 64  # ways of a null to its use; where there are more, it is asked

if TYPE_CHECKING:
    from pliant.analyses.witness.judge import Court
    from pliant.analyses.witness.run import Answer


@dataclass(frozen=True, slots=True)
class Turned:
    """status: what the finding is now. lines: of the head, changed ones in functions on which the answer rests."""

    status: Literal["new", "fixed"]
    lines: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Conditions:
    """turned: by the site in the head. unknown: the sites of those that have no answer within the bounds."""

    turned: Mapping[str, Turned] = field(default_factory=dict)
    unknown: Set[str] = frozenset()


class _Side:
    def __init__(self, programs: Programs, derived: Derived) -> None:
        self.programs, self.derived = programs, derived
        self._near: set[str] = set()
        self._run_changed: set[str] = set()
        self._left_to_look = MOST_OF_LOOKING

    @cached_property
    def court(self) -> Court:
        """Who answers: what looks for an execution is imported when it is asked."""
        from pliant.analyses.witness.judge import Court

        return Court(self.programs, self.derived, MOST_OF_TURNED)

    def changed(self, functions: Iterable[str], effects: Iterable[str]) -> None:
        """Say which functions differ on the other side, and which write something else there: those that an answer may
        rest on with them are asked about."""
        self._run_changed = self.derived.near((*functions, *effects), callers=READING_DEPTH, callees=0)
        self._near = self.derived.near(self._run_changed, callers=0, callees=LEVELS)

    def rest_on_changed(self, groups: Sequence[Group]) -> set[str]:
        """The sites of those whose answers may depend on a function that has changed."""

        def is_near(symbol: str) -> bool:
            return function_symbol(symbol) in self._near

        origins = list(dict.fromkeys(origin for group in groups for origin in group.origins))
        near = self.derived.come_to(origins, is_near)
        asked = [group for group in groups if is_near(group.site) or not near.isdisjoint(group.origins)]
        return {group.site for group in asked if any(self._may_read(group.site, each) for each in group.origins)}

    def _may_read(self, site: str, origin: str) -> bool:
        """Whether what is run for an answer may run a function that has changed: the functions through which the null
        comes, or those that are asked since they alone call the outermost of these."""
        steps = Steps(max(0, min(_MOST_TO_LOOK, self._left_to_look)))
        try:
            for number, frame in enumerate(Routes(self.derived, site, origin, steps).frames()):
                todo = {frame.function, *(each.function for each in frame.all())}
                for _ in range(LEVELS + 1):
                    if number == _MOST_LOOKED_AT or not todo.isdisjoint(self._run_changed):
                        return True
                    todo &= self._near  # others have no callers that do
                    steps.spend(LOOKED_UP * len(todo))
                    todo = {function_symbol(call) for each in todo for call in self._callers(each)}
        except TooLarge:
            return True
        finally:
            self._left_to_look -= steps.most - max(steps.left, 0)
        return False

    def _callers(self, function: str) -> Sequence[str]:
        """What may be asked beside a function: its callers, and what makes it."""
        around = function.rpartition(".")[0] if "." in function.rpartition("|")[2] else ""
        return (*self.derived.callers(function, self.programs), *([around] if around else []))

    def answer(self, group: Group) -> Answer:
        """Whether the null of one of the origins can come to the use."""
        from pliant.analyses.witness.run import Answer

        rests = Rests()
        found = Answer("refuted")
        left = self.court.left - _MOST_OF_ONE
        for origin in group.origins:
            answer = self.court.tried(group.site, origin, most=self.court.left - left)
            rests.add(answer.rests)
            if answer.verdict != "refuted":
                found = answer
            if answer.verdict == "witnessed":
                break
        return Answer(found.verdict, found.reason, rests=rests)

    def says(self, question: str, symbol: str) -> object:
        """What the rules answer, to a question of `Rests`."""
        if question == "effects":
            return self.derived.effects(symbol)
        if question == "callers":
            return self.derived.callers(symbol, self.programs)
        return self.derived.callees(symbol)


def turned(
    base: tuple[Programs, Derived], head: tuple[Programs, Derived], pairs: Sequence[Pair], changed: Changed
) -> Conditions:
    """What becomes of findings that both sides derive: new where every way is refuted in the base and one is not in the
    head, fixed the other way round."""
    before, after = _Side(*base), _Side(*head)
    came, gone = changed.came, changed.gone
    effects = changed_effects(before.derived, after.derived, changed)
    before.changed(gone, effects)
    after.changed(came, effects)
    new_sites = after.rest_on_changed([pair.head for pair in pairs])
    old_sites = before.rest_on_changed([pair.base for pair in pairs if pair.head.site not in new_sites])
    pairs = [pair for pair in pairs if pair.base.site in old_sites or pair.head.site in new_sites]
    found: dict[str, Turned] = {}
    unknown: set[str] = set()
    # Those whose own function has changed come first: there are only so many steps.
    for pair in sorted(pairs, key=lambda pair: function_symbol(pair.head.site) not in came):
        now = after.answer(pair.head)
        if now.verdict == "open":
            unknown.add(pair.head.site)
            continue
        read, asked = now.rests.functions, now.rests.asked
        if read.isdisjoint(came.keys() | gone) and all(before.says(*each) == after.says(*each) for each in asked):
            continue
        was = before.answer(pair.base)
        if was.verdict == "open":
            unknown.add(pair.head.site)
        elif {now.verdict, was.verdict} == {"witnessed", "refuted"}:
            behind = {effects[symbol] for question, symbol in asked if question == "effects" and symbol in effects}
            lines = {place for function in read | behind for place in came.get(function, ())}
            places = tuple(sorted(lines, key=lambda place: (place.file, place.line)))
            found[pair.head.site] = Turned("new" if now.verdict == "witnessed" else "fixed", places)
    return Conditions(found, unknown)
