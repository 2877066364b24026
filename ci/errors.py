"""The one exception for what a user can put right: one line on standard error and exit status 2."""

from __future__ import annotations


class UserError(Exception):
    """What was expected, what was found, where, and what to do, in one line."""


def visible(text: str) -> str:
    """`text` with every character escaped that could move a cursor, colour a terminal or break a line.

    File names and source lines come from the repository under analysis and are not to be trusted.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def visible_path(path: str) -> str:
    """A path for a reader: `visible`, and the undecodable bytes of a name (surrogate escapes) as `\\xNN`."""
    if path.isprintable():
        return path
    return "".join(f"\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else visible(c) for c in path)
