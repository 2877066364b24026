"""Distinct prefixes of relations, for plans that extend one variable at a time.

A prefix is a relation of its own that holds the distinct values of some columns. It follows what it is taken from by
the rows that were appended, and ignores which rows are in view: it may hold too much, never too little, so it serves
to propose and to bar values, and the atom itself is looked up in the end. It is made once the rows that are put out
without it outnumber the relation, and not saved.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...datalog.plan import Columns
from .keys import consolidate
from .relation import SETTLED, Relation


@dataclass(slots=True)
class _Prefixes:
    """Of one relation, each with the number of rows that it covers."""

    relation: Relation
    made: dict[Columns, tuple[Relation, int]] = field(default_factory=dict)


class Prefixes:
    """The prefixes of one evaluation's relations. A relation that another has taken the place of starts anew."""

    def __init__(self) -> None:
        self._of: dict[str, _Prefixes] = {}

    def known(self, relation: Relation, columns: Columns) -> bool:
        """Whether `get` gives it at the cost of what was appended."""
        if len(columns) == relation.arity:
            return True
        found = self._of.get(relation.name)
        return found is not None and found.relation is relation and columns in found.made

    def get(self, relation: Relation, columns: Columns) -> Relation:
        """The distinct values of `columns` (ascending); the relation itself if that is all it has."""
        if len(columns) == relation.arity:
            return relation
        found = self._of.get(relation.name)
        if found is None or found.relation is not relation:
            found = self._of[relation.name] = _Prefixes(relation)
        name = f"{relation.name}@{','.join(map(str, columns))}"
        prefix, covered = found.made.get(columns) or (Relation(name, len(columns), levelled=False), 0)
        if covered < relation.size:
            size = relation.size - covered
            values, counts = consolidate(
                [relation.columns[column][covered : relation.size] for column in columns], size
            )
            new = np.flatnonzero(prefix.locate(values, len(counts)) < 0)
            if len(new):
                prefix.append([column[new] for column in values], len(new), 0, 1, SETTLED)
                prefix.settle()
        found.made[columns] = prefix, relation.size
        return prefix
