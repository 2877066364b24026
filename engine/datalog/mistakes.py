"""What is wrong where the parser stopped: the construct of Soufflé that is outside the subset, or the surprise.

Also cuts a source into statements, so that each can be parsed alone and one mistake does not hide the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from ..errors import Diagnostic
from .syntax import Position, diagnostic_at

# What Soufflé has and the subset does not: a pattern that is tried where the parser stopped, and the construct's name.
_UNSUPPORTED: Final = (
    (r"\.(comp|init|override)\b", "a component"),
    (r"\.functor\b|@[A-Za-z_]", "a functor"),
    (r"@!?\[", "an annotation"),
    (r"@@", "an aggregate of the user's own"),
    (r"\.plan\b", "an explicit plan (plans are chosen by the engine)"),
    (r"\.pragma\b", "a pragma other than magic-transform"),
    (r"\.limitsize\b", "a size limit"),
    (r"\.(symbol_type|number_type)\b", "an old-style type declaration (write `.type Name <: symbol`)"),
    (r"\.lattice\b", "a lattice"),
    (r"\.(include|once)\b", "an included file"),
    (r"\.[a-z_]+", "this directive"),
    (r"#\s*(include|define|if|ifdef|ifndef|undef|else|elif|endif|error|warning|line|pragma)\b", "the preprocessor"),
    (r"\[", "a record"),
    (r"nil\b", "a record"),
    (r"\$", "an algebraic data type or the counter `$`"),
    (r"eqrel\b", "this relation qualifier"),
    (r"overridable\b", "this relation qualifier"),
    (r"choice-domain\b", "this relation qualifier"),
    (r"=\s*debug_delta\b", "a copy of a relation's delta"),
    (r"(autoinc|recursive_iteration_cnt)\b", "a counter"),
    (r"mean\b", "the aggregate `mean` (its values are floats)"),
    (r"(match|contains)\b", "a constraint on the text of symbols"),
    (r"(as|ord|cat|strlen|substr|range|to_number|to_string|to_unsigned|to_float)\b", "a functor"),
    (r"(band|bor|bxor|bnot|bshl|bshru?|land|lor|lxor|lnot)\b|[-+*/%^]", "arithmetic"),
    (r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+", "a number written as an IP address"),
    (r"[0-9]*\.[0-9]", "a float"),
    (r"<=\s*[A-Za-z]", "subsumption"),
    (r"<\s*>", "a lattice's column"),
)
_WORD: Final = re.compile(
    r"(brie|btree|btree_delete|count|debug_delta|false|inline|input|magic|max|min|no_inline|no_magic|output|printsize"
    r"|stateful|sum|true|__FILE__|__INCL__|__LINE__)(?![A-Za-z0-9_?])"
)
_DIRECTIVE: Final = (
    r"\.(?:decl|type|input|output|printsize|comp|init|override|functor|plan|pragma|limitsize|symbol_type|number_type"
    r"|lattice|include|once)\b"
)
_PIECE: Final = re.compile(
    r"(?P<skip>//[^\n]*|/\*.*?\*/|\s+)"
    r'|(?P<word>"(?:\\.|[^"\\\n])*"|[0-9]+(?:\.[0-9]+)+|[A-Za-z0-9_?]+)'
    rf"|(?P<directive>{_DIRECTIVE})"
    r"|(?P<hash>\#[^\n]*)"
    r"|(?P<end>\.(?![0-9]))"
    r"|(?P<other>.)",
    re.DOTALL,
)
_BLOCK: Final = re.compile(r"\.(comp|lattice)\b")  # statements that end with their closing brace
_DEPTH: Final = {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}


def statements(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each statement: a clause ends at its full stop, a directive where the next statement starts.

    A directive's parentheses are balanced before a name can start a clause, so that `.decl a(x: t)` and the clause
    that follows it come apart. A component with all that is in it is one statement.
    """
    start = -1
    in_directive, block, depth, closed = False, False, 0, False
    before = ""  # the piece before this one
    for piece in _PIECE.finditer(text):
        kind, at = piece.lastgroup, piece.start()
        if kind == "skip":
            continue
        if block:
            depth += _DEPTH.get(piece.group(), 0)
            if piece.group() == "}" and depth <= 0:
                yield start, piece.end()
                start, block, in_directive = -1, False, False
            continue
        if kind == "hash" and (start < 0 or in_directive):
            if start >= 0:
                yield start, at
            yield at, piece.end()
            start, in_directive = -1, False
            continue
        if kind == "directive":
            if start >= 0:
                yield start, at
            start, in_directive, depth, closed = at, True, 0, False
            block = _BLOCK.match(text, at) is not None
            continue
        starts_clause = kind == "word" and before not in (",", "-") and re.match(r"\w+\s*\(", text[at:])
        if in_directive and closed and depth == 0 and starts_clause:
            yield start, at
            start, in_directive = at, False
        if start < 0:
            start, in_directive = at, False
        before = piece.group()
        if kind == "end" and not in_directive:
            yield start, piece.end()
            start = -1
        elif kind == "other":
            depth += _DEPTH.get(piece.group(), 0)
            closed = closed or piece.group() == ")"
        elif in_directive and not closed and depth == 0 and not text.startswith((".decl", ".type"), start):
            closed = True  # `.input a` is complete; a clause may follow
    if start >= 0:
        yield start, len(text)


def explain(error: UnexpectedInput, name: str, whole: str, padded: str, first_line: int) -> Diagnostic:
    """What to tell of an error in the statement `padded`, whose first line is line `first_line` + 1 of `whole`."""
    at = error.pos_in_stream if error.pos_in_stream is not None and error.pos_in_stream >= 0 else len(padded.rstrip())
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        at = len(padded.rstrip())
    if (ends := _unended(padded, at)) is not None:
        at = ends
    rest = padded[at:]
    line = first_line + padded.count("\n", 0, at) + 1
    column = at - (padded.rfind("\n", 0, at) + 1) + 1
    message = _name_construct(rest, padded, at)
    if ends is not None:
        message = "a full stop is missing: the next clause begins on another line"
    elif message is None:
        word = _WORD.match(rest)
        if not rest.strip():
            message = "the source ends inside this statement; a clause ends with a full stop"
        elif isinstance(error, UnexpectedCharacters) and rest[0] == '"':
            message = "this string has no closing quote on its line"
        elif isinstance(error, UnexpectedCharacters) and rest.startswith("/*"):
            message = "this comment is not closed"
        elif word:
            message = f"`{word.group(1)}` is a word of the language: it cannot be used here, nor as a name"
        else:
            found = re.match(r'\w+|:-|"[^"\n]*"|.', rest)
            message = f"unexpected `{found.group() if found else rest[:1]}`"
    return diagnostic_at(message, Position(name, line, column), {name: whole})


def _unended(padded: str, at: int) -> int | None:
    """Where a clause ends that has no full stop, if what is unexpected begins another one on a line of its own."""
    ended = padded[:at].rstrip()
    begins = re.match(r"\.?[a-z_]\w*\s*[(\s]", padded[at:], re.IGNORECASE)
    return len(ended) if begins and ended.endswith(")") and "\n" in padded[len(ended) : at] else None


def _name_construct(rest: str, padded: str, at: int) -> str | None:
    before = re.search(r"\b(\w+)\s*:?\s*$", padded[:at])
    if before and before.group(1) in ("eqrel", "overridable"):
        return f"not supported: this relation qualifier (`{before.group(1)}`)"
    if before and before.group(1) in ("count", "max", "min", "sum") and not rest.startswith((":", "(")):
        return f"`{before.group(1)}` is an aggregate: `{before.group(1)} ... : {{ ... }}` is expected"
    functor = re.search(r"\b(min|max)\s*\([^()]*$", padded[:at])
    if functor and rest.startswith(","):
        return f"not supported: a functor (`{functor.group(1)}(...)` in place of a value)"
    if rest.startswith("{") and padded.lstrip().startswith(".type"):
        return "not supported: an algebraic data type (`{`)"
    if rest.startswith("(") and before and not rest.startswith("(:"):
        return f"not supported: a functor (`{before.group(1)}(...)` in place of a value)"
    for pattern, construct in _UNSUPPORTED:
        found = re.match(pattern, rest)
        if found:
            return f"not supported: {construct} (`{' '.join(found.group().split())}`)"
    return None
