"""Both cores for large arrays: numpy lets go of the interpreter while it sorts, searches and copies them.

What a thread does must not depend on how many there are: callers cut their work at values, never in an order that shows
in a result. PLIANT_THREADS sets the number of threads; without it there are as many as the process may use, up to four.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

_MOST: Final = 4  # memory bandwidth is spent by then
_DIGITS: Final = 4  # of a number of threads
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
    if wanted.isdecimal() and len(wanted) <= _DIGITS and int(wanted):
        return int(wanted)
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, _MOST)


def threads_for(size: int, worth: int) -> int:
    """How many threads share work of a size, of which each gets `worth` at least."""
    shares = size // worth
    return 1 if shares < 2 else min(thread_count(), shares)


def in_ranges(values: NDArray[Any], worth: int, work: Callable[[NDArray[Any]], _T]) -> list[_T]:
    """What `work` gives for the values of each range that has any, lowest first. Each range has a thread of its own.
    If they are not worth two threads, which get `worth` of them each at least, all are one range: the array itself."""
    threads = threads_for(len(values), worth)
    if threads < 2:
        return [work(values)]
    drawn = np.sort(values[:: max(len(values) // 1024, 1)])
    cuts = [drawn[len(drawn) * index // threads] for index in range(1, threads)]

    def of_range(index: int) -> _T | None:
        if index == 0:
            mine = values[values < cuts[0]]
        elif index == threads - 1:
            mine = values[values >= cuts[-1]]
        else:
            mine = values[(values >= cuts[index - 1]) & (values < cuts[index])]
        return work(mine) if len(mine) else None

    return [found for found in run_all([partial(of_range, index) for index in range(threads)]) if found is not None]


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


__all__ = ["in_ranges", "run_all", "thread_count", "threads_for"]
