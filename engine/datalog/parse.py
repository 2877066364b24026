"""Source text to syntax. Several sources make one program, and every mistake in them is reported at once.

A source is parsed in one go. If that fails it is parsed again statement by statement, so that one mistake does not
hide the next; a construct of Soufflé that is outside the subset is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import chain, product
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError

from ..errors import DatalogError, Diagnostic
from .syntax import (
    Atom,
    BodyLiteral,
    Constant,
    Constraint,
    Declaration,
    Directive,
    Position,
    Rule,
    Syntax,
    Term,
    TypeDeclaration,
    Variable,
    Wildcard,
    diagnostic_at,
)

# What Soufflé has and the subset does not: a pattern that is tried where the parser stopped, and the construct's name.
_UNSUPPORTED = (
    (r"\.(comp|init|override)\b", "a component"),
    (r"\.functor\b|@[A-Za-z_]", "a functor"),
    (r"\.plan\b", "an explicit plan (plans are chosen by the engine)"),
    (r"\.pragma\b", "a pragma"),
    (r"\.limitsize\b", "a size limit"),
    (r"\.(symbol_type|number_type)\b", "an old-style type declaration (write `.type Name <: symbol`)"),
    (r"\.lattice\b", "a lattice"),
    (r"\.[a-z_]+", "this directive"),
    (r"#\s*(include|define|if|ifdef|ifndef|undef|else|endif|pragma)\b", "the preprocessor"),
    (r"(min|max|sum|count|mean|range)\b", "an aggregate"),
    (r"\[", "a record"),
    (r"\$", "an algebraic data type or the counter `$`"),
    (r"(eqrel|overridable|choice-domain)\b", "this relation qualifier"),
    (r"(as|ord|cat|strlen|substr|to_number|to_string|to_unsigned|to_float|contains|match|autoinc)\b", "a functor"),
    (r"(band|bor|bxor|bnot|bshl|bshr|land|lor|lxor|lnot)\b|[-+*/%^]", "arithmetic"),
    (r"[0-9]*\.[0-9]", "a float"),
    (r"<=\s*[A-Za-z]", "subsumption"),
    (r"(true|false)\b", "the constraints `true` and `false`"),
)
_DIRECTIVE = (
    r"\.(?:decl|type|input|output|printsize|comp|init|override|functor|plan|pragma|limitsize|symbol_type|number_type"
    r"|lattice)\b"
)
_PIECE = re.compile(
    r"(?P<skip>//[^\n]*|/\*.*?\*/|\s+)"
    r'|(?P<word>"(?:\\.|[^"\\\n])*"|[A-Za-z0-9_?]+)'
    rf"|(?P<directive>{_DIRECTIVE})"
    r"|(?P<end>\.(?![0-9]))"
    r"|(?P<other>.)",
    re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


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
        except (UnexpectedInput, VisitError):
            diagnostics.extend(_parse_by_statement(syntax, name, text))
    if diagnostics:
        raise DatalogError(diagnostics)
    return syntax


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


def _parse_by_statement(syntax: Syntax, name: str, text: str) -> list[Diagnostic]:
    """Parse each statement alone, padded with line ends so that its positions are those of the source."""
    diagnostics = []
    for start, end in _statements(text):
        line = text.count("\n", 0, start)
        column = start - (text.rfind("\n", 0, start) + 1)
        padded = " " * column + text[start:end]
        try:
            _add(syntax, _parse_text(name, text, padded, line))
        except UnexpectedInput as error:
            diagnostics.append(_explain(error, name, text, padded, line))
        except VisitError as error:
            cause = error.orig_exc
            if not isinstance(cause, Mistake):
                raise cause from None
            diagnostics.append(diagnostic_at(cause.message, cause.position, {name: text}))
    return diagnostics


def _statements(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each statement: a clause ends at its full stop, a directive where the next statement starts.

    A directive's parentheses are balanced before a name can start a clause, so that `.decl a(x: t)` and the clause
    that follows it come apart.
    """
    start = -1
    in_directive, depth, closed = False, 0, False
    for piece in _PIECE.finditer(text):
        kind, at = piece.lastgroup, piece.start()
        if kind == "skip":
            continue
        if kind == "directive":
            if start >= 0:
                yield start, at
            start, in_directive, depth, closed = at, True, 0, False
            continue
        if in_directive and closed and depth == 0 and kind == "word" and re.match(r"\w+\s*\(", text[at:]):
            yield start, at
            start, in_directive = at, False
        if start < 0:
            start, in_directive = at, False
        if kind == "end" and not in_directive:
            yield start, piece.end()
            start = -1
        elif kind == "other":
            depth += {"(": 1, ")": -1}.get(piece.group(), 0)
            closed = closed or piece.group() == ")"
        elif in_directive and not closed and depth == 0 and not text.startswith((".decl", ".type"), start):
            closed = True  # `.input a` is complete; a clause may follow
    if start >= 0:
        yield start, len(text)


def _explain(error: UnexpectedInput, name: str, whole: str, padded: str, first_line: int) -> Diagnostic:
    at = error.pos_in_stream if error.pos_in_stream is not None and error.pos_in_stream >= 0 else len(padded.rstrip())
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        at = len(padded.rstrip())
    rest = padded[at:]
    line = first_line + padded.count("\n", 0, at) + 1
    column = at - (padded.rfind("\n", 0, at) + 1) + 1
    message = _name_construct(rest, padded, at)
    if message is None:
        if not rest.strip():
            message = "the source ends inside this statement; a clause ends with a full stop"
        elif isinstance(error, UnexpectedCharacters) and rest[0] == '"':
            message = "this string has no closing quote on its line"
        elif isinstance(error, UnexpectedCharacters) and rest.startswith("/*"):
            message = "this comment is not closed"
        else:
            found = re.match(r'\w+|:-|"[^"\n]*"|.', rest)
            message = f"unexpected `{found.group() if found else rest[:1]}`"
    return diagnostic_at(message, Position(name, line, column), {name: whole})


def _name_construct(rest: str, padded: str, at: int) -> str | None:
    if rest.startswith("(") and re.match(r"\s*\.(input|output|printsize)\b", padded):
        return "not supported: parameters of an input or output"
    before = re.search(r"\b(\w+)\s*:?\s*$", padded[:at])
    if before and before.group(1) in ("eqrel", "overridable"):
        return f"not supported: this relation qualifier (`{before.group(1)}`)"
    if rest[:1] in (":", "{") and before and re.fullmatch("min|max|sum|count|mean|range", before.group(1)):
        return "not supported: an aggregate"
    if rest.startswith("(") and before and not rest.startswith("(:"):
        return f"not supported: a functor (`{before.group(1)}(...)` in place of a value)"
    for pattern, construct in _UNSUPPORTED:
        found = re.match(pattern, rest)
        if found:
            return f"not supported: {construct} (`{found.group().strip()}`)"
    return None


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

    def qualifier(self, _: list[Any]) -> None:
        return None  # hints to Soufflé about storage; they change no result

    def declaration(self, parts: list[Any]) -> list[Declaration]:
        columns = tuple(part for part in parts if isinstance(part, tuple))
        return [Declaration(str(part), columns, self.at(part)) for part in parts if isinstance(part, Token)]

    def type(self, parts: list[Any]) -> list[TypeDeclaration]:
        return [TypeDeclaration(str(parts[0]), tuple(parts[1:]), self.at(parts[0]))]

    def input(self, names: list[Token]) -> list[Directive]:
        return [Directive("input", str(name), self.at(name)) for name in names]

    def output(self, names: list[Token]) -> list[Directive]:
        return [Directive("output", str(name), self.at(name)) for name in names]

    def variable(self, names: list[Token]) -> Term:
        return Variable(str(names[0]))

    def wildcard(self, _: list[Any]) -> Term:
        return Wildcard()

    def symbol(self, tokens: list[Token]) -> Term:
        return Constant(re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[0]), tokens[0][1:-1]), "symbol")

    def number(self, tokens: list[Token]) -> Term:
        unsigned = tokens[0].endswith("u")
        digits = tokens[0].rstrip("u")
        value = int(digits, 0 if re.match("-?0[xb]", digits) else 10)
        low, high = (0, 2**32) if unsigned else (-(2**31), 2**31)
        if not low <= value < high:
            raise Mistake(f"number {digits} does not fit 32 bits", self.at(tokens[0]))
        return Constant(value, "unsigned" if unsigned else "number")

    def atom(self, parts: list[Any]) -> Atom:
        return Atom(str(parts[0]), tuple(parts[1:]), self.at(parts[0]))

    def negation(self, parts: list[Atom]) -> BodyLiteral:
        return BodyLiteral(parts[0], negated=True)

    def constraint(self, parts: list[Any]) -> Constraint:
        left, operator, right = parts
        return Constraint(operator.value, left, right, self.at(operator))

    def conjunction(self, parts: list[Any]) -> list[list[Any]]:
        """Alternatives, each a list of literals: a nested disjunction multiplies them."""
        return [
            list(chain(*choice))
            for choice in product(*(part if isinstance(part, list) else [[part]] for part in parts))
        ]

    def disjunction(self, parts: list[list[list[Any]]]) -> list[list[Any]]:
        return list(chain(*parts))

    def heads(self, parts: list[Atom]) -> tuple[Atom, ...]:
        return tuple(parts)

    def clause(self, parts: list[Any]) -> list[Rule]:
        heads, end = parts[0], parts[-1]
        alternatives = parts[1] if len(parts) == 3 else [[]]
        start = heads[0].position
        text = self.parsed[self._offset(start) : end.end_pos]
        rules = []
        for head in heads:
            for body in alternatives:
                literals = tuple(BodyLiteral(part) if isinstance(part, Atom) else part for part in body
                                 if not isinstance(part, Constraint))  # fmt: skip
                constraints = tuple(part for part in body if isinstance(part, Constraint))
                rules.append(Rule(head, literals, constraints, text, head.position))
        return rules

    def _offset(self, position: Position) -> int:
        return self._line_starts()[position.line - self.first_line - 1] + position.column - 1

    def _line_starts(self) -> list[int]:
        if not hasattr(self, "_starts"):
            self._starts = [0, *(found.end() for found in re.finditer("\n", self.parsed))]
        return self._starts
