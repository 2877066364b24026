"""Update on the shapes that are hard for it, and what it must not do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from oracle import Fact, evaluate
from programs import batch, by_numpy, examples, fresh, state, totals
from test_maintenance import GRAPHS, Set, changed, check_history, histories

from pliant.engine import Batch, Evaluation, FactError, Program
from pliant.engine.backends.embedded import arrangement, ascent, joins, keys
from pliant.engine.backends.embedded.kernels import in_numpy
from pliant.engine.backends.embedded.prices import BOOTSTRAP
from pliant.engine.strategies import bootstrap, elastic, heads

CLOSURE = """
.decl edge(a: number, b: number)  .input edge
.decl path(a: number, b: number)  .output path
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
"""
POINTS_TO = """
.decl alloc(v: symbol, o: symbol)  .input alloc
.decl assign(v: symbol, w: symbol)  .input assign
.decl load(v: symbol, b: symbol, f: symbol)  .input load
.decl store(b: symbol, f: symbol, v: symbol)  .input store
.decl points_to(v: symbol, o: symbol)  .output points_to
.decl heap(o: symbol, f: symbol, p: symbol)  .output heap
points_to(v, o) :- alloc(v, o).
points_to(v, o) :- assign(v, w), points_to(w, o).
heap(o, f, p) :- store(b, f, v), points_to(b, o), points_to(v, p).
points_to(v, p) :- load(v, b, f), points_to(b, o), heap(o, f, p).
"""
NEGATION = """
.decl node(a: symbol)  .input node
.decl edge(a: symbol, b: symbol)  .input edge
.decl reached(a: symbol)  .output reached
.decl lonely(a: symbol)  .output lonely
.decl leaf(a: symbol)  .output leaf
reached("a").
reached(y) :- reached(x), edge(x, y).
lonely(x) :- node(x), !reached(x).
leaf(x) :- node(x), !edge(x, _).
"""


def numbers(pairs: set[Fact]) -> Set:
    return {"edge": pairs}


def step(text: str, evaluation: Evaluation, now: Set, insert: Set, delete: Set) -> Set:
    """Update in place, hold it to Bootstrap, and return the new facts."""
    evaluation.update(batch(insert), batch(delete), "update")
    now = changed(now, insert, delete)
    assert state(evaluation) == state(fresh(text, now))
    return now


def test_a_cycle_that_a_deletion_cuts_off_dies() -> None:
    now: Set = {
        "alloc": {("a", "o1"), ("s", "o2")},
        "assign": {("b", "a"), ("c", "b"), ("b", "c"), ("d", "c"), ("c", "d")},
        "store": {("s", "f", "d")},
        "load": {("e", "s", "f"), ("d", "s", "f")},
    }
    evaluation = fresh(POINTS_TO, now)
    assert len(evaluation.rows("points_to")) == 6
    now = step(POINTS_TO, evaluation, now, {}, {"assign": {("b", "a")}})
    assert {fact[0] for fact in state(evaluation)["points_to"]} == {"a", "s"}
    now = step(POINTS_TO, evaluation, now, {"assign": {("b", "a")}}, {})
    assert state(evaluation) == evaluate(POINTS_TO, now)


def test_a_long_chain_that_loses_its_root_and_its_middle() -> None:
    chain: Set = numbers({(index, index + 1) for index in range(60)})
    evaluation = fresh(CLOSURE, chain)
    now = step(CLOSURE, evaluation, chain, {}, numbers({(30, 31)}))
    now = step(CLOSURE, evaluation, now, numbers({(30, 31), (10, 50)}), {})
    now = step(CLOSURE, evaluation, now, {}, numbers({(0, 1)}))
    step(CLOSURE, evaluation, now, numbers({(0, 1)}), numbers({(10, 50)}))


def test_a_clique_keeps_what_it_can_derive_otherwise() -> None:
    clique: Set = numbers({(a, b) for a in range(8) for b in range(8)})
    evaluation = fresh(CLOSURE, clique)
    now = step(CLOSURE, evaluation, clique, {}, numbers({(0, 1), (1, 0), (3, 3)}))
    now = step(CLOSURE, evaluation, now, {}, numbers({(0, b) for b in range(8)}))
    step(CLOSURE, evaluation, now, numbers({(0, 1), (1, 0)}), {})


def test_losing_the_root_of_everything_and_getting_it_back() -> None:
    now: Set = {"node": {(name,) for name in "abcde"}, "edge": {("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")}}
    evaluation = fresh(NEGATION, now)
    before = evaluation.digest()
    now = step(NEGATION, evaluation, now, {}, {"edge": {("a", "b")}})
    assert set(state(evaluation)["lonely"]) == {("b",), ("c",), ("d",), ("e",)}
    step(NEGATION, evaluation, now, {"edge": {("a", "b")}}, {})
    assert evaluation.digest() == before


def test_a_negated_relation_that_loses_one_of_two_rows_still_bars() -> None:
    now: Set = {"node": {("x",), ("y",)}, "edge": {("x", "y"), ("x", "x")}}
    evaluation = fresh(NEGATION, now)
    now = step(NEGATION, evaluation, now, {}, {"edge": {("x", "y")}})
    assert set(state(evaluation)["leaf"]) == {("y",)}
    now = step(NEGATION, evaluation, now, {"edge": {("y", "y")}}, {"edge": {("x", "x")}})
    assert set(state(evaluation)["leaf"]) == {("x",)}
    step(NEGATION, evaluation, now, {"edge": {("x", "z"), ("x", "y")}}, {"edge": {("y", "y")}})


def test_what_changes_nothing_is_no_change() -> None:
    now: Set = {"node": {("a",)}, "edge": {("a", "b")}}
    evaluation = fresh(NEGATION, now)
    digest = evaluation.digest()
    for insert, delete in (
        ({"edge": {("a", "b")}}, {}),  # present already
        ({}, {"edge": {("q", "r"), ("b", "a")}}),  # absent
        ({"edge": {("a", "b")}}, {"edge": {("a", "b")}}),  # both: ends present
        ({}, {}),
    ):
        difference = evaluation.update(batch(insert), batch(delete))
        assert difference.input_changes == difference.output_changes == 0
        assert {report.strategy for report in difference.strata} == {"none"}
        assert sum(report.instantiations for report in difference.strata) == 0
        assert evaluation.digest() == digest
    difference = evaluation.update(batch({"edge": {("c", "d")}}), batch({"edge": {("c", "d")}}))
    assert difference.input_changes == 1


def test_a_stratum_whose_input_only_changes_level_does_nothing() -> None:
    text = CLOSURE + ".decl ends(a: number)  .output ends\nends(x) :- path(x, _), !edge(x, x).\n"
    evaluation = fresh(text, numbers({(1, 2), (2, 3), (3, 4), (1, 3)}))
    difference = evaluation.update(delete=batch(numbers({(1, 3)})))
    by_name = {report.relations: report for report in difference.strata}
    assert by_name["path",].strategy == "update"
    assert difference.output_changes == 0
    alone = CLOSURE + ".decl ends(a: number)  .output ends\nends(x) :- path(x, _).\n"
    evaluation = fresh(alone, numbers({(1, 2), (2, 3), (3, 4), (1, 3)}))
    difference = evaluation.update(delete=batch(numbers({(1, 3)})))
    assert {report.relations: report.strategy for report in difference.strata}["ends",] == "none"


def test_many_epochs_of_insertion_and_deletion() -> None:
    random = np.random.default_rng(5)
    now: Set = {"edge": set(), "label": set(), "stop": set()}
    evaluation = fresh(GRAPHS, now)
    names = list("abcdefgh")
    for epoch in range(150):
        pairs = {tuple(random.choice(names, 2).tolist()) for _ in range(3)}
        labels = {(a, "k", b) for a, b in pairs}
        insert: Set = {"edge": pairs, "label": labels} if epoch % 3 else {"stop": {(names[epoch % 8],)}}
        delete: Set = {name: set(sorted(rows)[epoch % 3 :: 3]) for name, rows in now.items()} if epoch % 2 else {}
        evaluation.update(batch(insert), batch(delete))
        now = changed(now, insert, delete)
        if epoch % 25 == 0:
            assert state(evaluation) == state(fresh(GRAPHS, now))
    assert evaluation.digest() == fresh(GRAPHS, now).digest()


def test_the_elastic_choice_is_made_stratum_by_stratum_and_told() -> None:
    text = CLOSURE + ".decl loop(a: number)  .output loop\nloop(x) :- edge(x, x).\n"
    edges = {(index, (index * 7 + 3) % 400) for index in range(400)} | {(index, index) for index in range(0, 400, 3)}
    evaluation = fresh(text, numbers(edges))
    some = numbers(set(sorted(edges)[:200]))
    difference = evaluation.update(delete=batch(some), switch=0.005)
    assert {report.strategy for report in difference.strata} <= {"bootstrap", "update"}
    told = {report.relations: report for report in difference.strata}
    assert told["path",].strategy == "bootstrap" and "budget" in told["path",].reason
    assert state(evaluation) == state(fresh(text, numbers(edges - some["edge"])))
    assert {report.strategy for report in evaluation.update(insert=batch(some), switch=0.0).strata} == {"bootstrap"}
    assert {report.reason for report in evaluation.update(delete=batch(some), strategy="update").strata} == {
        "asked for"
    }


def test_an_update_past_its_budget_goes_on_where_less_than_a_bootstrap_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ascent, "_FEWEST", 1 << 20)  # a Bootstrap of short levels would cost less than any update
    assert [elastic._affordable(done) for done in (0.0, 0.2, 0.5, 0.6)] == pytest.approx([0, 0.25, 1, 1.5])
    assert elastic._affordable(0.99) == elastic._affordable(1.0) == 2.0  # what no part done can promise to be worth
    edges = numbers({(index, (index * index + 3) % 211) for index in range(211)})
    evaluation = fresh(CLOSURE, edges)
    one = numbers({min(edges["edge"])})

    def used(shares: list[float], switch: float) -> str:
        now = evaluation.copy()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(elastic, "_shares", lambda *_: np.array(shares))
            (report,) = [each for each in now.update(delete=batch(one), switch=switch).strata if each.instantiations]
        assert state(now) == state(fresh(CLOSURE, {"edge": edges["edge"] - one["edge"]}))
        return f"{report.strategy}: {report.reason}"

    assert used([0.0, 0.0], 1.0).startswith("update: within the budget of ")
    assert used([0.0, 0.0], 1e-5).startswith("bootstrap: the update spent the budget of ")
    asked = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elastic, "_passed", lambda shares, level: asked.append(level) or len(asked) / 8)
        assert used([0.0, 0.0], 1e-5).startswith("update: past the budget of ")
    assert len(asked) > 1 and asked == sorted(asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elastic, "_passed", lambda shares, level: 1 / 8)  # no further than at first
        assert used([0.0, 0.0], 1e-5).startswith("bootstrap: the update spent the budget of ")
    assert used([1.0, 1.0], 0.0).startswith("bootstrap: ")


def test_what_an_update_has_done_is_told_by_the_levels_that_it_has_passed() -> None:
    evaluation = fresh(CLOSURE, numbers({(index, index + 1) for index in range(60)}))
    (stratum,) = [each for each in evaluation.program.strata if each.recursive]
    path, found = evaluation.relation("path"), np.bincount(evaluation.levels("path"))
    before, of_tuples, of_runs = [(path, path.size)], found.cumsum() / found.sum(), np.arange(1, 62) / 61
    assert elastic._runs(stratum) == 1
    for whole, expected in ((60.0, of_runs), (1e15, of_tuples), (122 * BOOTSTRAP.run, (of_runs + of_tuples) / 2)):
        assert elastic._shares(before, 1, whole) == pytest.approx(expected, abs=1e-9)
    assert elastic._shares([], 1, 0.0).tolist() == [0.0, 0.0]
    quarters = np.array([0.0, 0.25, 0.75, 1.0])
    assert [elastic._passed(quarters, level) for level in (-1, 0, 1, 2, 3, 9)] == [0.0, 0.0, 0.25, 0.75, 1.0, 1.0]


def test_rows_in_pieces_are_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joins, "PIECE", 20)
    monkeypatch.setattr(bootstrap, "_MANY_HEADS", 30)
    monkeypatch.setattr(heads, "_BATCH", 25)
    settings(max_examples=examples(20), phases=[Phase.generate])(given(histories(), st.data())(check_history))()


def test_heads_that_do_not_fit_a_word_are_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "group", lambda *_: None)
    settings(max_examples=examples(20), phases=[Phase.generate])(given(histories(), st.data())(check_history))()


def test_threads_and_merges_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIANT_THREADS", "3")
    for module, name in ((keys, "_WORTH_A_THREAD"), (keys, "_WORTH_PACKING"), (arrangement, "_WORTH_A_THREAD")):
        monkeypatch.setattr(module, name, 2)
    by_numpy(monkeypatch)
    for name in ("_LARGE", "_WORTH_SORTING", "_MANY_KEYS"):
        monkeypatch.setattr(in_numpy, name, 2)
    monkeypatch.setattr(arrangement, "_WORTH_STARTS", 2)
    monkeypatch.setattr(arrangement, "_STARTS_PER_PROBE", 1 << 20)
    monkeypatch.setattr(arrangement, "_SEARCH_COST", 1000)
    settings(max_examples=examples(20), phases=[Phase.generate])(given(histories(), st.data())(check_history))()


def test_a_relation_of_mostly_tombstones_is_compacted() -> None:
    edges = {(index, index + 1) for index in range(0, 8000, 2)}
    evaluation = fresh(CLOSURE, numbers(edges))
    gone = set(sorted(edges)[:3000])
    evaluation.update(delete=batch(numbers(gone)), strategy="update")
    assert evaluation._relations["edge"].size == evaluation._relations["path"].size == 1000
    assert evaluation.digest() == fresh(CLOSURE, numbers(edges - gone)).digest()


def test_a_thousand_epochs_leave_few_runs_and_few_dead_rows() -> None:
    edges = [(index, index + 1) for index in range(0, 3000, 2)]
    evaluation = fresh(CLOSURE, numbers(set(edges)))
    before = evaluation.digest()
    largest = 0
    for epoch in range(500):
        few = numbers({edges[epoch], edges[-epoch - 1], (edges[epoch][1], -epoch)})
        evaluation.update(delete=batch(few), strategy="update")
        evaluation.update(insert=batch(few), strategy="update")
        evaluation.update(delete=batch(numbers({(edges[epoch][1], -epoch)})), strategy="update")
        for relation in evaluation._relations.values():
            largest = max(largest, relation.size)
            for arrangement_ in relation.arrangements.values():
                assert len(arrangement_.runs) <= 2 + relation.size.bit_length()
                assert sum(len(run.keys) for run in arrangement_.runs) <= relation.size
    assert largest < 4 * len(edges)  # tuples that are there for one epoch alone are not kept for ever
    assert evaluation.digest() == before


def test_a_copy_and_its_original_go_their_own_ways(tmp_path: Path) -> None:
    now: Set = {"edge": {("a", "b"), ("b", "c")}, "label": {("a", "k", "b")}, "stop": set()}
    fresh(GRAPHS, now).save(tmp_path)
    for original in (fresh(GRAPHS, now), Evaluation.open(tmp_path, Program.parse({"program.dl": GRAPHS}))):
        before = original.digest()
        copied = original.copy()
        original.update(insert=batch({"edge": {("c", "new")}}), delete=batch({"edge": {("a", "b")}}))
        assert copied.digest() == before
        copied.update(insert=batch({"edge": {("c", "other")}}))
        assert state(copied) == state(fresh(GRAPHS, {**now, "edge": now["edge"] | {("c", "other")}}))
        assert state(original) == state(fresh(GRAPHS, {**now, "edge": {("b", "c"), ("c", "new")}}))
        assert copied.symbol_ids(["new"]).tolist() == original.symbol_ids(["new"]).tolist() != [-1]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({"nothing": np.zeros((1, 2), np.int64)}, "nothing, which is not declared"),
        ({"path": np.zeros((1, 2), np.int64)}, "path, which is not an input"),
        ({"edge": np.zeros((1, 3), np.int64)}, r"shape \(1, 3\); \(n, 2\) is expected"),
        ({"edge": np.full((1, 2), 2**31)}, "no number of 32 bits"),
        ({"edge": np.zeros((1, 2))}, "integers are expected"),
    ],
)
def test_facts_that_do_not_fit_are_refused_and_change_nothing(rows: dict[str, np.ndarray], said: str) -> None:  # type: ignore[type-arg]
    evaluation = fresh(CLOSURE, numbers({(1, 2)}))
    with pytest.raises(FactError, match=said):
        evaluation.update(insert=Batch([], rows))
    with pytest.raises(FactError, match="outside the batch's symbols"):
        Evaluation.bootstrap(Program.parse({"p.dl": NEGATION}), Batch(["a"], {"node": np.array([[1]])}))
    evaluation.update(insert=batch(numbers({(2, 3)})))
    assert len(evaluation.rows("path")) == 3


def test_a_tuple_that_dies_and_is_derived_at_the_next_level_by_what_arrives_is_counted_once() -> None:
    text = CLOSURE.replace("path(x, z) :- path(x, y), edge(y, z).", "path(x, z) :- path(x, y), path(y, z).")
    now: Set = numbers({(1, 2), (1, 3), (1, 4), (4, 5), (5, 6), (6, 2)})
    evaluation = fresh(text, now)
    now = step(text, evaluation, now, numbers({(3, 2)}), numbers({(1, 2)}))
    assert state(evaluation)["path"][1, 2] == (2, 1)
    step(text, evaluation, now, numbers({(1, 2)}), numbers({(3, 2)}))


def test_what_fell_in_one_update_is_no_matter_in_the_next() -> None:
    """The second update adds more rows to q than there were when a row of it fell, and waits for them while p falls."""
    text = (
        "".join(f".decl {name}(x: number)  .input {name}\n" for name in ("f", "g", "k", "j"))
        + ".decl p(x: number)  .output p\n.decl q(x: number)  .output q\n"
        + "p(x) :- g(x).\nq(x) :- f(x).\np(x) :- q(x), k(x).\nq(x) :- p(x), j(x).\n"
    )
    many = {(x,) for x in range(10, 3000)}
    now: Set = {"f": {(1,)}, "g": {(2,)} | many, "k": {(1,), (2,)}, "j": {(1,), (2,)}}
    evaluation = fresh(text, now)
    for insert, delete in (({}, {"f": {(1,)}}), ({"j": many}, {"g": {(2,)}}), ({"f": {(1,), (2,)}}, {"j": many})):
        evaluation.update(batch(insert), batch(delete), "update")
        now = changed(now, insert, delete)
        assert state(evaluation) == state(fresh(text, now))
        assert totals(evaluation) == totals(fresh(text, now))
