"""A program: checked rules in strata, with plans that are made when they are first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..bound import Bound
from ..errors import EngineError
from .aggregates import Aggregation
from .io import Io
from .plan import CompiledRule, Plan, plan_rule
from .projections import Projection
from .stored import key_of, load, store
from .strata import Component
from .syntax import Kind, Schema

if TYPE_CHECKING:
    from .compiler import SharedQuery


@dataclass(frozen=True, slots=True)
class Stratum:
    """Relations that are evaluated together, their rules, and where each rule uses what.

    `positive_uses` and `negated_uses`: relation -> [(rule, literal)], for every relation in a body. A stratum with an
    `aggregation` has no rules: its one relation comes from another by grouping, and no strategy is chosen for it.
    """

    index: int
    relations: tuple[str, ...]
    recursive: bool
    rules: tuple[CompiledRule, ...]
    rules_of: Mapping[str, tuple[CompiledRule, ...]]
    positive_uses: Mapping[str, tuple[tuple[CompiledRule, int], ...]]
    negated_uses: Mapping[str, tuple[tuple[CompiledRule, int], ...]]
    aggregation: Aggregation | None = None

    @classmethod
    def of(
        cls, index: int, component: Component, rules: Sequence[CompiledRule], aggregation: Aggregation | None
    ) -> Stratum:
        """A stratum of the relations of a component."""
        rules_of: dict[str, list[CompiledRule]] = {name: [] for name in component.relations}
        uses: tuple[dict[str, list[tuple[CompiledRule, int]]], dict[str, list[tuple[CompiledRule, int]]]] = ({}, {})
        for rule in rules:
            rules_of[rule.head].append(rule)
            for literal, atom in enumerate(rule.body):
                uses[atom.negated].setdefault(atom.relation, []).append((rule, literal))
        if aggregation is not None:
            uses[False][aggregation.source] = []
        return cls(
            index,
            component.relations,
            component.recursive,
            tuple(rules),
            {name: tuple(found) for name, found in rules_of.items()},
            {name: tuple(found) for name, found in uses[False].items()},
            {name: tuple(found) for name, found in uses[True].items()},
            aggregation,
        )


@dataclass(slots=True)
class Program:
    """What to evaluate. Made by `Program.parse`; holds no facts and may be shared between evaluations.

    `stored` has the schema of every relation that an evaluation keeps: all inputs, and the relations of the strata
    that the outputs need. A relation that is an input and has rules is stored twice: its input rows as `NAME@input`.
    `projections` are stored, too, by their names, each in a stratum of its own below the first that needs it.
    `io` has the files of inputs and outputs as the program names them. `demanded`: which relation each stored relation
    that is evaluated on demand (magic.py) is a part of; of these, `magic` has the values that are asked for. `whole`:
    relations that could not be demanded -> why.
    """

    schemas: dict[str, Schema]
    inputs: dict[str, tuple[Kind, ...]]
    outputs: tuple[str, ...]
    io: Io
    strata: tuple[Stratum, ...]
    stored: dict[str, Schema]
    input_storage: dict[str, str]
    projections: dict[str, Projection]
    constants: tuple[tuple[Kind, str | int], ...]
    hash: str
    _plans: dict[tuple[int, int], Plan] = field(default_factory=dict, repr=False)
    stratum_of: dict[str, int] = field(default_factory=dict)
    aggregations: dict[str, Aggregation] = field(default_factory=dict)  # by the relation that each makes
    auxiliary: frozenset[str] = frozenset()  # stored relations that no source declares
    bound: Bound | None = None  # on each evaluation
    demanded: Mapping[str, str] = field(default_factory=dict)
    magic: frozenset[str] = frozenset()
    whole: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(
        cls, sources: Mapping[str, str], outputs: Iterable[str] | None = None, cache: Path | None = None
    ) -> Program:
        """Compile named sources. `outputs` replaces what the sources declare as outputs. `cache`: a file that keeps
        the program for the next call; it is written when it is not of these sources and outputs.

        Raises DatalogError with every mistake, each with source, line and column.
        """
        asked = None if outputs is None else tuple(dict.fromkeys(outputs))
        key = key_of(sources, asked) if cache is not None else ""
        found = load(cache, key, _of_parts) if cache is not None else None
        if found is None:
            from .compiler import compiled  # noqa: PLC0415 - the parser's import takes as long as all that follows

            found = compiled(sources, asked)
            if cache is not None:
                store(cache, key, _parts_of(found))
        return found

    def extended(self, sources: Mapping[str, str], query: str = "") -> Program:
        """This program with the rules of `sources` on top of it, in strata of their own. `query` is a body: then its
        relation QUERY, with a column for each variable, is an output; else those that `sources` declare are.

        The rules may use every relation that this program stores. They are evaluated on demand.
        Raises DatalogError, also for what would change a relation of this program.
        """
        from .compiler import extended  # noqa: PLC0415

        return extended(self, sources, query)

    def shared(self, sources: Mapping[str, str], query: str) -> SharedQuery:
        """As `extended`, of a query that others may ask with other constants."""
        from .compiler import SharedQuery  # noqa: PLC0415

        return SharedQuery(self, sources, query)

    def above(self, base: Program) -> tuple[Stratum, ...]:
        """The strata that this program has on top of `base`. Raises EngineError where it is not made from that."""
        own = len(base.strata)
        if self.strata[:own] != base.strata:
            raise EngineError("the program does not extend that of the evaluation")
        return self.strata[own:]

    def schema(self, name: str) -> Schema:
        """Of a relation that is declared or stored."""
        return self.stored[name] if name in self.stored else self.schemas[name]

    def plan(self, rule: CompiledRule, driver: int) -> Plan:
        """The plan of `rule` driven by body literal `driver`, or by the head (HEAD)."""
        key = (rule.index, driver)
        found = self._plans.get(key)
        if found is None:
            found = self._plans[key] = plan_rule(rule, driver)
        return found


# A stored program: what is not made from the rest, with the parts of its strata.

_STORED = tuple(each.name for each in fields(Program) if each.name not in ("_plans", "stratum_of", "bound", "strata"))


def _parts_of(program: Program) -> list[object]:
    strata = [(each.relations, each.recursive, list(each.rules), each.aggregation) for each in program.strata]
    return [strata, *(getattr(program, name) for name in _STORED)]


def _of_parts(parts: list[Any]) -> Program:
    strata = tuple(
        Stratum.of(index, Component(relations, recursive), rules, aggregation)
        for index, (relations, recursive, rules, aggregation) in enumerate(parts[0])
    )
    program = Program(strata=strata, **dict(zip(_STORED, parts[1:], strict=True)))
    program.stratum_of.update((name, stratum.index) for stratum in strata for name in stratum.relations)
    return program
