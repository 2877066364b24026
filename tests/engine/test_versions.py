"""Many versions in one fixpoint: each version has the tuples, the levels, the proofs and the differences of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import Fact, State, evaluate
from programs import Random, batch, examples, facts, fresh, programs, state
from test_maintenance import GRAPHS, graphs

from pliant.engine import Batch, EngineError, Evaluation, FactError, Program, Proof, VersionedFacts, Versions
from pliant.engine.backends.embedded import choice

Set = dict[str, set[Fact]]


def encoded(versions: list[Set]) -> tuple[Batch, dict[str, Any]]:
    """A fact comes once for each version that has it, in sets of one."""
    strings: dict[str, int] = {}
    rows: dict[str, list[list[int]]] = {}
    sets: dict[str, list[int]] = {}
    for version, of_version in enumerate(versions):
        for name, some in of_version.items():
            for fact in sorted(some, key=repr):
                coded = [strings.setdefault(value, len(strings)) if isinstance(value, str) else value for value in fact]
                rows.setdefault(name, []).append(coded)
                sets.setdefault(name, []).append(1 << version)
    arrays = {name: np.array(some, np.int64).reshape(len(some), -1) for name, some in rows.items()}
    of_rows = {name: np.array(some, np.uint64) for name, some in sets.items()}
    return Batch(list(strings), arrays), of_rows


def together(program: Program, versions: list[Set]) -> Versions:
    """All versions in one fixpoint."""
    coded, sets = encoded(versions)
    return Versions.evaluate(program, coded, sets, len(versions))


def levels(of: State) -> dict[str, dict[Fact, int]]:
    return {name: {fact: level for fact, (level, _) in rows.items()} for name, rows in of.items()}


def check_versions(program: Program, text: str, versions: list[Set]) -> Versions:
    found = together(program, versions)
    for version, of_version in enumerate(versions):
        assert levels(state(found.at(version))) == levels(evaluate(text, of_version))
    return found


@st.composite
def histories(draw: st.DrawFn) -> tuple[Random, list[Set]]:
    """Versions that share most facts, and some that share none."""
    random = draw(programs())
    versions = [draw(facts(random, 8))]
    for _ in range(draw(st.integers(0, 4))):
        base = draw(st.sampled_from(versions))
        other = draw(facts(random, 2))
        kept = {name: {row for row in sorted(rows, key=repr) if draw(st.integers(0, 5))} for name, rows in base.items()}
        versions.append({name: kept.get(name, set()) | other.get(name, set()) for name in {*kept, *other}})
    return random, versions


@given(histories())
def test_every_version_has_the_tuples_and_levels_of_the_oracle(history: tuple[Random, list[Set]]) -> None:
    random, versions = history
    program = Program.parse({"program.dl": random.text})
    check_versions(program, random.text, versions)


@settings(max_examples=examples(20))
@given(st.lists(graphs(), min_size=1, max_size=6))
def test_recursion_and_negation_over_graphs(versions: list[Set]) -> None:
    check_versions(Program.parse({"program.dl": GRAPHS}), GRAPHS, versions)


@settings(max_examples=examples(6))
@given(graphs(), st.lists(graphs(), min_size=63, max_size=63))
def test_sixty_four_versions_are_all_bits_of_the_set(base: Set, others: list[Set]) -> None:
    program = Program.parse({"program.dl": GRAPHS})
    versions = [base, *({**base, "edge": other["edge"]} for other in others)]
    found = together(program, versions)
    for version in (0, 1, 31, 32, 62, 63):
        assert levels(state(found.at(version))) == levels(state(fresh(GRAPHS, versions[version])))


def named(evaluation: Evaluation, rows: np.ndarray[Any, Any]) -> set[tuple[str, ...]]:
    return {tuple(evaluation.strings(row)) for row in rows}


@settings(max_examples=examples(20))
@given(st.lists(graphs(), min_size=2, max_size=4))
def test_differences_are_those_of_an_update(versions: list[Set]) -> None:
    program = Program.parse({"program.dl": GRAPHS})
    found = together(program, versions)
    for old, new in ((0, 1), (1, 0), (0, len(versions) - 1)):
        evaluation = fresh(GRAPHS, versions[old])
        expected = evaluation.update(batch(versions[new]), batch({
            name: rows - versions[new].get(name, set()) for name, rows in versions[old].items()
        }))  # fmt: skip
        difference = found.difference(old, new)
        for name in difference.inserted:
            assert named(found.at(0), difference.inserted[name]) == named(evaluation, expected.inserted[name])
            assert named(found.at(0), difference.deleted[name]) == named(evaluation, expected.deleted[name])
        assert difference.input_changes == expected.input_changes
        assert difference.output_changes == expected.output_changes
        for mine, theirs in zip(difference.strata, expected.strata, strict=True):
            assert (mine.relations, mine.tuples) == (theirs.relations, theirs.tuples)


def shown(evaluation: Evaluation, proof: Proof) -> object:
    body = [shown(evaluation, part) for part in proof.body]
    return proof.relation, tuple(evaluation.strings(proof.row)), proof.level, body


@settings(max_examples=examples(15))
@given(st.lists(graphs(), min_size=2, max_size=3))
def test_proofs_are_those_of_the_version_alone(versions: list[Set]) -> None:
    program = Program.parse({"program.dl": GRAPHS})
    found = together(program, versions)
    for version, of_version in enumerate(versions):
        alone, one = fresh(GRAPHS, of_version), found.at(version)
        for name in ("path", "cut", "same"):
            rows = alone.rows(name)
            assume(len(rows) < 40)
            texts = [alone.strings(row) for row in rows]
            proofs = one.prove_many([(name, one.symbol_ids(text).tolist()) for text in texts])
            expected = alone.prove_many([(name, row.tolist()) for row in rows])
            for mine, theirs in zip(proofs, expected, strict=True):
                assert mine is not None and theirs is not None
                assert shown(one, mine) == shown(alone, theirs)


def test_a_version_can_be_read_and_not_changed() -> None:
    found = together(Program.parse({"program.dl": GRAPHS}), [{"edge": {("a", "b")}}])
    one = found.at(0)
    assert one.size("path") == 1
    for change in (one.update, one.count):
        with pytest.raises(EngineError, match="can be read and not be changed"):
            change()
    copied = one.copy()
    copied.update(Batch.from_tuples({"edge": [("b", "c")]}))
    assert copied.size("path") == 3 and one.size("path") == 1
    with pytest.raises(EngineError, match="no version 1 among 1"):
        found.at(1)


@settings(max_examples=examples(20))
@given(st.lists(graphs(), min_size=2, max_size=4))
def test_facts_of_versions_and_their_differences(versions: list[Set]) -> None:
    program = Program.parse({"program.dl": GRAPHS})
    coded, sets = encoded(versions)
    facts_of = VersionedFacts.of(program, coded, sets, len(versions))
    first, last = 0, len(versions) - 1
    evaluation = Evaluation.bootstrap(program, facts_of.batch(first))
    assert state(evaluation) == state(fresh(GRAPHS, versions[first]))
    assert facts_of.size_of(first) == sum(map(len, versions[first].values()))
    insert, delete = facts_of.difference(first, last)
    difference = evaluation.update(insert, delete)
    assert state(evaluation) == state(fresh(GRAPHS, versions[last]))
    assert difference.input_changes == sum(facts_of.changes(first, last))


def test_sets_have_to_fit_the_facts() -> None:
    program = Program.parse({"program.dl": GRAPHS})
    some = Batch.from_tuples({"edge": [("a", "b"), ("b", "c")]})
    for sets in ({}, {"edge": np.ones(1, np.uint64)}, {"edge": np.full(2, 2, np.uint64)}):
        with pytest.raises(FactError, match="facts of edge need one set of versions below 1 for each of 2 rows"):
            Versions.evaluate(program, some, sets, 1)
    with pytest.raises(EngineError, match="65 versions are asked for"):
        Versions.evaluate(program, some, {"edge": np.ones(2, np.uint64)}, 65)


@pytest.mark.parametrize("extend", ["always", "never"])
def test_cyclic_bodies(extend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "EXTEND", extend)
    text = """
    .decl r(a: symbol, b: symbol, c: symbol)  .input r
    .decl s(a: symbol, b: symbol, c: symbol)  .input s
    .decl t(a: symbol, b: symbol, c: symbol)  .input t
    .decl out(a: symbol, b: symbol, c: symbol, d: symbol, e: symbol, f: symbol)  .output out
    out(x, y, z, u, v, w) :- r(x, y, u), s(y, z, v), t(z, x, w).
    """
    drawn = np.random.default_rng(3)
    versions: list[Set] = [
        {name: {tuple("abcdef"[value] for value in row) for row in drawn.integers(0, 6, (40, 3))} for name in "rst"}
        for _ in range(3)
    ]
    found = check_versions(Program.parse({"program.dl": text}), text, versions)
    assert found.at(0).size("out")
