"""File-system operations that fail or kill the process, one after the other.

`survivors(call)` runs a call in a forked process that dies at its first file-system operation, then again in one that
dies at its second, and so on until the call comes to its end; a write is cut in half. The operations of the package
under test are those of `os`.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

OPERATIONS = ("open", "write", "fsync", "replace", "rename", "link", "unlink", "mkdir", "rmdir", "utime")
FILLING = ("open", "write", "fsync", "link", "mkdir")  # what a full disk refuses
_KILLED = 87


@contextlib.contextmanager
def counted(operations: tuple[str, ...], at: Callable[[int, str, Any], None]) -> Iterator[list[str]]:
    """Tells `at` the number, the name and the arguments of each operation before it is done; gives the names so far."""
    done: list[str] = []

    def hooked(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def operation(*args: Any, **keywords: Any) -> Any:
            if name != "open" or (len(args) > 1 and args[1] & os.O_CREAT):
                done.append(name)
                at(len(done), name, args)
            return real(*args, **keywords)

        return operation

    with contextlib.ExitStack() as stack:
        for name in operations:
            stack.enter_context(patch.object(os, name, hooked(name)))
        yield done


def survivors(call: Callable[[], object], most: int = 400) -> Iterator[int]:
    """Yields after each death, with its number; ends when the call was not killed any more."""
    for number in range(1, most):
        if _finished(call, number):
            assert number > 3, "the call does next to nothing"
            return
        yield number
    raise AssertionError(f"the call has more than {most} operations")


def _finished(call: Callable[[], object], number: int) -> bool:
    real_write, leave = os.write, os._exit
    process = os.fork()
    if process == 0:

        def at(count: int, name: str, args: Any) -> None:
            if count == number:
                if name == "write":
                    real_write(args[0], bytes(args[1])[: len(args[1]) // 2])
                leave(_KILLED)

        status = 1
        try:
            with counted(OPERATIONS, at):
                call()
            status = 0
        finally:
            leave(status)
    _, status = os.waitpid(process, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, _KILLED), f"the process ended with {code} at operation {number}"
    return code == 0


def full_disks(call: Callable[[], object], most: int = 400) -> Iterator[tuple[int, Exception | None]]:
    """Runs the call with a disk that is full from its first operation on, from its second, ...; yields what it raised,
    and ends when the disk was not full before the call ended."""
    for number in range(1, most):
        raised: Exception | None = None

        def at(count: int, name: str, args: Any, number: int = number) -> None:
            if count >= number:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with counted(FILLING, at) as done:
            try:
                call()
            except Exception as error:
                raised = error
        if len(done) < number:
            assert raised is None and number > 3
            return
        yield number, raised
    raise AssertionError(f"the call has more than {most} operations")
