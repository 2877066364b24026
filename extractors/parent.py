"""A child process that ends when its parent does, whatever ends the parent and whatever the child is doing."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys
import threading

_PR_SET_PDEATHSIG = 1


def end_with_parent(pipe: int) -> None:
    """Ends this process when its parent has ended. `pipe`: a read end whose write end only the parent holds.

    A thread waits for the pipe to be hung up, which also holds if the parent was gone before this call. While a library
    keeps the interpreter from switching threads, that thread cannot act: on Linux the kernel ends the process as well.
    The kernel's parent is a thread: whoever starts a process that calls this keeps the thread until the process ended.
    """
    threading.Thread(target=_wait_for_hang_up, args=(pipe,), daemon=True).start()
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # a C library without it: the thread remains
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _wait_for_hang_up(pipe: int) -> None:
    waiting = select.poll()
    waiting.register(pipe, 0)  # a hang-up is always told, and nothing else here
    waiting.poll()
    os._exit(1)


__all__ = ["end_with_parent"]
