"""How functions of a file may be left, by the numbers that are passed; told to the calls that are lowered later."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.budget import NODE_STEPS
from pliant.extractors.c import forms, spreads
from pliant.extractors.c.declarations import CType
from pliant.extractors.c.entities import Exit, Form, Outcome, Variable
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.lowering.ranges import EVERYTHING, Number, Range, join, meet, point
from pliant.extractors.ssa import UNDEFINED, Value

_MOST = 12  # ways out of a function that are told apart


def summarize(lo: Lowering, name: str, kinds: tuple[CType, ...]) -> None:
    """Remember how the function that was just lowered is left. kinds: the types of its parameters."""
    fn = lo.fn
    numbers = [
        (position, value)
        for position, value in enumerate(fn.formals)
        if value in lo.numbers and spreads.RANGE in fn.fields_of.get(value, ())
    ]
    found = []
    for left in lo.exits:
        needs: dict[int, Range] = {}
        for position, value in numbers if len(lo.exits) <= _MOST else ():
            for block in left.blocks:
                shown = spreads.shown(lo, value, spreads.RANGE, block)
                if shown is not None:
                    needs[position] = meet(needs.get(position, EVERYTHING), shown)
        found.append(Outcome(needs, left.given, left.null, kinds, _left(lo, left), _sets(lo, left)))
    for position, value in numbers if found else ():
        needed = [each.needs.get(position, EVERYTHING) for each in found]
        if not any(meet(range_, point(0)) for range_ in needed):
            lo.emit("left_only", value, "true")
        elif all(range_ == point(0) for range_ in needed):
            lo.emit("left_only", value, "false")
    if len(found) > _MOST:
        some_left = frozenset[tuple[int, str]]().union(*(each.left for each in found))
        found = [Outcome({}, _given(found), "", kinds, some_left, _always_set(found))]
    if len(found) == 1:
        found[0].stores = _stores(lo, lo.exits[0])
    if name in lo.outcomes:  # defined again, under another condition
        found += lo.outcomes[name]
    lo.outcomes[name] = found


def _left(lo: Lowering, left: Exit) -> frozenset[tuple[int, str]]:
    positions = {formal: position for position, formal in enumerate(lo.fn.formals)}
    return frozenset(
        (positions[formal], field)
        for formal, field, content in left.paths
        if lo.is_literal_null(content) or content in lo.known_null or (positions[formal], field) in lo.handed_on
    )


def _sets(lo: Lowering, left: Exit) -> frozenset[str]:
    fn = lo.fn
    return frozenset(
        variable.name
        for key, variable in lo.shared.items()
        if variable is lo.globals.get(variable.name)
        and not _may_be(lo, fn.read(key, left.blocks[0]), fn.fixed_value(variable.cell))
    )


def _may_be(lo: Lowering, content: Value, entry: Value, depth: int = 6) -> bool:
    """Whether a shared variable may still be what it was at the entry of the function."""
    fn = lo.fn
    content = fn.resolve(content)
    operands = fn.operands(content)
    if operands is None or not depth:
        return content == UNDEFINED or operands is not None or fn.root(content) == entry
    return any(_may_be(lo, operand, entry, depth - 1) for operand in operands if operand != content)


def _always_set(some: list[Outcome]) -> frozenset[str]:
    return frozenset[str].intersection(*(each.sets for each in some))


def _stores(lo: Lowering, left: Exit) -> tuple[tuple[int, str, Number | None, int], ...]:
    """The numbers that the function has put where one of its parameters points to; of two, the second may be the first
    under another name."""
    fn = lo.fn
    formals = {formal: position for position, formal in enumerate(fn.formals)}
    found: list[tuple[int, str, Number | None, int]] = []
    for formal, position in formals.items():
        for field in fn.fields_of.get(formal, ()) if formal not in lo.numbers and formal not in lo.stack else ():
            value = fn.content((formal, field), left.blocks[0]) if field[:1] not in "$[" else UNDEFINED
            known = lo.forms.get(value)
            if known is not None and known.constant == 0 and len(known.terms) == 1 and known.terms[0][0] in lo.numbers:
                if known.terms[0][1] == 1:
                    found.append((position, field, None, formals[known.terms[0][0]]))
            elif known is not None and not known.terms:
                found.append((position, field, known.constant, 0))
    return tuple(found) if len({position for position, *_ in found}) == 1 else ()


def _given(some: list[Outcome]) -> Range | None:
    ranges = [each.given for each in some if each.given is not None]
    return join(ranges) if ranges and len(ranges) == len(some) else None


def _passed(lo: Lowering, node: Node, kind: CType) -> Form | None:
    """The number `node` as a parameter of that type; None if it is another one there, as -1 where it is unsigned."""
    known = forms.form(lo, node)
    return known if known is not None and spreads.fits(lo, known, kind) else None


def returned(lo: Lowering, name: str, call: Value, given: list[Node], values: list[Value]) -> None:
    """What a call of the function `name` may give, and what its arguments are behind it."""
    some, fn = lo.outcomes[name], lo.fn
    fn.spend(sum(len(each.left) + NODE_STEPS * (1 + len(each.needs) + len(each.sets)) for each in some))
    left_null = sorted(set().union(*(each.left for each in some)))
    positions = {formal: position for position, formal in enumerate(fn.formals)} if left_null else {}
    for position, field in left_null:
        root = fn.root(values[position]) if position < len(values) else fn.opaque
        if root in fn.formals:  # what the call leaves there is what this function leaves there
            fn.fields_of.setdefault(root, {})[field] = None
            lo.handed_on.add((positions[root], field))
    passed = {position: each.kinds[position] for each in some for position in each.needs if position < len(given)}
    passed_forms = {position: _passed(lo, given[position], kind) for position, kind in passed.items()}
    ranges = {position: spreads.spread(lo, known) for position, known in passed_forms.items() if known is not None}
    left: list[Outcome] = []
    ruled_out: list[Outcome] = []
    for each in some:
        possible = all(meet(ranges.get(position, EVERYTHING), need) for position, need in each.needs.items())
        (left if possible else ruled_out).append(each)
    if not left:
        fn.stop()
        return
    if (numbers := _given(left)) is not None and numbers != EVERYTHING:
        lo.ranges[call] = numbers
        if numbers[0][0] > 0:
            fn.nonnull.add(call)  # a pointer that is never null
    for null in sorted({each.null for each in ruled_out} - {each.null for each in left} - {""}):
        lo.emit("rules_out", call, fn.fixed_value(null))
    for variable in sorted(_always_set(left)):
        _set_by(lo, lo.globals[variable], call)
    for position, field, number, source in left[0].stores if len(some) == 1 else ():
        if max(position, source) >= len(given):
            continue
        stored = Form((), number) if number is not None else _passed(lo, given[source], left[0].kinds[source])
        root = fn.root(values[position])
        if stored is not None and root not in (UNDEFINED, fn.opaque):
            value = lo.a_number()
            lo.forms[value] = stored
            fn.write((root, field), value)
            lo.read_at[(root, field)] = lo.epoch
    for position, known in passed_forms.items():
        if known is not None and len(known.terms) == 1 and all(position in each.needs for each in left):
            spreads.show_range(lo, known, join(each.needs[position] for each in left))


def _set_by(lo: Lowering, variable: Variable, call: Value) -> None:
    """A shared variable behind a call, which always writes it."""
    fn = lo.fn
    shared = fn.fixed_value(variable.cell)
    fn.entry_values.setdefault(variable.key, shared)
    after = fn.value(lo.writer.name(lo.qualname, f"{variable.name} after calls"))
    fn.define(after, "assign_object", after, shared)
    fn.define(after, "variable_after", after, call, variable.cell)
    fn.write(variable.key, after)
    lo.read_at[variable.key] = lo.epoch
