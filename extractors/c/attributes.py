"""Macros that stand for attributes, storage classes and calling conventions, which the grammar cannot read."""

from __future__ import annotations

import re

from pliant.extractors.c.blanks import BLANK

_TYPES = rb"(?:unsigned|signed|int|char|void|struct|union|enum|long|short|double|float|_Bool|bool)"
_KEYWORDS = (
    rb"(?:return|else|case|goto|typedef|static|extern|const|volatile|struct|union|enum|inline|register|sizeof|do|"
    rb"unsigned|signed|int|char|void|long|short|double|float|if|while|for|switch|_Noreturn|restrict|auto|"
    rb"__attribute__|__extension__|__inline|__inline__|_Thread_local|_Atomic|default|break|continue|define)"
)
_NAME = rb"(?!" + _KEYWORDS + rb"\b)[A-Za-z_]\w*"
_CAPITALS = rb"[A-Z][A-Z0-9_]+"
_CODE = rb"^(?![ \t]*#)"  # not a directive
# Each takes away its group 1; or, of two, what is searched for first is what is rare, the other what stands before it.
_ATTRIBUTES = tuple(
    tuple(re.compile(part, re.M) for part in pattern) if isinstance(pattern, tuple) else (re.compile(pattern, re.M),)
    for pattern in (
        (
            rb"[ \t](?=" + _TYPES + rb"\b[ \t]*[\w*])",  # MACRO int f
            rb"(?<![\w.>#])(" + _NAME + rb")[ \t]*\Z",
        ),
        rb"\n(" + _NAME + rb")[ \t\n]+" + _NAME + rb"[ \t\n*]+" + _NAME + rb"[ \t]*[(=;\[]",  # MACRO type f(
        rb"\n(" + _NAME + rb")[ \t]+(?:const|volatile)[ \t]+(?:" + _NAME + rb"|" + _TYPES + rb")[ \t*]+[\w*(]",
        rb"\n((?:static[ \t]+)?"
        + _CAPITALS
        + rb"[ \t]*\([^()\n]*\))[ \t]*$(?!\s*\{)",  # MACRO(a, b) on a line of its own
        rb"\n(?:(?:static|extern)[ \t]+)?" + _NAME + rb"[ \t*]+(" + _CAPITALS + rb")[ \t]+\**[ \t]*\w+[ \t]*[(\[]",
        (
            rb"[ \t*](" + _CAPITALS + rb")[ \t]+\**[ \t]*\w+[ \t]*\(",  # int MACRO f(
            rb"\b" + _TYPES + rb"[ \t*]*\Z",
        ),
        (
            rb"[ \t](" + _CAPITALS + rb")[ \t]*(?=\*)",  # type MACRO *
            rb"(?:\b" + _NAME + rb"|\b" + _TYPES + rb")[ \t]*\Z",
        ),
        (
            rb"[ \t](" + _CAPITALS + rb")(?:\([^()]*\))?[ \t]*(?=[,)])",  # type name MACRO,
            rb"[\w*][ \t*]+" + _NAME + rb"[ \t]*\Z",
        ),
        rb"\([ \t]*(" + _NAME + rb")[ \t]+" + _NAME + rb"[ \t]*\*+[ \t]*\)",  # (MACRO type *)
        rb"\n(?:(?:static|extern|inline)[ \t]+)*("
        + _CAPITALS
        + rb"[ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\))[ \t]+(?:const[ \t]+)?(?:"
        + _NAME
        + rb"|"
        + _TYPES
        + rb")[ \t*]+"
        + _NAME
        + rb"[ \t]*[(;=\[]",  # MACRO(a, b) type f(
        rb"\n(?:(?:static|extern|inline)[ \t]+)*(?:"
        + _NAME
        + rb"|"
        + _TYPES
        + rb")[ \t*]+("
        + _NAME
        + rb"[ \t]*\([ \t\d,]*\d[ \t]*\))[ \t\n*]+"
        + _NAME
        + rb"[ \t]*\(",  # type macro(1, 2) f(
        rb"(,)(?=[ \t\r\n]*\))",  # the comma at the end of a macro's arguments
    )
)
# ) MACRO; which is an attribute where the parentheses hold parameters, and else a value that is cast, or a statement.
_ATTRIBUTE = rb"(?:" + _CAPITALS + rb"+(?!\w)(?:[ \t]*\([^()]*(?:\([^()]*\)[^()]*)?\))?)"
_BEHIND_PARENTHESES = re.compile(
    rb"[({};]|\)(?:[ \t\n]*(" + _ATTRIBUTE + rb"(?:[ \t\n]*" + _ATTRIBUTE + rb")*)[ \t]*(?=[;{]))?"
)
_DECLARED = re.compile(
    rb"(?:\b(?:" + _NAME + rb"|" + _TYPES + rb")[ \t\n*]+\b" + _NAME + rb"|\([ \t]*\*[^()]*\)"
    rb"|\btypedef\b[^(){};]*)[ \t\n]*\Z"
)  # type name, type (*name), typedef type
_OF_DIRECTIVE = re.compile(rb"\\\n|.\n[ \t]*#", re.S)  # from two bytes before a line
_LONGEST_DECLARATOR = 200  # bytes before parameters in which its type is looked for
_LONGEST_CONTEXT = 1000  # bytes before what is looked for in a line
_NO_SPACE = re.compile(rb"[^ \t\r\f\v]")


def blank_attributes(source: bytearray) -> None:
    """Blank out whatever looks like one, in the whole file."""
    for pattern in _ATTRIBUTES:
        _blank(source, *pattern)
    _blank_behind_parameters(source)


def _blank(source: bytearray, pattern: re.Pattern[bytes], before: re.Pattern[bytes] | None = None) -> None:
    text = b"\n" + source  # the first line begins like all others
    seen = line = 0  # where the last match is, and where its line begins
    first = -1  # the first byte of that line that is no space
    for match in pattern.finditer(text):
        at = match.start(pattern.groups)
        if (newline := text.rfind(b"\n", seen, at)) >= 0 or first < 0:
            line = newline + 1
            code = _NO_SPACE.search(text, line)
            first = code.start() if code is not None else len(text)
        seen = at
        if before is not None:
            context = before.search(text, max(line, at - _LONGEST_CONTEXT), match.start())
            if context is None:
                continue
            match = match if pattern.groups else context
        start, end = match.span(1)
        if (text[first : first + 1] == b"#" and first < start) or text[line - 2 : line] == b"\\\n":
            continue
        source[start - 1 : end - 1] = source[start - 1 : end - 1].translate(BLANK)


def _blank_behind_parameters(source: bytearray) -> None:
    text = b"\n" + source
    opened: list[int] = []
    for match in _BEHIND_PARENTHESES.finditer(text):
        kind = text[match.start()]
        if kind == ord("("):
            opened.append(match.start())
        elif kind != ord(")"):
            opened.clear()
        elif opened:
            parameters = opened.pop()
            start, end = match.span(1)
            if start < 0 or not _DECLARED.search(text, max(0, parameters - _LONGEST_DECLARATOR), parameters):
                continue
            line = text.rfind(b"\n", max(0, start - _LONGEST_CONTEXT), start) + 1
            if not _OF_DIRECTIVE.match(text, line - 2):
                source[start - 1 : end - 1] = text[start:end].translate(BLANK)
