"""The answer to a candidate: witnessed, refuted, or open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pliant.analyses.findings import Condition, Verdict, Witness
from pliant.analyses.witness.bounds import Steps, TooLarge
from pliant.analyses.witness.conditions import in_source, needed
from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.execute import Execution
from pliant.analyses.witness.programs import Programs
from pliant.analyses.witness.route import Frame, Routes, function_symbol
from pliant.analyses.witness.run import Run
from pliant.analyses.witness.solve import can_hold
from pliant.analyses.witness.state import State
from pliant.analyses.witness.terms import Terms
from pliant.analyses.wording import file_of
from pliant.extractors.languages import language_of
from pliant.extractors.lowering.source import deep, no_collection

FAILS = "looking for an execution fails with"
_MOST_CALLERS = 8  # of a function that are asked, and of each of those
_LEVELS = 2  # of callers
MOST_OF_SIDE = 30_000_000  # steps for all questions of a side
_MOST_WAYS = 16  # of a null to its use


@dataclass(frozen=True, slots=True)
class Answer:
    """verdict and reason as of a `Witness`. read: the functions that were read, by symbol. why: under which conditions
    it fails, asked for where it is told."""

    verdict: Verdict
    reason: str = ""
    read: frozenset[str] = frozenset()
    why: Callable[[], tuple[Condition, ...]] = tuple


class Court:
    """Answers for one side. programs: its functions; derived: what the rules say of them."""

    def __init__(self, programs: Programs, derived: Derived) -> None:
        self._programs, self._derived = programs, derived
        self._left = MOST_OF_SIDE

    def witness(self, site: str, origin: str) -> Witness | None:
        """The answer for a report; None where the language of the site has no instructions yet. Nothing is raised."""
        language = language_of(file_of(site))
        if language is None or not language.instructions:
            return None
        try:
            answer = self.answer(site, origin)
            return Witness(answer.verdict, answer.reason, answer.why())
        except Exception as error:  # whatever is wrong with one question, the others are answered
            said = " ".join(str(error).split())[:200]
            return Witness("open", f"{FAILS} {type(error).__name__}{': ' if said else ''}{said}")

    def answer(self, site: str, origin: str) -> Answer:
        """Whether the null of a `null_dereference` can come to its use, on any way that the rules know."""
        read: frozenset[str] = frozenset()
        if self._left <= 0:
            return Answer("open", f"the findings before it took {MOST_OF_SIDE:,} steps")
        steps = Steps()
        frames = Routes(self._derived, site, origin, steps).frames()
        try:
            for count, frame in enumerate(frames):
                if count == _MOST_WAYS:
                    return Answer("open", f"there are more than {_MOST_WAYS} ways", read)
                found = self._asked(frame, _LEVELS, steps)
                read |= found.read
                if found.verdict != "refuted":
                    return replace(found, read=read)
        except TooLarge as error:
            return Answer("open", str(error), read)
        finally:
            self._left -= steps.most - steps.left
        if not read:
            return Answer("open", "nothing is known of the way")
        return Answer("refuted", "", read)

    def _asked(self, frame: Frame, levels: int, steps: Steps) -> Answer:
        found = self._run(frame, steps)
        if found.verdict != "witnessed" or not levels:
            return found
        callers = self._derived.callers(frame.function, self._programs)
        if not callers or len(callers) > _MOST_CALLERS:
            return found
        read = found.read
        for call in callers:
            around = function_symbol(call)
            # It may be that of a variable around the function.
            origin = frame.origin if function_symbol(frame.origin) == around else ""
            outer = self._asked(Frame(around, origin, {call: frame}), levels - 1, steps)
            read |= outer.read
            if outer.verdict != "refuted":
                return replace(found, read=read)
        return Answer("refuted", "", read)

    def _run(self, frame: Frame, steps: Steps) -> Answer:
        """The answer where the outermost function may be called with anything."""
        code = self._programs.code(frame.function)
        if code is None:
            return Answer("open", "a function on the way cannot be read")
        terms = Terms(steps)
        run = Run(terms, self._programs, self._derived)
        try:
            with deep(), no_collection():
                execution = Execution(run, code, frame)
                state = execution.bound(State(terms, []), terms.true, None, None)
                execution.execute(state, terms.true, execution.targets())
                is_it = terms.is_marked if run.marks else terms.is_null
                uses = [terms.both(each.holds, is_it(each.value)) for each in run.uses]
                fails = terms.any_of(*uses)
                found = can_hold(terms, fails)
        except TooLarge as error:
            return Answer("open", str(error), frozenset(run.read))
        except RecursionError:
            return Answer("open", "what decides it is nested too deeply", frozenset(run.read))
        if found is None:
            return Answer("open", "the solver met its bound", frozenset(run.read))
        if not found:
            return Answer("refuted", "", frozenset(run.read))

        def why() -> tuple[Condition, ...]:
            try:
                with deep(), no_collection():
                    asked = needed(terms, fails, run.asked)
            except TooLarge:
                return ()
            return in_source(self._programs, asked)

        return Answer("witnessed", "", frozenset(run.read), why)
