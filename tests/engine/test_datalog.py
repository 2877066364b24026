"""The language: what is in gives rules and plans, what is out gives errors with their place."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from oracle import evaluate
from programs import examples, fresh, state

from pliant.engine import DatalogError, Program
from pliant.engine.datalog import compiler
from pliant.engine.datalog.io import FactFile
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
        ("p(x, y) :- e(x, y), n(x, mean i : { n(_, i) }).", "1:26: not supported: the aggregate `mean`"),
        ("p(x, y) :- e(x, y), n(x, i + 1).", "1:28: not supported: arithmetic"),
        (".comp Graph { }", "1:1: not supported: a component"),
        (".functor f(x: symbol): symbol", "1:1: not supported: a functor"),
        ("p(x, cat(x, y)) :- e(x, y).", "1:6: not supported: a functor (`cat`)"),
        ("p(x, @f(y)) :- e(x, y).", "1:6: not supported: a functor (`@f`)"),
        ("p(x, x) :- e(x, y), n(x, min(1, 2)).", "1:31: not supported: a functor (`min(...)`"),
        ("p(x, x) :- e(x, y), n(x, range(1, 2)).", "1:26: not supported: a functor (`range`)"),
        ("p(x, as(y, symbol)) :- e(x, y).", "1:6: not supported: a functor (`as`)"),
        ("p(x, nil) :- e(x, y).", "1:6: not supported: a record (`nil`)"),
        ("p(x, x) :- e(x, y), match(\".*\", y).", "1:21: not supported: a constraint on the text"),
        ("p(x, x) :- e(x, y), contains(x, y).", "1:21: not supported: a constraint on the text"),
        ("p(x, x) :- e(x, y), n(x, 1.5).", "1:26: not supported: a float (`1.5`)"),
        ("p(x, x) :- e(x, y), n(x, 1.2.3.4).", "1:26: not supported: a number written as an IP address"),
        ("p(x, y) <= p(x, z) :- e(x, y), e(y, z).", "1:9: not supported: subsumption"),
        ("p(x, y) <=\n p(x, z) :- e(x, y), e(y, z).", "1:9: not supported: subsumption (`<= p`)"),
        ("p(x, x) :- e(x, y). .plan 0:(1)", "1:21: not supported: an explicit plan"),
        ("p(x, $) :- e(x, _).", "1:6: not supported: an algebraic data type or the counter"),
        ("p(x, x) :- e(x, y), n(x, autoinc()).", "1:26: not supported: a counter"),
        ("p(x, x) :- e(x, y), n(x, i), n(x, -i).", "1:35: not supported: arithmetic (`-`)"),
        ("p(x, x) :- e(x, y), n(x, i), n(x, i band 1).", "1:37: not supported: arithmetic (`band`)"),
        (".comp Graph {\n.decl a(x: symbol)\na(x) :- b(x, [y]).\n}", "1:1: not supported: a component"),
        (".init g = Graph", "1:1: not supported: a component"),
        (".type R = [a: number]", "1:11: not supported: a record"),
        (".type R = A { a: number }", "1:13: not supported: an algebraic data type"),
        (".lattice L<> { Lub -> @l(_, _) }", "1:1: not supported: a lattice"),
        (".decl q(x: symbol<>)", "1:18: not supported: a lattice's column"),
        (".decl q(x: symbol, y: symbol) choice-domain (x)", "1:31: not supported: this relation qualifier"),
        (".decl q = debug_delta(p)", "1:9: not supported: a copy of a relation's delta"),
        ("@[a = b] p(x, x) :- e(x, x).", "1:1: not supported: an annotation"),
        (".limitsize p(n=10)", "1:1: not supported: a size limit"),
        ("#define A 1", "1:1: not supported: the preprocessor"),
        (".include \"x.dl\"", "1:1: not supported: an included file"),
        ("p(x, x) :- e(x, x), n(x, count).", "1:31: `count` is an aggregate: `count ... : { ... }` is expected"),
        ("p(x, \"\\q\") :- e(x, x).", "1:6: `\\q` is no escape sequence"),
        ("p(x, [y, x]) :- e(x, y).", "1:6: not supported: a record"),
        ("p(x, $A(y)) :- e(x, y).", "1:6: not supported: an algebraic data type"),
        ('#include "x.dl"', "1:1: not supported: the preprocessor"),
        (".pragma \"a\"", "1:1: not supported: a pragma"),
        (".decl q(x: symbol) eqrel", "1:20: not supported: this relation qualifier (`eqrel`)"),
        ("p(x, y) :- e(x, y)", "1:19: the source ends inside this statement"),
        ('p(x, "y) :- e(x, _).', "1:6: this string has no closing quote"),
        ("p(x, y) :- e(x y).", "1:16: unexpected `y`"),
        ("p(x, y) :- e(x, y)\n\np(y, x) :- e(x, y).", "1:19: a full stop is missing"),
        ("p(x, y) :- e(x, y),\n q(x, y) q(y, x).", "2:10: unexpected `q`"),
        ("p(x, y) :- e(x, y), n(y, 9999999999).", "1:26: number 9999999999 does not fit 32 bits"),
        (f"p(x, y) :- {'e(x, y), ' * 99}e(y, x), x < y.", "1:1: this body has 101 literals; at most 100 are supported"),
        (f"n(x, count : {{ {'e(x, _), ' * 99}e(x, y) }}) :- e(x, _).", "1:1: this body has 102 literals"),
        (f"p(x, y) :- e(x, y), n(y, {'9' * 5000}).", f"1:26: number {'9' * 60}... does not fit 32 bits"),
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
        ("p(x, y) :- e(x, y), n(y, 2147483648).", "1:21: 2147483648 is no number of 32 bits (n.i) in the rule for p"),
        ("p(x, y) :- e(x, y), n(y, i), i > 4000000000.", "1:32: 4000000000 is no number of 32 bits (>)"),
        (".decl q(x: unsigned)\nq(-1).", "2:1: -1 is no unsigned of 32 bits (q.x)"),
        (".decl q(x: unsigned)\nq(x) :- n(_, x).", "2:9: x is a unsigned and a number (n.i)"),
        ("p(x, y) :- e(x, y), n(y, 3u).", "1:21: unsigned 3 where a number is expected"),
        ("p(x, y) :- e(x, y), !p(y, x).", "1:22: p depends on !p"),
        (".decl p(x: symbol)", "1:7: relation p is declared twice"),
        (".type q <: symbol\n.decl q(x: q)", "2:7: q is a type and a relation"),
        (".decl q(x: Colour)", "1:7: type Colour of q.x is not declared"),
        (".decl q(x: float)", "1:7: not supported: columns of type float"),
        (".type A <: B\n.type B <: A", "1:7: type A is declared by itself"),
        (".output q", "1:9: relation q is not declared"),
        ('.input e(IO=sqlite, dbname="x")', "1:10: not supported: IO=sqlite"),
        (".output p(rfc4180=true)", "1:11: not supported: parameter `rfc4180` of .output"),
        ('.output p(headers=true, delimiter="")', "1:11: not supported: parameter `headers` of .output"),
        ('.output p(delimiter="")', "1:11: delimiter '' of .output p cannot be used"),
        (".printsize p(IO=file)", "1:14: not supported: parameter `IO` of .printsize"),
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


def test_every_statement_that_is_wrong_is_told() -> None:
    text = """
p(x, [x]) :- e(x, x).
.comp Graph { .decl a(x: symbol)
  a(x) :- b(x, [y]). }
p(x, x) :- e(x, x).  .input e(a=1), q
p(x, y) :- e(x, y)
p(y, x) :- e(x, y).
#define A B
.functor f(x: symbol): symbol
p(x, y) :- (e(x, y) ; .
.pragma "x" "y"
p(x, x) :- e(x, "open).
.decl d(x: symbol) choice-domain (x)
p(x, x) :- e(x, x), /* not closed
"""
    places = [found.split(": ")[0] for found in errors(text)]
    assert places == ["2:6", "3:1", "5:35", "6:19", "8:1", "9:1", "10:23", "11:1", "12:17", "13:20", "14:21"]


def test_a_body_that_is_hostile_is_refused() -> None:
    wide = ", ".join(["(e(x, x) ; e(x, x))"] * 60)
    assert errors(f"p(x, x) :- {wide}.") == ["1:1: the disjunctions of this body multiply to more than 10000 rules"]
    assert errors(f"p(x, x) :- {'(' * 3000}e(x, x){')' * 3000}.") == ["1:1: this statement is nested too deeply"]


def test_files_of_inputs_and_outputs() -> None:
    text = r"""
    .decl a(x: number) input
    .decl b(x: symbol)
    .decl c(x: symbol) printsize
    .input a(IO=file, filename="more/a.tsv", delimiter=",", headers=false)
    .input b
    .output c
    .output b(delimiter="\t|")
    .output b(IO="file", filename="b.out")
    .printsize b
    c(x) :- b(x).
    """
    program = Program.parse({"a.dl": text})
    assert program.io.inputs == {
        "a": (FactFile("a.facts"), FactFile("more/a.tsv", ",")),
        "b": (FactFile("b.facts"),),
    }
    assert program.io.outputs == {"c": (FactFile("c.csv"),), "b": (FactFile("b.csv", "\t|"), FactFile("b.out"))}
    assert program.io.sizes == ("c", "b")
    assert set(program.outputs) == {"b", "c"} and set(program.inputs) == {"a", "b"}


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
    on(x) :- edge(x, y), !(x < y ; !edge(y, x), x != "a'") , true.
    on(x) :- edge(x, _), !!flag(), (false ; !(right(x), !(edge(x, x)))).
    on("\\a'") :- (1) < 2, !false.
    """
    facts = {
        "edge": {("a", "b"), ("b", "a"), ('a "b"\n', "c"), ("c", "c")},
        "weight": {("a", -1), ("b", -2), ("c", 16)},
        "big": {("a", 4000000000), ("b", 7)},
    }
    evaluation = fresh(text, facts)  # type: ignore[arg-type]
    names = [name for name in evaluation.program.stored if name in evaluation.program.schemas]
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
        patch.setattr(compiler, "compiled", lambda *_: pytest.fail("compiled again"))
        stored = Program.parse(sources, cache=cache)
    assert stored.hash == parsed.hash
    assert stored == parsed
    sources_of = [[rule.source for each in program.strata for rule in each.rules] for program in (stored, parsed)]
    assert sources_of[0] == sources_of[1] and any(sources_of[0])
    for damaged in (b"", text[:-1], text.replace(b"p", b"q"), b"0 0\n[]", text[:100], b"\xff\n"):
        cache.write_bytes(damaged)
        assert Program.parse(sources, cache=cache).strata == parsed.strata
        assert cache.read_bytes() == text
    assert Program.parse(sources, iter(["e"]), cache=cache).outputs == ("e",)
    other = {**sources, "a.dl": sources["a.dl"] + "p(x, x) :- e(x, _)."}
    assert Program.parse(other, cache=cache).hash != parsed.hash
    with pytest.raises(DatalogError):
        Program.parse({"a.dl": DECLARED + "p(x, y) :- e(x, x)."}, cache=cache)
    with pytest.raises(DatalogError):
        Program.parse({"a.dl": DECLARED + "p(x, y) :- e(x, x)."}, cache=cache)
    assert Program.parse(sources, cache=tmp_path).hash == parsed.hash  # a folder: nothing can be kept there


AGGREGATES = """
.decl e(x: symbol, i: number)  .input e
.decl f(i: number)  .input f
.decl big(u: unsigned)  .input big
.decl a(x: symbol, n: number)  .output a
.decl all(n: number, m: number)  .output all
.decl first(x: symbol)  .output first
.decl below(i: number, n: number)  .output below
.decl total(u: unsigned)  .output total
.decl rows(n: number)  .output rows
.decl none(n: number)  .output none
.decl local(i: number, n: number)  .output local
.decl nested(x: symbol)  .output nested
.decl zero(x: symbol)  .output zero
.decl after(n: number)  .output after
a(x, n) :- e(x, _), n = count : { e(x, i), f(i) }.
all(sum i : e(_, i), min i : { f(i) }), all(count : { f(_) }, max 3 : { f(_) }).
first(x) :- e(x, i), i = min j : { e(_, j) }, !(i > 5).
below(i, n) :- f(i), n = sum j : { f(j), j < i, !e("b", j) }.
total(sum u : { big(u) }).
rows(sum i : { e(_, i) }), rows(sum i : { e(_, i), f(_) }), rows(count : { e(_, _), f(_) }).
none(min i : { f(i), i < -1000 }).
local(i, n) :- f(i), n = max i : { f(i) }.
nested(x) :- e(x, _), 0 < count : { e(x, i), i < max j : { e(x, j), j < count : { f(_) } } }.
zero(x) :- e(x, _), 0 = count : { e(x, i), f(i) }.
after(m) :- f(i), n = count : { f(j), j < i }, m = sum k : { f(k), k <= n }.
"""
AGGREGATE_FACTS = {
    "e": {("a", 1), ("a", 2), ("a", 7), ("b", 1), ("c", 2**31 - 1), ("d", 2)},
    "f": {(1,), (2,), (5,), (-3,), (2**31 - 1,)},
    "big": {(2**32 - 1,), (2**31,), (5,)},
}


def test_aggregates() -> None:
    evaluation = fresh(AGGREGATES, AGGREGATE_FACTS)  # type: ignore[arg-type]
    found = state(evaluation)
    assert found == evaluate(AGGREGATES, AGGREGATE_FACTS)  # type: ignore[arg-type]
    assert set(found["a"]) == {("a", 2), ("b", 1), ("c", 1), ("d", 1)}
    assert set(found["all"]) == {(-(2**31) + 12, -3), (5, 3)}
    assert set(found["first"]) == {("a",), ("b",)}
    assert set(found["below"]) == {(-3, 0), (1, -3), (2, -3), (5, -1), (2**31 - 1, 4)}
    assert set(found["total"]) == {(2**31 + 4,)}
    assert set(found["rows"]) == {(-(2**31) + 12,), (-(2**31) + 9,), (1,)}
    assert found["none"] == {} and set(found["nested"]) == {("a",)} and found["zero"] == {}
    assert set(found["local"]) == {(i, 2**31 - 1) for (i,) in AGGREGATE_FACTS["f"]}
    assert set(found["after"]) == {(-3,), (-2,), (0,)}
    assert not any("@" in name for name in evaluation.program.schemas)


def test_a_witness_is_a_row_that_has_the_extreme_value() -> None:
    text = """
    .decl e(x: symbol, y: symbol, i: number)  .input e
    .decl tallest(x: symbol, i: number)  .output tallest
    .decl of(y: symbol, x: symbol)  .output of
    tallest(x, i) :- i = max j : { e(x, _, j) }.
    of(y, x) :- e(_, y, _), i = min i : { e(x, y, i), x != "b" }, i > 0.
    """
    rows = {("a", "p", 3), ("b", "p", 9), ("c", "q", 9), ("d", "q", 4), ("b", "r", 1), ("a", "s", -1), ("e", "q", 4)}
    found = state(fresh(text, {"e": rows}))
    assert set(found["tallest"]) == {("b", 9), ("c", 9)}
    assert set(found["of"]) == {("p", "a"), ("q", "d"), ("q", "e")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p(x, x) :- e(x, _), 1 < count i : { n(x, i) }.", "1:25: count takes no target"),
        ("p(x, x) :- e(x, _), 1 < sum : { n(x, i) }.", "1:25: sum takes a variable or a constant"),
        ("p(x, x) :- e(x, _), 1 < sum i + 1 : { n(x, i) }.", "1:31: not supported: arithmetic"),
        ("p(x, x) :- e(x, _), 1 < sum i : { n(x, i) ; n(_, i) }.", "1:25: not supported: a disjunction inside"),
        ("p(x, x) :- e(x, _), x = max y : { e(x, y) }.", "1:25: max of a symbol: numbers are expected in `max y : {"),
        ("p(x, x) :- e(x, _), x = count : { e(x, y) }.", "1:23: the value of an aggregate is a number and a"),
        ("p(x, x) :- e(x, _), 1 < sum i : { e(x, _) }.", "1:25: variable i is not bound by a positive atom in `sum i"),
        ("p(x, x) :- e(x, _), 1 < count : { !e(x, _) }.", None),
        ("p(x, x) :- e(x, _), 1 < count : { n(_, i), i < j }.", "1:25: variable j is not bound by a positive atom in"),
        ("p(x, y) :- e(x, _), 1 < count : { e(x, y) }.", "1:25: variable y is bound only inside `count : { e(x, y) }`"),
        (
            "p(x, y) :- p(x, y), 1 < count : { p(x, _) }.",
            "1:25: p depends on `count : { p(x, _) }`, which depends on p",
        ),
        ("p(x, y) :- p(x, y), 1 < count : { e(_, z), z < y }.", "1:25: variable y is not bound inside `count : { e("),
        (
            ".decl q(x: symbol)\nq(x) :- p(x, _).\np(x, y) :- e(x, y), 1 < count : { q(x), e(x, _) }.",
            "3:25: p depends on `count : { q(x), e(x, _) }`, which depends on p (p -> q -> p): an aggregate inside",
        ),
        (
            ".decl q(x: symbol)\nq(x) :- p(x, _).\np(x, y) :- e(x, y), 1 < count : { e(x, _), !q(x) }.",
            "3:25: p depends on `count : { e(x, _), !q(x) }`, which depends on p",
        ),
    ],
)
def test_mistakes_of_aggregates_are_told(text: str, said: str | None) -> None:
    if said is None:
        Program.parse({"a.dl": DECLARED + text})
        return
    found = errors(text)
    assert found[0].startswith(said)


def test_equal_aggregates_are_kept_once() -> None:
    text = """
    p(x, x) :- e(x, _), 1 < count : { e(x, y), n(y, _) }.
    p(x, x) :- e(_, x), 2 < count : { e(x, k), n(k, _) } ; e(x, _), 1 = count : { e(x, _) }.
    """
    program = Program.parse({"a.dl": DECLARED + text})
    assert [name for name in program.stored if name.startswith("@")] == ["@rows1", "@count1", "@count2"]


def test_a_wildcard_of_a_negated_atom_in_an_aggregate_is_no_row() -> None:
    text = DECLARED + ".decl c(n: number)  .output c\nc(count : { e(x, _), e(_, y), !n(x, _), !n(y, 3) }).\n"
    facts = {"e": {("a", "b"), ("b", "c"), ("c", "a")}, "n": {("a", 1), ("a", 2), ("c", 3)}}
    found = state(fresh(text, facts), ["c"])  # type: ignore[arg-type]
    assert set(found["c"]) == {(2,)}
    assert found["c"] == evaluate(text, facts)["c"]  # type: ignore[arg-type]


@settings(max_examples=examples(60), phases=[Phase.generate])
@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_whatever_is_wrong_is_told_with_its_place(random: Random, mistakes: int) -> None:
    pieces = re.findall(r'"[^"]*"|\.[a-z]+\b|\w+|:-|\s+|.', AGGREGATES)
    odd = [
        "[",
        "$",
        "#",
        "/*",
        '"',
        ".comp",
        ".init",
        "{",
        "}",
        "@",
        "9999999999",
        "1.5",
        "<=",
        "max",
        "nil",
        "é",
        "\0",
    ]
    for _ in range(mistakes):
        place = random.randrange(len(pieces))
        pieces[place : place + random.randrange(2)] = [random.choice([*pieces, *odd])] * random.randrange(2)
    text = "".join(pieces)
    try:
        Program.parse({"a.dl": text})
    except DatalogError as error:
        lines = text.split("\n")
        for each in error.diagnostics:
            assert each.message and 1 <= each.column <= len(lines[each.line - 1]) + 1


def test_a_pipe_in_the_place_of_a_compiled_program_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.json")
    text = {"p.dl": ".decl e(x:symbol) .input e .decl p(x:symbol) .output p p(x) :- e(x)."}
    for _ in range(2):
        assert Program.parse(text, cache=tmp_path / "p.json").hash == Program.parse(text).hash
    assert (tmp_path / "p.json").is_file()
