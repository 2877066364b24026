"""The abstract syntax of a program, as parsed and normalised: one head a rule, no disjunction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeVar

from ..errors import Diagnostic

Kind = Literal["symbol", "number", "unsigned"]
Operator = Literal["=", "!=", "<", "<=", ">", ">="]
AggregateOperator = Literal["count", "max", "min", "sum"]
RANGES: Final[dict[Kind, tuple[int, int]]] = {"number": (-(2**31), 2**31), "unsigned": (0, 2**32)}  # half-open
QUERY: Final = "@query"  # the relation of a body that is asked without a head
PARAMETERS: Final = "@parameters"  # the relation of the constants of those who ask the same query
_DIGITS: Final = 40  # more than any number of 32 bits has, in any base


def integer(text: str) -> int | None:
    """The number of a literal such as -7, 0x1F or 0b11; None where it is far out of range: Python itself refuses to
    read decimal numbers of thousands of digits."""
    sign = text[:1] if text[:1] in ("-", "+") else ""
    digits = text.removeprefix(sign)
    base = {"0x": 16, "0b": 2}.get(digits[:2], 10)
    digits = (digits if base == 10 else digits[2:]).lstrip("0") or "0"
    return int(sign + digits, base) if len(digits) <= _DIGITS else None


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a named source; line and column count from 1."""

    source: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Variable:
    """Names with `@` are the engine's own: what follows the `@` tells apart what was written alike."""

    name: str

    def __str__(self) -> str:
        return self.name.partition("@")[0]


@dataclass(frozen=True, slots=True)
class Constant:
    """A string, or a number of 32 bits (`unsigned` when written with a trailing u)."""

    value: str | int
    kind: Kind

    def __str__(self) -> str:
        return f'"{self.value}"' if self.kind == "symbol" else f"{self.value}{'u' * (self.kind == 'unsigned')}"


@dataclass(frozen=True, slots=True)
class Wildcard:
    """`_`: any value, not named."""

    def __str__(self) -> str:
        return "_"


Term = Variable | Constant | Wildcard


@dataclass(frozen=True, slots=True)
class Atom:
    relation: str
    terms: tuple[Term, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class BodyLiteral:
    """An atom of a body, negated or not."""

    atom: Atom
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Constraint:
    operator: Operator
    left: Term
    right: Term
    position: Position


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`operator target : { literals, constraints, aggregates }`. Where it was written stands the variable `result`.
    `text`: as it may have been written."""

    operator: AggregateOperator
    target: Term | None
    result: Term
    literals: tuple[BodyLiteral, ...]
    constraints: tuple[Constraint, ...]
    aggregates: tuple[Aggregate, ...]
    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class Rule:
    """One head, one conjunction. `text` is the source of the clause that it came from (several rules may share it)."""

    head: Atom
    literals: tuple[BodyLiteral, ...]
    constraints: tuple[Constraint, ...]
    text: str
    position: Position
    aggregates: tuple[Aggregate, ...] = ()

    @property
    def title(self) -> str:
        """What messages call it."""
        return "the query" if self.head.relation == QUERY else f"the rule for {self.head.relation}"


@dataclass(frozen=True, slots=True)
class Declaration:
    """A relation: its columns as (name, type name)."""

    name: str
    columns: tuple[tuple[str, str], ...]
    position: Position


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
class TypeDeclaration:
    """A subtype of one base type, or a union of types over the same base."""

    name: str
    parts: tuple[str, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Parameter:
    """`name=value` of a directive."""

    name: str
    value: str
    position: Position


@dataclass(frozen=True, slots=True)
class Directive:
    """`.input`, `.output` or `.printsize` of a relation."""

    name: Literal["input", "output", "printsize"]
    relation: str
    parameters: tuple[Parameter, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Pragma:
    """Whether relations may be evaluated on demand (magic.py): those that are named, all of them for `*`."""

    name: Literal["magic-transform", "magic-transform-exclude"]
    relations: tuple[str, ...]
    position: Position


@dataclass(slots=True)
class Syntax:
    """Everything that the sources of a program say, in their order."""

    types: list[TypeDeclaration]
    declarations: list[Declaration]
    directives: list[Directive]
    rules: list[Rule]
    pragmas: list[Pragma] = field(default_factory=list)


Body = TypeVar("Body", Rule, Aggregate)


def rewritten(body: Body, change: Callable[[Term], Term]) -> Body:
    """The same with every term changed, those of aggregates in it and their results included."""

    def of_atom(atom: Atom) -> Atom:
        return replace(atom, terms=tuple(change(term) for term in atom.terms))

    literals = tuple(replace(literal, atom=of_atom(literal.atom)) for literal in body.literals)
    constraints = tuple(replace(each, left=change(each.left), right=change(each.right)) for each in body.constraints)
    aggregates = tuple(
        replace(
            rewritten(each, change),
            target=None if each.target is None else change(each.target),
            result=change(each.result),
        )
        for each in body.aggregates
    )
    if isinstance(body, Rule):
        head = of_atom(body.head)
        return replace(body, head=head, literals=literals, constraints=constraints, aggregates=aggregates)
    return replace(body, literals=literals, constraints=constraints, aggregates=aggregates)


def diagnostic_at(message: str, position: Position, sources: Mapping[str, str]) -> Diagnostic:
    lines = sources[position.source].split("\n")
    line = lines[position.line - 1] if 0 < position.line <= len(lines) else ""
    return Diagnostic(message, position.source, position.line, position.column, line.rstrip("\r"))
