"""A naive substitution evaluator, small and slow and obviously right: what the engine has to equal.

Works on the parsed rules and on Python values; shares only the parser with the engine. Every choice of rows for the
positive atoms of a rule that satisfies the rest of the body is one instantiation. Levels are found by trying every
instantiation again in every round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from pliant.engine.datalog.parse import parse
from pliant.engine.datalog.syntax import Atom, Constant, Constraint, Rule, Term, Variable

Value = str | int
Fact = tuple[Value, ...]
Facts = Mapping[str, set[Fact]]
State = dict[str, dict[Fact, tuple[int, int]]]  # relation -> tuple -> (level, count)


def evaluate(text: str, facts: Facts) -> State:
    """Level and count of every tuple of every relation that is declared."""
    syntax = parse({"program.dl": text})
    inputs = {directive.relation for directive in syntax.directives if directive.name == "input"}
    heads = {rule.head.relation for rule in syntax.rules}
    state: State = {declaration.name: {} for declaration in syntax.declarations}
    for name in inputs - heads:
        state[name] = dict.fromkeys(facts.get(name, set()), (0, 1))
    for together in _strata(syntax.rules, heads):
        rules = [rule for rule in syntax.rules if rule.head.relation in together]
        for name in together & inputs:
            state[name] = dict.fromkeys(facts.get(name, set()), (0, 1))
        level = 1
        while _round(rules, together, state, level):
            level += 1
    return state


def _strata(rules: list[Rule], heads: set[str]) -> Iterator[set[str]]:
    """Sets of relations that depend on each other, lowest first."""
    reach: dict[str, set[str]] = {name: set() for name in heads}
    for rule in rules:
        reach[rule.head.relation] |= {literal.atom.relation for literal in rule.literals} & heads
    for middle, start in product(heads, heads):
        if middle in reach[start]:
            reach[start] |= reach[middle]
    left = set(heads)
    while left:
        for name in sorted(left):
            together = {name} | {other for other in reach[name] if name in reach[other]}
            if not (reach[name] - together) & left:
                yield together
                left -= together
                break


def _round(rules: list[Rule], together: set[str], state: State, level: int) -> bool:
    """Add what fires at `level` and is not there yet; whether anything fires at a later level is found out later."""
    found: dict[tuple[str, Fact], int] = {}
    for rule in rules:
        for head, fires_at in _instantiations(rule, together, state):
            if fires_at == level and head not in state[rule.head.relation]:
                found[rule.head.relation, head] = found.get((rule.head.relation, head), 0) + 1
    for (name, head), count in found.items():
        state[name][head] = (level, count)
    return bool(found) or (level == 1 and any(state[name] for name in together))


def _instantiations(rule: Rule, together: set[str], state: State) -> Iterator[tuple[Fact, int]]:
    positive = [literal.atom for literal in rule.literals if not literal.negated]
    negative = [literal.atom for literal in rule.literals if literal.negated]
    for rows in product(*(list(state[atom.relation]) for atom in positive)):
        values: dict[str, Value] = {}
        if not all(_match(atom, row, values) for atom, row in zip(positive, rows, strict=True)):
            continue
        _solve(rule.constraints, values)
        if not all(_holds(constraint, values) for constraint in rule.constraints):
            continue
        if any(_match(atom, row, dict(values)) for atom in negative for row in state[atom.relation]):
            continue
        levels = [
            state[atom.relation][row][0] for atom, row in zip(positive, rows, strict=True) if atom.relation in together
        ]
        yield tuple(_value(term, values) for term in rule.head.terms), 1 + max(levels, default=0)


def _match(atom: Atom, row: Fact, values: dict[str, Value]) -> bool:
    for term, value in zip(atom.terms, row, strict=True):
        if isinstance(term, Variable):
            if values.setdefault(term.name, value) != value:
                return False
        elif isinstance(term, Constant) and term.value != value:
            return False
    return True


def _solve(constraints: tuple[Constraint, ...], values: dict[str, Value]) -> None:
    """Variables that only an equality binds."""
    for _ in constraints:
        for constraint in constraints:
            if constraint.operator == "=":
                for here, there in ((constraint.left, constraint.right), (constraint.right, constraint.left)):
                    if isinstance(here, Variable) and here.name not in values:
                        if isinstance(there, Constant):
                            values[here.name] = there.value
                        elif isinstance(there, Variable) and there.name in values:
                            values[here.name] = values[there.name]


def _value(term: Term, values: dict[str, Value]) -> Value:
    if isinstance(term, Variable):
        return values[term.name]
    assert isinstance(term, Constant)
    return term.value


def _holds(constraint: Constraint, values: dict[str, Value]) -> bool:
    left, right = _value(constraint.left, values), _value(constraint.right, values)
    if isinstance(left, str) and isinstance(right, str):
        left, right = left.encode(), right.encode()
        return _ordered(constraint.operator, left < right, left == right)
    assert isinstance(left, int) and isinstance(right, int)
    return _ordered(constraint.operator, left < right, left == right)


def _ordered(operator: str, less: bool, equal: bool) -> bool:
    return {
        "=": equal,
        "!=": not equal,
        "<": less,
        "<=": less or equal,
        ">": not less and not equal,
        ">=": not less,
    }[operator]
