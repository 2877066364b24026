"""Full counting: its table of levels, when it is made anew, and that nothing is searched for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import Facts
from programs import batch, fresh, rebuilt, state
from test_maintenance import GRAPHS, Set, changed, graphs, saved_and_opened

from pliant.engine import Evaluation, Program
from pliant.engine.strategies import bootstrap
from pliant.engine.strategies.level_counts import NEVER, LevelCounts

Levels = dict[str, dict[tuple[int, ...], dict[int, int]]]  # relation -> tuple -> level -> count


def counting(text: str, facts: Facts) -> Evaluation:
    return Evaluation.bootstrap(Program.parse({"program.dl": text}), batch(facts), "counting")


def levels_of(evaluation: Evaluation) -> Levels:
    found: Levels = {}
    for tables in evaluation._kept.level_counts.values():
        for name, table in tables.items():
            columns = evaluation._relations[name].columns
            of: dict[tuple[int, ...], dict[int, int]] = {}
            for row, level, count in zip(*(part.tolist() for part in table.pairs()), strict=True):
                of.setdefault(tuple(int(column[row]) for column in columns), {})[level] = count
            found[name] = of
    return found


def anew(evaluation: Evaluation) -> Levels:
    """The table that Bootstrap makes over the facts of now, with the same ids."""
    return levels_of(rebuilt(evaluation, "counting"))


@given(graphs(), st.lists(st.tuples(graphs(), st.integers(1, 4)), max_size=4))
def test_the_table_is_the_one_that_bootstrap_makes(now: Set, epochs: list[tuple[Set, int]]) -> None:
    evaluation = counting(GRAPHS, now)
    for insert, part in epochs:
        delete = {name: set(sorted(rows)[::part]) for name, rows in now.items()}
        copied, before = evaluation.copy(), levels_of(evaluation)
        difference = evaluation.update(batch(insert), batch(delete), "counting")
        assert {report.strategy for report in difference.strata} <= {"counting", "none"}
        assert not any(cost.driver == "head" for cost in evaluation.profile)
        now = changed(now, insert, delete)
        assert levels_of(evaluation) == anew(evaluation)
        assert levels_of(copied) == before
        derived = {name: len(rows) for name, rows in state(evaluation).items() if name not in now}
        assert {name: len(rows) for name, rows in levels_of(evaluation).items()} == derived


@given(st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(-2, 3)), max_size=8), max_size=12))
def test_a_table_is_a_dictionary(steps: list[list[tuple[int, int, int]]]) -> None:
    table, expected = LevelCounts(), dict[tuple[int, int], int]()
    for step in steps:
        changes = []
        for row, level, change in step:
            lasting = max(change, -expected.get((row, level), 0))
            expected[row, level] = expected.get((row, level), 0) + lasting
            changes.append((row, level, lasting))
        if changes:
            rows, levels, counts = (np.array(part) for part in zip(*changes, strict=True))
            table.add(rows.astype(np.int32), levels.astype(np.int32), counts)
        every = np.arange(4, dtype=np.int32)
        for level in range(-1, 6):
            after = [
                [at for (of, at), count in expected.items() if of == row and at > level and count] for row in range(4)
            ]
            assert table.next_level(every, level).tolist() == [min(some, default=int(NEVER)) for some in after]
            assert table.at(every, level).tolist() == [expected.get((row, level), 0) for row in range(4)]
    found = zip(*(part.tolist() for part in table.pairs()), strict=True)
    assert {(row, level): count for row, level, count in found} == {
        pair: some for pair, some in expected.items() if some
    }


def test_heads_that_are_counted_in_parts_are_in_the_table_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now: Set = {"edge": {(a, b) for a in "abcde" for b in "abcde"}, "label": set(), "stop": set()}
    whole = levels_of(counting(GRAPHS, now))
    monkeypatch.setattr(bootstrap, "_MANY_HEADS", 3)
    assert levels_of(counting(GRAPHS, now)) == whole


def test_the_table_is_made_anew_where_it_was_lost_and_the_report_says_why() -> None:
    now: Set = {"edge": {("a", "b"), ("b", "c")}, "label": {("a", "k", "b")}, "stop": set()}
    evaluation = counting(GRAPHS, now)

    def epoch(evaluation: Evaluation, strategy: str, edge: tuple[str, str]) -> dict[str, str]:
        difference = evaluation.update(insert=batch({"edge": {edge}}), strategy=strategy)
        return {report.strategy: report.reason for report in difference.strata}

    assert epoch(evaluation, "counting", ("c", "d")) == {"counting": "asked for", "none": "nothing below it changed"}
    for number, other in enumerate(("update", "dred", "bootstrap", "elastic", "semi_naive")):
        epoch(evaluation, other, ("d", f"e{number}"))
        told = epoch(evaluation, "counting", ("d", f"f{number}"))
        assert told["bootstrap"] == f"its counts by level are not known: {other} was the last to change it"
        assert "counting" in epoch(evaluation, "counting", ("d", f"g{number}"))
        assert levels_of(evaluation) == anew(evaluation)
    opened = saved_and_opened(evaluation)
    assert epoch(opened, "counting", ("d", "h"))["bootstrap"].endswith("the state came without them")
    assert "counting" in epoch(opened, "counting", ("d", "i"))
    of_changed = anew(opened)
    del of_changed["same"]  # nothing below it changed since the state was opened
    assert levels_of(opened) == of_changed


def test_the_table_follows_a_compaction() -> None:
    text = ".decl e(a: number, b: number)  .input e\n.decl p(a: number, b: number)  .output p\n"
    text += "p(x, y) :- e(x, y).\np(x, z) :- p(x, y), e(y, z)."
    edges = {(index, index + 1) for index in range(0, 8000, 2)} | {(index, index + 1) for index in range(7001, 7021, 2)}
    evaluation = counting(text, {"e": edges})
    gone = set(sorted(edges)[:3000])
    evaluation.update(delete=batch({"e": gone}), strategy="counting")
    assert evaluation._relations["p"].size < 4000
    assert levels_of(evaluation) == anew(evaluation)
    difference = evaluation.update(insert=batch({"e": {(0, 7000), (1, 2)}}), strategy="counting")
    assert [report.strategy for report in difference.strata] == ["counting"]
    assert state(evaluation) == state(fresh(text, {"e": (edges - gone) | {(0, 7000), (1, 2)}}))
    assert levels_of(evaluation) == anew(evaluation)


@pytest.mark.parametrize("strategy", ["counting", "pipelined"])
def test_what_a_strategy_keeps_counts_as_memory(strategy: str) -> None:
    facts: Set = {"edge": {(f"n{node}", f"n{node + 1}") for node in range(8)}, "label": set(), "stop": set()}
    evaluation = Evaluation.bootstrap(Program.parse({"program.dl": GRAPHS}), batch(facts), strategy)
    evaluation.update(batch({"edge": {("n8", "n9")}}), batch({}), strategy)
    kept = evaluation._kept
    assert bool(kept.level_counts) == (strategy == "counting") and bool(kept.derivations) == (strategy == "pipelined")
    pairs = sum(len(table) for of in kept.level_counts.values() for table in of.values())
    proofs = sum(len(of) for sets in kept.derivations.values() for of in sets.proofs.values())
    assert pairs + proofs > 100
    with_it = evaluation.state_bytes
    kept.level_counts, kept.derivations = {}, {}
    assert with_it - evaluation.state_bytes >= 16 * (pairs + proofs)
