"""Macros that stand where the grammar expects something else: lines of them in lists of fields and enumerators, at file
level and as statements, and names that are strings. They are blanked out; a call that is a statement gets its `;`, for
which it moves a column to the left.

A line break and not a `;` ends them, so the grammar may read them as the beginning of what follows.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from pliant.extractors.c.errors import Error

# No quantifier gives back what it took: a file that is no C costs no more than one that is.
_ARGUMENTS = rb"\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)"
_MACRO = rb"[A-Za-z_]\w*+(?:[ \t]*+" + _ARGUMENTS + rb")?+"
_DEFINITIONS = re.compile(rb"^[ \t]*#[ \t]*(?:define|undef)\b(?:[^\\\n]++|\\\r?\n|\\)*+", re.M)
_MACROS = re.compile(rb"(?:\s*+" + _MACRO + rb"[ \t\r]*+(?:[;,\n]|\Z))*+\s*+")
_STRINGS = re.compile(rb"(?:\s*+(?:[A-Za-z_]\w*+|\"(?:\\.|[^\"\\\n])*+\"))++\s*+")
_CALL = re.compile(rb"[ \t]++([A-Za-z_]\w*+[ \t]*+" + _ARGUMENTS + rb")\s*+\Z")
_ALONE = re.compile(rb"[ \t\r]*+(?:\n|\Z)")
_WORD = re.compile(rb"[ \t]*+([A-Za-z_]\w*+)")
_SPACE = re.compile(rb"\s*+")
_NOT_CALLED = re.compile(rb"[ \t]*(?:if|while|for|switch|return|else|do|case|sizeof|goto|typedef)\b")
_KEYWORDS = frozenset(
    b"typedef static extern inline const volatile struct enum union void char short int long float double signed "
    b"unsigned".split()
)
_OPERANDS = frozenset(("argument_list", "concatenated_string", "init_declarator", "initializer_list"))
_MOST_WORDS = 6  # that are looked at of a declaration
_LONGEST = 2000  # bytes of what is looked at
_BLANK = bytes(code if code in (10, 13) else 32 for code in range(256))  # line ends stay


def mend(source: bytearray, errors: list[Error]) -> None:
    """Changes `source`, whose tree has these errors."""
    lists: set[int] = set()  # of enumerators, by the ids of their nodes
    for error in errors:
        node, parent = error.node, error.parent
        start, end = node.start_byte, node.end_byte
        if parent is None:
            continue
        if error.member is not None:
            start, end = error.member.start_byte, error.member.end_byte
            if node.is_missing and node.type == "," and parent.id not in lists:  # as behind an enumerator
                lists.add(parent.id)
                for each in parent.children:
                    if each.type == "preproc_call":
                        _blank(source, each.start_byte, each.end_byte)
            if end - start <= _LONGEST and _MACROS.fullmatch(_DEFINITIONS.sub(b"", source[start:end])):
                _blank(source, start, end)
        elif parent.type in ("declaration", "function_definition") and (first := _taken_for_a_type(source, parent)):
            _blank(source, first.start_byte, first.end_byte)
        elif node.is_missing and node.type == ";":
            _without_its_end(source, error)
        elif parent.type in _OPERANDS:
            start += source.startswith(b"(", start)
            if node.is_error and _is(_STRINGS, source, start, end):
                _blank(source, start, end)
        elif parent.type == "translation_unit":
            if node.is_error and _is(_MACROS, source, start, end):
                _blank(source, start, end)
        elif not error.outside and error.arguments is None:
            _end_calls_before(source, start)


def _taken_for_a_type(source: bytearray, declaration: Node) -> Node | None:
    """The macro in front of a declaration, where the declaration's type is taken for its name, or for no part of it."""
    children = map(declaration.named_child, range(min(declaration.named_child_count, _MOST_WORDS)))
    words = [child for child in children if child is not None and child.type != "comment"]
    if len(words) < 2 or words[0].type != "type_identifier":
        return None
    if words[1].is_error and _ALONE.match(source, words[0].end_byte) and words[0].start_point[1] == 0:
        return words[0]
    for each in words[1:]:
        if (each.type == "identifier" or each.is_error) and bytes(source[each.start_byte : each.end_byte]) in _KEYWORDS:
            return words[0]
    return None


def is_head(call: Node, follows: Node | None) -> bool:
    """Whether what follows a call belongs to it, as the body of a loop does: it is a block, or further to the right."""
    return follows is not None and (
        follows.type == "compound_statement" or follows.start_point[1] > call.start_point[1]
    )


def _without_its_end(source: bytearray, error: Error) -> None:
    """What the grammar misses a `;` behind."""
    node, parent = error.node, error.parent
    line = source.rfind(b"\n", max(0, node.start_byte - _LONGEST), node.start_byte) + 1
    if (word := _WORD.fullmatch(source, line, node.start_byte)) and _ALONE.match(source, node.start_byte):
        _blank(source, *word.span(1))
    elif parent is not None and parent.type == "expression_statement" and not error.outside:
        behind = _SPACE.match(source, node.start_byte)
        if behind is not None and not is_head(parent, error.follows):
            _end_calls_before(source, behind.end())


def _end_calls_before(source: bytearray, at: int) -> None:
    """Gives the calls on the lines before `at` their `;`."""
    while True:
        line = source.rfind(b"\n", max(0, at - _LONGEST), at)
        if line < 0 or source[line:at].strip():
            return
        first = max(0, line - _LONGEST)
        line = first + len(source[first:line].rstrip())
        start = at = source.rfind(b"\n", first, line) + 1
        found = _CALL.search(source, start, line) if start else None
        if found is None or _NOT_CALLED.match(source, found.start(), line):
            return
        first, last = found.span(1)
        before = source[start : first - 1].rstrip()
        if before and not before.endswith((b")", b"{", b"}", b";")):
            return
        source[first - 1 : last] = source[first:last] + b";"


def _is(pattern: re.Pattern[bytes], source: bytearray, start: int, end: int) -> bool:
    return end - start <= _LONGEST and pattern.fullmatch(source, start, end) is not None


def _blank(source: bytearray, start: int, end: int) -> None:
    source[start:end] = source[start:end].translate(_BLANK)
