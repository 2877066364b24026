"""Files that are C only once the preprocessor has run: what the grammar cannot read is blanked out.

Everything is replaced by as many bytes, so that positions hold. Taken away are macros that stand for attributes and
storage classes, types as arguments of macros, what is meant for C++, and, where a conditional splits a construct, its
directives with all branches but one.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass, field

from tree_sitter import Node, Tree

from pliant.extractors.budget import TooMuch
from pliant.extractors.c.attributes import blank_attributes
from pliant.extractors.c.bare_macros import is_head, mend
from pliant.extractors.c.blanks import BLANK, erase, outermost
from pliant.extractors.c.conditionals import one_branch, without_cplusplus
from pliant.extractors.c.errors import Error, errors_of
from pliant.extractors.c.loop_macros import LOOP, as_loop, mend_loops
from pliant.extractors.lowering.parsing import Parser

_TYPE_WORDS = re.compile(
    rb"(?<=[,(])([ \t\n]*(?:(?:const|volatile|struct|union|enum|unsigned|signed|long)[ \t\n]+)+)(?=\w)"
)
_TYPE_STARS = re.compile(rb"(?<=\w)([ \t]*(?:\*[ \t]*)+)(?=[,)])")
_TESTED = re.compile(rb"\(\s*[A-Za-z_]\w*\s*\)(?=\s*&&)")
_WORD_END = re.compile(rb"(?:\w+|[)\]])\Z")
_LONGEST_WORD = 16  # of which it matters that it is `return`
_GAP = rb"(?:\s|/\*[^*]*\*/)*"
_VA_ARG = re.compile(rb"(\bva_arg" + _GAP + rb"\(" + _GAP + rb"[\w.>*-]+" + _GAP + rb",)([^(),;{}]+)\)")
_NULLABLE = re.compile(rb"\b(?:_Nullable|__nullable|_Null_unspecified)\b")
_PUNCTUATION = re.compile(rb"""/\*(?s:.*?)\*/|//.*|"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|[()\[\]{},]""")
_SPACE = re.compile(rb"\s*")
_DESIGNATED = re.compile(rb"\s*(\.\s*[A-Za-z_]\w*\s*=(?!=)\s*)")
_SPLIT = re.compile(rb"([A-Za-z_]\w*?)\w(?=[A-Za-z_])\w*")  # a name that is two if what is behind group 1 is a space
_ROUNDS = 3
# Bytes of errors that are parsed again, over all rounds; an error counts as so many at least.
_MOST_MENDED = 500_000
_LEAST_MENDED = 100
_EDITS = 1000  # of a tree, at most


@dataclass(slots=True)
class Parsed:
    """A tree and the bytes that it is of. loops: start bytes of the loops that were calls of macros. heads: macros that
    are the heads of functions, by their start bytes; in the source they are a type and a name. assigning: start
    bytes of arguments of macros that may assign them, as some were `.name = value`. nullable: start bytes of
    `_Nullable`, which the grammar does not have."""

    tree: Tree
    source: bytes
    loops: set[int] = field(default_factory=set)
    heads: dict[int, str] = field(default_factory=dict)
    assigning: set[int] = field(default_factory=set)
    nullable: list[int] = field(default_factory=list)


def parse(source: bytes, parser: Parser) -> Parsed:
    """The tree of a source, repaired as far as possible. Raises TooMuch."""
    if b"__cplusplus" in source:
        source = without_cplusplus(source)
    if b"va_arg" in source:  # a type among arguments may be read as a declaration
        source = _VA_ARG.sub(lambda match: match[1] + _name_only(match[2]) + b")", source)
    if b"&&" in source:  # `(p) && x` is read as the address of `&x`, as a `p`
        source = _TESTED.sub(_without_parentheses, source)
    nullable = [match.start() for match in _NULLABLE.finditer(source)] if b"ullable" in source else []
    if nullable:
        source = _NULLABLE.sub(lambda match: b" " * len(match[0]), source)
    tree = parser.read(source)
    best = _repaired(Parsed(tree, source), parser) if tree.root_node.has_error else Parsed(tree, source)
    best.tree = parser.with_text(best.tree, best.source)
    best.nullable = nullable
    return best


def _repaired(best: Parsed, parser: Parser) -> Parsed:
    left = _MOST_MENDED - _mended(errors_of(best.tree.root_node))
    if left < 0:
        return best
    mended = Parsed(best.tree, best.source)
    repaired = bytearray(best.source)
    blank_attributes(repaired)
    mended.loops |= mend_loops(repaired)
    if repaired != best.source:
        best = _parsed_again(best, bytes(repaired), parser)
    best, left = _in_rounds(best, mended, left, parser)
    for near, split in ((True, True), (True, False), (False, False)):
        if not (errors := errors_of(best.tree.root_node)):
            break
        lines = {line for node, *_ in errors for line in range(node.start_point[0] - 1, node.end_point[0] + 2)}
        one_sided = one_branch(best.source, lines if near else None, split)
        if one_sided == best.source:
            continue
        try:
            candidate = _parsed_again(best, one_sided, parser)
        except TooMuch:  # what was read before is better than nothing
            break
        if _extent(candidate.tree.root_node) < _extent(best.tree.root_node):
            best, left = _in_rounds(candidate, mended, left, parser)
    best.loops, best.heads, best.assigning = mended.loops, mended.heads, mended.assigning
    return best


def _in_rounds(best: Parsed, mended: Parsed, left: int, parser: Parser) -> tuple[Parsed, int]:
    """What can be mended where it stands, as long as something is left of what may be parsed again."""
    for _ in range(_ROUNDS):
        errors = errors_of(best.tree.root_node)
        left -= _mended(errors)
        if not errors or left < 0:
            break
        changed = bytearray(best.source)
        mend(changed, errors)
        _mend(changed, errors, mended)
        if changed == best.source:
            break
        best = _parsed_again(best, bytes(changed), parser)
    return best, left


def _parsed_again(before: Parsed, source: bytes, parser: Parser) -> Parsed:
    """`source`, which has the lines of what was parsed before, some with other bytes: only those are parsed anew,
    unless they are very many."""
    edits = []
    at = 0
    for row, (line, other) in enumerate(zip(before.source.split(b"\n"), source.split(b"\n"), strict=True)):
        end = at + len(line)
        if line != other:
            edits.append((at, end, end, (row, 0), (row, len(line)), (row, len(line))))
        at = end + 1
    if len(edits) > _EDITS:  # an edit takes time in the number of siblings before it
        return Parsed(parser.read(source), source)
    tree = copy(before.tree)
    for edit in edits:
        tree.edit(*edit)
    return Parsed(parser.read(source, tree), source)


def _without_parentheses(match: re.Match[bytes]) -> bytes:
    """`(p)` without its parentheses, unless it is what something is called with."""
    source, end = match.string, match.start()
    while end and source[end - 1] in b" \t\r\n\f\v":
        end -= 1
    before = _WORD_END.search(source, max(0, end - _LONGEST_WORD), end)
    if before is not None and before[0] != b"return":
        return match[0]
    return b" " + match[0][1:-1] + b" "


def _name_only(kind: bytes) -> bytes:
    """A type with all but its last word blanked."""
    words = list(re.finditer(rb"\w+", kind))
    if not words:
        return kind
    start, end = words[-1].span()
    return kind[:start].translate(BLANK) + kind[start:end] + kind[end:].translate(BLANK)


def _mended(errors: list[Error]) -> int:
    """What it takes to parse errors again, of _MOST_MENDED."""
    return sum(max(_LEAST_MENDED, error.node.end_byte - error.node.start_byte) for error in errors)


def _extent(root: Node) -> int:
    """How much of a file could not be read."""
    return sum(max(1, node.end_byte - node.start_byte) for node, *_ in errors_of(root))


def _mend(source: bytearray, errors: list[Error], mended: Parsed) -> None:
    """What can be put right where it stands: types and designators among arguments, macros that are loops or heads of
    functions. mended: gets a note of it."""
    lists = []
    parameters = set()  # start bytes of the lists of arguments that are of heads
    for node, parent, follows, arguments, _, outside in errors:
        if node.is_missing and node.type == ";" and parent is not None and parent.type == "expression_statement":
            call = next(iter(parent.named_children), None)
            name = call.child_by_field_name("function") if call is not None else None
            if call is None or name is None or call.type != "call_expression" or follows is None:
                continue
            if outside and follows.type == "compound_statement" and name.type == "identifier":
                listed = call.child_by_field_name("arguments")
                parameters.add(listed.start_byte if listed is not None else -1)
                if (split := _SPLIT.match(source, name.start_byte, name.end_byte)) is not None:
                    mended.heads[name.start_byte] = split[0].decode()
                    source[split.end(1)] = ord(" ")
                    continue
            size = name.end_byte - name.start_byte
            if size >= len(LOOP) and name.type == "identifier" and is_head(call, follows):
                mended.loops.add(as_loop(source, name.start_byte, name.end_byte))
        elif arguments is not None:
            lists.append((arguments.start_byte, arguments.end_byte))
    lists = [(start, end) for start, end in lists if start not in parameters]
    starts = {start for start, _ in lists} - mended.assigning
    for start, end in outermost(lists):
        mended.assigning |= _without_designators(source, starts, start, end)
    for pattern in (_TYPE_WORDS, _TYPE_STARS):
        text = bytes(source)
        for begin, stop in outermost(lists):
            for match in pattern.finditer(text, begin, stop):
                erase(source, *match.span(1), BLANK)


@dataclass(slots=True)
class _Arguments:
    """A list of arguments that is being read. first: where the argument begins that is. designated: of each argument
    with a designator, where that begins and ends, and where the argument does."""

    start: int
    first: int
    designated: list[tuple[int, int, int]] = field(default_factory=list)

    def end(self, source: bytearray, at: int) -> None:
        """An argument ends."""
        if found := _DESIGNATED.match(source, self.first, at):
            self.designated.append((found.start(1), found.end(1), at))
        elif self.designated and _SPACE.fullmatch(source, self.first, at):
            self.designated.append((self.first - 1, self.first, self.first))  # the comma behind the last
        self.first = at + 1


def _without_designators(source: bytearray, lists: set[int], start: int, end: int) -> set[int]:
    """Blank out what an argument list of a call cannot have: `.name =`, braces around a list, and a comma at its end.
    Only in those of `lists` that have a designator; these are returned. One scan reads all of them, as lists nest."""
    found = set()
    around: list[_Arguments | None] = []
    for token in _PUNCTUATION.finditer(source, start, end):
        inner = around[-1] if around else None
        match token[0]:
            case b"(":
                around.append(_Arguments(token.start(), token.end()))
            case b"[" | b"{":
                around.append(None)
            case b",":
                if inner is not None:
                    inner.end(source, token.start())
            case b")" | b"]" | b"}" if around:
                around.pop()
                if inner is not None and token[0] == b")" and inner.start in lists:
                    inner.end(source, token.start())
                    found |= {inner.start} if inner.designated else set()
                    for begin, stop, behind in inner.designated:
                        is_list = source[stop : stop + 1] == b"{"
                        erase(source, begin, behind if is_list else stop)
                        if is_list:
                            source[stop : stop + 1] = b"0"
    return found
