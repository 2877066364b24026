"""Proofs hold, are of minimal height, do not depend on history, and cost what they are long."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from oracle import Fact, State, Value, evaluate
from programs import batch, facts, fresh, programs
from test_maintenance import GRAPHS, History, Set, changed, graphs, histories

from pliant.engine import Batch, Evaluation, Proof
from pliant.engine.datalog.syntax import Constant, Variable

__all__ = ["facts", "histories", "programs"]


def readable(evaluation: Evaluation, relation: str, row: tuple[int | None, ...]) -> tuple[Value | None, ...]:
    kinds = evaluation.program.stored[relation].kinds
    return tuple(
        evaluation.strings([value])[0] if kind == "symbol" and value is not None else value
        for value, kind in zip(row, kinds, strict=True)
    )


def every_step(proofs: list[Proof]) -> list[Proof]:
    seen: dict[int, Proof] = {}
    stack = list(proofs)
    while stack:
        proof = stack.pop()
        if id(proof) not in seen:
            seen[id(proof)] = proof
            stack.extend(proof.body)
    return list(seen.values())


def check_step(evaluation: Evaluation, proof: Proof, state: State, given_facts: Set) -> None:
    head = readable(evaluation, proof.relation, proof.row)
    if proof.aggregation is not None:
        check_aggregate(evaluation, proof)
        return
    assert state[proof.relation][head][0] == proof.level  # type: ignore[index]
    if proof.is_input:
        assert head in given_facts[proof.relation] and not proof.body
        return
    rule = proof.rule
    assert rule is not None
    positive = [literal.atom for literal in rule.literals if not literal.negated]
    values: dict[str, Value | None] = {}
    assert all(below.row[-1] == 0 and not below.body for below in proof.body[len(positive) :])
    for atom, below in zip(positive, proof.body[: len(positive)], strict=True):
        row = readable(evaluation, below.relation, below.row)
        assert atom.relation == below.relation
        for term, value in zip(atom.terms, row, strict=True):
            if isinstance(term, Variable):
                assert values.setdefault(term.name, value) == value
            elif isinstance(term, Constant):
                assert term.value == value
    found = tuple(values[term.name] if isinstance(term, Variable) else term.value for term in rule.head.terms)  # type: ignore[union-attr]
    assert found == head
    stratum = evaluation.program.stratum_of[proof.relation]
    levels = [below.level for below in proof.body if evaluation.program.stratum_of.get(below.relation) == stratum]
    assert proof.level == 1 + max(levels, default=0)
    for relation, row in proof.absent:
        barred = readable(evaluation, relation, row)
        for fact in state[relation]:
            assert any(b is not None and b != f for b, f in zip(barred, fact, strict=True))


def check_aggregate(evaluation: Evaluation, proof: Proof) -> None:
    made = proof.aggregation
    assert made is not None
    there = evaluation.contains(made.relation, np.array([proof.row], np.int64))[0]
    assert there or (proof.row[-1] == 0 and not proof.body and made.operator in ("count", "sum"))
    if not there or made.source in evaluation.program.auxiliary:
        return
    assert all(tuple(below.row[place] for place in made.group) == proof.row[:-1] for below in proof.body)
    values = [1 if made.target is None else below.row[made.target] for below in proof.body]
    if made.operator in ("min", "max"):
        assert values == [proof.row[-1]]
    elif not proof.omitted:
        assert (sum(values) - proof.row[-1]) % 2**32 == 0


def check_all(evaluation: Evaluation, state: State, given_facts: Set) -> None:
    targets = [(name, tuple(row)) for name in state for row in evaluation.rows(name).tolist()]
    proofs = evaluation.prove_many(targets)
    assert all(proof is not None and proof.row == row for proof, (_, row) in zip(proofs, targets, strict=True))
    for proof in every_step([proof for proof in proofs if proof is not None]):
        check_step(evaluation, proof, state, given_facts)


@given(histories())
def test_proofs_hold_and_are_of_minimal_height(history: History) -> None:
    random, now, epochs = history
    evaluation = fresh(random.text, now)
    for insert, delete in epochs[:1]:
        evaluation.update(batch(insert), batch(delete))
        now = changed(now, insert, delete)
    check_all(evaluation, evaluate(random.text, now), now)


def written(evaluation: Evaluation, name: str) -> dict[Fact, str]:
    """Each tuple's whole proof as text."""
    rows = [tuple(row) for row in evaluation.rows(name).tolist()]
    found = {}
    for row, proof in zip(rows, evaluation.prove_many([(name, row) for row in rows]), strict=True):
        assert proof is not None
        lines, stack = [], [proof]
        while stack:
            step = stack.pop()
            lines.append(f"{step.relation}{readable(evaluation, step.relation, step.row)}")
            stack.extend(step.body)
        found[readable(evaluation, name, row)] = "\n".join(lines)
    return found  # type: ignore[return-value]


@given(graphs(), graphs())
def test_the_same_state_gives_the_same_proofs_whatever_its_history(first: Set, second: Set) -> None:
    evaluation = fresh(GRAPHS, first)
    check_all(evaluation, evaluate(GRAPHS, first), first)
    evaluation.update(batch(second), batch(first))
    for name in ("path", "cut", "same"):
        assert written(evaluation, name) == written(fresh(GRAPHS, second), name)


def test_what_does_not_hold_has_no_proof() -> None:
    evaluation = fresh(GRAPHS, {"edge": {("a", "b")}})
    a, b = evaluation.symbol_ids(["a", "b"]).tolist()
    assert evaluation.prove_many([("path", (b, a)), ("edge", (a, b)), ("path", (77, 78))])[0::2] == [None, None]
    evaluation.update(delete=Batch.from_tuples({"edge": [("a", "b")]}))
    assert evaluation.prove_many([("path", (a, b)), ("edge", (a, b))]) == [None, None]


def test_a_proof_may_be_thousands_of_steps_high() -> None:
    text = """
    .decl next(a: number, b: number)  .input next
    .decl reach(a: number)  .output reach
    reach(0) :- next(0, _).
    reach(y) :- reach(x), next(x, y).
    """
    length = 3000
    evaluation = fresh(text, {"next": {(index, index + 1) for index in range(length)}})
    proof = evaluation.prove_many([("reach", (length,))])[0]
    assert proof is not None and proof.level == length + 1
    assert len(every_step([proof])) == 2 * length + 1


AGGREGATES = """
.decl e(x: symbol, i: number)  .input e
.decl f(i: number)  .input f
.decl some(x: symbol, n: number)  .output some
.decl top(x: symbol, i: number)  .output top
.decl many(n: number)  .output many
some(x, n) :- e(x, _), n = count : { e(x, i), f(i) }.
top(x, i) :- e(x, _), i = max j : { e(x, j) }.
many(n) :- n = count : { f(_) }, n > 2.
"""
AGGREGATE_FACTS: Set = {"e": {("a", 1), ("a", 2), ("b", 7)}, "f": {(index,) for index in range(5)} | {(1,)}}


def lines_of(evaluation: Evaluation, relation: str, row: Fact) -> list[str]:
    """A proof of few steps, a line for each, innermost last."""
    ids = [evaluation.symbol_ids([value])[0] if isinstance(value, str) else value for value in row]
    found = evaluation.prove_many([(relation, [int(value) for value in ids])])[0]
    assert found is not None
    lines, stack = [], [found]
    while stack:
        step = stack.pop(0)
        name = step.relation if step.aggregation is None else step.aggregation.text
        lines.append(f"{name}{readable(evaluation, step.relation, step.row)}")
        stack = [*sorted(step.body, key=lambda each: each.row), *stack]
    return lines


def test_a_proof_shows_what_was_aggregated() -> None:
    evaluation = fresh(AGGREGATES, AGGREGATE_FACTS)
    count = "count : { e(x, i), f(i) }"
    assert sorted(lines_of(evaluation, "top", ("a", 2))) == sorted(
        ["top('a', 2)", "e('a', 1)", "max j : { e(x, j) }('a', 2)", "e('a', 2)"]
    )
    assert sorted(lines_of(evaluation, "some", ("b", 0))) == sorted(["some('b', 0)", "e('b', 7)", f"{count}('b', 0)"])
    assert sorted(lines_of(evaluation, "some", ("a", 2))) == sorted(
        ["some('a', 2)", "e('a', 1)", f"{count}('a', 2)", "e('a', 1)", "f(1,)", "e('a', 2)", "f(2,)"]
    )
    assert lines_of(evaluation, "many", (5,))[1:] == ["count : { f(_) }(5,)", *(f"f({index},)" for index in range(5))]
    more = fresh(AGGREGATES, {**AGGREGATE_FACTS, "f": {(index,) for index in range(50)}})
    found = more.prove_many([("many", (50,))])[0]
    assert found is not None and len(found.body[0].body) == 20 and found.body[0].omitted == 30
