"""Which variables a body binds, which variables belong to an aggregate alone, and equalities solved by substitution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

from .syntax import Aggregate, Atom, Constant, Position, Rule, Term, Variable, rewritten

Body = Rule | Aggregate


def names_of(terms: Iterator[Term] | tuple[Term, ...]) -> Iterator[str]:
    return (term.name for term in terms if isinstance(term, Variable))


def variables_of(body: Body | Atom) -> Iterator[str]:
    """The names in a body (and head), in order and with repeats; not those inside its aggregates."""
    if isinstance(body, Atom):
        yield from names_of(body.terms)
        return
    if isinstance(body, Rule):
        yield from names_of(body.head.terms)
    for literal in body.literals:
        yield from names_of(literal.atom.terms)
    for each in body.constraints:
        yield from names_of((each.left, each.right))


def all_names(aggregate: Aggregate) -> Iterator[str]:
    """The names inside an aggregate, its target and the aggregates in it included."""
    yield from variables_of(aggregate)
    if aggregate.target is not None:
        yield from names_of((aggregate.target,))
    for each in aggregate.aggregates:
        yield from all_names(each)
        yield from names_of((each.result,))


def bound_by(body: Body) -> set[str]:
    """The names that positive atoms, aggregates and equalities of a body bind."""
    bound = {
        name for literal in body.literals if not literal.negated for name in names_of(literal.atom.terms)
    }  # fmt: skip
    bound.update(name for each in body.aggregates for name in names_of((each.result,)))
    equal = [each for each in body.constraints if each.operator == "="]
    for _ in equal:
        for each in equal:
            for here, there in ((each.left, each.right), (each.right, each.left)):
                if isinstance(here, Variable) and (
                    isinstance(there, Constant) or (isinstance(there, Variable) and there.name in bound)
                ):
                    bound.add(here.name)
    return bound


def scope(rule: Rule, tell: Callable[[str, Position], None]) -> Rule:
    """Give names of their own to the variables that belong to an aggregate alone.

    A variable of an aggregate is the one of the same name around it if something around binds that; its target never
    is. A name that is used around but bound only inside a `min` or `max` is a witness: it takes its values from the
    rows that have the extreme value.
    """
    scoped = _scope(rule, frozenset(), count(1), tell)
    assert isinstance(scoped, Rule)
    return scoped


def _scope(body: Body, around: frozenset[str], numbers: Iterator[int], tell: Callable[[str, Position], None]) -> Body:
    if not body.aggregates:
        return body
    own = set(variables_of(body))
    bound = around | bound_by(body)
    literals, constraints, aggregates = list(body.literals), list(body.constraints), []
    for each in body.aggregates:
        target = set(names_of((each.target,))) if each.target is not None else set()
        shared = (set(all_names(each)) & bound) - target
        witnesses = ((own - bound) & bound_by(each)) - target
        if witnesses and _has_witnesses(each, sorted(witnesses), tell):
            copy = _apart(each, shared | witnesses, next(numbers))
            row = rewritten(copy, lambda term, copy=copy: copy.result if term == copy.target else term)  # type: ignore[misc]
            literals += row.literals
            constraints += row.constraints
        apart = _apart(each, shared, next(numbers))
        inner = _scope(apart, frozenset(bound), numbers, tell)
        assert isinstance(inner, Aggregate)
        aggregates.append(inner)
    return replace(
        body, literals=tuple(literals), constraints=tuple(constraints), aggregates=tuple(aggregates)
    )  # fmt: skip


def _apart(aggregate: Aggregate, shared: set[str], number: int) -> Aggregate:
    def change(term: Term) -> Term:
        if isinstance(term, Variable) and term.name not in shared:
            return Variable(f"{term.name}@{number}")
        return term

    target = None if aggregate.target is None else change(aggregate.target)
    return replace(rewritten(aggregate, change), target=target)


def _has_witnesses(aggregate: Aggregate, names: list[str], tell: Callable[[str, Position], None]) -> bool:
    """Whether the aggregate can say where the values of `names` come from."""
    if aggregate.operator in ("min", "max") and isinstance(aggregate.target, Variable) and not aggregate.aggregates:
        return True
    if aggregate.operator in ("min", "max"):
        why = "not supported: a witness of an aggregate with a constant target or with another aggregate inside"
    else:
        why = f"a {aggregate.operator} has no one row to take it from"
    tell(f"variable {names[0]} is bound only inside `{aggregate.text}`: {why}", aggregate.position)
    return False


def solve_equalities(rule: Rule) -> Rule:
    """Substitute the classes of variables that `=` makes; constraints keep their places and turn trivial."""
    values: dict[str, Term] = {}

    def find(term: Term) -> Term:
        while isinstance(term, Variable) and term.name in values:
            term = values[term.name]
        return term

    for constraint in rule.constraints:
        if constraint.operator == "=":
            left, right = find(constraint.left), find(constraint.right)
            if left == right:
                continue
            if isinstance(left, Variable):
                values[left.name] = right
            elif isinstance(right, Variable):
                values[right.name] = left
    return rewritten(rule, find) if values else rule


__all__ = ["all_names", "bound_by", "names_of", "scope", "solve_equalities", "variables_of"]
