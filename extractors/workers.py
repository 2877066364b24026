"""Many sources to facts: on all cores when there are many, and never a crash because of one of them.

What is wrong with a source (too large, no text, an extractor that fails on it) becomes a diagnostic of its
facts. All limits are in bytes, none in seconds: the facts of a blob depend on its content and the extractor's version.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import IO, Any, Protocol, TypeVar

from pliant.extractors.encodings import Nulls, Unreadable, readable
from pliant.extractors.facts import Diagnostic, FileFacts
from pliant.extractors.parent import end_with_parent

MAX_BYTES = 2 << 20  # of one source; what is larger was written by a program
_INLINE = 24  # sources that are not worth starting processes for
_TASK_BYTES = 200_000

K = TypeVar("K")
Content = bytes | None  # of a source; None for one of more than MAX_BYTES, which is not read


class Extractor(Protocol):
    """A language: its name, the version of its extractor (part of cache keys), which NUL bytes its sources may have,
    and source text to facts."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def nulls(self) -> Nulls: ...
    def extract(self, source: bytes) -> FileFacts: ...


def extract(language: Extractor, source: Content) -> FileFacts:
    """The facts of one source, whatever it holds."""
    if source is None or len(source) > MAX_BYTES:
        return _not_analysed(b"", f"more than the {MAX_BYTES:,} bytes that are analysed in a file")
    try:
        source, remark = readable(source, language.nulls)
    except Unreadable as error:
        return _not_analysed(source, str(error))
    try:
        facts = language.extract(source)
        "".join(facts.symbols).encode("utf-8")
        for rows in facts.rows.values():
            if not isinstance(rows, array):
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
    return FileFacts(diagnostics=[Diagnostic(1, reason)], lines=source.count(b"\n"))


def extract_all(sources: Iterable[tuple[K, Extractor, Content]], expected: int) -> Iterator[tuple[K, FileFacts]]:
    """The facts of each source by its key, in the order given; `expected` is about how many there are."""
    workers = _cores()
    if expected <= _INLINE or workers == 1:
        for key, language, source in sources:
            yield key, extract(language, source)
        return
    with _Pool(workers) as pool:
        running: deque[tuple[list[K], Future[list[FileFacts]]]] = deque()
        for task in _tasks(sources):
            keys = [key for key, _, _ in task]
            running.append((keys, pool.submit([(language, source) for _, language, source in task])))
            if len(running) > 3 * workers:
                yield from _results(*running.popleft())
        while running:
            yield from _results(*running.popleft())


def extract_apart(sources: Iterable[tuple[K, Extractor, Content]]) -> Iterator[tuple[K, FileFacts]]:
    """As `extract_all`, one source after another in a process beside this one, which outlives whatever they do."""
    with _Pool(1) as pool:
        for task in _tasks(sources):
            keys = [key for key, _, _ in task]
            yield from _results(keys, pool.submit([(language, source) for _, language, source in task]))


def _results(keys: list[K], future: Future[list[FileFacts]]) -> Iterator[tuple[K, FileFacts]]:
    yield from zip(keys, future.result(), strict=True)


def _tasks(sources: Iterable[tuple[K, Extractor, Content]]) -> Iterator[list[tuple[K, Extractor, Content]]]:
    """Sources that go to a process together."""
    task: list[tuple[K, Extractor, Content]] = []
    size = 0
    for source in sources:
        task.append(source)
        size += len(source[2] or b"")
        if size > _TASK_BYTES:
            yield task
            task, size = [], 0
    if task:
        yield task


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Processes: Python started plainly, pickles over pipes. What `multiprocessing` offers would fork a process in which
# Arrow has threads, or import the caller's main module again.

_Task = list[tuple[Extractor, Content]]
_LENGTH_BYTES = 8


class _Worker:
    def __init__(self) -> None:
        # -P: the current folder may be the repository under analysis, and nothing of it is to be imported.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"from {__name__} import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupt goes to the parent, which ends its workers
        )
        self.run([path for path in sys.path if path])

    def run(self, task: object) -> list[FileFacts]:
        """EOFError or OSError where the process ends over it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        _send(self._process.stdin, task)
        done: list[FileFacts] = _receive(self._process.stdout)
        return done

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()


class _Pool:
    """As many threads as workers; a thread takes an idle worker for each task."""

    def __init__(self, size: int):
        self._threads = ThreadPoolExecutor(size)
        self._idle: SimpleQueue[_Worker | None] = SimpleQueue()
        self._started: list[_Worker] = []
        self._closed = False
        for _ in range(size):
            self._idle.put(None)  # started when it is first needed

    def submit(self, task: _Task) -> Future[list[FileFacts]]:
        return self._threads.submit(self._run, task)

    def _run(self, task: _Task) -> list[FileFacts]:
        worker = self._idle.get()
        try:
            worker = worker or self._start()
            try:
                return worker.run(task)
            except (EOFError, OSError):
                if self._closed:
                    raise
            # A source took its process down: each source of the task gets another chance, one at a time.
            facts = []
            for language, source in task:
                worker.close()
                worker = self._start()
                try:
                    facts += worker.run([(language, source)])
                except (EOFError, OSError):
                    facts.append(_not_analysed(source or b"", f"the {language.name} extractor's process ended"))
            worker.close()
            worker = None
            return facts
        finally:
            self._idle.put(worker)

    def _start(self) -> _Worker:
        worker = _Worker()
        self._started.append(worker)
        return worker

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True  # what a worker was at is not begun again
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._started:
            worker.close()


def serve() -> None:
    """The life of a worker: the search path first, then tasks, until the parent closes the pipe or ends."""
    requests = os.fdopen(os.dup(0), "rb")
    end_with_parent(requests.fileno())
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever an extractor prints is no answer
    with contextlib.suppress(EOFError):
        sys.path = _receive(requests)
        _send(answers, [])
        while True:
            _send(answers, [extract(language, source) for language, source in _receive(requests)])


def _send(pipe: IO[bytes], message: object) -> None:
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    pipe.write(len(content).to_bytes(_LENGTH_BYTES, "little"))
    pipe.write(content)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> Any:
    length = int.from_bytes(_exactly(pipe, _LENGTH_BYTES), "little")
    return pickle.loads(_exactly(pipe, length))  # from this program's own process


def _exactly(pipe: IO[bytes], length: int) -> bytes:
    content = pipe.read(length)
    if len(content) < length:
        raise EOFError
    return content
