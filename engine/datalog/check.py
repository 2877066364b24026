"""Syntax to rules that make sense: declared, of the right arity and kinds, grounded. Equalities are solved here.

`x = y` and `x = "c"` are substituted before anything else looks at the rule, so that they become join columns and
constants, and only comparisons remain as constraints. Every mistake names its rule and its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..errors import DatalogError, Diagnostic
from .io import Io, io_of
from .syntax import (
    RANGES,
    Atom,
    Constant,
    Constraint,
    Kind,
    Position,
    Rule,
    Syntax,
    Term,
    Variable,
    Wildcard,
    diagnostic_at,
)

BASE_KINDS: tuple[Kind, ...] = ("symbol", "number", "unsigned")


@dataclass(frozen=True, slots=True)
class Schema:
    """A relation as declared: its columns' names and kinds."""

    name: str
    columns: tuple[str, ...]
    kinds: tuple[Kind, ...]

    @property
    def arity(self) -> int:
        return len(self.kinds)


@dataclass(frozen=True, slots=True)
class Checked:
    schemas: dict[str, Schema]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    io: Io
    rules: tuple[Rule, ...]


def check(syntax: Syntax, sources: Mapping[str, str]) -> Checked:
    """Raises DatalogError with every mistake of declarations, or else every mistake of rules."""
    checker = _Checker(sources)
    kinds = checker.types(syntax)
    schemas = checker.schemas(syntax, kinds)
    inputs, outputs = checker.directives(syntax, schemas)
    io = io_of(syntax.directives, checker.error)
    rules = [checker.rule(rule, schemas) for rule in syntax.rules]
    if checker.diagnostics:
        raise DatalogError(checker.diagnostics)
    return Checked(schemas, inputs, outputs, io, tuple(rules))


class _Checker:
    def __init__(self, sources: Mapping[str, str]):
        self.sources = sources
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
        schemas: dict[str, Schema] = {}
        for declaration in syntax.declarations:
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
                self.error(f"relation {directive.relation} is not declared", directive.position)
            (inputs if directive.name == "input" else outputs)[directive.relation] = None
        return tuple(inputs), tuple(outputs)

    def rule(self, rule: Rule, schemas: Mapping[str, Schema]) -> Rule:
        """The rule with its equalities solved; mistakes go to `diagnostics`."""
        count = len(self.diagnostics)
        self.kinds(rule, schemas)
        if len(self.diagnostics) > count:
            return rule
        solved = solve_equalities(rule)
        self.grounded(rule, solved)
        return solved

    def kinds(self, rule: Rule, schemas: Mapping[str, Schema]) -> None:
        kinds: dict[str, Kind] = {}
        of_rule = f"in the rule for {rule.head.relation}"

        def use(term: Term, kind: Kind, where: str, position: Position) -> None:
            match term:
                case Variable(name):
                    if kinds.setdefault(name, kind) != kind:
                        self.error(f"{name} is a {kinds[name]} and a {kind} ({where}) {of_rule}", position)
                case Constant(value, own):
                    if own != kind and not (own == "number" and kind == "unsigned"):
                        self.error(f"{own} {value!r} where a {kind} is expected ({where}) {of_rule}", position)
                    elif kind != "symbol" and not RANGES[kind][0] <= int(value) < RANGES[kind][1]:
                        self.error(f"{value} is no {kind} of 32 bits ({where}) {of_rule}", position)

        for atom in (rule.head, *(literal.atom for literal in rule.literals)):
            schema = schemas.get(atom.relation)
            if schema is None:
                self.error(f"relation {atom.relation} is not declared", atom.position)
            elif schema.arity != len(atom.terms):
                self.error(
                    f"{atom.relation} has {schema.arity} columns but {len(atom.terms)} are given {of_rule}",
                    atom.position,
                )
            else:
                for term, kind, column in zip(atom.terms, schema.kinds, schema.columns, strict=True):
                    use(term, kind, f"{atom.relation}.{column}", atom.position)
        pending = list(rule.constraints)
        for _ in range(len(pending) + 1):  # kinds flow through chains of equalities
            for constraint in list(pending):
                found = [_kind_of(side, kinds) for side in (constraint.left, constraint.right)]
                side_kind = found[0] or found[1]
                if side_kind is not None:
                    pending.remove(constraint)
                    use(constraint.left, side_kind, constraint.operator, constraint.position)
                    use(constraint.right, side_kind, constraint.operator, constraint.position)
        for constraint in pending:  # constants alone are numbers
            use(constraint.left, "number", constraint.operator, constraint.position)
            use(constraint.right, "number", constraint.operator, constraint.position)
        for term in rule.head.terms:
            if isinstance(term, Wildcard):
                self.error(f"`_` in the head of the rule for {rule.head.relation}", rule.head.position)
        for constraint in rule.constraints:
            if isinstance(constraint.left, Wildcard) or isinstance(constraint.right, Wildcard):
                self.error(f"`_` in a constraint {of_rule}", constraint.position)

    def grounded(self, rule: Rule, solved: Rule) -> None:
        """Every variable has to occur in a positive atom. Names are compared after equalities, shown as written."""
        bound = {
            term.name for literal in solved.literals if not literal.negated
            for term in literal.atom.terms if isinstance(term, Variable)
        }  # fmt: skip
        written = _terms(rule)
        reported = set()
        for term, (original, position) in zip((term for term, _ in _terms(solved)), written, strict=True):
            if isinstance(term, Variable) and term.name not in bound and isinstance(original, Variable):
                if original.name not in reported:
                    self.error(f"variable {original.name} is not bound by a positive atom in the rule for "
                               f"{rule.head.relation}", position)  # fmt: skip
                reported.add(original.name)


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
    found = [(term, rule.head.position) for term in rule.head.terms]
    for literal in rule.literals:
        found.extend((term, literal.atom.position) for term in literal.atom.terms)
    for constraint in rule.constraints:
        found.extend((term, constraint.position) for term in (constraint.left, constraint.right))
    return found


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
    if not values:
        return rule

    def solve(atom: Atom) -> Atom:
        return replace(atom, terms=tuple(find(term) for term in atom.terms))

    return replace(
        rule,
        head=solve(rule.head),
        literals=tuple(replace(literal, atom=solve(literal.atom)) for literal in rule.literals),
        constraints=tuple(
            Constraint(each.operator, find(each.left), find(each.right), each.position) for each in rule.constraints
        ),
    )
