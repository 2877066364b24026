"""Proofs hold, are of minimal height, do not depend on history, and cost what they are long."""

from __future__ import annotations

from hypothesis import given
from oracle import Fact, State, Value, evaluate
from programs import batch, facts, fresh, programs
from test_maintenance import GRAPHS, History, Set, changed, graphs, histories

from pliant.engine import Batch, Evaluation, Proof
from pliant.engine.datalog.syntax import Constant, Variable

__all__ = ["facts", "histories", "programs"]


def readable(evaluation: Evaluation, relation: str, row: tuple[int | None, ...]) -> tuple[Value | None, ...]:
    kinds = evaluation.program.schemas[relation].kinds
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
    assert state[proof.relation][head][0] == proof.level  # type: ignore[index]
    if proof.is_input:
        assert head in given_facts[proof.relation] and not proof.body
        return
    rule = proof.rule
    assert rule is not None
    positive = [literal.atom for literal in rule.literals if not literal.negated]
    values: dict[str, Value | None] = {}
    for atom, below in zip(positive, proof.body, strict=True):
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
