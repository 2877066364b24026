"""Where tuples live when a program is evaluated in shards: rules localised on a partitioning key.

A *copy* of a relation puts each tuple into the shard that a hash of one column names, or into every shard, or all
tuples into one. A rule is localised on one of its variables: every positive atom that has it ranges over the copy keyed
by its column, all other atoms over copies that every shard has. So a shard that owns a value of the variable has all
that the rule joins for it, and each instantiation is met in exactly one shard. Any rule can be localised; which
variable is best follows from the sizes of inputs: what has to be everywhere costs as many times as there are shards,
and a head that stays in the shard where it is derived needs no exchange.

The *home* of a relation is the copy that knows counts. A stratum is *closed* if its relations have one copy each and
every head is derived where it lives: then a shard's own Bootstrap is the stratum's, and nothing is exchanged at all.
With one shard all copies are that shard's, and all strata are closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from ...backends.embedded.keys import Column, Indices, mix
from ...datalog.aggregates import Aggregation
from ...datalog.plan import CompiledRule, Plan, plan_rule
from ...datalog.program import Program, Stratum

ALL: Final = -1  # as a key: in every shard
ONE: Final = -2  # in the first shard alone
_DERIVED: Final = 4.0  # how much larger than all inputs together a derived relation is taken to be


@dataclass(frozen=True, slots=True, order=True)
class Copy:
    """A relation's tuples by where they live. `key`: a column, ALL or ONE."""

    relation: str
    key: int

    @property
    def name(self) -> str:
        return f"{self.relation}#{ {ALL: 'all', ONE: 'one'}.get(self.key, self.key) }"

    def shards_of(self, columns: Sequence[Column], size: int, shards: int) -> Indices:
        """The shard of each tuple; not for ALL."""
        if self.key < 0:
            return np.zeros(size, np.intp)
        return shard_of(columns[self.key], shards)


def shard_of(column: Column, shards: int) -> Indices:
    words = mix(column.view(np.uint32).astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15))
    return (words % np.uint64(shards)).astype(np.intp)


@dataclass(frozen=True, slots=True)
class LocalRule:
    """`rule`: with copies in its body, the relation in its head. `variable`: what it is localised on; None: it runs in
    the first shard. `asked`: the column of the head that says which shard derives a tuple; None: any may."""

    rule: CompiledRule
    variable: int | None
    asked: int | None


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
    copies. `plan` stands in for the program's."""

    program: Program
    shards: int
    strata: tuple[LocalStratum, ...]
    homes: dict[str, Copy]
    inputs: dict[str, tuple[Copy, ...]]
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
        return (bare, self.shards, self.strata, self.homes, self.inputs)

    def __setstate__(self, state: tuple[object, ...]) -> None:
        self.program, self.shards, self.strata, self.homes, self.inputs = state  # type: ignore[assignment]
        self._plans, self._embedded = {}, {}


def localise(program: Program, shards: int, sizes: Mapping[str, int]) -> LocalProgram:
    """Choose a variable for each rule. `sizes`: rows of the stored inputs, as far as they are known."""
    inputs = set(program.input_storage.values())
    derived = _DERIVED * max(sum(sizes.get(name, 0) for name in inputs), 1)
    weights = {name: float(max(sizes.get(name, 1), 1)) if name in inputs else derived for name in program.stored}
    for name, projection in program.projections.items():
        weights[name] = weights[projection.relation]
    used: dict[str, set[Copy]] = {name: set() for name in program.stored}
    chosen: list[dict[int, int | None]] = []
    for stratum in program.strata:
        variables = _choose(stratum, shards, weights, used)
        chosen.append(variables)
        for rule in stratum.rules:
            for copy in _copies(rule, variables[rule.index], shards):
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
    return LocalProgram(program, shards, strata, homes, {name: _ordered(used[name], homes[name]) for name in inputs})


def _copies(rule: CompiledRule, variable: int | None, shards: int) -> list[Copy]:
    """What each atom ranges over."""
    if shards == 1:
        return [Copy(atom.relation, ONE) for atom in rule.body]
    found = []
    for atom in rule.body:
        keyed = variable is not None and variable in atom.operands
        found.append(Copy(atom.relation, atom.operands.index(variable) if keyed else ALL))
    return found


def _candidates(rule: CompiledRule) -> list[int | None]:
    positive = [atom for atom in rule.body if not atom.negated]
    found = sorted({operand for atom in positive for operand in atom.operands if operand is not None and operand >= 0})
    return [*found] or [None]


def _choose(
    stratum: Stratum, shards: int, weights: Mapping[str, float], used: Mapping[str, set[Copy]]
) -> dict[int, int | None]:
    """A variable for each rule, improved one rule at a time until no change makes the stratum cheaper."""
    if shards == 1:
        return {rule.index: None for rule in stratum.rules}
    if shards == 1:
        return {rule.index: None for rule in stratum.rules}
    together = set(stratum.relations)
    candidates = {rule.index: _candidates(rule) for rule in stratum.rules}
    chosen = {rule.index: candidates[rule.index][0] for rule in stratum.rules}

    def cost() -> float:
        needed = {copy for rule in stratum.rules for copy in _copies(rule, chosen[rule.index], shards)}
        total = 0.0
        for copy in needed:
            if copy not in used.get(copy.relation, ()):
                total += weights[copy.relation] * (shards if copy.key == ALL else 1)
        for rule in stratum.rules:
            variable = chosen[rule.index]
            there = {copy for copy in needed if copy.relation == rule.head}
            column = _column(rule, variable)
            kept = column is not None and there <= {Copy(rule.head, column)}
            recursive = any(atom.relation in together for atom in rule.body)
            total += 0.0 if kept else weights[rule.head] * (2.0 if recursive else 0.5)
        return total

    best, improved = cost(), True
    starts = [{index: some[min(which, len(some) - 1)] for index, some in candidates.items()} for which in range(4)]
    found = dict(chosen)
    for start in starts:
        chosen.update(start)
        here, improved = cost(), True
        while improved:
            improved = False
            for index, some in candidates.items():
                for variable in some:
                    before, chosen[index] = chosen[index], variable
                    price = cost()
                    if price < here:
                        here, improved = price, True
                    else:
                        chosen[index] = before
        if here < best or start is starts[0]:
            best, found = here, dict(chosen)
    return found


def _column(rule: CompiledRule, variable: int | None) -> int | None:
    if variable is None or variable not in rule.head_operands:
        return None
    return rule.head_operands.index(variable)


def _home(program: Program, name: str, used: set[Copy], chosen: Sequence[Mapping[int, int | None]]) -> Copy:
    """The copy in which most rules derive; a relation without columns has one place."""
    if not program.stored[name].arity:
        return Copy(name, ONE)
    stratum = program.strata[program.stratum_of[name]] if name in program.stratum_of else None
    if stratum is not None and stratum.aggregation is not None:
        return Copy(name, 0 if stratum.aggregation.group else ONE)
    votes = {copy: 0 for copy in sorted(used) if copy.key >= 0} or {Copy(name, 0): 0}
    for rule in stratum.rules_of.get(name, ()) if stratum is not None else ():
        column = _column(rule, chosen[stratum.index][rule.index]) if stratum is not None else None
        if column is not None and (Copy(name, column) in votes or not used):
            votes[Copy(name, column)] = votes.get(Copy(name, column), 0) + 1
    return max(votes, key=lambda copy: (votes[copy], copy in used, -copy.key))


def _ordered(copies: set[Copy], home: Copy) -> tuple[Copy, ...]:
    return (home, *sorted(copies - {home}))


def _local(
    program: Program,
    stratum: Stratum,
    chosen: Mapping[int, int | None],
    used: Mapping[str, set[Copy]],
    homes: Mapping[str, Copy],
    shards: int,
) -> LocalStratum:
    together = set(stratum.relations)
    needed: dict[Copy, None] = {}
    rules = []
    for rule in stratum.rules:
        variable = chosen[rule.index]
        copies = _copies(rule, variable, shards)
        needed.update(dict.fromkeys(copies))
        body = tuple(replace(atom, relation=copy.name) for atom, copy in zip(rule.body, copies, strict=True))
        rules.append(LocalRule(replace(rule, body=body), variable, _column(rule, variable)))
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
    return copy.key >= 0 and rule.variable is not None and rule.rule.head_operands[copy.key] == rule.variable


__all__ = ["ALL", "ONE", "Copy", "LocalProgram", "LocalRule", "LocalStratum", "localise", "shard_of"]
