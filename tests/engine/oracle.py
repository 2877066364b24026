"""A naive substitution evaluator, small and slow and obviously right: what the engine has to equal.

Works on the parsed rules and on Python values; shares only the parser with the engine. Every choice of rows for the
positive atoms of a rule that satisfies the rest of the body is one instantiation; where there are no aggregates, atoms
of lower strata all of whose used variables other positive atoms have, too, range over what is left of their rows
without the columns that nothing else names. Levels are found by trying every instantiation again in every round. An
aggregate is evaluated for one assignment of the variables around it at a time. Callers that draw programs at random
may bound the choices of rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import compress, product
from math import inf

from pliant.engine.datalog.parse import parse
from pliant.engine.datalog.syntax import Aggregate, Atom, Constant, Constraint, Rule, Syntax, Term, Variable, Wildcard

Value = str | int
Fact = tuple[Value, ...]
Facts = Mapping[str, set[Fact]]
State = dict[str, dict[Fact, tuple[int, int]]]  # relation -> tuple -> (level, count)
Values = dict[str, Value]
Row = tuple[Fact, ...]  # a choice of rows for the positive atoms of a body


class TooManyChoices(Exception):
    """More choices of rows than the caller allows."""


def evaluate(text: str, facts: Facts, most_choices: float = inf) -> State:
    """Level and count of every tuple of every relation that is declared.

    Raises TooManyChoices where that takes more than `most_choices` choices of rows.
    """
    syntax = parse({"program.dl": text})
    inputs = {directive.relation for directive in syntax.directives if directive.name == "input"}
    heads = {rule.head.relation for rule in syntax.rules}
    state: State = {declaration.name: {} for declaration in syntax.declarations}
    for name in inputs - heads:
        state[name] = dict.fromkeys(facts.get(name, set()), (0, 1))
    choices = _choices(most_choices)
    for together in _strata(syntax.rules, heads):
        rules = [rule for rule in syntax.rules if rule.head.relation in together]
        for name in together & inputs:
            state[name] = dict.fromkeys(facts.get(name, set()), (0, 1))
        evaluator = _Evaluator(syntax, together, state, choices)
        level = 1
        while evaluator.round(rules, level):
            level += 1
    return state


def _choices(most: float) -> Iterator[int]:
    """One step for each choice of rows."""
    number = 0
    while number < most:
        number += 1
        yield number
    raise TooManyChoices


def _strata(rules: list[Rule], heads: set[str]) -> Iterator[set[str]]:
    """Sets of relations that depend on each other, lowest first."""
    reach: dict[str, set[str]] = {name: set() for name in heads}
    for rule in rules:
        reach[rule.head.relation] |= set(_relations(rule)) & heads
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


def _relations(body: Rule | Aggregate) -> Iterator[str]:
    yield from (literal.atom.relation for literal in body.literals)
    for each in body.aggregates:
        yield from _relations(each)


class _Evaluator:
    """Of one stratum: the relations below it are complete."""

    def __init__(self, syntax: Syntax, together: set[str], state: State, choices: Iterator[int]):
        self.together, self.state, self.choices = together, state, choices
        self.kinds = {each.name: [kind for _, kind in each.columns] for each in syntax.declarations}
        self.known: dict[object, Value | None] = {}  # values of aggregates; they only use what is below

    def round(self, rules: list[Rule], level: int) -> bool:
        """Add what fires at `level` and is not there yet; whether anything fires later is found out later."""
        found: dict[tuple[str, Fact], int] = {}
        for rule in rules:
            for head, fires_at in self.instantiations(rule):
                if fires_at == level and head not in self.state[rule.head.relation]:
                    found[rule.head.relation, head] = found.get((rule.head.relation, head), 0) + 1
        for (name, head), count in found.items():
            self.state[name][head] = (level, count)
        return bool(found) or (level == 1 and any(self.state[name] for name in self.together))

    def instantiations(self, rule: Rule) -> Iterator[tuple[Fact, int]]:
        names = [literal.atom.relation for literal in rule.literals if not literal.negated]
        for rows, values in self.solutions(rule, {}, set()):
            levels = [self.state[name][row][0] for name, row in zip(names, rows, strict=True) if name in self.together]
            yield tuple(_value(term, values) for term in rule.head.terms), 1 + max(levels, default=0)

    def solutions(self, body: Rule | Aggregate, given: Values, around: set[str]) -> Iterator[tuple[Row, Values]]:
        """Each choice of rows with the values of all variables. `around`: the names that are bound around the body."""
        positive = [literal.atom for literal in body.literals if not literal.negated]
        negative = [literal.atom for literal in body.literals if literal.negated]
        bound = around | _bound(body)
        classes = _classes(body)
        unnamed = set() if isinstance(body, Aggregate) or body.aggregates else _named_once(body, classes)
        ranges: list[Atom] = []
        choices: list[list[Fact]] = []
        for index, atom in enumerate(list(positive)):
            kept = [not (isinstance(term, Wildcard) or _names_of(term) & unnamed) for term in atom.terms]
            used = [term for term in compress(atom.terms, kept) if not isinstance(term, Constant)]
            others = {term for other, each in enumerate(positive) if other != index for term in each.terms}
            asks = all(any(each in others or isinstance(each, Constant) for each in classes.get(term, {term}))
                       for term in used)  # fmt: skip
            if isinstance(body, Aggregate) or body.aggregates or atom.relation in self.together or not asks:
                kept = [True] * len(kept)
            choices.append(list({tuple(compress(row, kept)) for row in self.state[atom.relation]}))
            ranges.append(replace(atom, terms=tuple(compress(atom.terms, kept))))
        constraints = [each for each in body.constraints if not _names_of(each.left) & unnamed]
        for rows in product(*choices):
            next(self.choices)
            values = dict(given)
            if not all(_match(atom, row, values) for atom, row in zip(ranges, rows, strict=True)):
                continue
            if not self.solve(body, values, bound):
                continue
            if not all(_holds(constraint, values) for constraint in constraints):
                continue
            if any(_match(atom, row, dict(values)) for atom in negative for row in self.state[atom.relation]):
                continue
            yield rows, values

    def solve(self, body: Rule | Aggregate, values: Values, bound: set[str]) -> bool:
        """Add what equalities and aggregates bind; False where an aggregate has no value."""
        left = list(body.aggregates)
        while True:
            _solve(body.constraints, values)
            shared = {id(each): (_names(each) & bound) - _names_of(each.target) for each in left}
            ready = next((each for each in left if shared[id(each)] <= values.keys()), None)
            if ready is None:
                assert not left, "aggregates need each other"
                return True
            left.remove(ready)
            given = {name: values[name] for name in shared[id(ready)]}
            value = self.aggregate(ready, given, bound)
            assert isinstance(ready.result, Variable)
            if value is None:
                return False
            values[ready.result.name] = value

    def aggregate(self, aggregate: Aggregate, given: Values, around: set[str]) -> Value | None:
        key = (id(aggregate), tuple(sorted(given.items())))
        if key not in self.known:
            self.known[key] = self.value(aggregate, given, around - _names_of(aggregate.target))
        return self.known[key]

    def value(self, aggregate: Aggregate, given: Values, around: set[str]) -> Value | None:
        solutions = list(self.solutions(aggregate, given, around))
        if aggregate.operator in ("count", "sum"):
            positive = [literal.atom for literal in aggregate.literals if not literal.negated]
            names = [term.name for term in positive[0].terms if isinstance(term, Variable)] if positive else []
            by_rows = len(positive) == 1 and not aggregate.aggregates and len(names) == len(set(names))
            distinct = {(rows if by_rows else tuple(sorted(values.items()))): values for rows, values in solutions}
            if aggregate.operator == "count":
                return len(distinct)
            assert aggregate.target is not None
            total = sum(int(_value(aggregate.target, values)) for values in distinct.values())
            if self.kind(aggregate) == "unsigned":
                return total % 2**32
            return (total + 2**31) % 2**32 - 2**31
        assert aggregate.target is not None
        found = [int(_value(aggregate.target, values)) for _, values in solutions]
        return (min if aggregate.operator == "min" else max)(found) if found else None

    def kind(self, aggregate: Aggregate) -> str:
        """Of the target, which a column of a positive atom has."""
        for literal in aggregate.literals:
            if not literal.negated and aggregate.target in literal.atom.terms:
                return self.kinds[literal.atom.relation][literal.atom.terms.index(aggregate.target)]
        return aggregate.target.kind if isinstance(aggregate.target, Constant) else "number"


def _names_of(term: Term | None) -> set[str]:
    return {term.name} if isinstance(term, Variable) else set()


def _names(aggregate: Aggregate) -> set[str]:
    """All names inside."""
    found = _names_of(aggregate.target)
    for term in (term for literal in aggregate.literals for term in literal.atom.terms):
        found |= _names_of(term)
    for constraint in aggregate.constraints:
        found |= _names_of(constraint.left) | _names_of(constraint.right)
    return found.union(*(_names(each) for each in aggregate.aggregates))


def _bound(body: Rule | Aggregate) -> set[str]:
    """The names that get a value from a body itself."""
    found = set().union(*(_names_of(each.result) for each in body.aggregates))
    for literal in body.literals:
        if not literal.negated:
            found = found.union(*map(_names_of, literal.atom.terms))
    while True:
        more = set(found)
        for each in body.constraints:
            for here, there in ((each.left, each.right), (each.right, each.left)):
                if each.operator == "=" and (isinstance(there, Constant) or _names_of(there) & found):
                    more |= _names_of(here)
        if more == found:
            return found
        found = more


def _classes(body: Rule | Aggregate) -> dict[Term, set[Term]]:
    """What `=` makes one variable, or a constant."""
    same: dict[Term, set[Term]] = {}
    for constraint in body.constraints:
        if constraint.operator == "=":
            together = same.get(constraint.left, {constraint.left}) | same.get(constraint.right, {constraint.right})
            same.update((term, together) for term in together)
    return same


def _named_once(rule: Rule, same: dict[Term, set[Term]]) -> set[str]:
    """Variables with one occurrence in the rule, with those that are the same."""
    terms = [*rule.head.terms, *(term for literal in rule.literals for term in literal.atom.terms)]
    for constraint in rule.constraints:
        if constraint.operator != "=":
            terms += [constraint.left, constraint.right]

    def times(variable: Variable) -> int:
        classed = same.get(variable, {variable})
        return 2 if any(isinstance(each, Constant) for each in classed) else sum(term in classed for term in terms)

    once = {term for term in terms if isinstance(term, Variable) and times(term) == 1}
    return {each.name for term in once for each in same.get(term, {term}) if isinstance(each, Variable)}


def _match(atom: Atom, row: Fact, values: Values) -> bool:
    for term, value in zip(atom.terms, row, strict=True):
        if isinstance(term, Variable):
            if values.setdefault(term.name, value) != value:
                return False
        elif isinstance(term, Constant) and term.value != value:
            return False
    return True


def _solve(constraints: tuple[Constraint, ...], values: Values) -> None:
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


def _value(term: Term, values: Values) -> Value:
    if isinstance(term, Variable):
        return values[term.name]
    assert isinstance(term, Constant)
    return term.value


def _holds(constraint: Constraint, values: Values) -> bool:
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
