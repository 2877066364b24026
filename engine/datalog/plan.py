"""Rules to plans: a driver that supplies rows, then lookups, absences and comparisons, as early as they can be made.

A plan is delta-first: the driver is one literal of the body (or the head, for plans that ask how given tuples are
derived), the other atoms follow greedily by what is bound. Plans hold no data and no symbol ids: a constant is an
index into the program's constants, so that a plan outlives the evaluation that asked for it.

An operand is an int: a variable if it is >= 0, else the constant `~operand`. None stands for `_`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .syntax import Kind, Operator, Rule

Operand = int
HEAD = -1  # as a driver: the plan binds the head first
Columns = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BodyAtom:
    """`same_stratum`: the atom's tuples have levels that count in this rule's stratum."""

    relation: str
    operands: tuple[Operand | None, ...]
    negated: bool
    same_stratum: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    operator: Operator
    left: Operand
    right: Operand
    kind: Kind


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """`from_input`: the rule that puts input rows into a relation that also has rules; it fires at level 0."""

    index: int
    head: str
    head_operands: tuple[Operand, ...]
    body: tuple[BodyAtom, ...]
    comparisons: tuple[Comparison, ...]
    from_input: bool
    source: Rule | None


@dataclass(frozen=True, slots=True)
class Scan:
    """What a driver's columns give: variables, and conditions on constants and on repeated variables."""

    binds: tuple[tuple[int, int], ...]  # (column, variable)
    equal_columns: tuple[tuple[int, int], ...]
    constants: tuple[tuple[int, int], ...]  # (column, constant)


@dataclass(frozen=True, slots=True)
class Lookup:
    """Rows of `relation` whose `key_columns` equal `key_operands`; `absent` keeps what has none instead."""

    literal: int
    relation: str
    key_columns: Columns
    key_operands: tuple[Operand, ...]
    binds: tuple[tuple[int, int], ...]
    equal_columns: tuple[tuple[int, int], ...]
    absent: bool
    levelled: bool
    carried: tuple[int, ...]  # variables bound before this step that a later one needs


@dataclass(frozen=True, slots=True)
class Compare:
    comparison: Comparison
    carried: tuple[int, ...]


Step = Lookup | Compare


@dataclass(frozen=True, slots=True)
class Plan:
    rule: CompiledRule
    driver: int  # index of the body literal, or HEAD
    scan: Scan
    driver_levelled: bool
    steps: tuple[Step, ...]
    why: tuple[str, ...]  # for each step, why it stands where it stands


def plan_rule(rule: CompiledRule, driver: int) -> Plan:
    """The plan of `rule` that starts from literal `driver`, or from the head."""
    operands = rule.head_operands if driver == HEAD else rule.body[driver].operands
    scan = _scan(operands)
    bound = {variable for _, variable in scan.binds}
    remaining = [index for index in range(len(rule.body)) if index != driver]
    comparisons = list(rule.comparisons)
    steps: list[tuple[Literal["lookup", "absent"], int] | Comparison] = []
    why: list[str] = []
    while True:
        for comparison in list(comparisons):
            if _is_bound(comparison.left, bound) and _is_bound(comparison.right, bound):
                comparisons.remove(comparison)
                steps.append(comparison)
                why.append("its operands are bound")
        for index in list(remaining):
            atom = rule.body[index]
            if atom.negated and all(operand is None or _is_bound(operand, bound) for operand in atom.operands):
                remaining.remove(index)
                steps.append(("absent", index))
                why.append("a negated atom with bound variables only removes rows")
        positive = [index for index in remaining if not rule.body[index].negated]
        if not positive:
            break
        best, reason = _next_atom(rule, positive, bound)
        remaining.remove(best)
        steps.append(("lookup", best))
        why.append(reason)
        bound.update(operand for operand in rule.body[best].operands if operand is not None and operand >= 0)
    driver_levelled = driver != HEAD and rule.body[driver].same_stratum
    return Plan(rule, driver, scan, driver_levelled, _link(rule, scan, steps), tuple(why))


def _is_bound(operand: Operand | None, bound: set[int]) -> bool:
    return operand is not None and (operand < 0 or operand in bound)


def _next_atom(rule: CompiledRule, candidates: list[int], bound: set[int]) -> tuple[int, str]:
    def rank(index: int) -> tuple[bool, bool, int, int, int]:
        operands = rule.body[index].operands
        keys = sum(_is_bound(operand, bound) for operand in operands)
        free = len({operand for operand in operands if operand is not None} - bound) - sum(
            operand is not None and operand < 0 for operand in set(operands)
        )
        return (keys < len(operands), keys == 0, free + operands.count(None), -keys, index)

    best = min(candidates, key=rank)
    partly, crosses, _, keys, _ = rank(best)
    if crosses and len(rule.body[best].operands):
        return best, "nothing of what is left shares a variable: a cross product"
    if not partly:
        return best, "all its columns are bound: it only removes rows"
    return best, f"{-keys} of its columns are bound"


def _scan(operands: tuple[Operand | None, ...]) -> Scan:
    first: dict[int, int] = {}
    equal, constants = [], []
    for column, operand in enumerate(operands):
        if operand is None:
            continue
        if operand < 0:
            constants.append((column, ~operand))
        elif operand in first:
            equal.append((first[operand], column))
        else:
            first[operand] = column
    return Scan(tuple((column, variable) for variable, column in first.items()), tuple(equal), tuple(constants))


def _link(
    rule: CompiledRule, scan: Scan, order: list[tuple[Literal["lookup", "absent"], int] | Comparison]
) -> tuple[Step, ...]:
    """Fill in keys and bindings going forward, then what each step has to carry going backward."""
    bound = {variable for _, variable in scan.binds}
    before: list[set[int]] = []
    for each in order:
        before.append(set(bound))
        if not isinstance(each, Comparison):
            bound.update(operand for operand in rule.body[each[1]].operands if operand is not None and operand >= 0)
    needed = {operand for operand in rule.head_operands if operand >= 0}
    steps: list[Step] = []
    for each, known in zip(reversed(order), reversed(before), strict=True):
        carried = tuple(sorted(needed & known))
        if isinstance(each, Comparison):
            steps.append(Compare(each, carried))
            needed |= {operand for operand in (each.left, each.right) if operand >= 0}
            continue
        what, index = each
        atom = rule.body[index]
        keys = [(c, o) for c, o in enumerate(atom.operands) if o is not None and (o < 0 or o in known)]
        free = tuple(None if o is None or o < 0 or o in known else o for o in atom.operands)
        rest = _scan(free)
        steps.append(
            Lookup(
                literal=index,
                relation=atom.relation,
                key_columns=tuple(column for column, _ in keys),
                key_operands=tuple(operand for _, operand in keys),
                binds=tuple((column, variable) for column, variable in rest.binds if variable in needed),
                equal_columns=rest.equal_columns,
                absent=what == "absent",
                levelled=atom.same_stratum,
                carried=carried,
            )
        )
        needed |= {operand for _, operand in keys if operand >= 0}
    return tuple(reversed(steps))
