"""Levels, counts and totals that outgrow a byte and 16 bits, by every way of writing them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracle import evaluate
from programs import batch, check_state, rebuilt, totals
from test_maintenance import History, changed, histories
from test_worst_cases import REACHED
from test_worst_cases import History as Epochs

from pliant.engine import Batch, EngineError, Evaluation, Program
from pliant.engine.backends.embedded import widths
from pliant.engine.backends.embedded.relation import NUMBERS, SETTLED, Relation
from pliant.engine.state import saving
from pliant.engine.strategies.registry import STRATEGIES

PROGRAM = Program.parse({"program.dl": REACHED})
ROOT = {"root": np.array([[0]])}
GOAL = -1
STEPS = (1, 200, 255, 256, 60_000, 65_535, 65_536, 2**31 - 1, 2**31, 2**40)


def spokes(first: int, last: int) -> dict[str, NDArray[np.int64]]:
    """From the root to each spoke and back, and on to the goal: each derives the goal once, and the root once more."""
    each = np.arange(first, last)
    root, goal = np.zeros_like(each), np.full_like(each, GOAL)
    pairs = [(root, each), (each, root), (each, goal)]
    return {"edge": np.concatenate([np.stack(pair, 1) for pair in pairs])}


def check_star(evaluation: Evaluation, size: int) -> None:
    evaluation.count()
    rows = evaluation.rows("reached")[:, 0]
    levels, counts = evaluation.levels_counts("reached")
    found = {
        row: (level, count) for row, level, count in zip(rows.tolist(), levels.tolist(), counts.tolist(), strict=True)
    }
    expected = {0: (1, 1), **dict.fromkeys(range(1, size + 1), (2, 1))}
    if size:
        expected[GOAL] = (3, size)
    assert found == expected
    of_root = totals(evaluation)["reached"]
    assert of_root[(0,)] == 1 + size and of_root.get((GOAL,), 0) == size


def types(evaluation: Evaluation) -> list[str]:
    """Of the levels, counts and totals, as far as they are known."""
    numbers = [getattr(evaluation._relations["reached"], what) for what in ("level", "count", "total")]
    return [each.dtype.name for each in numbers if each is not None]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_counts_and_totals_outgrow_their_types_and_shrink(strategy: str) -> None:
    evaluation = Evaluation.bootstrap(PROGRAM, Batch([], {**ROOT, **spokes(1, 201)}), strategy)
    size = 200
    check_star(evaluation, size)
    assert types(evaluation) == ["uint8"] * 3
    before = evaluation.copy()
    for grown in (254, 255, 256, 300, 65_534, 65_536, 65_800):
        evaluation.update(insert=Batch([], spokes(size + 1, grown + 1)), strategy=strategy)
        size = grown
        check_star(evaluation, size)
    assert types(evaluation) == ["uint8", "int32", "int32"]
    evaluation.update(delete=Batch([], ROOT), strategy=strategy)
    assert evaluation.size("reached") == 0
    evaluation.update(insert=Batch([], ROOT), strategy=strategy)
    check_star(evaluation, size)
    for shrunk in (65_535, 300, 255):
        evaluation.update(delete=Batch([], spokes(shrunk + 1, size + 1)), strategy=strategy)
        size = shrunk
        check_star(evaluation, size)
    check_star(before, 200)
    assert evaluation.digest() == rebuilt(evaluation).digest()


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_levels_outgrow_a_byte_by_deletions_and_insertions(strategy: str) -> None:
    chain = {(index, index + 1) for index in range(300)}
    short, shorter = {(0, 100)}, {(0, 290)}
    history = Epochs(REACHED, {"edge": chain | short, "root": {(0,)}}, strategy)
    assert types(history.evaluation)[0] == "uint8"
    history.epoch(delete={"edge": short})
    assert types(history.evaluation)[0] == "uint16"
    history.epoch(insert={"edge": shorter})
    history.epoch(insert={"edge": {(300, 301), (301, 302)}}, delete={"edge": shorter})
    history.epoch(delete={"edge": {(0, 1)}})
    history.epoch(insert={"edge": {(0, 1), (0, 46)}})  # the last level is 256 now
    history.epoch(delete={"root": {(0,)}})
    history.epoch(insert={"root": {(0,)}}, delete={"edge": {(0, 46)}})
    assert [proof.level for proof in history.evaluation.prove_many([("reached", (302,))]) if proof] == [303]


@pytest.mark.nightly
def test_levels_outgrow_sixteen_bits(tmp_path: Path) -> None:
    depth = 65_600
    steps = np.arange(depth)
    facts = {"edge": np.stack([steps, steps + 1], 1), **ROOT}
    evaluation = Evaluation.bootstrap(PROGRAM, Batch([], facts))
    evaluation.save(tmp_path)
    assert types(evaluation)[0] == types(Evaluation.open(tmp_path, PROGRAM))[0] == "int32"
    ahead = Batch([], {"edge": np.array([[0, depth - 1000]])})
    for strategy in ("update", "dred"):
        evaluation = Evaluation.open(tmp_path, PROGRAM)
        for change in ({"insert": ahead}, {"delete": ahead}):
            evaluation.update(**change, strategy=strategy)
            rows, levels = evaluation.rows("reached")[:, 0], evaluation.levels("reached")
            moved = (rows >= depth - 1000) & ("insert" in change)
            assert (levels == np.where(moved, rows - (depth - 1000) + 2, rows + 1)).all()
    assert evaluation.digest() == Evaluation.open(tmp_path, PROGRAM).digest()


def test_deltas_widen_what_they_are_on_and_a_whole_state_is_narrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "SHARE", 0)
    Evaluation.bootstrap(PROGRAM, Batch([], {**ROOT, **spokes(1, 201)})).save(tmp_path)
    size = 200
    for number, grown in enumerate((255, 256, 400, 65_536, 65_700), 2):
        evaluation = Evaluation.open(tmp_path, PROGRAM)
        evaluation.update(insert=Batch([], spokes(size + 1, grown + 1)), strategy="update")
        size = grown
        saved = evaluation.save(tmp_path, "delta")
        assert saved is not None and saved.layers == number
        opened = Evaluation.open(tmp_path, PROGRAM)
        check_star(opened, size)
        assert opened.digest() == rebuilt(opened).digest()
    assert types(opened) == ["uint8", "int32", "int32"]
    opened.update(delete=Batch([], spokes(101, size + 1)), strategy="update")
    check_star(opened, 100)
    opened.save(tmp_path, "whole")
    arrays = json.loads((tmp_path / "manifest.json").read_text())["relations"]["reached"]["arrays"]
    assert [arrays[what][0] for what in NUMBERS] == ["u1"] * 4
    again = Evaluation.open(tmp_path, PROGRAM)
    assert types(again) == ["uint8"] * 3
    check_star(again, 100)
    assert again.digest() == opened.digest()


def test_a_group_of_an_aggregate_outgrows_its_types() -> None:
    text = """
    .decl e(x: number, y: number)  .input e
    .decl size(x: number, n: number)  .output size
    size(x, n) :- e(x, _), n = count : { e(x, y) }.
    """
    evaluation = Evaluation.bootstrap(Program.parse({"p.dl": text}), Batch([], {"e": np.array([[1, 0]])}))
    size = 1
    for grown in (255, 256, 65_536, 3):
        each = np.arange(min(size, grown), max(size, grown))
        change = Batch([], {"e": np.stack([np.ones_like(each), each], 1)})
        evaluation.update(**{"insert" if grown > size else "delete": change})
        size = grown
        assert evaluation.rows("size").tolist() == [[1, size]]
        assert totals(evaluation) == totals(rebuilt(evaluation))


@given(histories(), st.data())
def test_nothing_is_written_past_its_type(history: History, data: st.DataObject) -> None:
    """With types that hold very little, each write widens what it has to; nothing else in the state changes."""
    random, now, epochs = history
    strategy = data.draw(st.sampled_from(sorted(STRATEGIES)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(widths, "_HIGHEST", {1: 1, 2: 3, 4: 2**31 - 1, 8: 2**63 - 1})
        evaluation = Evaluation.bootstrap(Program.parse({"program.dl": random.text}), batch(now), strategy)
        for insert, delete in [({}, {}), *epochs]:
            evaluation.update(batch(insert), batch(delete), strategy)
            now = changed(now, insert, delete)
            for relation in evaluation._relations.values():
                for what in NUMBERS:
                    numbers = getattr(relation, what)
                    if numbers is not None:
                        assert widths.fits(numbers, widths.highest_of(numbers[: relation.size]))
            check_state(evaluation, evaluate(random.text, now))


@given(st.data())
def test_a_relation_counts_as_wide_integers_do(data: st.DataObject) -> None:
    relation, size = Relation("r", 1, levelled=True), 4
    values = st.sampled_from(STEPS)
    levels = st.integers(0, 2**31 - 1) | st.sampled_from([each for each in STEPS if each < 2**31])
    relation.keep_above()
    expected = np.ones((4, size), np.int64)
    relation.append([np.arange(size, dtype=np.int32)], size, 1, 1, SETTLED, above=1)
    copies: list[tuple[Relation, np.ndarray]] = []  # type: ignore[type-arg]
    actions = [*NUMBERS, "come", "go", "come above", "copy"]
    for action in data.draw(st.lists(st.sampled_from(actions), max_size=12)):
        if action == "copy":
            copies.append((relation.copy(), expected.copy()))
        elif action in ("come", "go"):
            rows = np.array(data.draw(st.lists(st.integers(0, size - 1), max_size=6)), np.int32)
            change = np.array([data.draw(values) for _ in rows], np.int64)
            if action == "go":  # no more than there is
                share = expected[2] // max(len(rows), 1)
                change = -np.minimum(change, share[rows])
                rows, change = rows[change < 0], change[change < 0]
            relation.note(rows, expected[0, rows].astype(np.int32), change, counted=True)
            np.add.at(expected[2], rows, change)
        elif action == "come above":
            rows = np.array(data.draw(st.lists(st.integers(0, size - 1), max_size=6)), np.int32)
            change = np.array([data.draw(values) for _ in rows], np.int64)
            rows, change = rows[expected[0, rows] < 2**31 - 1], change[expected[0, rows] < 2**31 - 1]
            relation.note(rows, (expected[0, rows] + 1).astype(np.int32), change)
            np.add.at(expected[3], rows[expected[3, rows] > 0], change[expected[3, rows] > 0])
        else:
            of = NUMBERS.index(action)
            rows = np.array(sorted(data.draw(st.sets(st.integers(0, size - 1)))), np.int32)
            of_rows = {"level": levels, "above": st.just(0) | values}.get(action, values)
            new = np.array([data.draw(of_rows) for _ in rows], np.int64)
            relation.put(action, rows, new)
            expected[of, rows] = new
        for each, wanted in [(relation, expected), *copies]:
            for what, numbers in zip(NUMBERS, wanted, strict=True):
                assert getattr(each, what)[:size].tolist() == numbers.tolist()
            assert each.levels_of(np.arange(size, dtype=np.int32)).dtype == np.int32


def test_more_derivations_than_can_be_counted_are_an_error() -> None:
    relation = Relation("r", 1, levelled=True)
    relation.append([np.zeros(1, np.int32)], 1, 1, np.array([2**63 - 1]), SETTLED)
    rows = np.zeros(1, np.int32)
    with pytest.raises(EngineError, match="more than can be counted"):
        relation.put("count", rows, 2**63)


@pytest.mark.parametrize("level", [2**8 - 1, 2**16 - 1])
def test_a_row_that_moves_from_the_highest_level_of_a_type_tells_where_it_was(level: int) -> None:
    relation, rows = Relation("r", 1, levelled=True), np.arange(2, dtype=np.int32)
    relation.append([rows], 2, level, 1, SETTLED)
    assert relation.lower(rows[:1], np.array([level + 1], np.int64), 3).tolist() == [level]
    levels = relation.levels_of(rows)
    assert levels.tolist() == [3, level]
    assert relation.former_levels(rows, levels).tolist() == [level, level]
    assert relation.count is not None and relation.count[:2].tolist() == [level + 1, 1]
