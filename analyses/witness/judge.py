"""The answer to a candidate: witnessed, refuted, or open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pliant.analyses.findings import Condition, Contradiction, Witness
from pliant.analyses.witness.binding import Passed
from pliant.analyses.witness.bounds import (
    LEVELS,
    MOST_ALONE,
    MOST_COARSE,
    MOST_OF_A_ROUND,
    MOST_OF_CALLERS,
    MOST_STEPS,
    Steps,
    TooLarge,
)
from pliant.analyses.witness.conditions import in_source, needed
from pliant.analyses.witness.demands import Demands
from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.execute import Execution
from pliant.analyses.witness.kinds import Kinds
from pliant.analyses.witness.lending import Lending
from pliant.analyses.witness.outcomes import Outcomes
from pliant.analyses.witness.programs import Programs
from pliant.analyses.witness.refutations import contradiction
from pliant.analyses.witness.repeats import Repeats
from pliant.analyses.witness.route import Concerned, Frame, Routes, function_symbol, made_around
from pliant.analyses.witness.run import Answer, Run
from pliant.analyses.witness.state import State
from pliant.analyses.witness.terms import Node, Terms
from pliant.analyses.wording import file_of
from pliant.extractors.ir.operands import Constant
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.languages import language_of
from pliant.extractors.lowering.source import deep, no_collection

FAILS = "looking for an execution fails with"
_MOST_CALLERS = 8  # of a function that are asked, and of each of those
MOST_OF_SIDE = 60_000_000  # steps for all questions of a side
_MOST_WAYS = 16  # of a null to its use


# What a call passes, by name ("" by position); None where that is no constant.
_Constants = tuple[tuple[str, Constant | None], ...]


@dataclass(frozen=True, slots=True)
class _Question:
    """steps: that are left for it. may_hold, concerned: as of `Routes`."""

    steps: Steps
    may_hold: frozenset[int]
    concerned: Callable[[], Concerned]


class Court:
    """Answers for one side. programs: its functions; derived: what the rules say of them; most: steps for all answers,
    `MOST_OF_SIDE` if that is not said."""

    def __init__(self, programs: Programs, derived: Derived, most: int | None = None) -> None:
        self._programs, self._derived = programs, derived
        derived.reads = programs.reads  # an answer rests on both
        self._kinds = Kinds(programs, derived)
        self._lending = Lending(programs, derived)
        self._repeats = Repeats(programs, derived, self._kinds, self._lending)
        self._outcomes = Outcomes(programs, derived, self._lending)
        self._demands = Demands(programs, derived)
        self._most = self._left = MOST_OF_SIDE if most is None else most

    def witness(self, site: str, origin: str, *, explained: bool = False, way: Frame | None = None) -> Witness | None:
        """The answer for a report; None where the language of the site has no instructions yet. explained: with why it
        is refuted. way: the only one that is asked about."""
        language = language_of(file_of(site))
        if language is None:
            return None
        answer = self.tried(site, origin, way)
        try:
            contradictions = tuple(dict.fromkeys(each() for each in answer.why_not)) if explained else ()
            return Witness(answer.verdict, answer.reason, answer.why(), contradictions)
        except Exception as error:
            return Witness("open", _said(error))

    @property
    def left(self) -> int:
        """Steps that are left for all answers."""
        return self._left

    def tried(self, site: str, origin: str, way: Frame | None = None, *, most: int = MOST_STEPS) -> Answer:
        """As `answer`. Nothing is raised: whatever is wrong with one question, the others are answered."""
        try:
            return self.answer(site, origin, way, most=most)
        except Exception as error:
            return Answer("open", _said(error))

    def answer(self, site: str, origin: str, way: Frame | None = None, *, most: int = MOST_STEPS) -> Answer:
        """Whether the null of a `null_dereference` can come to its use: by a way, or on any that the rules know. most:
        steps for it."""
        if self._left <= 0:
            return Answer("open", f"the findings before it took {self._most:,} steps")
        steps = Steps(most)
        try:
            with self._programs.reads.noting() as rests:
                found = self._answer(site, origin, way, steps)
        finally:
            self._left -= steps.most - steps.left
        return replace(found, rests=rests)

    def _answer(self, site: str, origin: str, way: Frame | None, steps: Steps) -> Answer:
        why_not: tuple[Callable[[], Contradiction], ...] = ()
        routes = Routes(self._derived, site, origin, steps)
        question = _Question(steps, routes.may_hold, lambda: routes.concerned)
        alone: dict[Frame, Answer] = {}  # of the ends of ways, called with anything
        left = MOST_ALONE
        asked = 0
        try:
            for frame in routes.frames() if way is None else [way]:
                verdict = ""
                ends = frame.inner_ends()
                if left and ends and (passed := self._constants(frame, ends[-1])) is not None:
                    before = steps.left
                    with steps.at_most(left):
                        found = self._run(ends[-1], question, passed=passed)
                    left = max(left - (before - steps.left), 0)
                    if found.verdict == "refuted":
                        why_not += found.why_not
                        continue
                for end in ends:
                    if end not in alone:
                        if not left:
                            break
                        before = steps.left
                        with steps.at_most(left):
                            alone[end] = found = self._run(end, question, on_anything=True)
                        left = max(left - (before - steps.left), 0)
                        why_not += found.why_not
                    verdict = alone[end].verdict
                    if verdict != "witnessed":
                        break
                if verdict == "refuted":
                    continue
                if asked == _MOST_WAYS:
                    return Answer("open", f"there are more than {_MOST_WAYS} ways")
                asked += 1
                found = self._asked(frame, LEVELS, question)
                if found.verdict != "refuted":
                    return found
                why_not += found.why_not
        except TooLarge as error:
            return Answer("open", str(error))
        if not why_not:
            return Answer("open", "nothing is known of the way")
        return Answer("refuted", why_not=why_not)

    def _constants(self, frame: Frame, called: Frame) -> _Constants | None:
        """What the one call in a frame passes to the frame below it, where that is known: None if no constant but null
        is."""
        calls = [call for call, each in frame.calls.items() if each is called]
        caller, code = self._programs.code(frame.function), self._programs.code(called.function)
        number = caller.number_of(calls[0]) if caller is not None and len(calls) == 1 else 0
        if caller is None or code is None or not number or called.again:
            return None
        call = caller.instruction(number)
        has_receiver = any(each.kind == "receiver" for each in code.function.formals)
        is_bound = self._derived.is_bound(calls[0], called.function)
        if (call.op, has_receiver, is_bound) not in (("call", False, False), ("invoke", True, True)):
            return None
        values = [each.value for each in call.operands[-1]]
        made = [each if isinstance(each, Constant) else caller.instruction(each) for each in values]
        known = [each.operands[0] if isinstance(each, Instruction) and each.op == "const" else each for each in made]
        constants = [each if isinstance(each, Constant) and each.kind != "other" else None for each in known]
        if all(each is None or each.kind == "null" for each in constants):
            return None
        return tuple(zip((each.name for each in call.operands[-1]), constants, strict=True))

    def _asked(self, frame: Frame, levels: int, question: _Question) -> Answer:
        with question.steps.at_most(MOST_OF_A_ROUND):
            alone = self._run(frame, question, in_a_round=True)
        if alone.verdict == "refuted":
            return alone
        with question.steps.at_most(MOST_COARSE):  # what runs nothing beside the way takes few steps, and often says it
            coarse = self._run(frame, question, coarse=True)
        found = coarse if coarse.verdict == "refuted" else self._run(frame, question)
        if found.verdict != "witnessed" or not levels:
            return found
        with question.steps.at_most(MOST_OF_CALLERS):
            called = self._from_callers(frame, found, levels, question)
        around = made_around(frame)
        if called.verdict == "refuted" or around is frame or not self._programs.makes(around.function, frame.function):
            return called
        origin = frame.origin if function_symbol(frame.origin) == around.function else ""
        outer = self._asked(replace(around, origin=origin), levels - 1, question)
        return outer if outer.verdict == "refuted" else called

    def _from_callers(self, frame: Frame, found: Answer, levels: int, question: _Question) -> Answer:
        """The answer where the callers of the function can be asked; `found`, the one without them, where not."""
        callers = self._derived.callers(frame.function, self._programs)
        if not callers or len(callers) > _MOST_CALLERS:
            return found
        why_not = found.why_not
        for call in callers:
            around = function_symbol(call)
            # It may be that of a variable around the function.
            origin = frame.origin if function_symbol(frame.origin) == around else ""
            outer = self._asked(Frame(around, origin, {call: frame}), levels - 1, question)
            if outer.verdict != "refuted":
                return found
            why_not += outer.why_not
        return Answer("refuted", why_not=why_not)

    def _run(
        self,
        frame: Frame,
        question: _Question,
        *,
        on_anything: bool = False,
        passed: _Constants | None = None,
        coarse: bool = False,
        in_a_round: bool = False,
    ) -> Answer:
        """The answer if the outermost function may be called with any arguments. on_anything: and on any receiver, null
        included. passed: the arguments that are known, on any receiver. coarse: as of `Run`. in_a_round: as far as one
        round of the innermost loop says, in which all is that leads from the null to the use."""
        code = self._programs.code(frame.function)
        if code is None:
            return Answer("open", "a function on the way cannot be read")
        semantics = code.semantics
        known = self._kinds, self._repeats, self._lending, self._outcomes, self._demands
        try:
            terms = Terms(question.steps, self._kinds if semantics.virtual else None, pointers=semantics.pointers)
        except TooLarge as error:
            return Answer("open", str(error))
        run = Run(terms, self._programs, self._derived, *known, question.may_hold, question.concerned, coarse=coarse)
        try:
            with deep(), no_collection():
                execution = Execution(run, code, frame)
                header = execution.loop() if in_a_round else 0
                if header is None:
                    return Answer("open", "the null does not come to its use in a round of a loop")
                fails = _failing(run, execution, frame, header, passed, on_anything=on_anything or passed is not None)
                found, by_rounds = run.can_hold(fails)
        except TooLarge as error:
            return Answer("open", str(error))
        except RecursionError:
            return Answer("open", "what decides it is nested too deeply")
        if found is None:
            return Answer("open", "the solver met its bound")
        if not found:

            def why_not() -> Contradiction:
                carried = [terms.opposite(each) for each in run.carried()] if by_rounds else []
                comes = terms.both(terms.any_of(*(run.is_it(each.value) for each in run.uses)), *carried)
                runs = terms.any_of(*(each.holds for each in run.uses))
                try:
                    with deep(), no_collection():
                        return contradiction(self._programs, terms, comes, runs, run.asked)
                except TooLarge as error:
                    return Contradiction(f"nobody knows why: {error}")

            return Answer("refuted", why_not=(why_not,))

        def why() -> tuple[Condition, ...]:
            try:
                with deep(), no_collection():
                    asked = needed(terms, fails, run.asked)
            except TooLarge:
                return ()
            return in_source(self._programs, asked)

        return Answer("witnessed", "", why)


def _failing(
    run: Run, execution: Execution, frame: Frame, header: int, passed: _Constants | None, *, on_anything: bool
) -> Node:
    """Run a function with any arguments, or with those that are known, or any round of the loop with that header.
    Returns the condition under which the use fails."""
    terms = run.terms
    run.marks |= frame.has_origin  # also where the call that gives it never runs
    if header:
        state = execution.round(header)
        run.begun.append(terms.true)  # a round before may have given it
    else:
        receiver = terms.given("receiver") if on_anything else None
        known: Passed | None = None
        if passed is not None:
            known = [
                (name, terms.given(f"argument {number}") if value is None else terms.constant(value))
                for number, (name, value) in enumerate(passed)
            ]
        state = execution.bound(State(terms, []), terms.true, receiver, known)
    execution.execute(state, terms.true, execution.targets(), header)
    uses = [terms.both(each.holds, run.is_it(each.value)) for each in run.uses]
    return terms.both(terms.any_of(*uses), *([terms.any_of(*run.begun)] if run.marks else []))


def _said(error: Exception) -> str:
    said = " ".join(str(error).split())[:200]
    return f"{FAILS} {type(error).__name__}{': ' if said else ''}{said}"
