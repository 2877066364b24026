"""The language: what is in gives rules and plans, what is out gives errors with their place."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle import evaluate
from programs import fresh, state

from pliant.engine import DatalogError, Program
from pliant.engine.datalog import parse
from pliant.engine.datalog.plan import HEAD, Lookup

DECLARED = """.decl e(x: symbol, y: symbol)
.input e
.decl n(x: symbol, i: number)
.input n
.decl p(x: symbol, y: symbol)
.output p
"""


def errors(text: str, declared: str = DECLARED) -> list[str]:
    with pytest.raises(DatalogError) as caught:
        Program.parse({"a.dl": declared + text})
    lines = declared.count("\n")
    return [f"{each.line - lines}:{each.column}: {each.message}" for each in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p(x, y) :- e(x, y), c = count : { e(_, _) }.", "1:31: not supported: an aggregate"),
        ("p(x, y) :- e(x, y), n(x, i + 1).", "1:28: not supported: arithmetic"),
        (".comp Graph { }", "1:1: not supported: a component"),
        (".functor f(x: symbol): symbol", "1:1: not supported: a functor"),
        ("p(x, cat(x, y)) :- e(x, y).", "1:9: not supported: a functor"),
        (".input q(IO=file)", "1:9: not supported: parameters"),
        ("p(x, [y, x]) :- e(x, y).", "1:6: not supported: a record"),
        ("p(x, $A(y)) :- e(x, y).", "1:6: not supported: an algebraic data type"),
        ('#include "x.dl"', "1:1: not supported: the preprocessor"),
        (".pragma \"a\"", "1:1: not supported: a pragma"),
        (".decl q(x: symbol) eqrel", "1:25: not supported: this relation qualifier (`eqrel`)"),
        ("p(x, y) :- e(x, y)", "1:19: the source ends inside this statement"),
        ('p(x, "y) :- e(x, _).', "1:6: this string has no closing quote"),
        ("p(x, y) :- e(x y).", "1:16: unexpected `y`"),
        ("p(x, y) :- e(x, y), n(y, 9999999999).", "1:26: number 9999999999 does not fit 32 bits"),
    ],
)  # fmt: skip
def test_what_is_outside_the_subset_is_named_with_its_place(text: str, said: str) -> None:
    found = errors(text)
    assert len(found) == 1 and found[0].startswith(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p(x, z) :- e(x, _).", "1:1: variable z is not bound"),
        ("p(x, y) :- e(x, y), !e(y, z).", "1:22: variable z is not bound"),
        ("p(x, x) :- e(x, _), z < x.", "1:23: variable z is not bound"),
        ("p(x, y) :- e(x, y), q(x).", "1:21: relation q is not declared"),
        ("p(x) :- e(x, _).", "1:1: p has 2 columns but 1 are given"),
        ("p(x, y) :- e(x, y), n(x, y).", "1:21: y is a symbol and a number"),
        ("p(x, 1) :- e(x, _).", "1:1: number 1 where a symbol is expected"),
        ("p(x, _) :- e(x, _).", "1:1: `_` in the head"),
        ("p(x, y) :- e(x, y), x < 3.", "1:23: number 3 where a symbol is expected"),
        ("p(x, y) :- e(x, y), !p(y, x).", "1:22: p depends on !p"),
        (".decl p(x: symbol)", "1:7: relation p is declared twice"),
        (".decl q(x: Colour)", "1:7: type Colour of q.x is not declared"),
        (".decl q(x: float)", "1:7: not supported: columns of type float"),
        (".type A <: B\n.type B <: A", "1:7: type A is declared by itself"),
        (".output q", "1:9: relation q is not declared"),
    ],
)
def test_what_makes_no_sense_is_named_with_its_place(text: str, said: str) -> None:
    assert errors(text)[0].startswith(said)


def test_several_mistakes_in_several_sources_are_told_at_once() -> None:
    with pytest.raises(DatalogError) as caught:
        Program.parse({"one.dl": DECLARED + "p(x :- e(x, x).\np(x, y) :- e(x, y).", "two.dl": "p(x, y+1) :- e(x, y)."})
    assert [(each.source, each.line) for each in caught.value.diagnostics] == [("one.dl", 7), ("two.dl", 1)]
    assert str(caught.value.diagnostics[1]).endswith("p(x, y+1) :- e(x, y).\n          ^")
    assert len(errors("p(x, z) :- e(x, _).\np(w, x) :- e(x, _).\nq(x) :- e(x, x).")) == 3


def test_what_is_in_the_subset() -> None:
    text = """
    .type Name <: symbol   // a subtype
    .type Any = Name | Other
    .type Other = symbol
    .decl edge(a: Name, b: Any) brie
    .decl weight(a: Name, w: number) .input edge, weight
    .decl big(a: Name, w: unsigned)  .input big
    /* several heads,
       and alternatives */
    .decl left(a: Name)
    .decl right(a: Name)
    .output left, right
    left(x), right(y) :- edge(x, y), (weight(x, w), w >= -1 ; weight(y, 0x10) ; x = "a \\"b\\"\\n").
    left("constant").
    right(y) :- edge(x, y), x < y, z = w, w = y, edge(z, _).
    right(x) :- big(x, w), w > 2147483647.
    left(x) :- big(x, 4000000000u), big(x, w), w > 5.
    .decl flag()
    .decl on(a: Name)  .output on
    flag() :- edge(_, _).
    on(x) :- edge(x, _), flag(), !right(x).
    """
    facts = {
        "edge": {("a", "b"), ("b", "a"), ('a "b"\n', "c"), ("c", "c")},
        "weight": {("a", -1), ("b", -2), ("c", 16)},
        "big": {("a", 4000000000), ("b", 7)},
    }
    evaluation = fresh(text, facts)  # type: ignore[arg-type]
    names = list(evaluation.program.stored)
    expected = evaluate(text, facts)  # type: ignore[arg-type]
    assert state(evaluation, names) == {name: expected[name] for name in names}
    assert ("constant",) in expected["left"] and ("a",) in expected["right"]


def test_only_what_an_output_needs_is_evaluated() -> None:
    text = DECLARED + ".decl q(x: symbol)  .output q\np(x, y) :- e(x, y).\nq(x) :- p(x, x).\n"
    program = Program.parse({"a.dl": text}, outputs=["p"])
    assert [stratum.relations for stratum in program.strata] == [("p",)]
    assert set(program.stored) == {"e", "n", "p"}
    with pytest.raises(DatalogError, match="output z is not declared"):
        Program.parse({"a.dl": text}, outputs=["z"])


def test_the_hash_is_of_the_meaning() -> None:
    base = Program.parse({"a.dl": DECLARED + "p(x, y) :- e(x, y)."}).hash
    assert Program.parse({"b.dl": DECLARED + "// a remark\np(u, v) :-\n e(u, v)."}).hash == base
    assert Program.parse({"a.dl": DECLARED + "p(y, x) :- e(x, y)."}).hash != base


def test_plans_start_from_the_change_and_filter_early() -> None:
    text = DECLARED + "p(x, z) :- n(w, 3), e(x, y), e(y, z), n(x, i), n(z, i), x != z, !e(z, x), e(w, x).\n"
    program = Program.parse({"a.dl": text})
    rule = program.strata[0].rules[0]
    for driver in range(HEAD, len(rule.body)):
        plan = program.plan(rule, driver)
        node, steps = plan.start, list(plan.start.filters)
        while node.choices:
            steps.append(node.choices[0])
            node = plan.after(node, node.choices[0])
            steps.extend(node.filters)
        lookups = [step for step in steps if isinstance(step, Lookup) and not step.absent]
        assert all(step.key_columns for step in lookups), "a cross product"
        assert len(steps) == len(rule.body) + 1 - (driver != HEAD)


def test_a_program_that_was_parsed_once_is_read_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache" / "program"
    sources = {"a.dl": DECLARED + 'p(x, y) :- e(x, y), !n(x, -3), (x != y ; e(y, "\\"")).\n', "b.dl": "// nothing\n"}
    parsed = Program.parse(sources, cache=cache)
    text = cache.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(parse, "parse", lambda _: pytest.fail("parsed again"))
        stored = Program.parse(sources, cache=cache)
    assert stored.hash == parsed.hash
    assert stored.strata == parsed.strata and stored.schemas == parsed.schemas
    for damaged in (b"", text[:-1], text.replace(b"p", b"q"), b"0 0\n[]", text[:100], b"\xff\n"):
        cache.write_bytes(damaged)
        assert Program.parse(sources, cache=cache).strata == parsed.strata
        assert cache.read_bytes() == text
    other = {**sources, "a.dl": sources["a.dl"] + "p(x, x) :- e(x, _)."}
    assert Program.parse(other, cache=cache).hash != parsed.hash
    with pytest.raises(DatalogError):
        Program.parse({"a.dl": DECLARED + "p(x, y) :- e(x, x)."}, cache=cache)
    with pytest.raises(DatalogError):
        Program.parse({"a.dl": DECLARED + "p(x, y) :- e(x, x)."}, cache=cache)
    assert Program.parse(sources, cache=tmp_path).hash == parsed.hash  # a folder: nothing can be kept there
