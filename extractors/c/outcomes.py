"""How functions of a file may be left, by the numbers that are passed; told to the calls that are lowered later."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c import numeric
from pliant.extractors.c.entities import Outcome
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.c.ranges import EVERYTHING, Range, join, meet
from pliant.extractors.ssa import Value

_MOST = 12  # ways out of a function that are told apart


def summarize(lo: Lowering, name: str) -> None:
    """Remember how the function that was just lowered is left."""
    fn = lo.fn
    numbers = [
        (position, value)
        for position, value in enumerate(fn.formals)
        if value in lo.numbers and numeric.RANGE in fn.fields_of.get(value, ())
    ]
    found = []
    for left in lo.exits:
        needs = {}
        for position, value in numbers if len(lo.exits) <= _MOST else ():
            shown = numeric.shown(lo, value, numeric.RANGE, left.block)
            if shown is not None:
                needs[position] = shown
        found.append(Outcome(needs, left.given, left.null))
    if len(found) > _MOST:
        found = [Outcome({}, _given(found), "")]
    if name in lo.outcomes:  # defined again, under another condition
        found += lo.outcomes[name]
    lo.outcomes[name] = found


def _given(some: list[Outcome]) -> Range | None:
    ranges = [each.given for each in some if each.given is not None]
    return join(ranges) if ranges and len(ranges) == len(some) else None


def returned(lo: Lowering, name: str, call: Value, given: list[Node]) -> None:
    """What a call of the function `name` may give, and what its arguments are behind it."""
    some = lo.outcomes[name]
    passed = {position: None for each in some for position in each.needs if position < len(given)}
    forms = {position: numeric.form(lo, given[position]) for position in passed}
    ranges = {position: numeric.spread(lo, known) for position, known in forms.items() if known is not None}
    left: list[Outcome] = []
    ruled_out: list[Outcome] = []
    for each in some:
        possible = all(meet(ranges.get(position, EVERYTHING), need) for position, need in each.needs.items())
        (left if possible else ruled_out).append(each)
    if not left:
        lo.fn.stop()
        return
    if (numbers := _given(left)) is not None and numbers != EVERYTHING:
        lo.ranges[call] = numbers
    for null in {each.null for each in ruled_out} - {each.null for each in left} - {""}:
        lo.emit("rules_out", call, lo.fn.fixed_value(null))
    for position, known in forms.items():
        if known is not None and len(known.terms) == 1 and all(position in each.needs for each in left):
            numeric.show_range(lo, known, join(each.needs[position] for each in left))
