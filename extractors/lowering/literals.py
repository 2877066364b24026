"""Numbers as they are written. One of more digits than are read is a number that is not known."""

from __future__ import annotations

MOST_DIGITS = 640  # that every Python converts: its user can set the limit no lower


def integer(digits: str) -> int | None:
    """The number that decimal digits are; None where they are none, or too many."""
    return int(digits) if len(digits) <= MOST_DIGITS and digits.isdecimal() else None
