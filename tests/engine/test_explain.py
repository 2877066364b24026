"""The text of a program's plans says what is done, in which order, and why."""

from __future__ import annotations

from programs import fresh
from test_choices import ATTRIBUTES
from test_cyclic import STARS

from pliant.engine import Program
from pliant.engine.datalog.explain import explain

PROGRAM = """.decl edge(a: symbol, b: symbol)  .input edge
.decl stop(a: symbol, why: symbol)  .input stop
.decl path(a: symbol, b: symbol)
.decl end(a: symbol)  .output end
path(x, y) :- edge(x, y), x != "a \\"b\\"".
path(x, z) :- path(x, y), edge(y, z), !stop(y, _).
end(y) :- path("a", y).
"""


def test_the_plans_of_a_small_program() -> None:
    assert explain(Program.parse({"p.dl": PROGRAM})) == r"""inputs: edge, stop
outputs: end

stratum 0, recursive: path
  rule 0: path(x, y) :- edge(x, y), x != "a \"b\"".
    at p.dl:5:1
    from changes of edge(x, y)
      keep where x != "a \"b\""
    from given tuples of path(x, y)
      keep where x != "a \"b\""
      keep where present: edge(x, y) by columns 0, 1
  rule 1: path(x, z) :- path(x, y), edge(y, z), !stop(y, _).
    at p.dl:6:1
    from changes of path(x, y)
      keep where absent: stop(y, _) by column 0
      join edge(y, z) by column 0: the last atom
    from changes of edge(y, z)
      keep where absent: stop(y, _) by column 0
      join path(x, y) by column 1: the last atom
    from changes of !stop(y, _)
      join path(x, y) by column 1: 1 new value, 1 bound column
        rather than edge(y, z) by column 0: 1 new value, 1 bound column
      join edge(y, z) by column 0: the last atom
    from given tuples of path(x, z)
      join path(x, y) by column 0: 1 new value, 1 bound column
        rather than edge(y, z) by column 1: 1 new value, 1 bound column
      keep where absent: stop(y, _) by column 0
      keep where present: edge(y, z) by columns 0, 1

stratum 1, not recursive: end
  rule 2: end(y) :- path("a", y).
    at p.dl:7:1
    from changes of path("a", y)
      where column 0 is "a"
    from given tuples of end(y)
      keep where present: path("a", y) by columns 0, 1
"""  # fmt: skip


def test_with_an_evaluation_the_fan_outs_that_decide_are_told() -> None:
    points_to = {(base, many) for base in range(3) for many in range(4)}
    facts = {"access": {(7, base, 5) for base in range(3)}, "points_to": points_to, "field": {(0, 5, 9)}}
    text = explain(Program.parse({"p.dl": ATTRIBUTES}), fresh(ATTRIBUTES, facts))  # type: ignore[arg-type]
    assert "inputs: access (3 rows), points_to (12 rows), field (1 row)\n" in text
    assert (
        "    from changes of access(v, base, name)\n"
        "      join field(o, name, x) by column 1: fan-out 1.0\n"
        "        rather than points_to(base, o) by column 0: fan-out 4.0\n"
        "        or, where fewer, extend by o, proposed by points_to(base, o) by column 0"
        " or field(o, name, x) by column 1\n"
        "      keep where present: points_to(base, o) by columns 0, 1\n"
    ) in text


def test_a_product_that_cannot_be_avoided_is_told() -> None:
    text = explain(Program.parse({"p.dl": PROGRAM + "end(x) :- stop(x, x), edge(y, z), edge(z, y).\n"}))
    assert "      join edge(y, z), every row: no atom shares a variable; 2 new values, 0 bound columns\n" in text


def test_a_stratum_of_an_aggregate_says_what_is_grouped_by_what() -> None:
    text = PROGRAM + ".decl n(a: symbol, i: number)  .output n\nn(x, i) :- end(x), i = count : { stop(x, _) }.\n"
    explained = explain(Program.parse({"p.dl": text}))
    assert "stratum 2, not recursive: @count1\n  stop by column 0: count : { stop(x, _) }\n" in explained


def test_projections_are_told() -> None:
    text = explain(Program.parse({"p.dl": PROGRAM + "end(x) :- edge(x, y), stop(y, _).\n"}))
    assert (
        "stratum 1, not recursive: stop@0\n"
        "  the distinct (a) of stop, for atoms that leave its other columns unnamed\n"
        "  rule 4: stop@0(a) :- stop(a, _).\n"
    ) in text
    assert "  rule 3: end(x) :- edge(x, y), stop@0(y).\n" in text
    assert "    from changes of edge(x, y)\n      keep where present: stop@0(y) by column 0\n" in text


def test_extensions_by_a_variable_are_told() -> None:
    text = explain(Program.parse({"p.dl": STARS}))
    assert (
        "    from changes of e(x, y)\n"
        "      join r(x, z, w) by column 0: 2 new values, 1 bound column\n"
        "        rather than s(y, z, u) by column 0: 2 new values, 1 bound column\n"
        "        or, where fewer, extend by z, proposed by r(x, z, w) by column 0 or s(y, z, u) by column 0\n"
        "        or, where fewer, extend by w, proposed by r(x, z, w) by column 0, validated by t(w, u)\n"
    ) in text
