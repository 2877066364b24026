"""Both cores for large arrays: numpy lets go of the interpreter while it sorts, searches and copies them.

What a thread does must not depend on how many there are: callers cut their work at values, never in an order that shows
in a result. PLIANT_THREADS sets the number of threads; without it there are as many as the process may use, up to four.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

_MOST: Final = 4  # memory bandwidth is spent by then
_T = TypeVar("_T")


class _Pool:
    """Threads are made when first needed, and made anew in a forked process, which has none of its parent's."""

    def __init__(self) -> None:
        self.threads: ThreadPoolExecutor | None = None
        self.count = 0

    def get(self, count: int) -> ThreadPoolExecutor:
        if self.threads is None or self.count < count:
            self.threads, self.count = ThreadPoolExecutor(count, "pliant"), count
        return self.threads

    def forget(self) -> None:
        self.threads, self.count = None, 0


_pool: Final = _Pool()
os.register_at_fork(after_in_child=_pool.forget)


def thread_count() -> int:
    """How many threads to use."""
    wanted = os.environ.get("PLIANT_THREADS", "")
    if wanted.isdecimal() and int(wanted):
        return int(wanted)
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, _MOST)


def threads_for(size: int, worth: int) -> int:
    """How many threads share work of a size, of which each gets `worth` at least."""
    shares = size // worth
    return 1 if shares < 2 else min(thread_count(), shares)


def run_all(tasks: Sequence[Callable[[], _T]]) -> list[_T]:
    """What the tasks return, in their order; the first one is done by the calling thread. All have ended when this
    returns or raises."""
    if len(tasks) < 2:
        return [task() for task in tasks]
    pool = _pool.get(len(tasks) - 1)
    waiting = [pool.submit(task) for task in tasks[1:]]
    try:
        first = tasks[0]()
    finally:
        failed = [future.exception() for future in waiting]
    for failure in failed:
        if failure is not None:
            raise failure
    return [first, *(future.result() for future in waiting)]


__all__ = ["run_all", "thread_count", "threads_for"]
