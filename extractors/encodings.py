"""The bytes of a file as the text that is parsed: encodings by their marks, NUL bytes where compilers accept them.

Lines, and columns in bytes, of all that is known of a file are those of the UTF-8 text that `decoded` gives.
"""

from __future__ import annotations

import codecs
import re
from typing import Literal

from pliant.extractors.facts import Diagnostic

# Where compilers of a language accept a NUL byte: nowhere (Python), in comments and literals (Java), or in these and
# between words (C). Those that accept some read UTF-16 and UTF-32, too.
Nulls = Literal["nowhere", "quoted", "anywhere"]

_MARKS = (  # that of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BLOCK = rb"/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
_TEXT_BLOCK = rb'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?'
_LITERALS = rb""""(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?"""
_QUOTED = {
    "quoted": re.compile(b"|".join((rb"//[^\n]*", _BLOCK, _TEXT_BLOCK, _LITERALS)), re.DOTALL),
    "anywhere": re.compile(b"|".join((rb"//(?:[^\\\n]|\\.)*+", _BLOCK, _LITERALS)), re.DOTALL),
}
_REFUSED = {  # outside of comments and literals
    "quoted": re.compile(rb"[\0-\x08\x0e-\x1f\x7f]"),
    "anywhere": re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]"),
}
_STAND_IN = bytes.maketrans(b"\0", b"\x01")  # parsers take a NUL for the end of the file


class Unreadable(Exception):
    """A file that is no source of its language; the text is the end of a sentence."""


def decoded(content: bytes) -> bytes:
    """A file as UTF-8 without a mark, by the mark that it has; bytes that are no text are U+FFFD."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace").encode()
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        content.decode()
    except UnicodeDecodeError:
        return content.decode(errors="replace").encode()
    return content


def readable(content: bytes, nulls: Nulls) -> tuple[bytes, Diagnostic | None]:
    """`decoded`, with a stand-in of the same length for each NUL, and what is to be said of it. Raises Unreadable."""
    marked = any(content.startswith(mark) for mark, _ in _MARKS)
    if nulls == "nowhere" and marked:
        raise Unreadable("it is in UTF-16 or UTF-32")
    if nulls == "nowhere" and b"\0" in content:
        raise _binary(content, content.index(b"\0"))
    text = decoded(content)
    plain = content.removeprefix(codecs.BOM_UTF8)
    remark = None
    if not marked and text != plain:
        try:
            plain.decode()
        except UnicodeDecodeError as error:
            line = plain.count(b"\n", 0, error.start) + 1
            remark = Diagnostic(line, "not UTF-8 from here on: other bytes were read as U+FFFD", "remark")
    return _without_nulls(text, nulls) if b"\0" in text else text, remark


def _without_nulls(text: bytes, nulls: Nulls) -> bytes:
    at = 0
    parts: list[bytes] = []
    for quoted in _QUOTED[nulls].finditer(text):
        parts += (_outside(text, at, quoted.start(), nulls), quoted[0].translate(_STAND_IN))
        at = quoted.end()
    return b"".join([*parts, _outside(text, at, len(text), nulls)])


def _outside(text: bytes, start: int, end: int, nulls: Nulls) -> bytes:
    """Code between comments and literals, a space for each NUL."""
    refused = _REFUSED[nulls].search(text, start, end)
    if refused is not None:
        raise _binary(text, refused.start())
    return text[start:end].replace(b"\0", b" ")


def _binary(text: bytes, at: int) -> Unreadable:
    line = text.count(b"\n", 0, at) + 1
    return Unreadable(f"a binary file, or one that no compiler reads: there is a byte {text[at]} in line {line}")
