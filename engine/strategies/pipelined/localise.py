"""Where tuples live when a program is evaluated in shards: rules localised on a partitioning key.

A *copy* of a relation puts each tuple into the shard that a hash of one column names, or into every shard, or all
tuples into one. A rule is localised on one of its variables: every positive atom that has it ranges over the copy keyed
by its column, all other atoms over copies that every shard has. So a shard that owns a value of the variable has all
that the rule joins for it, and each instantiation is met in exactly one shard. Any rule can be localised; which
variable is best follows from the sizes of inputs: what has to be everywhere costs as many times as there are shards,
and a head that stays in the shard where it is derived needs no exchange.

Where a rule joins on a value that is heavy in one of the inputs (`skew`), the rows that have it may be spread over all
shards (`copies`): that is chosen with the variable, where what the busiest shard is spared outweighs what has to be in
every shard, and the heads that then leave their shard.

The *home* of a relation is the copy that knows counts. A stratum is *closed* if its relations have one copy each and
every head is derived where it lives: then a shard's own Bootstrap is the stratum's, and nothing is exchanged at all.
With one shard all copies are that shard's, and all strata are closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from ...backends.embedded.keys import Column
from ...datalog.aggregates import Aggregation
from ...datalog.plan import CompiledRule, Plan, plan_rule
from ...datalog.program import Program, Stratum
from .choosing import Choice, choose, column_of, copies_for, inherit
from .copies import ONE, SPREAD, Copy
from .skew import Skew

_DERIVED: Final = 4.0  # how much larger than all inputs together a derived relation is taken to be


@dataclass(frozen=True, slots=True)
class LocalRule:
    """`rule`: with copies in its body, the relation in its head. `variable`: what it is localised on; None: it runs in
    the first shard. `asked`: the column of the head that says which shard derives a tuple; None: any may. `spread`: any
    may if that column has a heavy value."""

    rule: CompiledRule
    variable: int | None
    asked: int | None
    spread: bool = False


@dataclass(frozen=True, slots=True)
class LocalStratum:
    """`copies`: of each relation, those that the stratum itself uses, its home first. `later`: those that only higher
    strata use. `below`: copies of lower relations that it uses. `local`: no head leaves the shard that derives it.
    `closed`: the embedded strategies do the stratum, in each shard."""

    index: int
    relations: tuple[str, ...]
    recursive: bool
    rules: tuple[LocalRule, ...]
    copies: Mapping[str, tuple[Copy, ...]]
    later: Mapping[str, tuple[Copy, ...]]
    below: tuple[Copy, ...]
    local: bool
    closed: bool
    aggregation: Aggregation | None
    text: str

    @property
    def first_level(self) -> int:
        """At which something fires."""
        return 0 if any(each.rule.from_input for each in self.rules) else 1

    def home(self, relation: str) -> Copy:
        return self.copies[relation][0]

    def names(self) -> set[str]:
        """The local names of all that a step of this stratum may read or write."""
        own = [copy for some in (*self.copies.values(), *self.later.values()) for copy in some]
        return {copy.name for copy in (*own, *self.below)}


@dataclass(slots=True)
class LocalProgram:
    """A program for a number of shards. `homes` and `inputs`: of stored relations, and of those that hold inputs all
    copies. `heavy`: values whose rows some copies have elsewhere. `plan` stands in for the program's."""

    program: Program
    shards: int
    strata: tuple[LocalStratum, ...]
    homes: dict[str, Copy]
    inputs: dict[str, tuple[Copy, ...]]
    heavy: Column = field(default_factory=lambda: np.zeros(0, np.int32))
    _plans: dict[tuple[int, int], Plan] = field(default_factory=dict, repr=False)
    _embedded: dict[int, Stratum] = field(default_factory=dict, repr=False)

    def plan(self, rule: CompiledRule, driver: int) -> Plan:
        key = (rule.index, driver)
        found = self._plans.get(key)
        if found is None:
            found = self._plans[key] = plan_rule(rule, driver)
        return found

    def arity(self, relation: str) -> int:
        return self.program.stored[relation].arity

    def copies(self) -> Iterator[Copy]:
        for some in self.inputs.values():
            yield from some
        for stratum in self.strata:
            for parts in (stratum.copies, stratum.later):
                for some in parts.values():
                    yield from some

    def targets(self, copy: Copy, columns: Sequence[Column], size: int) -> Iterator[tuple[int, slice | Column]]:
        """Which of some tuples each shard is to have."""
        return copy.targets(columns, size, self.shards, self.heavy)

    @property
    def spread(self) -> tuple[LocalRule, ...]:
        """The rules that join heavy values in all shards."""
        return tuple(rule for stratum in self.strata for rule in stratum.rules if rule.spread)

    def embedded(self, local: LocalStratum) -> Stratum:
        """A closed stratum, or one of an aggregate, as the embedded strategies take it, over copies."""
        found = self._embedded.get(local.index)
        if found is None:
            home = {name: local.home(name).name for name in local.relations}
            rules = tuple(replace(each.rule, head=home[each.rule.head]) for each in local.rules)
            uses: tuple[dict[str, list[tuple[CompiledRule, int]]], ...] = ({}, {})
            for rule in rules:
                for literal, atom in enumerate(rule.body):
                    uses[atom.negated].setdefault(atom.relation, []).append((rule, literal))
            made = local.aggregation
            if made is not None:
                made = replace(made, relation=home[made.relation], source=local.below[0].name)
                uses[False][made.source] = []
            found = self._embedded[local.index] = Stratum(
                local.index,
                tuple(home.values()),
                local.recursive,
                rules,
                {name: tuple(rule for rule in rules if rule.head == name) for name in home.values()},
                {name: tuple(some) for name, some in uses[False].items()},
                {name: tuple(some) for name, some in uses[True].items()},
                made,
            )
        return found

    def __getstate__(self) -> tuple[object, ...]:
        bare = replace(self.program, _plans={})
        return (bare, self.shards, self.strata, self.homes, self.inputs, self.heavy)

    def __setstate__(self, state: tuple[object, ...]) -> None:
        self.program, self.shards, self.strata, self.homes, self.inputs, self.heavy = state  # type: ignore[assignment]
        self._plans, self._embedded = {}, {}


def localise(program: Program, shards: int, sizes: Mapping[str, int], skew: Skew | None = None) -> LocalProgram:
    """Choose a variable for each rule. `sizes`: rows of the stored inputs, as far as they are known."""
    skew = skew or Skew()
    shares = dict(skew.shares) if shards > 1 else {}
    inputs = set(program.input_storage.values())
    derived = _DERIVED * max(sum(sizes.get(name, 0) for name in inputs), 1)
    weights = {name: float(max(sizes.get(name, 1), 1)) if name in inputs else derived for name in program.stored}
    for name, projection in program.projections.items():
        weights[name] = weights[projection.relation]
    used: dict[str, set[Copy]] = {name: set() for name in program.stored}
    chosen: list[dict[int, Choice]] = []
    for stratum in program.strata:
        if shares:
            inherit(stratum, program, shares)
        choices = choose(stratum, shards, weights, used, shares)
        chosen.append(choices)
        for rule in stratum.rules:
            for copy in copies_for(rule, choices[rule.index], shards):
                used[copy.relation].add(copy)
        made = stratum.aggregation
        if made is not None:
            used[made.source].add(Copy(made.source, made.group[0] if made.group and shards > 1 else ONE))
    homes = {
        name: _home(program, name, used[name], chosen) if shards > 1 else Copy(name, ONE) for name in program.stored
    }
    for name, home in homes.items():
        used[name].add(home)
    strata = tuple(_local(program, stratum, chosen[stratum.index], used, homes, shards) for stratum in program.strata)
    stored = {name: _ordered(used[name], homes[name]) for name in inputs}
    return LocalProgram(program, shards, strata, homes, stored, skew.heavy)


def _home(program: Program, name: str, used: set[Copy], chosen: Sequence[Mapping[int, Choice]]) -> Copy:
    """The copy in which most rules derive; a relation without columns has one place."""
    if not program.stored[name].arity:
        return Copy(name, ONE)
    stratum = program.strata[program.stratum_of[name]] if name in program.stratum_of else None
    if stratum is not None and stratum.aggregation is not None:
        return Copy(name, 0 if stratum.aggregation.group else ONE)
    votes = {copy: 0 for copy in sorted(used) if copy.key >= 0 and copy.once} or {Copy(name, 0): 0}
    for rule in stratum.rules_of.get(name, ()) if stratum is not None else ():
        choice = chosen[stratum.index][rule.index] if stratum is not None else Choice(None)
        column = column_of(rule, choice)
        if column is None:
            continue
        copy = Copy(name, column, "" if choice.spread is None or not used else SPREAD)
        if copy in votes or not used:
            votes[copy] = votes.get(copy, 0) + 1
    return max(votes, key=lambda copy: (votes[copy], copy in used, not copy.heavy, -copy.key))


def _ordered(copies: set[Copy], home: Copy) -> tuple[Copy, ...]:
    return (home, *sorted(copies - {home}))


def _local(
    program: Program,
    stratum: Stratum,
    chosen: Mapping[int, Choice],
    used: Mapping[str, set[Copy]],
    homes: Mapping[str, Copy],
    shards: int,
) -> LocalStratum:
    together = set(stratum.relations)
    needed: dict[Copy, None] = {}
    rules = []
    for rule in stratum.rules:
        choice = chosen[rule.index]
        copies = copies_for(rule, choice, shards)
        needed.update(dict.fromkeys(copies))
        body = tuple(replace(atom, relation=copy.name) for atom, copy in zip(rule.body, copies, strict=True))
        column, spread = column_of(rule, choice), choice.spread is not None
        rules.append(LocalRule(replace(rule, body=body), choice.variable, column, spread))
    if stratum.aggregation is not None:
        source, group = stratum.aggregation.source, stratum.aggregation.group
        needed[Copy(source, group[0] if group and shards > 1 else ONE)] = None
    own = {name: {copy for copy in needed if copy.relation == name} for name in stratum.relations}
    copies_of = {name: _ordered(own[name] | {homes[name]}, homes[name]) for name in stratum.relations}
    local = all(
        all(_stays(program, rule, copy) for copy in copies_of[rule.rule.head]) for rule in rules
    )  # fmt: skip
    local = local or stratum.aggregation is not None
    everywhere = shards == 1 or all(rule.variable is not None for rule in rules)
    return LocalStratum(
        stratum.index,
        stratum.relations,
        stratum.recursive,
        tuple(rules),
        copies_of,
        {name: tuple(sorted(used[name] - set(copies_of[name]))) for name in stratum.relations},
        tuple(copy for copy in needed if copy.relation not in together),
        local,
        local and everywhere and all(len(some) == 1 for some in copies_of.values()),
        stratum.aggregation,
        ", ".join(stratum.relations),
    )


def _stays(program: Program, rule: LocalRule, copy: Copy) -> bool:
    """Whether every head of the rule is derived in the shard of the copy where it lives."""
    if copy.key == ONE:
        return rule.variable is None
    if copy.key < 0 or copy.heavy or rule.variable is None or rule.spread:
        return False
    return rule.rule.head_operands[copy.key] == rule.variable


__all__ = ["LocalProgram", "LocalRule", "LocalStratum", "localise"]
