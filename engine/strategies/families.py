"""Rules of a stratum that have the same body, as those of a clause with several heads: they are run as one.

A family's rule has the operands of all its members' heads, one after another. What it gives is parted among them, and
each member has met its instantiations as if it had been run alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..datalog.plan import BodyAtom, Comparison, CompiledRule, Operand


@dataclass(frozen=True, slots=True)
class Family:
    """`members`: each rule with its head's columns among the columns of `rule`'s head."""

    rule: CompiledRule
    members: tuple[tuple[CompiledRule, slice], ...]


def families(rules: Iterable[CompiledRule]) -> list[Family]:
    """In the order of their first members. Rules without positive atoms and those of inputs stay alone."""
    alike: dict[object, list[tuple[CompiledRule, dict[int, int]]]] = {}
    for rule in rules:
        numbers: dict[int, int] = {}
        key: object = rule.index
        if not rule.from_input and not all(atom.negated for atom in rule.body):
            key = (
                tuple(_renumbered_atom(atom, numbers) for atom in rule.body),
                tuple(_renumbered_comparison(each, numbers) for each in rule.comparisons),
            )
        alike.setdefault(key, []).append((rule, numbers))
    return [_family(found) for found in alike.values()]


def _family(found: list[tuple[CompiledRule, dict[int, int]]]) -> Family:
    first, numbers = found[0]
    if len(found) == 1:
        return Family(first, ((first, slice(0, len(first.head_operands))),))
    named = {number: variable for variable, number in numbers.items()}
    operands: list[Operand] = []
    members = []
    for rule, theirs in found:
        start = len(operands)
        operands.extend(each if each < 0 else named[theirs[each]] for each in rule.head_operands)
        members.append((rule, slice(start, len(operands))))
    return Family(replace(first, index=-2 - first.index, head_operands=tuple(operands)), tuple(members))


def _renumbered(operand: Operand | None, numbers: dict[int, int]) -> Operand | None:
    return operand if operand is None or operand < 0 else numbers.setdefault(operand, len(numbers))


def _renumbered_atom(atom: BodyAtom, numbers: dict[int, int]) -> object:
    return atom.relation, atom.negated, tuple(_renumbered(operand, numbers) for operand in atom.operands)


def _renumbered_comparison(each: Comparison, numbers: dict[int, int]) -> object:
    return each.operator, _renumbered(each.left, numbers), _renumbered(each.right, numbers), each.kind


__all__ = ["Family", "families"]
