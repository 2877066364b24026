"""Which variable each rule is localised on: what is sent and what has to be everywhere, by the sizes of inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ...datalog.plan import CompiledRule
from ...datalog.program import Program, Stratum
from .copies import ALL, EACH, ONE, SPREAD, Copy
from .skew import Share

_JOINED: Final = 4.0  # rows joined for each tuple of a head
_STARTS: Final = 4

Shares = Mapping[tuple[str, int], Share]


@dataclass(frozen=True, slots=True)
class Choice:
    """A rule's variable, and the atom whose rows of heavy values of it are spread."""

    variable: int | None
    spread: int | None = None


@dataclass(frozen=True, slots=True)
class _Option:
    """A choice for a rule. `kept`: the one copy of its head that a shard may derive into without sending; `stays`,
    `leaves`: the price of it where there is no other copy, and where there is."""

    choice: Choice
    copies: tuple[Copy, ...]
    kept: Copy | None
    stays: float
    leaves: float


def inherit(stratum: Stratum, program: Program, shares: dict[tuple[str, int], Share]) -> None:
    """A column of a head is taken to be as skewed as the columns that it comes from, where rows can agree in it."""
    for _ in stratum.relations:  # by way of each other
        for rule in stratum.rules:
            if program.stored[rule.head].arity < 2:
                continue
            for column, operand in enumerate(rule.head_operands):
                found = [
                    shares[atom.relation, at]
                    for atom in rule.body
                    if not atom.negated
                    for at, other in enumerate(atom.operands)
                    if other == operand and (atom.relation, at) in shares
                ]
                if found and operand >= 0:
                    found += [shares[key] for key in [(rule.head, column)] if key in shares]
                    shares[rule.head, column] = max(found, key=lambda share: share.pairs)


def copies_for(rule: CompiledRule, choice: Choice, shards: int) -> list[Copy]:
    """What each atom ranges over."""
    if shards == 1:
        return [Copy(atom.relation, ONE) for atom in rule.body]
    found = []
    for literal, atom in enumerate(rule.body):
        if choice.variable is None or choice.variable not in atom.operands:
            found.append(Copy(atom.relation, ALL))
            continue
        heavy = "" if choice.spread is None else SPREAD if literal == choice.spread else EACH
        found.append(Copy(atom.relation, atom.operands.index(choice.variable), heavy))
    return found


def _candidates(
    rule: CompiledRule, weights: Mapping[str, float], shares: Mapping[tuple[str, int], Share]
) -> list[Choice]:
    """Each variable; and each that is joined where it has heavy values, with the atom that has most rows of these."""
    positive = [atom for atom in rule.body if not atom.negated]
    found = sorted({operand for atom in positive for operand in atom.operands if operand is not None and operand >= 0})
    choices = [Choice(variable) for variable in found] or [Choice(None)]
    for variable in found:
        joined = _joined(rule, variable, shares)
        if any(share.rows for _, share in joined):
            most = max(joined, key=lambda each: (weights[rule.body[each[0]].relation] * each[1].rows, -each[0]))
            choices.append(Choice(variable, most[0]))
    return choices


def _joined(rule: CompiledRule, variable: int, shares: Mapping[tuple[str, int], Share]) -> list[tuple[int, Share]]:
    """The atoms that a rule joins on a variable, with the share of their column; none if there is one alone."""
    found = [
        (literal, shares.get((atom.relation, atom.operands.index(variable)), Share(0.0, 0.0)))
        for literal, atom in enumerate(rule.body)
        if not atom.negated and variable in atom.operands
    ]
    return found if len(found) > 1 else []


class _Prices:
    """What the choices for the rules of a stratum cost, one of them changed at a time."""

    def __init__(self, stratum: Stratum, shards: int, weights: Mapping[str, float], shares: Shares,
                 used: Mapping[str, set[Copy]]):  # fmt: skip
        self._shards, self._weights, self._shares, self._used = shards, weights, shares, used
        self._stratum = stratum
        together = set(stratum.relations)
        self.options = {
            rule.index: [self._option(rule, choice, together) for choice in _candidates(rule, weights, shares)]
            for rule in stratum.rules
        }
        self.chosen: dict[int, _Option] = {}
        self._needed: dict[Copy, int] = {}  # how many atoms range over it
        self._there: dict[str, set[Copy]] = {}  # of relations, the copies that are needed
        self._price: dict[Copy, float] = {}

    def _option(self, rule: CompiledRule, choice: Choice, together: set[str]) -> _Option:
        column = column_of(rule, choice)
        # Of a rule that joins heavy values everywhere, the heads that have them leave their shard.
        heavy = "" if choice.spread is None else SPREAD
        kept = None if column is None else Copy(rule.head, column, heavy)
        weight = self._weights[rule.head]
        sent = weight * (2.0 if any(atom.relation in together for atom in rule.body) else 0.5)
        joined = [] if choice.variable is None else _joined(rule, choice.variable, self._shares)
        moved = max((share.rows for _, share in joined), default=0.0) if heavy else 0.0
        busiest = 0.0
        if not heavy:  # a shard that joins more than its part is waited for by all
            pairs = max((share.pairs for _, share in joined), default=0.0)
            busiest = weight * _JOINED * max(0.0, pairs * self._shards - 1.0)
        copies = tuple(copies_for(rule, choice, self._shards))
        return _Option(choice, copies, kept, sent * moved + busiest, sent + busiest)

    def choose(self, rule: int, option: _Option) -> None:
        before = self.chosen.get(rule)
        self.chosen[rule] = option
        for copy in option.copies:
            self._needed[copy] = self._needed.get(copy, 0) + 1
            self._there.setdefault(copy.relation, set()).add(copy)
        for copy in before.copies if before is not None else ():
            self._needed[copy] -= 1
            if not self._needed[copy]:
                del self._needed[copy]
                self._there[copy.relation].remove(copy)

    def total(self) -> float:
        total = sum(self._of_copy(copy) for copy in self._needed)
        for rule in self._stratum.rules:
            option, there = self.chosen[rule.index], self._there.get(rule.head)
            kept = option.kept is not None and (not there or (len(there) == 1 and option.kept in there))
            total += option.stays if kept else option.leaves
        return total

    def _of_copy(self, copy: Copy) -> float:
        found = self._price.get(copy)
        if found is None:
            free = copy in self._used.get(copy.relation, ())
            found = 0.0 if free else self._weights[copy.relation] * _times(copy, self._shards, self._shares)
            self._price[copy] = found
        return found


def choose(
    stratum: Stratum, shards: int, weights: Mapping[str, float], used: Mapping[str, set[Copy]], shares: Shares
) -> dict[int, Choice]:
    """A variable for each rule, improved one rule at a time until no change makes the stratum cheaper. `used`: copies
    that are there already."""
    if shards == 1:
        return {rule.index: Choice(None) for rule in stratum.rules}
    prices = _Prices(stratum, shards, weights, shares, used)
    best, found = float("inf"), dict(prices.chosen)
    for which in range(_STARTS):
        for index, some in prices.options.items():
            prices.choose(index, some[min(which, len(some) - 1)])
        here, improved = prices.total(), True
        while improved:
            improved = False
            for index, some in prices.options.items():
                for option in some if len(some) > 1 else ():
                    before = prices.chosen[index]
                    if option is before:
                        continue
                    prices.choose(index, option)
                    price = prices.total()
                    if price < here:
                        here, improved = price, True
                    else:
                        prices.choose(index, before)
        if here < best:
            best, found = here, dict(prices.chosen)
    return {index: option.choice for index, option in found.items()}


def _times(copy: Copy, shards: int, shares: Mapping[tuple[str, int], Share]) -> float:
    """How often a copy has a tuple, over all shards."""
    if copy.key == ALL:
        return shards
    share = shares.get((copy.relation, copy.key))
    return 1.0 + (shards - 1) * share.rows if copy.heavy == EACH and share is not None else 1.0


def column_of(rule: CompiledRule, choice: Choice) -> int | None:
    if choice.variable is None or choice.variable not in rule.head_operands:
        return None
    return rule.head_operands.index(choice.variable)


__all__ = ["Choice", "choose", "column_of", "copies_for", "inherit"]
