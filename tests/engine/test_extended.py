"""Rules on top of an evaluation give what the whole program gives, and evaluate nothing below them again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import Fact, Facts, evaluate
from programs import Random, batch, conditions, facts, fresh, programs, rules, state, value, written

from pliant.engine import Batch, Bound, DatalogError, EngineError, Evaluation, Program, TooLarge
from pliant.engine.datalog.syntax import QUERY

BASE = """
.decl edge(x: symbol, y: symbol)  .input edge
.decl size(x: symbol, n: number)  .input size
.decl tc(x: symbol, y: symbol)  .output tc
tc(x, y) :- edge(x, y).
tc(x, z) :- tc(x, y), edge(y, z).
.decl count_of(x: symbol, n: number)  .output count_of
count_of(x, n) :- edge(x, _), n = count : { tc(x, _) }.
.decl unused(x: symbol)
unused(x) :- edge(x, x).
"""
FACTS: Facts = {"edge": {("a", "b"), ("b", "c"), ("c", "d"), ("x", "a")}, "size": {("a", 1), ("d", 4)}}
BACK = """
.decl back(x: symbol, y: symbol)
back(x, y) :- edge(y, x).
back(x, z) :- back(x, y), back(y, z).
"""


@st.composite
def added(draw: st.DrawFn, random: Random) -> tuple[str, str, list[tuple[str, str]]]:
    """Rules over the relations of a program, a query over all of them, and its columns as (variable, kind)."""
    below = list(random.kinds)
    layer = [f"r{index}" for index in range(draw(st.integers(1, 2)))]
    kinds = dict(random.kinds)
    for name in layer:
        kinds[name] = kinds[draw(st.sampled_from(below))]
    lines = [f".decl {name}({', '.join(f'c{at}: {kind}' for at, kind in enumerate(kinds[name]))})" for name in layer]
    for name in layer:
        lines.append(draw(rules([name], below, [], kinds)))
        lines += [draw(rules([name], below, layer, kinds)) for _ in range(draw(st.integers(1, 2)))]
    bound: dict[str, list[str]] = {"symbol": [], "number": [], "unsigned": []}
    body = []
    for name in [draw(st.sampled_from(layer)), *draw(st.lists(st.sampled_from(below + layer), max_size=1))]:
        terms = []
        for at, kind in enumerate(kinds[name]):
            choice = draw(st.integers(0, 3))
            variable = f"{kind[0]}{at % 2}"
            terms.append("_" if not choice else written(draw(value(kind))) if choice == 1 else variable)
            if choice > 1:
                bound[kind].append(variable)
        body.append(f"{name}({', '.join(terms)})")
    if draw(st.booleans()):
        body.append(draw(conditions(below + layer, kinds, bound)))
    columns = dict.fromkeys((variable, kind) for kind in bound for variable in bound[kind])
    return "\n".join(lines), ", ".join(body), list(columns)


def answer(evaluation: Evaluation) -> set[frozenset[tuple[str, str | int]]]:
    """The rows of the query, as variable -> value."""
    columns = evaluation.program.schemas[QUERY].columns
    return {frozenset(zip(columns, row, strict=True)) for row in state(evaluation, [QUERY])[QUERY]}


@given(st.data())
def test_a_query_gives_what_the_whole_program_gives(data: st.DataObject) -> None:
    random = data.draw(programs())
    own, query, columns = data.draw(added(random))
    now = data.draw(facts(random))
    base = fresh(random.text, now)
    before = state(base)
    evaluation = base.extended(base.program.extended({"rules.dl": own}, query))
    goal = f".decl goal({', '.join(f'{variable}: {kind}' for variable, kind in columns)})"
    text = f"{random.text}\n{own}\n{goal}\ngoal({', '.join(variable for variable, _ in columns)}) :- {query}."

    def expected(facts_now: Facts) -> set[frozenset[tuple[str, str | int]]]:
        names = [variable for variable, _ in columns]
        return {frozenset(zip(names, row, strict=True)) for row in evaluate(text, facts_now)["goal"]}

    assert answer(evaluation) == expected(now)
    assert state(base) == before == state(evaluation, list(base.program.schemas))
    gone: dict[str, set[Fact]] = {name: set(sorted(rows, key=repr)[::2]) for name, rows in now.items()}
    came = data.draw(facts(random, 2))
    evaluation.update(batch(came), batch(gone))
    now = {name: (rows - gone[name]) | came[name] for name, rows in now.items()}
    assert answer(evaluation) == expected(now)
    assert state(evaluation, list(base.program.schemas)) == evaluate(random.text, now) and state(base) == before


@given(st.data())
def test_rules_that_are_not_demanded_have_the_levels_and_counts_of_the_whole_program(data: st.DataObject) -> None:
    random = data.draw(programs())
    own, _, _ = data.draw(added(random))
    now = data.draw(facts(random))
    base = fresh(random.text, now)
    heads = [line.split("(")[0].removeprefix(".decl ") for line in own.split("\n") if line.startswith(".decl")]
    outputs = "".join(f".output {name}\n" for name in heads) + '.pragma "magic-transform-exclude" "*"\n'
    evaluation = base.extended(base.program.extended({"rules.dl": own, "outputs.dl": outputs}))
    assert state(evaluation, heads) == {
        name: rows for name, rows in evaluate(f"{random.text}\n{own}", now).items() if name in heads
    }


def test_only_what_is_added_is_evaluated_and_on_demand() -> None:
    base = fresh(BASE, FACTS)
    program = base.program.extended({"back.dl": BACK}, 'back("c", v), size(v, n)')
    evaluation = base.extended(program)
    assert program.schemas[QUERY].columns == ("v", "n")
    assert set(state(evaluation, [QUERY])[QUERY]) == {("a", 1)}
    evaluated = [name for report in evaluation.reports for name in report.relations]
    assert sorted(evaluated) == [QUERY, "back@bf", "magic@back@bf"]
    assert evaluation.size("back@bf") == 6 and evaluation.size("magic@back@bf") == 4  # of 10 and 5
    for name in base.program.stored:  # no array is there twice
        for mine, its in zip(evaluation.relation(name).columns, base.relation(name).columns, strict=True):
            assert np.shares_memory(mine, its) or not mine.size


def test_a_relation_with_facts_and_rules_is_evaluated_once() -> None:
    base = fresh(BASE + ".input tc", {**FACTS, "tc": {("d", "z")}})
    evaluation = base.extended(base.program.extended({}, 'tc("a", y)'))
    assert set(state(evaluation, [QUERY])[QUERY]) == {("b",), ("c",), ("d",)}
    assert [report.relations for report in evaluation.reports] == [(QUERY,)]


def test_a_state_on_disk_is_read_as_far_as_the_query_needs(tmp_path: Path) -> None:
    fresh(BASE, FACTS).save(tmp_path)
    opened = Evaluation.open(tmp_path, Program.parse({"program.dl": BASE}))
    evaluation = opened.extended(opened.program.extended({}, 'edge(x, "never seen") ; size(x, 4)'))
    assert set(state(evaluation, [QUERY])[QUERY]) == {("d",)}
    assert {"tc", "count_of"}.isdisjoint(evaluation._relations)


def test_a_proof_goes_down_into_the_program() -> None:
    base = fresh(BASE, FACTS)
    evaluation = base.extended(base.program.extended({"back.dl": BACK}, 'back("c", v), tc(v, "d"), !size(v, _)'))
    [row] = [tuple(row) for row in evaluation.rows(QUERY).tolist() if evaluation.strings(row) == ["x"]]
    [proof] = evaluation.prove_many([(QUERY, row)])
    assert proof is not None and [each.relation for each in proof.body] == ["back", "tc"]
    assert proof.absent == [("size", (row[0], None))]
    met = {proof.relation}
    todo = list(proof.body)
    while todo:
        part = todo.pop()
        met.add(part.relation)
        todo += part.body
    assert met == {QUERY, "back", "tc", "edge"}


def test_queries_on_one_program_do_not_disturb_each_other() -> None:
    base = fresh(BASE, FACTS)
    first = base.extended(base.program.extended({}, 'n = count : { tc("a", _) }'))
    second = base.extended(base.program.extended({}, "count_of(x, _), m = count : { tc(_, x) }"))
    assert set(state(first, [QUERY])[QUERY]) == {(3,)}
    assert set(state(second, [QUERY])[QUERY]) == {("x", 0), ("a", 1), ("b", 2), ("c", 3)}
    written = "n = count : { edge(z, _) }, edge(y, x), z > y, size(z, _) ; size(z, n), edge(x, y)"
    assert base.program.extended({}, written).schemas[QUERY].columns == ("n", "y", "x", "z")


def test_rules_can_be_added_to_rules_that_were_added() -> None:
    base = fresh(BASE, FACTS)
    first = base.extended(
        base.program.extended({"one.dl": BACK + '.decl two(x: symbol) .output two two(x) :- back(x, "a").'})
    )
    second = first.extended(first.program.extended({}, "two(x), n = count : { two(_) }"))
    assert set(state(second, [QUERY])[QUERY]) == {("b", 3), ("c", 3), ("d", 3)}
    second.update(insert=batch({"edge": {("d", "e")}}))
    assert set(state(second, [QUERY])[QUERY]) == {("b", 4), ("c", 4), ("d", 4), ("e", 4)}


def test_a_program_of_another_evaluation_is_refused() -> None:
    other = Program.parse({"program.dl": BASE.replace("edge(y, z)", "tc(y, z)")})
    with pytest.raises(EngineError, match="does not extend"):
        fresh(BASE, FACTS).extended(other.extended({}, "edge(x, y)"))


def test_a_query_keeps_to_the_bound_of_the_program() -> None:
    rows = np.array([(x, y) for x in range(40) for y in range(40)])
    text = ".decl e(x: number, y: number) .input e\n.decl p(x: number) .output p\np(x) :- e(x, 1)."
    program = Program.parse({"program.dl": text})
    program.bound = Bound(rows=5_000, rows_of_fact=1)
    base = Evaluation.bootstrap(program, Batch([], {"e": rows}))
    with pytest.raises(TooLarge):
        base.extended(program.extended({}, "e(a, b), e(b, c), e(c, d)"))
    assert base.size("p") == 40 and base.extended(program.extended({}, "p(x), e(x, 2)")).size(QUERY) == 40


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("tcc(x, y)", "query:1:1: relation tcc is not declared; did you mean tc?"),
        ("edge(x, y),\n  siz(y, n)", "query:2:3: relation siz is not declared; did you mean size?"),
        ("unused(x)", "query:1:1: relation unused is not evaluated: no output of the program depends on it"),
        ("tc(x)", "query:1:1: tc has 2 columns but 1 are given in the query"),
        ("tc(x, 3)", "query:1:1: number 3 where a symbol is expected (tc.y) in the query"),
        ('size(x, "big")', "query:1:1: symbol 'big' where a number is expected (size.n) in the query"),
        ("size(x, n), tc(x, n)", "query:1:13: n is a number and a symbol (tc.y) in the query"),
        ("tc(x, y), z != y", "query:1:13: variable z is not bound by a positive atom in the query"),
        ("tc(x, y), !edge(y, z)", "query:1:12: variable z is not bound by a positive atom in the query"),
        ("tc(x, y) ; size(x, _)", "query:1:1: variable y is not bound by a positive atom in the query"),
        ("tc(x, y", "query:1:8: the query ends inside a literal"),
        ("tc(x, y))", "query:1:9: unexpected `)`"),
        ("tc(x, y + 1)", "query:1:9: not supported: arithmetic (`+`)"),
        ("tc(x, y). p(x) :- tc(x, y)", "query:1:1: a query is one body"),
        ("tc(x, y). edge(x, y)", "query:1:1: a query is one body"),
        ('tc(x, "\\q")', "query:1:7: `\\q` is no escape sequence"),
        ("(" * 3000 + "tc(x, y)" + ")" * 3000, "query:1:1: the query is nested too deeply"),
    ],
)
def test_a_query_that_cannot_be_is_told_with_its_place(query: str, says: str) -> None:
    with pytest.raises(DatalogError) as caught:
        Program.parse({"program.dl": BASE}).extended({}, query)
    first = caught.value.diagnostics[0]
    assert f"{first.source}:{first.line}:{first.column}: {first.message}".startswith(says)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".decl tc(x: symbol)", "1:7: relation tc is one of the program: give this one another name"),
        (".decl unused(x: symbol)", "1:7: relation unused is one of the program: give this one another name"),
        ("tc(x, x) :- edge(x, _).", "1:1: tc is a relation of the program: it takes no more rules"),
        (".decl f(x: symbol) .input f", "1:27: .input f: facts are those of the program"),
        (".input edge", "1:8: .input edge: facts are those of the program"),
        (".decl p(x: symbol) .output p\np(x) :- edge(x, _), !p(x).", "2:22: p depends on !p"),
    ],
)
def test_rules_leave_the_program_as_it_is(text: str, says: str) -> None:
    with pytest.raises(DatalogError) as caught:
        Program.parse({"program.dl": BASE}).extended({"own.dl": text})
    first = caught.value.diagnostics[0]
    assert f"{first.line}:{first.column}: {first.message}".startswith(says)
