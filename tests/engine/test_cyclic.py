"""Cyclic bodies: extending by one variable at a time gives the same state, and saves rows where atoms put out many."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from programs import Random, examples, one_in
from test_maintenance import check_history, histories

from pliant.engine import Batch, Evaluation, Program
from pliant.engine.backends.embedded import choice
from pliant.engine.datalog.hypergraph import is_cyclic
from pliant.engine.datalog.plan import HEAD

WIDTHS = {"e": 2, "f": 2, "r": 3, "s": 3, "q": 4}


@st.composite
def cyclic_programs(draw: st.DrawFn) -> Random:
    """Rules of three or four wide atoms over few variables, some of them recursive."""
    kinds = {name: ("symbol",) * width for name, width in WIDTHS.items()}
    kinds["p"] = ("symbol",) * draw(st.integers(1, 3))
    lines = []
    for index in range(draw(st.integers(1, 2))):
        body, used = [], []
        names = [*WIDTHS, *WIDTHS, *(["p", "p"] if index else [])]
        for _ in range(draw(st.integers(3, 4))):
            name = draw(st.sampled_from(names))
            if name == "p":
                names.remove("p")
            terms = [draw(st.sampled_from("xxyyzzwwu_")) for _ in kinds[name]]
            if draw(one_in(8)):
                terms[0] = '"a"'
            used += [term for term in terms if len(term) == 1 and term != "_"]
            body.append(f"{name}({', '.join(terms)})")
        if used and draw(one_in(3)):
            body.append(f"!e({draw(st.sampled_from(used))}, {draw(st.sampled_from([*used, '_']))})")
        if used and draw(one_in(3)):
            body.append(f"{draw(st.sampled_from(used))} != {draw(st.sampled_from(used))}")
        head = ", ".join(draw(st.sampled_from(used)) if used else '"a"' for _ in kinds["p"])
        lines.append(f"p({head}) :- {', '.join(body)}.")
    declared = [f".decl {name}({', '.join(f'c{index}: symbol' for index in range(len(of)))})  "
                f".{'output' if name == 'p' else 'input'} {name}" for name, of in kinds.items()]  # fmt: skip
    return Random("\n".join([*declared, *lines]), kinds, list(WIDTHS))


@pytest.mark.parametrize("way", ["always", "never", "counted"])
def test_either_way_of_execution_gives_the_same_state(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "EXTEND", way)
    monkeypatch.setattr(choice, "FEW", 2)
    monkeypatch.setattr(choice, "TRAP", 2)
    settings(max_examples=examples(20), phases=[Phase.generate])(
        given(histories(cyclic_programs()), st.data())(check_history)
    )()
    settings(max_examples=examples(10), phases=[Phase.generate])(given(histories(), st.data())(check_history))()


STARS = """
.decl e(a: number, b: number)  .input e
.decl r(a: number, b: number, c: number)  .input r
.decl s(a: number, b: number, c: number)  .input s
.decl t(a: number, b: number)  .input t
.decl q(a: number, b: number, c: number, d: number, f: number)  .output q
q(x, y, z, w, u) :- e(x, y), r(x, z, w), s(y, z, u), t(w, u).
"""


def stars(hubs: int, rays: int) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
    """Each hub has `rays` rows of r, and of s, for a value of z of its own, and one for a value that all share."""
    hub, other = np.meshgrid(np.arange(hubs), np.arange(hubs))
    e = np.stack([hub.ravel(), other.ravel()], 1)
    owner, ray = np.repeat(np.arange(hubs), rays + 1), np.tile(np.arange(rays + 1), hubs)
    r = np.stack([owner, np.where(ray, owner * 2 + 1, 0), ray], 1)
    s = np.stack([owner, np.where(ray, owner * 2 + 2, 0), ray], 1)
    return {"e": e, "r": r, "s": s, "t": np.stack([np.arange(2), np.arange(2)], 1)}


@pytest.mark.parametrize("driver", ["e", "t"])
def test_few_values_with_many_rows_each_are_proposed_once(driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = stars(12, 40)
    program = Program.parse({"p.dl": STARS})
    joined, digests = {}, set()
    for way in ("never", "counted", "always"):
        monkeypatch.setattr(choice, "EXTEND", way)
        evaluation = Evaluation.bootstrap(program, Batch([], {**facts, driver: facts[driver][:0]}))
        evaluation.update(insert=Batch([], {driver: facts[driver]}), strategy="update")
        assert evaluation.size("q") == 12 * 12
        joined[way] = sum(cost.joined for cost in evaluation.profile)
        digests.add(evaluation.digest())
    assert len(digests) == 1
    if driver == "e":
        assert joined["counted"] < joined["never"] / 4
    assert joined["counted"] <= joined["never"]


NEAR = STARS.replace(
    "q(x, y, z, w, u) :- e(x, y)", "near(x) :- e(x, y), r(x, z, w), s(y, z, u), t(w, u).\nnear(y) :- near(x), e(x, y)"
).replace("q(a: number, b: number, c: number, d: number, f: number)  .output q", "near(a: number)  .output near")


@pytest.mark.parametrize("way", ["always", "counted"])
def test_the_rows_of_a_cyclic_body_are_told_where_they_are_asked_for(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An extension does not tell them."""
    monkeypatch.setattr(choice, "EXTEND", way)
    monkeypatch.setattr(choice, "FEW", 2)
    monkeypatch.setattr(choice, "TRAP", 2)
    facts = stars(12, 40)
    before = Evaluation.bootstrap(Program.parse({"p.dl": NEAR}), Batch([], facts))
    for proof in before.prove_many([("near", (hub,)) for hub in range(12)]):
        assert proof is not None
        used = {part.relation: part.row for part in proof.body}
        assert all(row in set(map(tuple, facts[name].tolist())) for name, row in used.items())
        assert used["r"][1:] == used["s"][1:] == (0, 0) and used["t"] == (0, 0)
    gone = Batch([], {"t": np.array([[0, 0]])})
    for strategy in ("update", "pipelined"):
        after = before.copy()
        after.update(delete=gone, strategy=strategy)
        assert after.size("near") == 0
        assert before.explain_removal(after, "near", (0,)).deleted == [("t", (0, 0))]
        after.update(insert=gone, strategy=strategy)
        assert after.digest() == before.digest()


@pytest.mark.parametrize(
    ("edges", "cyclic"),
    [
        ([], False),
        (["xy", "yz"], False),
        (["xy", "yz", "zx"], True),
        (["xy", "yz", "zx", "xyz"], False),
        (["xyz", "zwu", "uvx"], True),
        (["xyz", "xyw", "xu", "y", ""], False),
        (["xyz", "yzw", "zwx", "wxy"], True),
        (["ab", "bc", "cd", "da", "xy"], True),
        (["xy", "xy", "yx"], False),
    ],
)
def test_cyclic_hypergraphs(edges: list[str], cyclic: bool) -> None:
    assert is_cyclic([set(map(ord, edge)) for edge in edges]) == cyclic


@given(st.lists(st.sets(st.integers(0, 4), max_size=3), max_size=5))
def test_acyclic_means_that_there_is_a_join_tree(edges: list[set[int]]) -> None:
    """Of maximal weight spanning trees one is a join tree if any is (Maier): weigh by common vertices and look."""
    count = len(edges)
    parent = list(range(count))

    def root(of: int) -> int:
        return of if parent[of] == of else root(parent[of])

    common = 0
    for first, second in sorted(combinations(range(count), 2), key=lambda pair: -len(edges[pair[0]] & edges[pair[1]])):
        if root(first) != root(second):
            parent[root(first)] = root(second)
            common += len(edges[first] & edges[second])
    vertices = set().union(*edges)
    assert is_cyclic(edges) == (sum(map(len, edges)) - common != len(vertices))


def test_a_plan_is_cyclic_by_its_body_and_what_drives_it() -> None:
    text = ".decl e(a: symbol, b: symbol)  .input e\n.decl p(a: symbol, b: symbol)  .output p\n"
    program = Program.parse({"p.dl": text + "p(x, z) :- e(x, y), e(y, z).\np(x, x) :- e(x, y), e(y, z), e(z, x)."})
    path, triangle = program.strata[0].rules
    assert [program.plan(path, driver).cyclic for driver in (0, 1, HEAD)] == [False, False, True]
    assert all(program.plan(triangle, driver).cyclic for driver in (0, 1, 2, HEAD))
