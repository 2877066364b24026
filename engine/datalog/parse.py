"""Source text to syntax. Several sources make one program, and every mistake in them is reported at once.

A source is parsed in one go. If that fails it is parsed again statement by statement, so that one mistake does not
hide the next; mistakes.py says what is wrong where the parser stops.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import chain, count, product
from math import prod
from typing import Any, Final, Literal

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput, VisitError

from ..errors import DatalogError, Diagnostic
from .grounding import names_of, variables_of
from .mistakes import explain, statements
from .syntax import (
    QUERY,
    Aggregate,
    AggregateOperator,
    Atom,
    BodyLiteral,
    Constant,
    Constraint,
    Declaration,
    Directive,
    Operator,
    Parameter,
    Position,
    Pragma,
    Rule,
    Syntax,
    Term,
    TypeDeclaration,
    Variable,
    Wildcard,
    diagnostic_at,
    integer,
)

_ESCAPES: Final = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", '"': '"', "'": "'", "\\": "\\",
}  # fmt: skip
_OPPOSITE: Final[dict[Operator, Operator]] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_PRAGMAS: Final[dict[str, Literal["magic-transform", "magic-transform-exclude"]]] = {
    "magic-transform": "magic-transform",
    "magic-transform-exclude": "magic-transform-exclude",
    "magic": "magic-transform",  # of a declaration, as below
    "no_magic": "magic-transform-exclude",
}
_SHOWN: Final = 60  # characters of a number in a message
_MOST_ALTERNATIVES: Final = 10_000  # of a body, once its disjunctions are multiplied out

_Alternatives = list[list[Any]]  # of a body: each is a list of literals and constraints


class Mistake(Exception):
    """A mistake that a tree callback finds; carries its place."""

    def __init__(self, message: str, position: Position):
        super().__init__(message)
        self.message = message
        self.position = position


def parse(sources: Mapping[str, str]) -> Syntax:
    """All statements of all sources, in order. Raises DatalogError with every mistake."""
    syntax = Syntax([], [], [], [])
    diagnostics: list[Diagnostic] = []
    for name, text in sources.items():
        try:
            _add(syntax, _parse_text(name, text, text, 0))
        except (UnexpectedInput, VisitError, RecursionError):
            diagnostics.extend(_parse_by_statement(syntax, name, text))
    if diagnostics:
        raise DatalogError(diagnostics)
    return syntax


def parse_query(name: str, text: str) -> list[Rule]:
    """The rules of a body without a head: one for each alternative, with the head QUERY over all variables of the body
    in the order in which they are written. Raises DatalogError."""
    body = text.rstrip().removesuffix(".")
    around = f"query() :-\n{body}\n."  # its first line is line 0
    diagnostics: list[Diagnostic] = []
    syntax = Syntax([], [], [], [])
    try:
        _add(syntax, _parse_text(name, text, around, -1))
    except UnexpectedInput as error:
        diagnostics = [explain(error, name, text, around, -1)]
        last = body.count("\n") + 1
        if diagnostics[0].line > last:
            column = len(body) - (body.rfind("\n") + 1) + 1
            diagnostics = [diagnostic_at("the query ends inside a literal", Position(name, last, column), {name: text})]
    except VisitError as error:
        if not isinstance(error.orig_exc, Mistake):
            raise error.orig_exc from None
        diagnostics = [diagnostic_at(error.orig_exc.message, error.orig_exc.position, {name: text})]
    except RecursionError:
        diagnostics = [diagnostic_at("the query is nested too deeply", Position(name, 1, 1), {name: text})]
    one = not (syntax.declarations or syntax.types or syntax.directives or syntax.pragmas)
    rules = [rule for rule in syntax.rules if rule.head.position.line == 0]
    if not diagnostics and not (one and len(rules) == len(syntax.rules)):
        message = "a query is one body, such as `p(x, y), q(y)`: rules stand in a file of their own"
        diagnostics = [diagnostic_at(message, Position(name, 1, 1), {name: text})]
    if diagnostics:
        raise DatalogError(diagnostics)
    names = dict.fromkeys(name for rule in rules for name in _written_names(rule))
    head = Atom(QUERY, tuple(map(Variable, names)), Position(name, 1, 1))
    return [replace(rule, head=head, text=body.strip(), position=head.position) for rule in rules]


def _written_names(rule: Rule) -> Iterator[str]:
    """The names of a body in the order in which they are written; not those inside its aggregates."""
    parts = [(each.atom.position, tuple(variables_of(each.atom))) for each in rule.literals]
    parts += [(each.position, tuple(names_of((each.left, each.right)))) for each in rule.constraints]
    for _, names in sorted(parts, key=lambda part: (part[0].line, part[0].column)):
        yield from (name for name in names if not name.startswith("@"))


@cache
def _parser() -> Lark:
    grammar = resources.files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=False)


def _parse_text(name: str, whole: str, text: str, first_line: int) -> Iterator[Any]:
    tree = _parser().parse(text)
    return iter(_Build(name, whole, text, first_line).transform(tree))


def _add(syntax: Syntax, statements: Iterator[Any]) -> None:
    for statement in statements:
        for item in statement:
            match item:
                case TypeDeclaration():
                    syntax.types.append(item)
                case Declaration():
                    syntax.declarations.append(item)
                case Directive():
                    syntax.directives.append(item)
                case Rule():
                    syntax.rules.append(item)
                case Pragma():
                    syntax.pragmas.append(item)


def _parse_by_statement(syntax: Syntax, name: str, text: str) -> list[Diagnostic]:
    """Parse each statement alone, padded with line ends so that its positions are those of the source."""
    diagnostics = []
    for start, end in statements(text):
        line = text.count("\n", 0, start)
        column = start - (text.rfind("\n", 0, start) + 1)
        padded = " " * column + text[start:end]
        try:
            _add(syntax, _parse_text(name, text, padded, line))
        except UnexpectedInput as error:
            diagnostics.append(explain(error, name, text, padded, line))
        except VisitError as error:
            cause = error.orig_exc
            if not isinstance(cause, Mistake):
                raise cause from None
            diagnostics.append(diagnostic_at(cause.message, cause.position, {name: text}))
        except RecursionError:
            message = "this statement is nested too deeply"
            diagnostics.append(diagnostic_at(message, Position(name, line + 1, column + 1), {name: text}))
    return diagnostics


def _alternatives(part: Any) -> _Alternatives:
    return part if isinstance(part, list) else [[part]]


def _multiplied(parts: Sequence[_Alternatives], position: Position) -> _Alternatives:
    """The alternatives of a conjunction of disjunctions."""
    if prod(map(len, parts)) > _MOST_ALTERNATIVES:
        raise Mistake(f"the disjunctions of this body multiply to more than {_MOST_ALTERNATIVES} rules", position)
    return [list(chain(*choice)) for choice in product(*parts)]


def _opposite(part: Any) -> Any:
    match part:
        case Atom():
            return BodyLiteral(part, negated=True)
        case BodyLiteral(atom):
            return atom
        case Constraint(operator, left, right, position):
            return Constraint(_OPPOSITE[operator], left, right, position)
    raise AssertionError(part)


@dataclass(frozen=True, slots=True)
class _Written:
    """An aggregate where it was written, as a term."""

    operator: AggregateOperator
    target: Term | None
    body: list[Any]
    position: Position

    def __str__(self) -> str:
        target = "" if self.target is None else f" {self.target}"
        return f"{self.operator}{target} : {{ {', '.join(map(_text, self.body))} }}"


def _text(part: Any) -> str:
    match part:
        case Constraint(operator, left, right):
            return f"{left} {operator} {right}"
        case BodyLiteral(atom):
            return f"!{_text(atom)}"
        case Atom(relation, terms):
            return f"{relation}({', '.join(map(str, terms))})"
    raise AssertionError(part)


def _lifted(body: Sequence[Any], numbers: Iterator[int]) -> tuple[
    tuple[BodyLiteral, ...], tuple[Constraint, ...], tuple[Aggregate, ...]
]:  # fmt: skip
    """Literals, constraints and aggregates of a body; a variable takes the place of each aggregate."""
    aggregates: list[Aggregate] = []

    def lifted(term: Term | _Written) -> Term:
        if not isinstance(term, _Written):
            return term
        result = Variable(f"@{next(numbers)}")
        parts = _lifted(term.body, numbers)
        aggregates.append(Aggregate(term.operator, term.target, result, *parts, str(term), term.position))
        return result

    literals: list[BodyLiteral] = []
    constraints: list[Constraint] = []
    for part in body:
        match part:
            case Constraint():
                constraints.append(replace(part, left=lifted(part.left), right=lifted(part.right)))
            case _:
                literal = BodyLiteral(part) if isinstance(part, Atom) else part
                terms = tuple(lifted(term) for term in literal.atom.terms)
                literals.append(replace(literal, atom=replace(literal.atom, terms=terms)))
    return tuple(literals), tuple(constraints), tuple(aggregates)


class _Build(Transformer[Token, Any]):
    """Parse tree to statements; `text` is what was parsed, whose first line is line `first_line` + 1 of the source."""

    def __init__(self, name: str, whole: str, text: str, first_line: int):
        super().__init__(visit_tokens=False)
        self.source, self.whole, self.parsed, self.first_line = name, whole, text, first_line

    def at(self, token: Token) -> Position:
        return Position(self.source, (token.line or 1) + self.first_line, token.column or 1)

    def start(self, statements: list[Any]) -> list[Any]:
        return statements

    def type_name(self, names: list[Token]) -> str:
        return ".".join(names)

    def attribute(self, parts: list[Any]) -> tuple[str, str]:
        return str(parts[0]), parts[1]

    def declaration(self, parts: list[Any]) -> list[Declaration | Directive | Pragma]:
        """Qualifiers about storage are hints that change no result; `input` and the like are old directives."""
        columns = tuple(part for part in parts if isinstance(part, tuple))
        names = [part for part in parts if isinstance(part, Token) and part.type == "NAME"]
        items: list[Declaration | Directive | Pragma] = [
            Declaration(str(name), columns, self.at(name)) for name in names
        ]
        for part in parts:
            if isinstance(part, Token) and part.type == "QUALIFIER" and part.value in ("input", "output", "printsize"):
                items.extend(Directive(part.value, str(name), (), self.at(part)) for name in names)
            elif isinstance(part, Token) and part.type == "QUALIFIER" and part.value in _PRAGMAS:
                items.append(Pragma(_PRAGMAS[part.value], tuple(map(str, names)), self.at(part)))
        return items

    def pragma(self, tokens: list[Token]) -> list[Pragma]:
        """Without relations it is for all of them, as is `*`."""
        name, *named = [self.text_of(token) for token in tokens[1:]]
        relations = tuple(part.strip() for part in (named[0] if named else "*").split(","))
        return [Pragma(_PRAGMAS[name], relations, self.at(tokens[0]))]

    def type(self, parts: list[Any]) -> list[TypeDeclaration]:
        return [TypeDeclaration(str(parts[0]), tuple(parts[1:]), self.at(parts[0]))]

    def directive(self, parts: list[Any]) -> list[Directive]:
        parameters = tuple(part for part in parts if isinstance(part, Parameter))
        names = [part for part in parts[1:] if isinstance(part, Token)]
        return [Directive(parts[0][1:], str(name), parameters, self.at(name)) for name in names]

    def parameter(self, tokens: list[Token]) -> Parameter:
        name, value = tokens
        text = self.text_of(value) if value.type == "STRING" else str(value)
        return Parameter(str(name), text, self.at(name))

    def text_of(self, token: Token) -> str:
        """What a string literal stands for."""

        def unescaped(found: re.Match[str]) -> str:
            if found[1] not in _ESCAPES:
                raise Mistake(f"`\\{found[1]}` is no escape sequence", self.at(token))
            return _ESCAPES[found[1]]

        return re.sub(r"\\(.)", unescaped, token[1:-1])

    def variable(self, names: list[Token]) -> Term:
        return Variable(str(names[0]))

    def wildcard(self, _: list[Any]) -> Term:
        return Wildcard()

    def symbol(self, tokens: list[Token]) -> Term:
        return Constant(self.text_of(tokens[0]), "symbol")

    def number(self, tokens: list[Token]) -> Term:
        """Whether a number without `u` is signed is known from where it stands."""
        unsigned = tokens[0].endswith("u")
        digits = tokens[0].rstrip("u")
        value = integer(digits)
        low = 0 if unsigned else -(2**31)
        if value is None or not low <= value < 2**32:
            shown = digits if len(digits) <= _SHOWN else f"{digits[:_SHOWN]}..."
            raise Mistake(f"number {shown} does not fit 32 bits", self.at(tokens[0]))
        return Constant(value, "unsigned" if unsigned else "number")

    def aggregate(self, parts: list[Any]) -> _Written:
        operator, target, body = parts[0].value, parts[1] if len(parts) == 3 else None, _alternatives(parts[-1])
        position = self.at(parts[0])
        if operator == "count" and target is not None:
            raise Mistake(f"count takes no target: `count : {{ ... }}` is expected, not `count {target} :`", position)
        if operator != "count" and (target is None or isinstance(target, _Written | Wildcard)):
            raise Mistake(
                f"{operator} takes a variable or a constant: `{operator} x : {{ ... }}` is expected", position
            )
        if len(body) != 1:
            raise Mistake("not supported: a disjunction inside an aggregate (write it as a relation)", position)
        return _Written(operator, target, body[0], position)

    def atom(self, parts: list[Any]) -> Atom:
        return Atom(str(parts[0]), tuple(parts[1:]), self.at(parts[0]))

    def negation(self, parts: list[Any]) -> Any:
        """Not (a or b) is not a and not b; not (a and b) is not a or not b."""
        if not isinstance(parts[0], list):
            return _opposite(parts[0])
        alternatives: _Alternatives = parts[0]
        return _multiplied([[[_opposite(each)] for each in part] for part in alternatives], self.beginning())

    def beginning(self) -> Position:
        offset = len(self.parsed) - len(self.parsed.lstrip())
        line = self.parsed.count("\n", 0, offset)
        return Position(self.source, self.first_line + line + 1, offset - (self.parsed.rfind("\n", 0, offset) + 1) + 1)

    def constraint(self, parts: list[Any]) -> Constraint:
        left, operator, right = parts
        return Constraint(operator.value, left, right, self.at(operator))

    def truth(self, tokens: list[Token]) -> Constraint:
        holds = tokens[0].value == "true"
        return Constraint("=", Constant(1, "number"), Constant(int(holds), "number"), self.at(tokens[0]))

    def conjunction(self, parts: list[Any]) -> _Alternatives:
        return _multiplied([_alternatives(part) for part in parts], self.beginning())

    def disjunction(self, parts: list[_Alternatives]) -> _Alternatives:
        return list(chain(*parts))

    def heads(self, parts: list[Atom]) -> tuple[Atom, ...]:
        return tuple(parts)

    def clause(self, parts: list[Any]) -> list[Rule]:
        heads, end = parts[0], parts[-1]
        alternatives: _Alternatives = parts[1] if len(parts) == 3 else [[]]
        start = heads[0].position
        text = self.parsed[self._offset(start) : end.end_pos]
        rules = []
        for head in heads:
            for body in alternatives:
                (first, *literals), constraints, aggregates = _lifted([head, *body], count(1))
                rules.append(Rule(first.atom, tuple(literals), constraints, text, head.position, aggregates))
        return rules

    def _offset(self, position: Position) -> int:
        return self._line_starts()[position.line - self.first_line - 1] + position.column - 1

    def _line_starts(self) -> list[int]:
        if not hasattr(self, "_starts"):
            self._starts = [0, *(found.end() for found in re.finditer("\n", self.parsed))]
        return self._starts
