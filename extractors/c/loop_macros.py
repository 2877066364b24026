"""Macros that are the heads of loops, of the file itself and of system headers. The grammar reads their uses as calls
without a `;`; as `while (...)`, of the same length, they have the statement behind them as their body."""

from __future__ import annotations

import re

from pliant.extractors.c.models import models

LOOP = b"while"
_DEFINITION = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*+)\([^()\n]*+\)[ \t]*+((?:[^\n\\]++|\\\r?\n|\\)*+)", re.M
)
# A directive with all its lines, in which no use is changed, or a use.
_USE = re.compile(
    rb"^[ \t]*+(?:#(?:[^\n\\]++|\\\r?\n|\\)*+|(?:\}[ \t]*+)?(?:else[ \t]++)?([A-Za-z_]\w*+)[ \t]*+(?=\())", re.M
)
_CONTINUED = re.compile(rb"\\\r?\n|/\*(?:[^*]++|\*(?!/))*+\*/|//.*")
_HEAD = re.compile(rb"\s*+(?:for|while)\s*+(?=\()")
_BEHIND = re.compile(rb"\s*+(?:if\s*+\(.*\)|if\s*+\(.*\)\s*+\{\s*+\}\s*+else)?\s*+\Z", re.S)
_PARENTHESIS = re.compile(rb"[()]")


def mend_loops(source: bytearray) -> set[int]:
    """Changes uses of such macros at the beginnings of lines. Returns where these start."""
    own = {match[1]: _is_head(match[2]) for match in _DEFINITION.finditer(source)}
    of_headers = (name for name in models().loops if name not in own and name in source)
    names = {*(name for name, is_head in own.items() if is_head), *of_headers}
    wanted = {name for name in names if len(name) >= len(LOOP)}
    if not wanted:
        return set()
    return {as_loop(source, *match.span(1)) for match in _USE.finditer(source) if match[1] in wanted}


def as_loop(source: bytearray, start: int, end: int) -> int:
    """The name that begins at `start` becomes that of a loop, which it is long enough for. Returns `start`."""
    source[start:end] = LOOP.ljust(end - start)
    return start


def _is_head(body: bytes) -> bool:
    """Whether a loop without its body is all that a macro stands for, at most with a condition of the body."""
    text = _CONTINUED.sub(b" ", body)
    head = _HEAD.match(text)
    if head is None:
        return False
    depth = 0
    for found in _PARENTHESIS.finditer(text, head.end()):
        depth += 1 if found[0] == b"(" else -1
        if depth == 0:
            return _BEHIND.match(text, found.end()) is not None
    return False
