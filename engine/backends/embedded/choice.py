"""Which atom a plan joins next: by statistics of the relations, and by what earlier joins at the same point put out.

Statistics are sampled when a choice is first needed and again when a relation has grown or shrunk by a power of two,
so that what is empty when a stratum begins misleads nobody for long. A choice costs a look into a dictionary. Where a
join promises many rows the executor counts, before it joins, what each atom would put out for the rows at hand; that
is remembered here as well. No choice changes a result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from ...datalog.plan import HEAD, Columns, Lookup, Node
from ...datalog.program import Program
from .extend import Prefixes
from .relation import Relation

# Whether plans of cyclic bodies extend by one variable: where counting finds it smaller. The others are for comparison.
EXTEND: Final[Literal["counted", "always", "never"]] = "counted"
FEW: Final = 512  # rows that a join may be expected to put out before other joins are weighed against it
TRAP: Final = 2048  # rows past which one that was expected to put out few is weighed after all
LARGE: Final = 1024  # rows from which on a saved state has the arrangements that maintenance will look up
Estimate = Callable[[str, Columns], float | None]


@dataclass(slots=True)
class Choice:
    """`fanout`: rows that the lookup is expected to put out for one. `spent`: rows that joins put out here so far.
    `declined`: extensions were counted, and none of them was worth it."""

    lookup: Lookup
    fanout: float
    sizes: tuple[int, ...]
    spent: int = 0
    declined: bool = False


class Choices:
    """The choices of one evaluation. `saved` knows the fan-outs of relations that are not loaded."""

    def __init__(self, relations: Mapping[str, Relation], saved: Estimate):
        self._relations, self._saved = relations, saved
        self._made: dict[Node, Choice] = {}
        self.prefixes = Prefixes()

    def at(self, node: Node) -> Choice:
        """What to join at a node that has choices."""
        relations = [self._relations.get(choice.relation) for choice in node.choices]
        sizes = tuple([-1 if relation is None else relation.size.bit_length() for relation in relations])
        made = self._made.get(node)
        if made is None or made.sizes != sizes:
            fanouts = [self.fanout(choice, relation) for choice, relation in zip(node.choices, relations, strict=True)]
            best = min(range(len(fanouts)), key=fanouts.__getitem__)  # the first of equals
            made = self._made[node] = Choice(node.choices[best], fanouts[best], sizes, made.spent if made else 0)
        return made

    def fanout(self, lookup: Lookup, relation: Relation | None = None) -> float:
        """Rows that the lookup puts out for one, as estimated."""
        if relation is None:
            relation = self._relations.get(lookup.relation)
        if relation is None:
            known = self._saved(lookup.relation, lookup.key_columns)
            if known is not None:
                return known
            relation = self._relations[lookup.relation]
        return relation.fanout(lookup.key_columns)

    def lookups(self, program: Program) -> dict[tuple[str, Columns], None]:
        """Every (relation, key columns) that maintenance and proofs look up, as things stand. Those of small relations
        are left out: to sort them when they are needed takes less time than to find out whether they are."""
        wanted: dict[tuple[str, Columns], None] = {}
        large = {name for name in program.stored if self._is_large(name)}
        for made in (stratum.aggregation for stratum in program.strata):
            if made is not None and made.group:
                wanted[made.source, tuple(sorted(made.group))] = None
                wanted[made.relation, tuple(range(len(made.group)))] = None
        for rule in (rule for stratum in program.strata for rule in stratum.rules):
            looked_up = [index for index, atom in enumerate(rule.body) if atom.relation in large]
            for driver in range(HEAD, len(rule.body)):
                if looked_up in ([], [driver]):
                    continue
                plan = program.plan(rule, driver)
                node = plan.start
                while True:
                    steps = [step for step in node.filters if isinstance(step, Lookup)]
                    if node.choices:
                        steps.append(self.at(node).lookup)
                    wanted.update(((step.relation, step.key_columns), None) for step in steps if step.key_columns)
                    if not node.choices:
                        break
                    node = plan.after(node, steps[-1])
        return {key: None for key in wanted if key[0] in large}

    def _is_large(self, name: str) -> bool:
        relation = self._relations.get(name)
        return relation is None or relation.size >= LARGE
