"""A query with its constants taken out: queries that differ in these alone are one query, over a relation of them.

    tc("a", y)    and    tc("b", y)    are    @query(q, y) :- @parameters(q, p), tc(p, y).

`q` is the number of whoever asks. Constants inside an aggregate stay where they are: what an aggregate depends on is
evaluated whole. So do those that no atom gives a kind, which hold or do not for everybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from .grounding import names_of
from .syntax import PARAMETERS, Atom, BodyLiteral, Constant, Constraint, Rule, Term, Variable

ASKER: Final = "asker@"  # the first column of the parameters and of the answers


@dataclass(frozen=True, slots=True)
class Parametrized:
    """The rules of a query, with a variable for each of `constants`. `shape`: the same for queries that differ in
    their constants alone."""

    rules: list[Rule]
    constants: tuple[str | int, ...]
    shape: str

    @property
    def columns(self) -> tuple[str, ...]:
        return (ASKER, *map(_name, range(len(self.constants))))


def parametrized(rules: Sequence[Rule]) -> Parametrized:
    """`rules`: of a query, as `parse.parse_query` gives them."""
    constants: list[str | int] = []
    bodies = [_without_constants(rule, constants) for rule in rules]
    terms = tuple(Variable(_name(index)) for index in range(len(constants)))
    made = []
    for rule in bodies:
        head = replace(rule.head, terms=(Variable(ASKER), *rule.head.terms))
        atom = Atom(PARAMETERS, (Variable(ASKER), *terms), rule.position)
        made.append(replace(rule, head=head, literals=(BodyLiteral(atom), *rule.literals)))
    shape = "\n".join(part for rule in made for part in _parts(rule))
    return Parametrized(made, tuple(constants), shape)


def _name(index: int) -> str:
    return f"parameter@{index}"


def _without_constants(rule: Rule, constants: list[str | int]) -> Rule:
    bound = {name for each in rule.literals if not each.negated for name in names_of(each.atom.terms)}

    def term(each: Term) -> Term:
        if not isinstance(each, Constant):
            return each
        constants.append(each.value)
        return Variable(_name(len(constants) - 1))

    def is_bound(each: Term) -> bool:
        return isinstance(each, Variable) and each.name in bound

    def constraint(each: Constraint) -> Constraint:
        if is_bound(each.left) or is_bound(each.right):
            return replace(each, left=term(each.left), right=term(each.right))
        return each

    return replace(
        rule,
        literals=tuple(
            replace(each, atom=replace(each.atom, terms=tuple(map(term, each.atom.terms)))) for each in rule.literals
        ),
        constraints=tuple(map(constraint, rule.constraints)),
    )


def _parts(rule: Rule) -> Iterator[str]:
    def name(term: Term) -> str:
        return term.name if isinstance(term, Variable) else str(term)

    for atom, sign in ((rule.head, ""), *((each.atom, "!" * each.negated) for each in rule.literals)):
        yield f"{sign}{atom.relation}({', '.join(map(name, atom.terms))})"
    for each in rule.constraints:
        yield f"{name(each.left)} {each.operator} {name(each.right)}"
    for aggregate in rule.aggregates:
        yield f"{name(aggregate.result)} = {aggregate.text}"
    yield "."


__all__ = ["ASKER", "Parametrized", "parametrized"]
