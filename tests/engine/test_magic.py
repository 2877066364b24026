"""Evaluation on demand derives what is asked for, the same as without it, and less than all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import Facts, evaluate
from programs import Random, batch, facts, fresh, programs, state, value, written

from pliant.engine import Batch, DatalogError, Evaluation, Program
from pliant.engine.datalog.explain import explain

PRAGMA = '.pragma "magic-transform" "*"\n'
CLOSURE = """
.decl edge(x: number, y: number)  .input edge
.decl tc(x: number, y: number)
tc(x, y) :- edge(x, y).
tc(x, z) :- {step}.
.decl from(y: number)  .output from
from(y) :- tc(0, y).
"""
STEPS = ["tc(x, y), edge(y, z)", "edge(x, y), tc(y, z)", "tc(x, y), tc(y, z)"]


@st.composite
def asked(draw: st.DrawFn) -> Random:
    """A random program whose outputs are goals that give a relation some of its columns."""
    random = draw(programs())
    lines = [line for line in random.text.split("\n") if not line.startswith(".output")]
    inputs = list(random.inputs)
    if draw(st.booleans()):  # rules that are asked have no facts of their own
        inputs = [name for name in inputs if name.startswith("e")]
        lines = [line for line in lines if not line.startswith(".input d")]
    kinds = {}
    for goal in range(draw(st.integers(1, 2))):
        name = draw(st.sampled_from([each for each in random.kinds if each.startswith("d")]))
        terms, columns = [], []
        for column, kind in enumerate(random.kinds[name]):
            if draw(st.booleans()):
                terms.append(written(draw(value(kind))))
            else:
                terms.append(f"v{column}")
                columns.append((f"v{column}", kind))
        kinds[f"goal{goal}"] = tuple(kind for _, kind in columns)
        declared = ", ".join(f"{variable}: {kind}" for variable, kind in columns)
        lines.append(f".decl goal{goal}({declared})  .output goal{goal}")
        lines.append(f"goal{goal}({', '.join(variable for variable, _ in columns)}) :- {name}({', '.join(terms)}).")
    return Random("\n".join(lines), {**random.kinds, **kinds}, inputs)


@given(st.data())
def test_what_is_asked_for_is_what_the_oracle_has(data: st.DataObject) -> None:
    random = data.draw(asked())
    goals = [name for name in random.kinds if name.startswith("goal")]
    now = data.draw(facts(random))
    evaluation = fresh(PRAGMA + random.text, now)
    same(evaluation, goals, random.text, now)
    for _ in range(2):
        gone = {name: set(data.draw(st.lists(st.sampled_from(sorted(rows, key=repr))))) if rows else set()
                for name, rows in now.items()}  # fmt: skip
        came = data.draw(facts(random, 2))
        evaluation.update(batch(came), batch(gone))
        now = {name: (rows - gone[name]) | came[name] for name, rows in now.items()}
        same(evaluation, goals, random.text, now)


def same(evaluation: Evaluation, goals: list[str], text: str, now: Facts) -> None:
    expected = evaluate(text, now)
    assert {name: set(rows) for name, rows in state(evaluation, goals).items()} == {
        name: set(expected[name]) for name in goals
    }


@given(st.data())
def test_proofs_have_no_word_of_demand(data: st.DataObject) -> None:
    random = data.draw(asked())
    evaluation = fresh(PRAGMA + random.text, data.draw(facts(random)))
    targets = [(name, tuple(row)) for name in random.kinds if name.startswith("goal")
               for row in evaluation.rows(name).tolist()]  # fmt: skip
    for proof in evaluation.prove_many(targets):
        assert proof is not None
        todo, seen = [proof], {id(proof)}
        while todo:
            part = todo.pop()
            assert part.relation in random.kinds or part.aggregation is not None
            assert part.is_input or part.aggregation is not None or len(part.body) == positive_atoms(part.rule)
            todo += [each for each in part.body if id(each) not in seen]
            seen.update(map(id, part.body))


def positive_atoms(rule: object) -> int:
    literals = rule.literals  # type: ignore[attr-defined]
    return sum(not each.negated and not each.atom.relation.startswith("magic@") for each in literals) + sum(
        each.negated and each.atom.relation.startswith("@") for each in literals
    )


@pytest.mark.parametrize("step", STEPS)
def test_a_closure_with_one_start_derives_what_the_start_reaches(step: str) -> None:
    """Two hundred chains of ten edges: the closure has 11,000 tuples, one start of the first chain reaches ten."""
    edges = np.array([(11 * chain + at, 11 * chain + at + 1) for chain in range(200) for at in range(10)])
    text = CLOSURE.format(step=step)
    whole, demanded = (Evaluation.bootstrap(Program.parse({"p.dl": each}), Batch([], {"edge": edges}))
                       for each in (text, PRAGMA + text))  # fmt: skip
    assert sorted(whole.rows("from").tolist()) == sorted(demanded.rows("from").tolist())
    assert whole.size("from") == 10 and whole.size("tc") == 200 * 55
    derived = {name: demanded.size(name) for name in demanded.program.stored if name not in ("edge", "from")}
    assert sum(derived.values()) <= 55 + 11, derived
    assert sum(each.instantiations for each in demanded.reports) * 50 < sum(
        each.instantiations for each in whole.reports
    )


def test_a_bound_end_goes_backwards() -> None:
    text = CLOSURE.format(step=STEPS[0]).replace("from(y) :- tc(0, y)", "from(x) :- tc(x, 3)")
    evaluation = Evaluation.bootstrap(
        Program.parse({"p.dl": PRAGMA + text}), Batch([], {"edge": np.array([(at, at + 1) for at in range(100)])})
    )
    assert sorted(evaluation.rows("from").tolist()) == [[0], [1], [2]]
    assert evaluation.size("tc@fb") == 6 and evaluation.size("magic@tc@fb") == 4


@pytest.mark.parametrize(
    ("change", "whole"),
    [
        (".decl no(y: number) .output no  no(y) :- edge(_, y), !tc(0, y).", "it is negated"),
        (".decl n(c: number) .output n  n(c) :- c = count : { tc(_, _) }.", "it is aggregated"),
        (".decl deep(y: number) .decl no(y: number) .output no  deep(y) :- tc(0, y). no(y) :- edge(_, y), !deep(y).",
         "what is negated or aggregated depends on it"),
        ('.pragma "magic-transform-exclude" "tc"', "it is excluded"),
        (".decl all(x: number, y: number) .output all  all(x, y) :- tc(x, y).", "it is asked for without a value"),
        (".input tc", "it is an input as well"),
    ],
)  # fmt: skip
def test_what_cannot_be_demanded_is_whole_and_named(change: str, whole: str) -> None:
    text = CLOSURE.format(step=STEPS[0]) + change
    edges = np.array([(0, 1), (1, 2), (5, 6), (6, 0)])
    program = Program.parse({"p.dl": PRAGMA + text})
    assert program.whole["tc"] == whole and f"evaluated whole: tc: {whole}\n" in explain(program)
    plain = Evaluation.bootstrap(Program.parse({"p.dl": text}), Batch([], {"edge": edges}))
    evaluation = Evaluation.bootstrap(program, Batch([], {"edge": edges}))
    for name in program.outputs:
        assert sorted(evaluation.rows(name).tolist()) == sorted(plain.rows(name).tolist())
    assert state(evaluation, ["tc"]) == state(plain, ["tc"])


def test_a_relation_asked_for_in_many_ways_is_whole() -> None:
    columns = [f"c{index}" for index in range(5)]
    lines = [f".decl e({', '.join(f'{each}: number' for each in columns)})  .input e",
             f".decl d({', '.join(f'{each}: number' for each in columns)})",
             f"d({', '.join(columns)}) :- e({', '.join(columns)})."]  # fmt: skip
    for way in range(1, 31):
        terms = ["1" if way >> index & 1 else each for index, each in enumerate(columns)]
        free = [term for term in terms if term != "1"]
        lines.append(f".decl g{way}({', '.join(f'{each}: number' for each in free)})  .output g{way}")
        lines.append(f"g{way}({', '.join(free)}) :- d({', '.join(terms)}).")
    text = "\n".join(lines)
    program = Program.parse({"p.dl": PRAGMA + text})
    assert program.whole == {"d": "it is asked for in more than 8 ways"}
    rows = np.random.default_rng(3).integers(0, 3, (200, 5))
    evaluation = Evaluation.bootstrap(program, Batch([], {"e": rows}))
    plain = Evaluation.bootstrap(Program.parse({"p.dl": text}), Batch([], {"e": rows}))
    assert all(sorted(evaluation.rows(name).tolist()) == sorted(plain.rows(name).tolist()) for name in program.outputs)


@pytest.mark.parametrize(
    ("pragmas", "demanded"),
    [
        ('.pragma "magic-transform" "tc"', True),
        ('.pragma "magic-transform"', True),
        ('.pragma "magic-transform" "*" .pragma "magic-transform-exclude" "edge, tc"', False),
        ('.pragma "magic-transform-exclude" "from"', False),
        (".decl other(x: number) magic", False),
        (".decl other(x: number) no_magic", False),
        ("", False),
    ],
)
def test_pragmas_and_qualifiers_choose_relations(pragmas: str, demanded: bool) -> None:
    program = Program.parse({"p.dl": CLOSURE.format(step=STEPS[0]) + pragmas})
    assert ("tc@bf" in program.stored) == demanded and ("tc" in program.stored) != demanded


def test_a_qualifier_is_for_its_relation() -> None:
    text = CLOSURE.format(step=STEPS[0])
    qualified = text.replace(".decl tc(x: number, y: number)", ".decl tc(x: number, y: number) magic")
    assert "tc@bf" in Program.parse({"p.dl": qualified}).stored
    excluded = PRAGMA + qualified.replace(" magic", " no_magic")
    assert Program.parse({"p.dl": excluded}).whole == {"tc": "it is excluded"}


def test_a_pragma_for_a_relation_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(DatalogError, match=r"relation edges is not declared; did you mean edge\?"):
        Program.parse({"p.dl": CLOSURE.format(step=STEPS[0]) + '.pragma "magic-transform" "edges"'})
