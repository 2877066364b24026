"""The standard streams as every command finds them: all three are there, and each has one way to fail.

An output that cannot be written is an error of the user's to put right. A reader that has left ends the process as it
ends git: by SIGPIPE. Standard error has nobody else to complain to: what it does not take is dropped.
"""

from __future__ import annotations

import io
import os
import select
import signal
import sys
from typing import Any, TextIO

from pliant.ci.ending import Ended
from pliant.ci.errors import UserError


class _Output(io.FileIO):
    def write(self, data: Any, /) -> int:
        try:
            while (written := super().write(data)) is None:  # another process made it one that does not block
                select.select([], [self], [])
            return written
        except OSError as error:
            return self.failed(error, data)

    def failed(self, error: OSError, data: Any) -> int:
        if isinstance(error, BrokenPipeError):
            raise Ended(signal.SIGPIPE) from None
        raise UserError(f"standard output cannot be written: {error.strerror}") from None


class _Messages(_Output):
    def failed(self, error: OSError, data: Any) -> int:
        return len(memoryview(data).cast("B"))


def prepare() -> None:
    """Puts streams of ours in the place of Python's. To be called first: a stream that is closed has a number that the
    next file would get."""
    for number, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):  # what writes to 1 still fails
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)
    sys.stdin = sys.stdin or open(0)  # noqa: SIM115
    sys.stdout = _text(_Output(1, "wb", closefd=False), sys.stdout)
    sys.stderr = _text(_Messages(2, "wb", closefd=False), sys.stderr)


def _text(stream: _Output, former: TextIO | None) -> io.TextIOWrapper:
    """A source line or a file name may hold what the terminal's encoding has not."""
    encoding = getattr(former, "encoding", None)
    buffered = io.BufferedWriter(stream)
    return io.TextIOWrapper(buffered, encoding, "backslashreplace", line_buffering=stream.isatty())


__all__ = ["prepare"]
