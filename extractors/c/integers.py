"""Integers as C writes them."""

from __future__ import annotations

import re

_LITERAL = re.compile(r"\(*\s*+(-?)\s*+(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*\s*\)*")
_BITS = 64  # of the largest type
_DIGITS = 22  # that a number of so many bits may have, to base 8


def integer(source: str) -> int | None:
    """The value of an integer literal, which may have a sign and stand in parentheses; None where it is none, or one
    that no type of C holds, however many digits it has."""
    match = _LITERAL.fullmatch(source)
    if match is None:
        return None
    digits = match[2]
    base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" else 10
    digits = (digits[2:] if base == 16 else digits).lstrip("0") or "0"
    if len(digits) > _DIGITS or (base == 8 and not set(digits) <= set("01234567")):
        return None
    value = int(digits, base)
    if value >> _BITS:
        return None
    return -value if match[1] else value
