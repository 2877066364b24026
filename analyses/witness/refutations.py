"""Why a null cannot come to its use: of what was asked on the way, what is one where the null comes, and the other
where the use runs."""

from __future__ import annotations

from collections.abc import Sequence

from pliant.analyses.findings import Contradiction
from pliant.analyses.witness.conditions import condition, is_asked
from pliant.analyses.witness.programs import Programs
from pliant.analyses.witness.run import Asked
from pliant.analyses.witness.solve import Formula
from pliant.analyses.witness.terms import Node, Terms
from pliant.analyses.witness.z3_terms import STEPS, Solver, Term

_MOST_TRIED = 40  # questions that the two sides may answer otherwise


def contradiction(programs: Programs, terms: Terms, comes: Node, runs: Node, asked: Sequence[Asked]) -> Contradiction:
    """Why two conditions cannot hold together: comes, that it is the null which is used; runs, that the use runs."""
    with Solver() as solver:
        formula = Formula(terms, solver)
        null, use = (formula.condition(formula.plain(each)) for each in (comes, runs))
        questions = is_asked(formula, terms, asked)
        conditions = [formula.condition(node) for node in questions]
        where_it_comes, where_it_runs = (_answers(solver, each, conditions) for each in (null, use))
        if where_it_runs is None:
            return Contradiction("the use never runs on this way")
        if where_it_comes is None:
            return Contradiction("what is used there is never that null")
        solver.take_at_most(STEPS // _MOST_TRIED)
        tried = 0
        for number, question in enumerate(questions.values()):
            comes_with = where_it_comes[number]
            if comes_with == where_it_runs[number]:
                continue
            tried += 1
            if tried > _MOST_TRIED:
                break
            is_so = conditions[number] if comes_with else solver.opposite(conditions[number])
            if _excluded(solver, null, solver.opposite(is_so)) and _excluded(solver, use, is_so):
                first, second = (condition(programs, question, holds=each) for each in (comes_with, not comes_with))
                return Contradiction("", first, second.value)
    return Contradiction("what must hold for the null to come excludes what must hold for the use to run")


def _answers(solver: Solver, holds: Term, conditions: Sequence[Term]) -> list[bool] | None:
    """What conditions are in one case in which something holds; None where there is none."""
    solver.push()
    solver.add(holds)
    found = None if solver.can_hold() is False else solver.answers(conditions)
    solver.pop()
    return found


def _excluded(solver: Solver, holds: Term, also: Term) -> bool:
    solver.push()
    solver.add(holds)
    solver.add(also)
    found = solver.can_hold() is False
    solver.pop()
    return found
