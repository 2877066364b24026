"""A program's bound on the rows that an evaluation joins: what is past it ends with one error, however it is run."""

from __future__ import annotations

import numpy as np
import pytest

from pliant.engine import Batch, Bound, Evaluation, Program, TooLarge, VersionedFacts, Versions

CLOSURE = """
.decl edge(a: symbol, b: symbol)
.input edge
.decl path(a: symbol, b: symbol)
.output path
path(a, b) :- edge(a, b).
path(a, c) :- path(a, b), edge(b, c).
"""
NODES = 60


def chain(nodes: int = NODES, start: int = 0) -> Batch:
    """A chain of edges, which is joined to as many paths as it has pairs."""
    rows = [[node, node + 1] for node in range(start, nodes - 1)]
    return Batch([f"n{node}" for node in range(nodes)], {"edge": np.array(rows, np.int64)})


def program(rows: int, rows_of_fact: int = 0) -> Program:
    parsed = Program.parse({"closure": CLOSURE})
    parsed.bound = Bound(rows, rows_of_fact)
    return parsed


def needed() -> int:
    return Evaluation.bootstrap(Program.parse({"closure": CLOSURE}), chain()).work.rows


@pytest.mark.parametrize("strategy", ["bootstrap", "semi_naive", "update", "dred"])
def test_what_is_past_the_bound_says_which_relation_is_large_and_what_it_is_about(strategy: str) -> None:
    with pytest.raises(TooLarge) as caught:
        Evaluation.bootstrap(program(needed() // 2), chain(), strategy)
    error = caught.value
    assert (error.most, error.facts, error.relation) == (needed() // 2, NODES - 1, "path")
    assert 0 < error.size < NODES * NODES and sum(error.about.values()) == error.size
    assert set(error.about) < {f"n{node}" for node in range(NODES)}


def test_what_is_within_it_is_as_without() -> None:
    free = Evaluation.bootstrap(Program.parse({"closure": CLOSURE}), chain())
    held = Evaluation.bootstrap(program(needed()), chain())
    assert held.digest() == free.digest()
    of_facts = Evaluation.bootstrap(program(1, needed() // (NODES - 1) + 1), chain())
    assert of_facts.digest() == free.digest()


@pytest.mark.parametrize("strategy", ["bootstrap", "elastic", "update", "semi_naive"])
def test_an_update_has_the_bound_to_itself(strategy: str) -> None:
    half = chain(NODES // 2)
    evaluation = Evaluation.bootstrap(program(needed() // 2), half)
    evaluation.update(insert=Batch(["x", "y"], {"edge": np.array([[0, 1]])}), strategy=strategy)
    with pytest.raises(TooLarge):
        evaluation.update(insert=chain(), strategy=strategy)


def other_chain() -> Batch:
    rows = [[node, node + 1] for node in range(NODES - 1)]
    return Batch([f"m{node}" for node in range(NODES)], {"edge": np.array(rows, np.int64)})


def test_an_elastic_update_past_the_bound_is_dropped_where_a_bootstrap_keeps_to_it() -> None:
    evaluation = Evaluation.bootstrap(program(needed()), chain())
    evaluation.update(insert=other_chain(), delete=chain(), strategy="elastic", switch=100)
    assert evaluation.digest() == Evaluation.bootstrap(program(needed()), other_chain()).digest()
    assert [report.strategy for report in evaluation.reports if report.strategy != "none"] == ["bootstrap"]
    with pytest.raises(TooLarge):
        Evaluation.bootstrap(program(needed()), chain()).update(insert=other_chain(), delete=chain(), strategy="update")


def test_versions_keep_to_it_together() -> None:
    sets = {"edge": np.full(NODES - 1, 3, np.uint64)}
    free = Program.parse({"closure": CLOSURE})
    assert Versions.of(VersionedFacts.of(free, chain(), sets, 2)).at(1).size("path") == NODES * (NODES - 1) // 2
    with pytest.raises(TooLarge):
        Versions.of(VersionedFacts.of(program(needed() // 2), chain(), sets, 2))
