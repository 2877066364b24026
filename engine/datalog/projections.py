"""Projections: an atom that only asks whether a row exists stands for the distinct rest of its relation's rows.

`q(x, y), r(x, _)` asks whether x has a row in r, not how many. Where r lies in a lower stratum and other positive
atoms have all variables of r(x, _) that are used, it becomes an atom over the relation `r@0`, which holds the distinct
first columns of r in a stratum of its own and is shared by all atoms that name the same columns: a semi-join. A count
then counts what was asked for, a popular x costs no more than another, and a change of r that leaves `r@0` as it is
goes no further.

An atom that brings a variable ranges over rows, also if it leaves others unnamed: its projection would often be as
large as it is (measured on the analyses: more state and slower updates for nothing). So do atoms of the same stratum,
whose rows have levels, negated atoms, which no number of rows bars twice, and all atoms of a rule with aggregates,
which is several rules that have to agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, replace

from .plan import BodyAtom, Columns, CompiledRule, Operand
from .syntax import Schema


@dataclass(frozen=True, slots=True)
class Projection:
    """The distinct values of some columns, ascending, of a stored relation."""

    relation: str
    columns: Columns

    @property
    def name(self) -> str:
        return f"{self.relation}@{','.join(map(str, self.columns))}"

    def schema(self, of: Schema) -> Schema:
        names = tuple(of.columns[column] for column in self.columns)
        return Schema(self.name, names, tuple(of.kinds[column] for column in self.columns))

    def rule(self, index: int, of: Schema) -> CompiledRule:
        """What derives it."""
        operands: list[Operand | None] = [None] * of.arity
        for variable, column in enumerate(self.columns):
            operands[column] = variable
        body = (BodyAtom(self.relation, tuple(operands), False, False),)
        names = self.schema(of).columns
        return CompiledRule(index, self.name, tuple(range(len(names))), body, (), False, None, names)


def project(rule: CompiledRule, aggregated: Container[str]) -> tuple[CompiledRule, list[Projection]]:
    """The rule with atoms over projections where they stand for them, and which projections these are. `aggregated`:
    the names of aggregate relations.

    A column is unnamed if it is `_` or a variable that the rule has nowhere else, equalities solved; the variables of
    all others have to be in other positive atoms.
    """
    if any(atom.relation in aggregated for atom in rule.body):
        return rule, []
    uses = Counter(rule.head_operands)
    for atom in rule.body:
        uses.update(operand for operand in atom.operands if operand is not None)
    for each in rule.comparisons:
        uses.update((each.left, each.right))
    body, found = list(rule.body), []
    for literal, atom in enumerate(rule.body):
        named = tuple(
            column for column, operand in enumerate(atom.operands)
            if operand is not None and (operand < 0 or uses[operand] > 1)
        )  # fmt: skip
        elsewhere = {
            operand for other, each in enumerate(rule.body) if other != literal and not each.negated
            for operand in each.operands if operand is not None
        }  # fmt: skip
        operands = tuple(operand for column in named if (operand := atom.operands[column]) is not None)
        brings = any(operand >= 0 and operand not in elsewhere for operand in operands)
        if atom.negated or atom.same_stratum or brings or len(named) == len(atom.operands):
            continue
        projection = Projection(atom.relation, named)
        body[literal] = replace(atom, relation=projection.name, operands=operands)
        found.append(projection)
    return replace(rule, body=tuple(body)), found
