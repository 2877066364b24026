"""The one exception for what a user can put right: one line on standard error and exit status 2."""

from __future__ import annotations

import errno
from pathlib import Path

from pliant.ci.service_logs import in_line


class UserError(Exception):
    """What was expected, what was found, where, and what to do, in one line."""


def reason(error: OSError) -> str:
    """Why something could not be written: of a file in the place of a folder the system says only that it exists."""
    if isinstance(error, FileExistsError | NotADirectoryError):
        return "a file stands where a folder is needed"
    return error.strerror or type(error).__name__


def read_bounded(path: Path, most: int) -> bytes:
    """The content of a file that somebody names. Raises OSError, also for one of more than `most` bytes."""
    with path.open("rb") as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MiB")
    return content


def visible(text: str) -> str:
    """`text` with every character escaped that could move a cursor, colour a terminal or break a line, and every sign
    that could make it a command to a CI service.

    File names and source lines come from the repository under analysis and are not to be trusted.
    """
    return printable(in_line(text))


def visible_path(path: str) -> str:
    """A path for a reader: `visible`, and the undecodable bytes of a name (surrogate escapes) as `\\xNN`."""
    return printable_path(in_line(path))


def printable(text: str) -> str:
    """The same for output that is made harmless to CI services as a whole."""
    if text.isprintable():
        return text
    return "".join(map(_escaped, text))


def printable_path(path: str) -> str:
    if path.isprintable():
        return path
    return "".join(f"\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else _escaped(c) for c in path)


def _escaped(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
