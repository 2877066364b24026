"""Aggregates to relations: the rules of a program without aggregates, and how aggregate relations come about.

The body of `n = sum x : { e(x, y), y < z }` becomes a relation, one row for each assignment of its variables, by a
rule like any other. Those of its variables that the rest of the rule binds are its group (here z). The *aggregate
relation* has a row (group..., value) for each group that has rows; it is no rule's head but is computed by grouping,
in a stratum of its own. A body that is one atom of different variables needs no relation: the atom's is grouped.

The rule then joins the aggregate relation. Count and sum have the value 0 for a group without rows: a second rule
negates the aggregate relation and has 0 for the value, so each instantiation of the rest of the body is met in one of
the two.

`count` and `sum` are over what they are over in Soufflé: the rows of the one atom of the body, if its variables differ;
else the different assignments of the named variables, whatever rows are behind `_`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, product
from typing import Final

from .grounding import all_names, bound_by, solve_equalities, variables_of
from .syntax import (
    Aggregate,
    AggregateOperator,
    Atom,
    BodyLiteral,
    Constant,
    Constraint,
    Kind,
    Position,
    Rule,
    Schema,
    Term,
    Variable,
    Wildcard,
    rewritten,
)

MOST: Final = 10  # aggregates of one rule: each count or sum doubles the rules that it becomes

Tell = Callable[[str, Position], None]


@dataclass(frozen=True, slots=True)
class Aggregation:
    """How an aggregate relation comes from `source`: (the `group` columns, the value) of each group that has a row.

    The value is that of the column `target`, or the number of rows. Sums are taken modulo 2**32.
    """

    relation: str
    source: str
    group: tuple[int, ...]
    target: int | None
    operator: AggregateOperator
    kind: Kind
    text: str


@dataclass(slots=True)
class Expanded:
    """Rules without aggregates. `schemas`: of the relations that were made, whose names have an `@`."""

    rules: list[Rule]
    schemas: dict[str, Schema]
    aggregations: dict[str, Aggregation]


def expand(
    rules: Sequence[tuple[Rule, Mapping[str, Kind]]], schemas: Mapping[str, Schema], tell: Tell, known: int = 0
) -> Expanded:
    """`rules`: with equalities solved and locals of aggregates apart, each with the kinds of its variables. `tell` is
    told of variables that nothing binds. `known`: how many relations were made before for rules that these extend."""
    expander = _Expander(schemas, _reach(rule for rule, _ in rules), tell, known)
    for rule, kinds in rules:
        if len(rule.aggregates) > MOST:
            tell(f"more than {MOST} aggregates in {rule.title}", rule.position)
        else:
            expander.rules.extend(expander.expand(rule, kinds, rule.head.relation, ()))
    return Expanded(expander.rules, expander.schemas, expander.aggregations)


def _reach(rules: Iterable[Rule]) -> Callable[[str, str], bool]:
    """Whether a relation depends on another, through whatever rules."""
    depends: dict[str, set[str]] = {}
    for rule in rules:
        depends.setdefault(rule.head.relation, set()).update(_relations(rule))

    def reaches(start: str, goal: str) -> bool:
        seen, stack = {start}, [start]
        while stack:
            name = stack.pop()
            if name == goal:
                return True
            fresh = depends.get(name, set()) - seen
            seen |= fresh
            stack.extend(fresh)
        return False

    return reaches


def _relations(body: Rule | Aggregate) -> Iterator[str]:
    yield from (literal.atom.relation for literal in body.literals)
    for each in body.aggregates:
        yield from _relations(each)


@dataclass(slots=True)
class _Made:
    """An aggregate whose relation is made."""

    atom: Atom
    aggregate: Aggregate
    kind: Kind  # of the value

    @property
    def zero(self) -> Constant:
        """0 as a value of the aggregate's kind: it may come to stand in a comparison with another constant."""
        return Constant(0, self.kind)

    @property
    def may_be_zero(self) -> bool:
        return self.aggregate.operator in ("count", "sum")


@dataclass(slots=True)
class _Grounds:
    """Literals that bind what an aggregate's body does not, with results of other aggregates that are taken as 0."""

    literals: tuple[BodyLiteral, ...]
    zero: tuple[_Made, ...]


class _Expander:
    def __init__(self, schemas: Mapping[str, Schema], reaches: Callable[[str, str], bool], tell: Tell, number: int):
        self.known, self.reaches, self.tell, self.number = schemas, reaches, tell, number
        self.rules: list[Rule] = []
        self.schemas: dict[str, Schema] = {}
        self.aggregations: dict[str, Aggregation] = {}
        self.names: dict[object, str] = {}  # what was made already, by what it means

    def expand(self, rule: Rule, kinds: Mapping[str, Kind], head: str, around: Sequence[BodyLiteral]) -> Iterator[Rule]:
        """The rule without aggregates; `around` are atoms of the rules around this one that may bind variables."""
        if not rule.aggregates:
            yield rule
            return
        usable = [
            *(each for each in rule.literals if not each.negated and not self.reaches(each.atom.relation, head)),
            *around,
        ]
        made: list[_Made] = []
        for each in _by_need(rule):
            atom = self.relation_of(each, rule, kinds, head, usable, made)
            if atom is None:
                return
            made.append(_Made(atom, each, self.aggregations[atom.relation].kind))
        bare = replace(rule, aggregates=())
        for zeros in product(*([False, True] if each.may_be_zero else [False] for each in made)):
            found = _chosen(bare, made, zeros)
            if found is not None:
                yield found

    def relation_of(
        self,
        aggregate: Aggregate,
        rule: Rule,
        kinds: Mapping[str, Kind],
        head: str,
        usable: Sequence[BodyLiteral],
        made: Sequence[_Made],
    ) -> Atom | None:
        """Make the aggregate's relation; the atom that has its value. None if something is not bound."""
        rest = replace(rule, aggregates=tuple(each for each in rule.aggregates if each is not aggregate))
        outside = bound_by(rest)
        inside = dict.fromkeys(all_names(aggregate))
        group = [name for name in inside if name in outside]
        lacking = [name for name in group if name not in bound_by(aggregate)]
        bodies: list[Rule] = []
        columns, column_kinds = self.columns(aggregate, group, kinds)
        for grounds in self.grounds(aggregate, lacking, group, usable, made):
            literals = (*columns.literals, *grounds.literals)
            body = Rule(
                Atom("", columns.terms, aggregate.position), literals, aggregate.constraints, rule.text,
                aggregate.position, aggregate.aggregates,
            )  # fmt: skip
            body = solve_equalities(rewritten(body, _zeroed(grounds.zero)))
            if not self.check_bound(body, aggregate, set(group)):
                return None
            bodies.extend(self.expand(body, kinds, head, usable))
        target = None if aggregate.target is None else len(group)
        source, positions = self.source_of(bodies, column_kinds)
        if target is not None:
            target = positions[target]
        places = tuple(positions[: len(group)])
        group_kinds = column_kinds[: len(group)]
        kind: Kind = "number" if aggregate.target is None else column_kinds[len(group)]
        meaning = (source, places, target, aggregate.operator)
        name = self.names.get(meaning)
        if name is None:
            name = self.names[meaning] = f"@{aggregate.operator}{self.number + len(self.aggregations) + 1}"
            self.aggregations[name] = Aggregation(
                name, source, places, target, aggregate.operator, kind, aggregate.text
            )
            self.schemas[name] = _schema(name, (*group_kinds, kind))
        terms = (*(Variable(each) for each in group), aggregate.result)
        return Atom(name, terms, aggregate.position)

    def columns(
        self, aggregate: Aggregate, group: list[str], kinds: Mapping[str, Kind]
    ) -> tuple[_Columns, tuple[Kind, ...]]:
        """What the rows of an aggregate's body are made of: the group, the target, and what else tells rows apart."""
        names = list(group)
        terms: list[Term] = [Variable(name) for name in names]
        found: list[Kind] = [kinds[name] for name in names]
        if aggregate.target is not None:
            terms.append(aggregate.target)
            found.append(_kind_of(aggregate.target, kinds) or _kind_of(aggregate.result, kinds) or "number")
        literals = aggregate.literals
        if aggregate.operator in ("count", "sum"):
            positive = [literal.atom for literal in literals if not literal.negated]
            own = [name for name in dict.fromkeys(variables_of(aggregate)) if name in bound_by(aggregate)]
            for name in own:
                if Variable(name) not in terms:
                    terms.append(Variable(name))
                    found.append(kinds[name])
            if _is_plain(positive, aggregate):
                literals, unnamed = self.named(literals)
                for variable, kind in unnamed:
                    terms.append(variable)
                    found.append(kind)
        return _Columns(tuple(terms), literals), tuple(found)

    def named(self, literals: Sequence[BodyLiteral]) -> tuple[tuple[BodyLiteral, ...], list[tuple[Variable, Kind]]]:
        """Give a name to every `_` of a positive atom."""
        numbers, unnamed, out = count(1), [], []
        for literal in literals:
            terms: list[Term] = []
            for term, kind in zip(literal.atom.terms, self.schema(literal.atom.relation).kinds, strict=True):
                if isinstance(term, Wildcard) and not literal.negated:
                    variable = Variable(f"_@{next(numbers)}")
                    unnamed.append((variable, kind))
                    terms.append(variable)
                else:
                    terms.append(term)
            out.append(replace(literal, atom=replace(literal.atom, terms=tuple(terms))))
        return tuple(out), unnamed

    def schema(self, name: str) -> Schema:
        return self.known[name] if name in self.known else self.schemas[name]

    def grounds(
        self,
        aggregate: Aggregate,
        lacking: Sequence[str],
        group: Sequence[str],
        usable: Sequence[BodyLiteral],
        made: Sequence[_Made],
    ) -> list[_Grounds]:
        """Ways to bind the variables of the group that the aggregate's body does not bind; all of them together cover
        what the rule may ask for."""
        found = [_Grounds((), ())]
        left = dict.fromkeys(lacking)
        while left:
            best = max(usable, key=lambda each: len(left.keys() & set(variables_of(each.atom))), default=None)
            covered = left.keys() & set(variables_of(best.atom)) if best is not None else set()
            if best is not None and covered:
                literal = _reduced(best, group)
                found = [replace(each, literals=(*each.literals, literal)) for each in found]
            else:
                other = next((each for each in made if _result_name(each) in left), None)
                if other is None:
                    self.tell_unbound(aggregate, next(iter(left)))
                    return []
                covered = {_result_name(other)}
                literal = _reduced(BodyLiteral(other.atom), group)
                with_value = [replace(each, literals=(*each.literals, literal)) for each in found]
                zero = [replace(each, zero=(*each.zero, other)) for each in found]
                found = [*with_value, *(zero if other.may_be_zero else ())]
            for name in covered:
                del left[name]
        return found

    def tell_unbound(self, aggregate: Aggregate, name: str) -> None:
        self.tell(
            f"variable {Variable(name)} is not bound inside `{aggregate.text}`: bind it by an atom there "
            f"(no atom around it has values that are known before)",
            aggregate.position,
        )

    def check_bound(self, body: Rule, aggregate: Aggregate, group: set[str]) -> bool:
        """Whether every variable of an aggregate's body is bound in it."""
        bound = bound_by(body)
        for name in variables_of(body):
            if name not in bound:
                if name in group:
                    self.tell_unbound(aggregate, name)
                else:
                    self.tell(
                        f"variable {Variable(name)} is not bound by a positive atom in `{aggregate.text}`",
                        aggregate.position,
                    )
                return False
        return True

    def source_of(self, bodies: list[Rule], kinds: tuple[Kind, ...]) -> tuple[str, list[int]]:
        """The relation of an aggregate's rows, and where the columns of its head are in it."""
        if len(bodies) == 1 and (direct := _direct(bodies[0])) is not None:
            return direct
        meaning = (kinds, *map(_meaning, bodies))
        name = self.names.get(meaning)
        if name is None:
            name = self.names[meaning] = f"@rows{self.number + len(self.schemas) + 1}"
            self.schemas[name] = _schema(name, kinds)
            self.rules.extend(replace(body, head=replace(body.head, relation=name)) for body in bodies)
        return name, list(range(len(kinds)))


@dataclass(frozen=True, slots=True)
class _Columns:
    terms: tuple[Term, ...]
    literals: tuple[BodyLiteral, ...]


def _schema(name: str, kinds: tuple[Kind, ...]) -> Schema:
    return Schema(name, tuple(f"c{index}" for index in range(len(kinds))), kinds)


def _kind_of(term: Term, kinds: Mapping[str, Kind]) -> Kind | None:
    if isinstance(term, Variable):
        return kinds.get(term.name)
    return "unsigned" if isinstance(term, Constant) and term.kind == "unsigned" else None


def _is_plain(positive: Sequence[Atom], aggregate: Aggregate) -> bool:
    """Whether the rows of the one atom are what is counted or summed."""
    if len(positive) != 1 or aggregate.aggregates:
        return False
    names = list(variables_of(positive[0]))
    return len(names) == len(set(names))


def _by_need(rule: Rule) -> list[Aggregate]:
    """The rule's aggregates, each after those whose results it uses, as far as there is such an order."""
    results = {each.result.name for each in rule.aggregates if isinstance(each.result, Variable)}
    waiting, done, order = list(rule.aggregates), set[str](), []
    while waiting:
        ready = (each for each in waiting if not (set(all_names(each)) & results) - done)
        each = next(ready, waiting[0])
        waiting.remove(each)
        order.append(each)
        if isinstance(each.result, Variable):
            done.add(each.result.name)
    return order


def _result_name(made: _Made) -> str:
    return made.aggregate.result.name if isinstance(made.aggregate.result, Variable) else ""


def _reduced(literal: BodyLiteral, kept: Sequence[str]) -> BodyLiteral:
    """The atom with `_` for the variables that are not wanted."""
    terms = tuple(
        Wildcard() if isinstance(term, Variable) and term.name not in kept else term for term in literal.atom.terms
    )
    return replace(literal, atom=replace(literal.atom, terms=terms))


def _zeroed(zero: Iterable[_Made]) -> Callable[[Term], Term]:
    values: dict[Term, Term] = {
        each.aggregate.result: each.zero for each in zero if isinstance(each.aggregate.result, Variable)
    }
    return lambda term: values.get(term, term)


def _chosen(rule: Rule, made: Sequence[_Made], zeros: Sequence[bool]) -> Rule | None:
    """The rule in which some aggregates are 0 and the others have a value; None if it can derive nothing."""
    literals = []
    for each, is_zero in zip(made, zeros, strict=True):
        if not is_zero:
            literals.append(BodyLiteral(each.atom))
            continue
        result = each.aggregate.result
        if isinstance(result, Constant) and result.value != 0:
            return None
        absent = replace(each.atom, terms=(*each.atom.terms[:-1], Wildcard()))
        literals.append(BodyLiteral(absent, negated=True))
    zero = [each for each, is_zero in zip(made, zeros, strict=True) if is_zero]
    found = rewritten(replace(rule, literals=(*rule.literals, *literals)), _zeroed(zero))
    return None if any(_fails(each) for each in found.constraints) else found


def _fails(constraint: Constraint) -> bool:
    """Whether numbers that are written in the constraint decide against it."""
    left, right = constraint.left, constraint.right
    if not (isinstance(left, Constant) and isinstance(right, Constant)):
        return False
    if isinstance(left.value, str) or isinstance(right.value, str):
        return False
    holds = {
        "=": left.value == right.value,
        "!=": left.value != right.value,
        "<": left.value < right.value,
        "<=": left.value <= right.value,
        ">": left.value > right.value,
        ">=": left.value >= right.value,
    }
    return not holds[constraint.operator]


def _direct(body: Rule) -> tuple[str, list[int]] | None:
    """The relation itself, if a body is one atom of different variables; where the head's columns are in it."""
    if len(body.literals) != 1 or body.literals[0].negated:
        return None
    if any(each.operator != "=" or each.left != each.right for each in body.constraints):
        return None
    atom = body.literals[0].atom
    places: dict[Term, int] = {}
    for index, term in enumerate(atom.terms):
        if isinstance(term, Variable):
            if term in places:
                return None
            places[term] = index
        elif isinstance(term, Constant):
            return None
    if any(term not in places for term in body.head.terms):
        return None
    return atom.relation, [places[term] for term in body.head.terms]


def _meaning(body: Rule) -> object:
    """The same for bodies that differ in names alone."""
    numbers: dict[str, int] = {}

    def of(term: Term) -> object:
        return numbers.setdefault(term.name, len(numbers)) if isinstance(term, Variable) else term

    def of_atom(atom: Atom) -> object:
        return atom.relation, tuple(map(of, atom.terms))

    head = tuple(map(of, body.head.terms))
    literals = tuple((of_atom(each.atom), each.negated) for each in body.literals)
    return head, literals, tuple((each.operator, of(each.left), of(each.right)) for each in body.constraints)


__all__ = ["MOST", "Aggregation", "Expanded", "expand"]
