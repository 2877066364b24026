"""Rules with one body in several guises run as one, and each has met its instantiations as if it had run alone."""

from __future__ import annotations

from oracle import Facts, evaluate
from programs import batch, check_state

from pliant.engine import Evaluation, Program

DECLARED = """
.decl edge(a: number, b: number)  .input edge
.decl barred(a: number)  .input barred
.decl path(a: number, b: number)  .output path
.decl back(a: number, b: number)  .output back
.decl seen(a: number)  .output seen
"""
FACTS: Facts = {"edge": {(0, 1), (1, 2), (2, 0), (2, 3), (3, 3), (4, 1)}, "barred": {(3,)}}


def evaluated(rules: str) -> tuple[Evaluation, int]:
    """The evaluation, held to the oracle, and how many rules ran, each from one of its atoms."""
    text = DECLARED + rules
    evaluation = Evaluation.bootstrap(Program.parse({"program.dl": text}), batch(FACTS))
    check_state(evaluation, evaluate(text, FACTS))
    return evaluation, sum("@" not in cost.rule for cost in evaluation.profile)  # projections apart


def instantiations(evaluation: Evaluation) -> int:
    return sum(report.instantiations for report in evaluation.reports)


def test_heads_of_one_clause_run_once() -> None:
    start = "path(a, b) :- edge(a, b).\n"
    together, ran = evaluated(start + "path(a, c), back(c, a), seen(7) :- path(a, b), back(d, b), edge(b, c).\n"
                              "back(a, b) :- edge(a, b).\n")  # fmt: skip
    assert ran == 4  # edge; path and back of the clause; and seen, which is a stratum of its own
    alone, _ = evaluated(start + "path(a, c) :- path(a, b), back(d, b), edge(b, c).\n"
                         "back(c, a) :- path(a, b), edge(b, c), back(d, b).\nback(a, b) :- edge(a, b).\n"
                         "seen(7) :- edge(b, c), path(a, b), back(d, b).\n")  # fmt: skip
    assert instantiations(together) == instantiations(alone)
    assert together.contains("path", together.rows("path")).all()
    assert together.size("path") == alone.size("path") > 6


def test_bodies_are_the_same_whatever_their_variables_are_called() -> None:
    _, ran = evaluated("path(x, y) :- edge(x, y), !barred(y), x < 9.\nback(b, a) :- edge(a, b), !barred(b), a < 9.\n"
                       "path(x, y) :- back(x, y).\nback(x, y) :- path(y, x).\n")  # fmt: skip
    assert ran == 3


def test_bodies_that_differ_are_kept_apart() -> None:
    for other in ("edge(a, a)", "edge(a, b), a != 2", "edge(a, b), !barred(a)", "edge(a, 3), edge(b, 3)", "edge(b, a)"):
        _, ran = evaluated(f"path(a, a) :- edge(a, b), !barred(b).\nback(a, a) :- {other}.\n"
                           "path(x, y) :- back(x, y).\nback(x, y) :- path(y, x).\n")  # fmt: skip
        assert ran == 4


def test_updates_of_a_family_equal_bootstrap() -> None:
    text = DECLARED + "path(a, b), back(b, a) :- edge(a, b).\npath(a, c), back(c, a) :- path(a, b), back(c, b).\n"
    program = Program.parse({"program.dl": text})
    evaluation = Evaluation.bootstrap(program, batch(FACTS))
    for fact in sorted(FACTS["edge"]):
        evaluation.update(delete=batch({"edge": {fact}}), strategy="update")
        left = {**FACTS, "edge": FACTS["edge"] - {fact}}
        check_state(evaluation, evaluate(text, left))
        evaluation.update(insert=batch({"edge": {fact}}), strategy="update")
        check_state(evaluation, evaluate(text, FACTS))
