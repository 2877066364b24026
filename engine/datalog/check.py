"""Syntax to rules that make sense: declared, of the right arity and kinds, grounded. Equalities are solved here.

`x = y` and `x = "c"` are substituted before anything else looks at the rule, so that they become join columns and
constants, and only comparisons remain as constraints. Every mistake names its rule and its place.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..errors import DatalogError, Diagnostic
from .aggregates import Aggregation, expand
from .grounding import bound_by, scope, solve_equalities
from .io import Io, io_of
from .parameters import ASKER, Parametrized
from .syntax import (
    PARAMETERS,
    QUERY,
    RANGES,
    Aggregate,
    Atom,
    Constant,
    Constraint,
    Kind,
    Position,
    Rule,
    Schema,
    Syntax,
    Term,
    Variable,
    Wildcard,
    diagnostic_at,
)

BASE_KINDS: tuple[Kind, ...] = ("symbol", "number", "unsigned")
MOST_LITERALS = 100  # of a body: its plans cost up to the cube of that


@dataclass(frozen=True, slots=True)
class Checked:
    schemas: dict[str, Schema]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    io: Io
    rules: tuple[Rule, ...]
    auxiliary: dict[str, Schema]  # relations that aggregates need; their names have an `@`
    aggregations: dict[str, Aggregation]
    asked: Callable[[str], bool] | None  # which relations may be evaluated on demand, if any


@dataclass(frozen=True, slots=True)
class Below:
    """What rules are added to: the relations that they may use, those that are declared and not evaluated, and how many
    were made for aggregates."""

    schemas: Mapping[str, Schema] = field(default_factory=dict)
    unevaluated: frozenset[str] = frozenset()
    made: int = 0


def check(
    syntax: Syntax,
    sources: Mapping[str, str],
    below: Below | None = None,
    parameters: Parametrized | None = None,
) -> Checked:
    """Raises DatalogError with every mistake of declarations, or else every mistake of rules. `below`: of the program
    that the rules are added to. `parameters`: of the query, if its constants are taken out."""
    checker = _Checker(sources, below)
    kinds = checker.types(syntax)
    schemas = checker.schemas(syntax, kinds)
    inputs, outputs = checker.directives(syntax, schemas)
    io = io_of(syntax.directives, checker.error)
    asked = checker.asked(syntax, schemas)
    query = [rule for rule in syntax.rules if rule.head.relation == QUERY]
    if query:
        schemas |= checker.query(query, schemas, parameters)
    rules = [checker.rule(rule, schemas) for rule in syntax.rules]
    if not checker.diagnostics:
        expanded = expand(rules, schemas, checker.error, checker.below.made)
    if checker.diagnostics:
        raise DatalogError(checker.diagnostics)
    return Checked(
        schemas, inputs, outputs, io, tuple(expanded.rules), expanded.schemas, expanded.aggregations, asked
    )  # fmt: skip


class _Checker:
    def __init__(self, sources: Mapping[str, str], below: Below | None = None):
        self.sources = sources
        self.adds = below is not None
        self.below = below or Below()
        self.diagnostics: list[Diagnostic] = []

    def error(self, message: str, position: Position) -> None:
        self.diagnostics.append(diagnostic_at(message, position, self.sources))

    def types(self, syntax: Syntax) -> dict[str, Kind]:
        """Base kind of every declared type; a type may be declared after its use."""
        declared = {declaration.name: declaration for declaration in syntax.types}
        kinds: dict[str, Kind] = {kind: kind for kind in BASE_KINDS}
        for declaration in syntax.types:
            if declaration.name in BASE_KINDS or declared[declaration.name] is not declaration:
                self.error(f"type {declaration.name} is declared twice", declaration.position)
        waiting = [declaration for declaration in syntax.types if declaration.name not in kinds]
        while waiting:
            left = []
            for declaration in waiting:
                found = {kinds[part] for part in declaration.parts if part in kinds}
                missing = [part for part in declaration.parts if part not in kinds and part not in declared]
                if missing:
                    self.error(f"type {missing[0]} is not declared", declaration.position)
                elif len(found) > 1:
                    self.error(f"type {declaration.name} mixes {' and '.join(sorted(found))}", declaration.position)
                elif all(part in kinds for part in declaration.parts):
                    kinds[declaration.name] = found.pop()
                    continue
                else:
                    left.append(declaration)
                    continue
                kinds[declaration.name] = "symbol"  # so that its uses are not reported as well
            if len(left) == len(waiting):
                for declaration in left:
                    self.error(f"type {declaration.name} is declared by itself", declaration.position)
                    kinds[declaration.name] = "symbol"
                break
            waiting = left
        return kinds

    def schemas(self, syntax: Syntax, kinds: Mapping[str, Kind]) -> dict[str, Schema]:
        schemas = dict(self.below.schemas)
        types = {declaration.name for declaration in syntax.types}
        for declaration in syntax.declarations:
            if declaration.name in types:
                self.error(f"{declaration.name} is a type and a relation: give one another name", declaration.position)
            if declaration.name in self.below.schemas or declaration.name in self.below.unevaluated:
                message = f"relation {declaration.name} is one of the program: give this one another name"
                self.error(message, declaration.position)
                continue
            if declaration.name in schemas:
                self.error(f"relation {declaration.name} is declared twice", declaration.position)
                continue
            names = [name for name, _ in declaration.columns]
            for name, type_name in declaration.columns:
                if type_name == "float":
                    self.error(
                        f"not supported: columns of type float ({declaration.name}.{name})", declaration.position
                    )
                elif type_name not in kinds:
                    self.error(f"type {type_name} of {declaration.name}.{name} is not declared", declaration.position)
                if names.count(name) > 1:
                    self.error(f"column {name} of {declaration.name} is declared twice", declaration.position)
            column_kinds = tuple(kinds.get(type_name, "symbol") for _, type_name in declaration.columns)
            schemas[declaration.name] = Schema(declaration.name, tuple(names), column_kinds)
        return schemas

    def directives(self, syntax: Syntax, schemas: Mapping[str, Schema]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        inputs: dict[str, None] = {}
        outputs: dict[str, None] = {}
        for directive in syntax.directives:
            if directive.relation not in schemas:
                self.unknown(directive.relation, schemas, directive.position)
            elif directive.name == "input" and self.adds:
                self.error(f".input {directive.relation}: facts are those of the program", directive.position)
            (inputs if directive.name == "input" else outputs)[directive.relation] = None
        return tuple(inputs), tuple(outputs)

    def unknown(self, name: str, schemas: Iterable[str], position: Position) -> None:
        if name in self.below.unevaluated:
            self.error(f"relation {name} is not evaluated: no output of the program depends on it", position)
            return
        near = difflib.get_close_matches(name, [each for each in schemas if "@" not in each], 3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        self.error(f"relation {name} is not declared{hint}", position)

    def asked(self, syntax: Syntax, schemas: Mapping[str, Schema]) -> Callable[[str], bool] | None:
        """Which relations may be evaluated on demand: those that pragmas name, and all that are added to a program."""
        some: dict[str, set[str]] = {"magic-transform": set(), "magic-transform-exclude": set()}
        for pragma in syntax.pragmas:
            for name in pragma.relations:
                if name != "*" and name not in schemas:
                    self.unknown(name, schemas, pragma.position)
            some[pragma.name].update(pragma.relations)
        those, others = some["magic-transform"], some["magic-transform-exclude"]
        if self.adds:
            those.add("*")
        if not those:
            return None
        return lambda name: bool({name, "*"} & those) and not {name, "*"} & others

    def query(
        self, rules: Sequence[Rule], schemas: Mapping[str, Schema], parameters: Parametrized | None
    ) -> dict[str, Schema]:
        """The relation of a query, whose columns are its variables, and that of its parameters. Mistakes are found when
        its rules are checked."""
        kinds: dict[str, Kind] = {}
        for rule in rules:
            silent = _Checker(self.sources, self.below)
            kinds |= _Kinds(silent, scope(rule, silent.error), schemas).of_body()
        kinds[ASKER] = "number"
        made = {QUERY: tuple(str(term) for term in rules[0].head.terms)}
        if parameters is not None:
            made = {QUERY: (ASKER, *made[QUERY][1:]), PARAMETERS: parameters.columns}
        return {
            name: Schema(name, columns, tuple(kinds.get(column, "symbol") for column in columns))
            for name, columns in made.items()
        }

    def rule(self, rule: Rule, schemas: Mapping[str, Schema]) -> tuple[Rule, dict[str, Kind]]:
        """The rule with its equalities solved and what is local to aggregates apart, and the kinds of its variables;
        mistakes go to `diagnostics`."""
        count = len(self.diagnostics)
        if (literals := _literals(rule)) > MOST_LITERALS:
            self.error(f"this body has {literals:,} literals; at most {MOST_LITERALS} are supported", rule.position)
            return rule, {}
        if rule.head.relation in self.below.schemas:
            self.error(f"{rule.head.relation} is a relation of the program: it takes no more rules", rule.head.position)
        rule = scope(rule, self.error)
        kinds = _Kinds(self, rule, schemas).of_rule()
        if len(self.diagnostics) > count:
            return rule, kinds
        solved = solve_equalities(rule)
        self.grounded(rule, solved)
        return solved, kinds

    def grounded(self, rule: Rule, solved: Rule) -> None:
        """Every variable has to be bound by a positive atom or an aggregate. Names are compared after equalities, and
        shown as written."""
        bound = bound_by(replace(solved, constraints=()))
        reported = set()
        for (term, _), (original, position) in zip(_terms(solved), _terms(rule), strict=True):
            if isinstance(term, Variable) and term.name not in bound and isinstance(original, Variable):
                if original.name not in reported:
                    self.error(f"variable {original} is not bound by a positive atom in {rule.title}", position)
                reported.add(original.name)


def _literals(body: Rule | Aggregate) -> int:
    """The atoms, comparisons and aggregates of a body, and what is inside of these."""
    return len(body.literals) + len(body.constraints) + sum(1 + _literals(each) for each in body.aggregates)


class _Kinds:
    """The kinds of a rule's variables, and every clash between them."""

    def __init__(self, checker: _Checker, rule: Rule, schemas: Mapping[str, Schema]):
        self.checker, self.rule, self.schemas = checker, rule, schemas
        self.kinds: dict[str, Kind] = {}
        self.where = f"in {rule.title}"
        self.pending: list[Constraint] = []

    def of_rule(self) -> dict[str, Kind]:
        self.atom(self.rule.head)
        self.of_body()
        for term in self.rule.head.terms:
            if isinstance(term, Wildcard):
                self.checker.error(f"`_` in the head of {self.rule.title}", self.rule.head.position)
        return self.kinds

    def of_body(self) -> dict[str, Kind]:
        self.body(self.rule)
        for _ in range(len(self.pending) + 1):  # kinds flow through chains of equalities
            for constraint in list(self.pending):
                found = [_kind_of(side, self.kinds) for side in (constraint.left, constraint.right)]
                side_kind = found[0] or found[1]
                if side_kind is not None:
                    self.pending.remove(constraint)
                    self.both(constraint, side_kind)
        for constraint in self.pending:  # constants alone are numbers
            self.both(constraint, "number")
        self.aggregated(self.rule)
        return self.kinds

    def body(self, body: Rule | Aggregate) -> None:
        for literal in body.literals:
            self.atom(literal.atom)
        for constraint in body.constraints:
            if isinstance(constraint.left, Wildcard) or isinstance(constraint.right, Wildcard):
                self.checker.error(f"`_` in a constraint {self.where}", constraint.position)
            self.pending.append(constraint)
        for each in body.aggregates:
            self.body(each)
            if each.target is None:
                self.use(each.result, "number", "count", each.position)
            else:
                self.pending.append(Constraint("=", each.target, each.result, each.position))

    def aggregated(self, body: Rule | Aggregate) -> None:
        for each in body.aggregates:
            self.aggregated(each)
            if each.target is not None and _kind_of(each.target, self.kinds) == "symbol":
                self.checker.error(f"{each.operator} of a symbol: numbers are expected in `{each.text}`", each.position)

    def atom(self, atom: Atom) -> None:
        schema = self.schemas.get(atom.relation)
        if schema is None:
            self.checker.unknown(atom.relation, self.schemas, atom.position)
        elif schema.arity != len(atom.terms):
            message = f"{atom.relation} has {schema.arity} columns but {len(atom.terms)} are given {self.where}"
            self.checker.error(message, atom.position)
        else:
            for term, kind, column in zip(atom.terms, schema.kinds, schema.columns, strict=True):
                self.use(term, kind, f"{atom.relation}.{column}", atom.position)

    def both(self, constraint: Constraint, kind: Kind) -> None:
        self.use(constraint.left, kind, constraint.operator, constraint.position)
        self.use(constraint.right, kind, constraint.operator, constraint.position)

    def use(self, term: Term, kind: Kind, where: str, position: Position) -> None:
        match term:
            case Variable(name):
                if self.kinds.setdefault(name, kind) != kind:
                    what = f"{term}" or "the value of an aggregate"
                    self.checker.error(
                        f"{what} is a {self.kinds[name]} and a {kind} ({where}) {self.where}", position
                    )  # fmt: skip
            case Constant(value, own):
                if own != kind and not (own == "number" and kind == "unsigned"):
                    self.checker.error(
                        f"{own} {value!r} where a {kind} is expected ({where}) {self.where}", position
                    )  # fmt: skip
                elif kind != "symbol" and not RANGES[kind][0] <= int(value) < RANGES[kind][1]:
                    self.checker.error(f"{value} is no {kind} of 32 bits ({where}) {self.where}", position)


def _kind_of(term: Term, kinds: Mapping[str, Kind]) -> Kind | None:
    match term:
        case Variable(name):
            return kinds.get(name)
        case Constant(_, "symbol"):
            return "symbol"
        case Constant(_, "unsigned"):
            return "unsigned"
    return None  # the kind of a plain number comes from the other side


def _terms(rule: Rule) -> list[tuple[Term, Position]]:
    """The head's come first, but last in a query, where nobody wrote it."""
    head = [(term, rule.head.position) for term in rule.head.terms]
    found = [] if rule.head.relation == QUERY else head
    for literal in rule.literals:
        found.extend((term, literal.atom.position) for term in literal.atom.terms)
    for constraint in rule.constraints:
        found.extend((term, constraint.position) for term in (constraint.left, constraint.right))
    return [*found, *head] if rule.head.relation == QUERY else found
