"""Many sources to facts: on all cores when there are many, and never a crash because of one of them.

What is wrong with a source (too large, binary, not UTF-8, an extractor that fails on it) becomes a diagnostic of its
facts. All limits are in bytes, none in seconds: the facts of a blob depend on its content and the extractor's version.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol, TypeVar

from pliant.extractors.facts import Diagnostic, FileFacts

MAX_BYTES = 2 << 20  # of one source; what is larger was written by a program
_BINARY_PROBE = 8000  # bytes that git looks at, too
_INLINE = 24  # sources that are not worth starting processes for
_TASK_BYTES = 200_000

K = TypeVar("K")


class Extractor(Protocol):
    """A language: its name, the version of its extractor (part of cache keys), and source text to facts."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    def extract(self, source: bytes) -> FileFacts: ...


def extract(language: Extractor, source: bytes) -> FileFacts:
    """The facts of one source, whatever it holds."""
    if len(source) > MAX_BYTES:
        return _not_analysed(source, f"{len(source):,} bytes are more than the {MAX_BYTES:,} analysed in a file")
    if b"\0" in source[:_BINARY_PROBE]:
        return _not_analysed(source, "a binary file")
    source = source.removeprefix(b"\xef\xbb\xbf")
    remark = None
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        remark = Diagnostic(line, "not UTF-8 from here on: other bytes were read as U+FFFD")
        source = source.decode("utf-8", "replace").encode("utf-8")
    try:
        facts = language.extract(source)
        "".join(facts.symbols).encode("utf-8")
        for rows in facts.rows.values():
            array("i", rows)
    except RecursionError:
        return _not_analysed(source, "nested too deeply")
    except Exception as error:  # whatever is wrong with one file, the others are analysed
        reason = " ".join(str(error).split())[:200]
        return _not_analysed(source, f"the {language.name} extractor failed: {type(error).__name__}: {reason}")
    if remark:
        facts.diagnostics.insert(0, remark)
    return facts


def _not_analysed(source: bytes, reason: str) -> FileFacts:
    return FileFacts(diagnostics=[Diagnostic(1, f"not analysed: {reason}")], lines=source.count(b"\n"))


def extract_all(sources: Iterable[tuple[K, Extractor, bytes]], expected: int) -> Iterator[tuple[K, FileFacts]]:
    """The facts of each source by its key, in the order given; `expected` is about how many there are."""
    workers = _cores()
    if expected <= _INLINE or workers == 1:
        for key, language, source in sources:
            yield key, extract(language, source)
        return
    with _pool(workers) as pool:
        running: deque[tuple[_Task[K], Future[list[FileFacts]] | None]] = deque()
        for task in _tasks(sources):
            running.append((task, _submit(pool, task)))
            if len(running) > 3 * workers:
                yield from _results(*running.popleft())
        while running:
            yield from _results(*running.popleft())


class _Task(list[tuple[K, Extractor, bytes]]):
    """Sources that go to a process together."""


def _tasks(sources: Iterable[tuple[K, Extractor, bytes]]) -> Iterator[_Task[K]]:
    task: _Task[K] = _Task()
    size = 0
    for source in sources:
        task.append(source)
        size += len(source[2])
        if size > _TASK_BYTES:
            yield task
            task, size = _Task(), 0
    if task:
        yield task


def _run(task: list[tuple[Extractor, bytes]]) -> list[FileFacts]:
    return [extract(language, source) for language, source in task]


def _submit(pool: ProcessPoolExecutor, task: _Task[K]) -> Future[list[FileFacts]] | None:
    try:
        return pool.submit(_run, [(language, source) for _, language, source in task])
    except BrokenProcessPool:
        return None


def _results(task: _Task[K], future: Future[list[FileFacts]] | None) -> Iterator[tuple[K, FileFacts]]:
    try:
        if future is None:
            raise BrokenProcessPool
        for (key, _, _), facts in zip(task, future.result(), strict=True):
            yield key, facts
    except BrokenProcessPool:
        # A source took its process down, and the pool with it: each of the task gets a process of its own.
        for key, language, source in task:
            yield key, _alone(language, source)


def _alone(language: Extractor, source: bytes) -> FileFacts:
    with _pool(1) as pool:
        try:
            return pool.submit(_run, [(language, source)]).result()[0]
        except BrokenProcessPool:
            return _not_analysed(source, f"the {language.name} extractor's process ended")


def _pool(workers: int) -> ProcessPoolExecutor:
    # Arrow has threads in this process, so a plain fork of it is not safe.
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        context.set_forkserver_preload([__name__])
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_ignore_interrupt)


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
