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
# With `+` behind it, the last part of a name is possessive: no name is tried as several.
_ATTRIBUTE = rb"(?:" + _CAPITALS + rb"+(?!\w)(?:[ \t]*\([^()]*(?:\([^()]*\)[^()]*)?\))?)"
_WORDS = {
    b"<name>": _NAME,
    b"<type>": rb"(?:" + _NAME + rb"|" + _TYPES + rb")",
    b"<types>": _TYPES,
    b"<plain>": rb"(?!(?:struct|union|enum)\b)(?:" + _NAME + rb"|" + _TYPES + rb")",
    b"<CAPS>": _CAPITALS,
    b"<ATTRIBUTE>": _ATTRIBUTE,
    b"<kept>": rb"(?:(?:static|extern|inline)[ \t]+)*",
}


def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    for word, meaning in _WORDS.items():
        pattern = pattern.replace(word, meaning)
    return re.compile(pattern, re.M)


# Each takes away its group 1; or, of two, what is searched for first is what is rare, the other what stands before it.
_ATTRIBUTES = tuple(
    tuple(map(_compiled, pattern if isinstance(pattern, tuple) else (pattern,)))
    for pattern in (
        (rb"[ \t](?=<types>\b[ \t\n]*[\w*])", rb"(?<![\w.>#])(<name>)[ \t]*\Z"),  # MACRO int f
        # type name MACRO;
        rb"[;{}\n][ \t]*(?:(?:static|extern|const|volatile|struct|union|enum)[ \t]+)*<plain>[ \t*]+<name>[ \t]+"
        rb"((?:__\w+|<CAPS>)(?:[ \t]*\([ \t]*\w*[ \t]*\))?)[ \t]*(?=[;=])",
        rb"\n(<name>)[ \t\n]+<name>[ \t\n*]+<name>[ \t]*[(=;\[]",  # MACRO type f(
        rb"\n(<name>)[ \t]+(?:const|volatile)[ \t]+<type>[ \t*]+[\w*(]",
        rb"\n((?:static[ \t]+)?<CAPS>[ \t]*\([^()\n]*\))[ \t]*$(?!\s*\{)",  # MACRO(a, b) on a line of its own
        rb"\n(?:(?:static|extern)[ \t]+)?<name>[ \t*]+(<CAPS>)[ \t]+\w+[ \t]*[(\[]",  # type MACRO f(
        # static MACRO type f(
        rb"\n(?:static|extern)[ \t]+(<name>)[ \t]+<name>(?:[ \t]+(?:const|volatile))*[ \t\n*]+<name>[ \t]*[(;=\[]",
        (
            rb"[ \t*](<CAPS>)[ \t]+\**[ \t]*\w+[ \t]*\(",
            rb"\b(?!(?:struct|union|enum)\b)<types>[ \t*]*\Z",
        ),  # int MACRO f(
        # type name MACRO,
        (rb"[ \t](<CAPS>|__\w+)(?:\([^()]*\))?[ \t]*(?=[,)])", rb"[\w*][ \t*]+<name>[ \t]*\Z"),
        # (MACRO type name,
        rb"[(,][ \t\n]*(<name>)[ \t]+<name>(?:[ \t]+(?:const|volatile))*[ \t*]+<name>[ \t]*(?=[,)\[])",
        (rb"[ \t](<CAPS>|__\w+)[ \t]*(?=\*)", rb"\b<plain>[ \t]*\Z"),  # type MACRO *
        rb"\([ \t]*(<name>)[ \t]+<name>[ \t]*\*+[ \t]*\)",  # (MACRO type *)
        # MACRO(a, b) type f(
        rb"\n<kept>(<CAPS>[ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\))[ \t]+(?:const[ \t]+)?<type>[ \t*]+<name>"
        rb"[ \t]*[(;=\[]",
        rb"\n<kept><type>[ \t*]+(<name>[ \t]*\([ \t\d,]*\d[ \t]*\))[ \t\n*]+<name>[ \t]*\(",  # type macro(1, 2) f(
        # MACRO(a, b) name; of which MACRO stays as a type
        rb"(?:[;{}\n]|\b(?:static|extern|typedef)\b)[ \t]*<CAPS>(\([^()\n]*,[^()\n]*\))[ \t]+<name>[ \t]*"
        rb"(?=;|=[ \t\n]*(?:\{|<CAPS>))",
        rb"(,)(?=[ \t\r\n]*\))",  # the comma at the end of a macro's arguments
    )
)
# ) MACRO; which is an attribute where the parentheses hold parameters, and else a value that is cast, or a statement.
_BEHIND_PARENTHESES = _compiled(rb"[({};]|\)(?:[ \t\n]*(<ATTRIBUTE>(?:[ \t\n]*<ATTRIBUTE>)*)[ \t]*(?=[;{]))?")
# type name, type (*name), typedef type
_DECLARED = _compiled(rb"(?:\b<type>[ \t\n*]+\b<name>|\([ \t]*\*[^()]*\)|\btypedef\b[^(){};]*)[ \t\n]*\Z")
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
