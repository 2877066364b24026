"""What plans do first: the change, then what only removes rows, then what is connected and bound most."""

from __future__ import annotations

from cProfile import Profile

import pytest
from programs import batch, fresh

from pliant.engine import Program
from pliant.engine.datalog.plan import HEAD, Compare, Lookup

DECLARED = """
.decl a(x: number)  .input a
.decl b(x: number)  .input b
.decl e(x: number, y: number)  .input e
.decl r(x: number, k: symbol, y: number)  .input r
.decl p(x: number, y: number)  .output p
"""


def steps(rule: str, driver: int) -> list[str]:
    """The steps of a plan if nothing is known: `+` joins, `?` filters by a lookup, `!` by absence, `<>` compares."""
    program = Program.parse({"p.dl": DECLARED + rule})
    compiled = next(rule for stratum in program.strata for rule in stratum.rules if rule.head == "p")
    plan = program.plan(compiled, driver)
    told, node = [], plan.start

    def of(lookup: Lookup) -> str:
        return lookup.relation + "".join(map(str, lookup.key_columns))

    while True:
        for step in node.filters:
            told.append("<>" if isinstance(step, Compare) else ("!" if step.absent else "?") + of(step))
        if not node.choices:
            return told
        told.append("+" + of(node.choices[0]))
        node = plan.after(node, node.choices[0])


@pytest.mark.parametrize(
    ("rule", "driver", "expected"),
    [
        # A product of a and b can be avoided from every side.
        ("p(x, y) :- a(x), b(y), e(x, y).", 0, ["+e0", "?b0"]),
        ("p(x, y) :- a(x), b(y), e(x, y).", 2, ["?a0", "?b0"]),
        ("p(x, y) :- a(x), b(y), e(x, y).", HEAD, ["?a0", "?b0", "?e01"]),
        # Here it cannot; what is connected comes first.
        ("p(x, y) :- a(x), b(y), e(x, z), z > 3.", 0, ["+e0", "<>", "+b"]),
        # A selection is part of the key, also where it is all of it.
        ('p(x, y) :- e(x, z), r(z, "k", y).', 0, ["+r01"]),
        ('p(x, y) :- a(x), r(z, "k", y), z = 3.', 0, ["+r01"]),
        # Comparisons and absences come as soon as they are bound, absences before atoms that may be looked up, too.
        ("p(x, z) :- a(x), e(x, y), e(y, z), x != y, !b(y), b(z).", 0, ["+e0", "<>", "!b0", "+e0", "?b0"]),
        # An atom that only asks whether a row exists is a filter, before joins.
        ("p(x, z) :- a(x), e(x, y), e(y, z), r(x, _, w).", 0, ["?r@00", "+e0", "+e0"]),
        ("p(x, z) :- a(x), e(x, z), b(_).", 1, ["?a0", "?b@"]),
        # The most bound columns and the fewest new values win.
        ("p(x, y) :- a(x), r(x, k, z), e(x, y), r(y, k, z).", 0, ["+e0", "+r0", "?r012"]),
        ("p(x, y) :- e(x, z), r(x, k, y), e(z, y).", 0, ["+r@0,20", "?e01"]),
    ],
)
def test_the_order_of_steps(rule: str, driver: int, expected: list[str]) -> None:
    assert steps(rule, driver) == expected


def test_an_update_starts_from_the_change_and_bootstrap_from_what_is_small() -> None:
    many = {(index, index + 1) for index in range(500)}
    text = DECLARED + "p(x, z) :- e(x, y), e(y, z), a(x)."
    evaluation = fresh(text, {"e": many, "a": {(7,)}})
    assert [(cost.driver, cost.driven, cost.joined) for cost in evaluation.profile] == [("a", 1, 3)]
    evaluation.update(insert=batch({"a": {(9,)}}), strategy="update")
    assert [(cost.driver, cost.driven, cost.joined) for cost in evaluation.profile] == [("a", 1, 3)]
    evaluation.update(insert=batch({"e": {(8, 700)}}), strategy="update")
    assert {(cost.driver, cost.driven) for cost in evaluation.profile} == {("e", 1)}
    assert sum(cost.joined for cost in evaluation.profile) < 10


def test_plans_of_a_body_cost_no_more_than_its_cube() -> None:
    """A plan for each of n atoms has n nodes with up to n choices each."""

    def calls(atoms: int) -> int:
        body = ", ".join(f"p(x, y{number})" for number in range(atoms))
        program = Program.parse({"p.dl": f"{DECLARED}p(x, y0) :- {body}."})
        rule = next(rule for stratum in program.strata for rule in stratum.rules if len(rule.body) == atoms)
        profile = Profile()
        profile.enable()
        for driver in range(HEAD, atoms):
            plan = program.plan(rule, driver)
            node = plan.start
            while node.choices:
                node = plan.after(node, node.choices[0])
        profile.disable()
        return sum(entry.callcount for entry in profile.getstats())

    assert calls(40) < 9 * calls(20)
