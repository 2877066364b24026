"""Histories that are hard for maintenance by their length, under every strategy of the registry; shapes that are hard
are in tests/spark/test_strategies.py, for all places."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from oracle import Fact, Facts, evaluate
from programs import batch, check_state, fresh, state
from test_maintenance import Set, changed
from test_update import CLOSURE, numbers

from pliant.engine import Batch, EngineError, Evaluation, Program
from pliant.engine.strategies.registry import STRATEGIES

REACHED = """
.decl edge(a: number, b: number)  .input edge
.decl root(a: number)  .input root
.decl reached(a: number)  .output reached
reached(x) :- root(x).
reached(y) :- reached(x), edge(x, y).
"""

pytestmark = pytest.mark.parametrize("strategy", STRATEGIES)


class History:
    """An evaluation and its facts, brought along together and compared after every epoch."""

    def __init__(self, text: str, facts: Facts, strategy: str):
        self.text, self.strategy = text, strategy
        self.now: Set = {name: set(rows) for name, rows in facts.items()}
        self.evaluation = Evaluation.bootstrap(Program.parse({"program.dl": text}), batch(facts), strategy)

    def epoch(self, insert: Set | None = None, delete: Set | None = None) -> None:
        self.evaluation.update(batch(insert or {}), batch(delete or {}), self.strategy)
        self.now = changed(self.now, insert or {}, delete or {})
        check_state(self.evaluation, state(fresh(self.text, self.now)))


def test_thousands_of_levels_are_lost_and_come_back(strategy: str) -> None:
    depth = 3_000
    assert depth > sys.getrecursionlimit()
    steps = np.arange(depth)
    facts = {"edge": np.stack([steps, steps + 1], 1), "root": np.array([[0]])}
    program = Program.parse({"program.dl": REACHED})
    evaluation = Evaluation.bootstrap(program, Batch([], facts), strategy)
    assert evaluation.levels("reached").max() == depth + 1
    root = Batch([], {"root": facts["root"]})
    evaluation.update(delete=root, strategy=strategy)
    assert evaluation.size("reached") == 0
    evaluation.update(insert=root, strategy=strategy)
    rows, levels = evaluation.rows("reached")[:, 0], evaluation.levels("reached")
    assert (levels == rows + 1).all()
    evaluation.count()
    assert evaluation.digest() == Evaluation.bootstrap(program, Batch([], facts)).digest()


def test_the_same_fact_in_both_ends_twice_in_one_and_in_none(strategy: str) -> None:
    history = History(CLOSURE, numbers(set()), strategy)
    evaluation = history.evaluation
    twice = Batch([], {"edge": np.array([[1, 2], [1, 2], [2, 3], [1, 2]])})
    evaluation.update(twice, Batch([], {"edge": np.array([[2, 3], [2, 3]])}), strategy)  # inserted and deleted: present
    history.now = numbers({(1, 2), (2, 3)})
    check_state(evaluation, evaluate(CLOSURE, history.now))
    history.epoch(insert=numbers({(1, 2)}), delete=numbers({(7, 8)}))
    history.epoch(delete=numbers({(1, 2), (2, 3)}))
    history.epoch()
    assert evaluation.size("path") == evaluation.size("edge") == 0


def test_a_thousand_epochs_of_insertion_and_deletion_leave_nothing_behind(strategy: str) -> None:
    """The same facts go and come back, and new ones come and go: rows, runs and tables stay as many as they were."""
    size = 5
    history = History(CLOSURE, numbers({(index, index + 1) for index in range(size)}), strategy)
    evaluation, digest = history.evaluation, fresh(CLOSURE, history.now).digest()
    sizes = []
    for epoch in range(500):
        middle = Batch([], {"edge": np.array([[size // 2, size // 2 + 1]])})
        passing = Batch([], {"edge": np.array([[epoch + 100, 0], [size, epoch + 101]])})
        evaluation.update(insert=passing, delete=middle, strategy=strategy)
        evaluation.update(insert=middle, delete=passing, strategy=strategy)
        tables = [table for of in evaluation._kept.level_counts.values() for table in of.values()]
        relations = evaluation._relations.values()
        runs = [len(each.runs) for relation in relations for each in relation.arrangements.values()]
        sizes.append((sum(relation.size for relation in relations), max(runs, default=0), sum(map(len, tables))))
    live = evaluation.size("path") + evaluation.size("edge")
    rows, runs_, pairs = (max(part) for part in zip(*sizes, strict=True))
    # Tombstones are dropped when more than 1,024 are most of a relation; one epoch adds a hundred at most.
    assert rows <= 2 * (live + 1024 + 100)
    assert runs_ <= 12
    assert pairs <= 3 * (live + 1024 + 100)
    check_state(evaluation, state(fresh(CLOSURE, history.now)))
    evaluation.count()
    assert evaluation.digest() == digest


def test_a_state_without_counts_says_so(strategy: str) -> None:
    history = History(CLOSURE, numbers({(1, 2), (2, 3)}), "semi_naive")
    evaluation = history.evaluation
    for ask in (evaluation.digest, evaluation.relation_digests, lambda: evaluation.levels_counts("path")):
        with pytest.raises(EngineError, match="counts of path are not known: semi_naive keeps none"):
            ask()
    change: set[Fact] = {(3, 4)}
    difference = evaluation.update(insert=batch(numbers(change)), strategy=strategy)
    (report,) = difference.strata
    if strategy == "semi_naive":
        assert (report.strategy, report.reason) == ("semi_naive", "asked for")
        evaluation.count()
    else:
        assert report.strategy == "bootstrap"
        assert "semi_naive was the last to" in report.reason or strategy == "bootstrap"
    assert evaluation.digest() == fresh(CLOSURE, numbers({(1, 2), (2, 3), (3, 4)})).digest()
