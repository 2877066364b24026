"""What changes of a relation mean to a negated atom over it."""

from __future__ import annotations

from ..backends.embedded.execute import AFTER, BEFORE, Executor
from ..backends.embedded.keys import Column, consolidate
from ..backends.embedded.relation import Relation
from ..datalog.plan import CompiledRule


def newly_barred(
    executor: Executor, relation: Relation, rule: CompiledRule, literal: int, rows: Column, sign: int
) -> tuple[list[Column | None], int]:
    """What a negated atom newly bars (or no longer bars) by `rows`: its columns, `_` left out, where no other row bars
    it, and how many tuples these are."""
    atom = rule.body[literal]
    named = tuple(column for column, operand in enumerate(atom.operands) if operand is not None)
    values, size = [relation.columns[column][rows] for column in named], len(rows)
    if len(named) < relation.arity:
        values, counts = consolidate(values, size)
        free = executor.absent(relation, named, values, len(counts), BEFORE if sign < 0 else AFTER)
        values, size = [column[free] for column in values], len(free)
    columns: list[Column | None] = [None] * relation.arity
    for column, of_column in zip(named, values, strict=True):
        columns[column] = of_column
    return columns, size


__all__ = ["newly_barred"]
