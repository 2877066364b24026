"""Queries that are maintained with an evaluation give what asking anew gives, whoever comes, goes or fails."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import Fact, Facts, State, evaluate
from programs import Random, batch, facts, fresh, programs, state, value
from test_extended import BACK, BASE, FACTS, added

from pliant.engine import Batch, Bound, EngineError, Evaluation, Program, TooLarge
from pliant.engine.datalog.compiler import SharedQuery
from pliant.engine.datalog.syntax import PARAMETERS, QUERY
from pliant.engine.registered import Registered

Columns = list[tuple[str, str]]


def values(evaluation: Evaluation, registered: Registered, name: str) -> list[tuple[str | int, ...]]:
    return decoded(evaluation, registered, name, registered.rows(name))


def decoded(evaluation: Evaluation, registered: Registered, name: str, rows: np.ndarray) -> list[tuple[str | int, ...]]:
    columns = [
        evaluation.strings(rows[:, index]) if kind == "symbol" else rows[:, index].tolist()
        for index, kind in enumerate(registered.program.stored[name].kinds)
    ]
    return list(zip(*columns, strict=True)) if columns else [()] * len(rows)


def everything(evaluation: Evaluation, registered: Registered) -> State:
    """Level and count of every tuple of the relations that the query has of its own."""
    found: State = {}
    for name in registered._own:
        if name != PARAMETERS:
            levels, counts = registered.levels_counts(name)
            rows = values(evaluation, registered, name)
            assert len(set(rows)) == len(rows)
            found[name] = dict(zip(rows, zip(levels.tolist(), counts.tolist(), strict=True), strict=True))
    return found


@dataclass
class Asked:
    """A registered query, who asks it with which constants, and what the last epochs made of the answer."""

    rules: str
    query: str
    columns: Columns
    registered: Registered
    askers: dict[int, tuple[str | int, ...]]
    answer: set[Fact]

    def check(self, evaluation: Evaluation, random: Random, now: Facts) -> None:
        anew = fresh(random.text, now)
        other = anew.register(self.registered.program)
        other.change([(asker, *constants) for asker, constants in self.askers.items()])
        assert everything(evaluation, self.registered) == everything(anew, other)
        assert self.answer == set(values(evaluation, self.registered, QUERY))

    def take(self, evaluation: Evaluation) -> None:
        """The difference of the last epoch, which has to be one."""
        difference = self.registered.difference
        came, gone = (
            set(decoded(evaluation, self.registered, QUERY, rows[QUERY])) if len(rows) else set()
            for rows in (difference.inserted, difference.deleted)
        )
        assert not came & self.answer and gone <= self.answer
        self.answer = (self.answer | came) - gone


@given(st.data())
def test_registered_queries_are_as_if_each_was_asked_anew(data: st.DataObject) -> None:
    random = data.draw(programs())
    now = data.draw(facts(random))
    evaluation = fresh(random.text, now)
    asked: list[Asked] = []
    number = 0
    for _ in range(data.draw(st.integers(3, 6))):
        step = data.draw(st.sampled_from(["come", "join", "leave", "go", "epoch", "epoch", "epoch"]))
        if step == "come" or not asked:
            rules, query, columns = data.draw(added(random))
            shared = evaluation.program.shared({"rules.dl": rules}, query)
            one = Asked(rules, query, columns, evaluation.register(shared.program()), {number: shared.constants}, set())
            one.registered.change([(number, *shared.constants)])
            one.take(evaluation)
            asked.append(one)
            number += 1
            check_answer(evaluation, one, random, now, number - 1)
        elif step == "join":
            one = data.draw(st.sampled_from(asked))
            kinds = one.registered.program.stored[PARAMETERS].kinds[1:]
            one.askers[number] = tuple(data.draw(value(kind)) for kind in kinds)
            one.registered.change([(number, *one.askers[number])])
            one.take(evaluation)
            number += 1
        elif step == "leave":
            one = data.draw(st.sampled_from(asked))
            if one.askers:
                who = data.draw(st.sampled_from(sorted(one.askers)))
                one.registered.change([], [(who, *one.askers.pop(who))])
                one.take(evaluation)
        elif step == "go":
            evaluation.unregister(asked.pop().registered)
        else:
            gone: dict[str, set[Fact]] = {name: set(sorted(rows, key=repr)[::2]) for name, rows in now.items()}
            came = data.draw(facts(random, 3))
            strategy = data.draw(st.sampled_from(["elastic", "update", "bootstrap"]))
            evaluation.update(batch(came), batch(gone), strategy)
            now = {name: (rows - gone[name]) | came[name] for name, rows in now.items()}
            for each in asked:
                each.take(evaluation)
        for each in asked:
            each.check(evaluation, random, now)
        assert state(evaluation) == evaluate(random.text, now)


def check_answer(evaluation: Evaluation, one: Asked, random: Random, now: Facts, asker: int) -> None:
    """The answer to whoever asked with the constants as they are written is that of the naive evaluator."""
    goal = f".decl goal({', '.join(f'{variable}: {kind}' for variable, kind in one.columns)})"
    head = f"goal({', '.join(variable for variable, _ in one.columns)})"
    expected = evaluate(f"{random.text}\n{one.rules}\n{goal}\n{head} :- {one.query}.", now)["goal"]
    names = [variable for variable, _ in one.columns]
    columns = one.registered.program.stored[QUERY].columns[1:]
    rows = {row[1:] for row in values(evaluation, one.registered, QUERY) if row[0] == asker}
    assert {frozenset(zip(columns, row, strict=True)) for row in rows} == {
        frozenset(zip(names, row, strict=True)) for row in expected
    }


def ask(evaluation: Evaluation, query: str, rules: str = "") -> tuple[Registered, SharedQuery]:
    shared = evaluation.program.shared({"rules.dl": rules} if rules else {}, query)
    registered = evaluation.register(shared.program())
    registered.change([(0, *shared.constants)])
    return registered, shared


def test_queries_that_differ_in_constants_share_everything() -> None:
    base = fresh(BASE, FACTS)
    one, other = (base.program.shared({}, f'tc("{name}", y), !edge(y, _)') for name in "bx")
    assert one.key == other.key and (one.constants, other.constants) == (("b",), ("x",))
    assert one.key != base.program.shared({}, 'tc(y, "b"), !edge(y, _)').key
    assert one.key != base.program.shared({"rules.dl": BACK}, 'tc("b", y), !edge(y, _)').key
    assert one.key != base.program.shared({}, 'tc("b", y), edge(y, _)').key
    registered = base.register(one.program())
    registered.change([(0, *one.constants), (1, *other.constants)])
    assert sorted(values(base, registered, QUERY)) == [(0, "d"), (1, "d")]
    assert one.schema.columns == ("y",) and registered.program.stored[QUERY].columns == ("asker@", "y")


def test_a_constant_is_demanded() -> None:
    base = fresh(BASE, FACTS)
    registered, _ = ask(base, 'back("c", v)', BACK)
    assert {name: len(registered.rows(name)) for name in registered._own if "magic" in name} == {"magic@back@bf": 4}
    assert {row[1] for row in values(base, registered, QUERY)} == {"a", "b", "x"}
    base.update(delete=batch({"edge": {("x", "a")}}))
    assert {row[1] for row in values(base, registered, QUERY)} == {"a", "b"}


@pytest.mark.parametrize(
    ("query", "constants", "answer"),
    [
        ('size(x, n), n > 2, x != "z"', (2, "z"), {("d", 4)}),
        ('edge(x, y), x = "a"', ("a",), {("a", "b")}),
        ("edge(x, _), 1 < 2", (), {("a",), ("b",), ("c",), ("x",)}),
        ("edge(x, _), 2 < 1", (), set()),
        ('n = count : { tc("a", _) }', (), {(3,)}),
        ("x = 3000000000u", (), {(3_000_000_000,)}),
        ('tc("a", "d")', ("a", "d"), {()}),
        ('size(x, 1) ; edge(x, "d")', (1, "d"), {("a",), ("c",)}),
    ],
)
def test_which_constants_are_taken_out(query: str, constants: tuple[object, ...], answer: set[Fact]) -> None:
    base = fresh(BASE, FACTS)
    registered, shared = ask(base, query)
    assert shared.constants == constants
    assert {row[1:] for row in values(base, registered, QUERY)} == answer


def test_nothing_of_the_evaluation_is_kept_twice() -> None:
    base = fresh(BASE, FACTS)
    before = base.state_bytes
    registered, _ = ask(base, "tc(x, y), edge(y, z)")
    assert set(registered._own) == {QUERY, PARAMETERS}
    assert base.state_bytes - before < registered.nbytes + 4096  # arrangements of what is below


def test_a_query_that_grows_past_its_bound_stops_alone() -> None:
    text = ".decl e(x: number, y: number) .input e\n.decl p(x: number) .output p\np(x) :- e(x, 1)."
    base = Evaluation.bootstrap(Program.parse({"program.dl": text}), Batch([], {"e": np.array([(0, 1), (1, 2)])}))
    program = base.program.shared({}, "e(a, b), e(b, c), e(c, d)").program()
    program.bound = Bound(rows=5_000, rows_of_fact=0)
    large = base.register(program)
    large.change([(0,)])
    small, _ = ask(base, "p(x), e(x, 2)")
    difference = base.update(Batch([], {"e": np.array([(x, y) for x in range(40) for y in range(40)])}))
    assert large.failed is not None and large.size == 0 and len(difference.inserted["p"]) == 39
    assert len(small.rows(QUERY)) == 40
    with pytest.raises(TooLarge):
        large.change([(1,)])
    base.update(delete=Batch([], {"e": np.array([(x, 1) for x in range(30)])}))
    assert len(small.rows(QUERY)) == 10
    with pytest.raises(TooLarge):
        base.register(program).change([(0,)])


def test_a_query_of_another_program_is_refused() -> None:
    other = Program.parse({"program.dl": BASE.replace("edge(y, z)", "tc(y, z)")})
    with pytest.raises(EngineError, match="does not extend"):
        fresh(BASE, FACTS).register(other.shared({}, "edge(x, y)").program())


def test_a_copy_has_no_registered_queries() -> None:
    base = fresh(BASE, FACTS)
    registered, _ = ask(base, "edge(x, y)")
    base.copy().update(insert=batch({"edge": {("q", "r")}}))
    assert len(registered.rows(QUERY)) == 4
    base.unregister(registered)
    base.update(insert=batch({"edge": {("q", "r")}}))
    assert len(registered.rows(QUERY)) == 4
