"""Magic sets: rules that derive what is asked for, and little else (Beeri and Ramakrishnan, 1991).

A body that asks for `tc("a", y)` needs the tuples of tc that start at "a", and those that they are derived from. Each
way to ask for a relation, by the columns that have values then, gets a relation of its own: `tc@bf` where the first
column is bound and the second is free. `magic@tc@bf` has the values that are asked for. Every rule for tc becomes one
for `tc@bf` that holds only for these values, and asks for what its body needs in turn:

    tc@bf(x, z) :- magic@tc@bf(x), tc@bf(x, y), edge(y, z).

Literals pass values on in an order in which each has as many bound columns as can be, relations without rules first. A
rule that asks has those literals before the atom, in this order, that are joined with the values asked for.

What depends on a negated or an aggregated relation has to wait until that relation is complete. So relations under a
negation or an aggregate, and all that they depend on, are evaluated whole by their own rules; nothing that is asked for
lies below them, and the program stays stratified. A relation that is asked for without any value is evaluated whole,
too, but what its rules ask for need not be. `Demanded.whole` says which relations are, and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from .aggregates import Aggregation
from .grounding import names_of, variables_of
from .syntax import Atom, BodyLiteral, Constant, Constraint, Rule, Schema, Term, Variable

MOST: Final = 8  # ways to ask for a relation; one that is asked for in more ways is evaluated whole

Columns = tuple[int, ...]  # those that are bound


@dataclass(frozen=True, slots=True)
class Demanded:
    """The rules instead of those given. `relations`: which relation each relation that was made is a part of; the
    values that are asked for are in those of `magic`. `whole`: relations that are evaluated whole -> why."""

    rules: tuple[Rule, ...]
    schemas: dict[str, Schema]
    relations: dict[str, str]
    magic: frozenset[str]
    whole: dict[str, str]


def demand(
    rules: Sequence[Rule],
    wanted: Sequence[str],
    schemas: Mapping[str, Schema],
    aggregations: Mapping[str, Aggregation],
    inputs: Iterable[str] = (),
    allowed: Callable[[str], bool] = lambda name: True,
) -> Demanded:
    """Rules by which `wanted` has the same tuples. `rules` are stratified and without aggregates; their equalities are
    solved. `allowed`: whether a relation may be evaluated on demand."""
    by_head: dict[str, list[Rule]] = {}
    for rule in rules:
        by_head.setdefault(rule.head.relation, []).append(rule)
    below = _below(by_head, wanted, aggregations)
    free = dict.fromkeys(inputs, "it is an input as well") | dict.fromkeys(wanted, "it is an output")
    free.update((name, "it is excluded") for name in by_head if not allowed(name))
    while True:
        made = _Demand(by_head, schemas, below, frozenset(free))
        made.ask_for(wanted)
        more = {name: "it is asked for without a value" for name in made.unbound if name not in free}
        more |= {name: f"it is asked for in more than {MOST} ways" for name in made.manifold if name not in free}
        if not more:
            break
        free |= more
    made.rules.extend(rule for name in below for rule in by_head.get(name, ()))
    whole = {name: why for name, why in (free | below).items() if name in made.unbound or name in below}
    return Demanded(
        tuple(dict.fromkeys(made.rules)), made.schemas, made.relations, frozenset(made.magic),
        {name: why for name, why in whole.items() if name in by_head and "@" not in name and name not in wanted},
    )  # fmt: skip


def _below(
    by_head: Mapping[str, Sequence[Rule]], wanted: Iterable[str], aggregations: Mapping[str, Aggregation]
) -> dict[str, str]:
    """The relations under a negation or an aggregate of what `wanted` needs, with what they depend on -> why."""

    def needed(names: Iterable[str]) -> dict[str, None]:
        found = dict.fromkeys(names)
        todo = list(found)
        while todo:
            name = todo.pop()
            bodies = [literal.atom.relation for rule in by_head.get(name, ()) for literal in rule.literals]
            if name in aggregations:
                bodies.append(aggregations[name].source)
            todo += [each for each in bodies if each not in found]
            found.update(dict.fromkeys(bodies))
        return found

    roots: dict[str, str] = {}
    for name in needed(wanted):
        for literal in (literal for rule in by_head.get(name, ()) for literal in rule.literals):
            body = literal.atom.relation
            if body in aggregations:
                roots[body] = ""
                roots.setdefault(aggregations[body].source, "it is aggregated")
            elif literal.negated:
                roots[body] = "it is negated"
    return {name: roots.get(name, "what is negated or aggregated depends on it") for name in needed(roots)}


@dataclass(slots=True)
class _Demand:
    """One run. `unbound`: relations that were asked for without a value. `manifold`: in too many ways."""

    by_head: Mapping[str, Sequence[Rule]]
    known: Mapping[str, Schema]
    below: Mapping[str, str]
    free: frozenset[str]
    rules: list[Rule] = field(default_factory=list)
    schemas: dict[str, Schema] = field(default_factory=dict)
    relations: dict[str, str] = field(default_factory=dict)
    magic: set[str] = field(default_factory=set)
    unbound: dict[str, None] = field(default_factory=dict)
    manifold: dict[str, None] = field(default_factory=dict)
    ways: dict[str, dict[Columns, None]] = field(default_factory=dict)
    todo: list[tuple[str, Columns]] = field(default_factory=list)

    def ask_for(self, wanted: Iterable[str]) -> None:
        for name in wanted:
            if self.derived(name):
                self.asked(name, ())
        while self.todo:
            name, columns = self.todo.pop()
            for rule in self.by_head[name]:
                self.add(rule, columns)

    def derived(self, name: str) -> bool:
        """Whether the relation has rules that may be asked."""
        return name in self.by_head and name not in self.below

    def asked(self, name: str, columns: Columns) -> Columns:
        """Notes that the relation is asked for; the columns by which it is."""
        if not columns:
            self.unbound.setdefault(name)
        ways = self.ways.setdefault(name, {})
        if name in self.free:
            columns = ()
            self.unbound.setdefault(name)
        elif columns not in ways and len(ways) >= MOST:
            self.manifold.setdefault(name)
            columns = ()
        if columns not in ways:
            ways[columns] = None
            self.todo.append((name, columns))
            self.declare(name, columns)
        return columns

    def declare(self, name: str, columns: Columns) -> None:
        if not columns:
            return
        of = self.known[name]
        by_demand, magic = _name(name, columns, of.arity), _magic(name, columns, of.arity)
        self.schemas[by_demand] = replace(of, name=by_demand)
        self.schemas[magic] = Schema(
            magic, tuple(of.columns[column] for column in columns), tuple(of.kinds[column] for column in columns)
        )
        self.relations |= {by_demand: name, magic: name}
        self.magic.add(magic)

    def add(self, rule: Rule, columns: Columns) -> None:
        """The rule for its relation as it is asked for by `columns`, and rules for what it asks for."""
        guard: list[BodyLiteral] = []
        if columns:
            guard.append(BodyLiteral(self.values(rule.head, columns)))
        literals = list(rule.literals)
        passed = list(guard)
        waiting = [index for index, literal in enumerate(literals) if not literal.negated]
        bound = {name for literal in guard for name in names_of(literal.atom.terms)}
        while waiting:
            index = min(waiting, key=lambda each: self.rank(literals[each].atom, bound))
            waiting.remove(index)
            atom = literals[index].atom
            if self.derived(atom.relation):
                by = _bound_columns(atom, bound)
                taken = self.asked(atom.relation, by)
                if taken:
                    self.ask(self.values(atom, taken), passed, rule, bound)
                    literals[index] = BodyLiteral(self.renamed(atom, taken))
            passed.append(literals[index])
            bound.update(names_of(atom.terms))
        head = self.renamed(rule.head, columns) if columns else rule.head
        self.rules.append(replace(rule, head=head, literals=(*guard, *literals)))

    def rank(self, atom: Atom, bound: set[str]) -> tuple[bool, bool, int]:
        columns = len(_bound_columns(atom, bound))
        return not columns and bool(atom.terms), self.derived(atom.relation), -columns

    def ask(self, head: Atom, passed: Sequence[BodyLiteral], rule: Rule, bound: set[str]) -> None:
        """A rule for the values that an atom is asked for, from the literals before it."""
        negated = [each for each in rule.literals if each.negated and set(variables_of(each.atom)) <= bound]
        constraints = [each for each in rule.constraints if not _solved(each) and set(_names(each)) <= bound]
        literals, conditions = _joined(head, [*passed, *negated], constraints)
        if any(literal.atom.relation == head.relation and literal.atom.terms == head.terms for literal in literals):
            return
        asking = Rule(head, tuple(literals), tuple(conditions), "", rule.position)
        self.rules.append(replace(asking, text=_written(asking)))

    def values(self, atom: Atom, columns: Columns) -> Atom:
        name = _magic(atom.relation, columns, self.known[atom.relation].arity)
        return Atom(name, tuple(atom.terms[column] for column in columns), atom.position)

    def renamed(self, atom: Atom, columns: Columns) -> Atom:
        return replace(atom, relation=_name(atom.relation, columns, self.known[atom.relation].arity))


def _name(relation: str, columns: Columns, arity: int) -> str:
    return f"{relation}@{''.join('b' if column in columns else 'f' for column in range(arity))}"


def _magic(relation: str, columns: Columns, arity: int) -> str:
    return f"magic@{_name(relation, columns, arity)}"


def _bound_columns(atom: Atom, bound: set[str]) -> Columns:
    return tuple(
        column for column, term in enumerate(atom.terms)
        if isinstance(term, Constant) or (isinstance(term, Variable) and term.name in bound)
    )  # fmt: skip


def _solved(constraint: Constraint) -> bool:
    return constraint.operator == "=" and constraint.left == constraint.right


def _names(constraint: Constraint) -> Iterator[str]:
    return names_of((constraint.left, constraint.right))


def _joined(
    head: Atom, literals: Sequence[BodyLiteral], constraints: Sequence[Constraint]
) -> tuple[list[BodyLiteral], list[Constraint]]:
    """Those that share variables with the head, directly or by others of them, and those that have none."""
    reached = set(names_of(head.terms))
    while True:
        more = {
            name for literal in literals if reached & set(variables_of(literal.atom))
            for name in variables_of(literal.atom) if not literal.negated
        } - reached  # fmt: skip
        if not more:
            break
        reached |= more
    kept = [each for each in literals if reached.issuperset(variables_of(each.atom))]
    return kept, [each for each in constraints if reached.issuperset(_names(each))]


def _written(rule: Rule) -> str:
    def term(each: Term) -> str:
        return str(each)

    def atom(each: Atom) -> str:
        return f"{each.relation}({', '.join(map(term, each.terms))})"

    body = [("!" if literal.negated else "") + atom(literal.atom) for literal in rule.literals]
    body += [f"{each.left} {each.operator} {each.right}" for each in rule.constraints]
    return f"{atom(rule.head)}{' :- ' if body else ''}{', '.join(body)}."


__all__ = ["MOST", "Demanded", "demand"]
