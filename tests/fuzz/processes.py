"""A process that checks inputs, and that may hang, run out of memory or die over one of them without harm."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

MEMORY_BYTES = 3 << 30  # of address space; what asks for more gets a MemoryError
_PATIENCE = 10  # times the processor seconds of an input that are waited for, as the clock on the wall counts
_LEAST_WAIT = 600  # seconds: a machine may have much other work, and what keeps it busy ends by processor time


@dataclass(frozen=True, slots=True)
class Failure:
    """What does not hold of an input. property: its name. where: tells failures with one cause from those with others.
    detail: a traceback, or what was found and expected."""

    property: str
    where: str
    detail: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return self.property, self.where

    def __str__(self) -> str:
        return f"{self.property}: {self.where}"


class Failed(Exception):
    """Raised by a check."""

    def __init__(self, property: str, where: str, detail: str = ""):
        super().__init__(property, where, detail)
        self.failure = Failure(property, where, detail)


class _Slow(BaseException):
    """The processor time of an input is spent. No Exception: nothing on the way is to catch it."""


class Checker:
    """Calls `check` on inputs in a process with a hash seed of its own.

    check: a function of a module; raises Failed. seconds: of processor time for an input.
    """

    def __init__(self, check: Callable[[Any], object], seconds: float, hash_seed: int):
        self._check, self._seconds, self._hash_seed = check, seconds, hash_seed
        self._process: Any = None
        self._pipe: Connection | None = None

    def __call__(self, case: object) -> object:
        """What `check` returns, or the Failure."""
        if self._pipe is None:
            self._start()
        assert self._pipe is not None
        try:
            self._pipe.send(case)
            if not self._pipe.poll(max(self._seconds * _PATIENCE, _LEAST_WAIT)):
                return Failure("no input hangs", "no answer: killed", self._end())
            return self._pipe.recv()
        except (EOFError, OSError):
            return Failure("no input ends the process", self._end())

    def close(self) -> None:
        if self._pipe is not None:
            self._end()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._check, self._seconds), daemon=True)
        with _environment(PYTHONHASHSEED=str(self._hash_seed)):
            self._process.start()
        theirs.close()

    def _end(self) -> str:
        """End the process; how it ended, if by itself."""
        assert self._pipe is not None
        self._process.join(1)
        status = self._process.exitcode
        self._process.kill()
        self._process.join()
        self._pipe.close()
        self._pipe = None
        return f"ended with {status}"


def raised(error: BaseException) -> Failure:
    """A failure by an exception, told from others by its type and the innermost line of the program."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _is_ours(frame.filename)]
    last = (ours or frames)[-1]
    where = f"{type(error).__name__} in {_short(last.filename)}:{last.name}"
    return Failure("nothing is raised", where, "".join(traceback.format_exception(error))[-8000:])


def _slow(error: BaseException, seconds: float) -> Failure:
    """Told from others by the function that is on the stack most often, the innermost of them."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame.filename)]
    names = Counter(f"{_short(frame.filename)}:{frame.name}" for frame in reversed(frames))
    where = next((name for name, _ in names.most_common(1)), "outside of the program")
    detail = "".join(traceback.format_exception(error))[-8000:]
    return Failure(f"no input takes more than {seconds:g} processor seconds", where, detail)


def raised_inside(call: Callable[[], object], name: str) -> str:
    """Where in the program the first exception of the type `name` is raised in a call, which may catch it."""
    found: list[str] = []

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "exception" and not found and argument[0].__name__ == name and _is_ours(frame.f_code.co_filename):
            inner = argument[2]
            while inner.tb_next is not None:
                inner = inner.tb_next
            code = inner.tb_frame.f_code
            found.append(f"{_short(code.co_filename)}:{inner.tb_lineno} in {code.co_name}")
        return trace

    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        with contextlib.suppress(Exception):
            call()
    finally:
        sys.settrace(previous)
    return found[0] if found else ""


def _serve(pipe: Connection, check: Callable[[Any], object], seconds: float) -> None:
    def slow(*_: object) -> None:
        raise _Slow

    # An interrupt goes to the parent, which ends this process. Not SIG_IGN, which programs that a check starts inherit.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGPROF, slow)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, hard))
    with contextlib.suppress(EOFError, OSError):
        while True:
            case = pipe.recv()
            answer: object
            signal.setitimer(signal.ITIMER_PROF, seconds)
            try:
                answer = check(case)
                signal.setitimer(signal.ITIMER_PROF, 0)
            except Failed as error:
                answer = error.failure
            except _Slow as error:
                answer = _slow(error, seconds)
            except Exception as error:
                answer = raised(error)
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            pipe.send(answer)


_PACKAGES = ("extractors", "analyses", "engine", "ci")


def _is_ours(file: str) -> bool:
    return "/tests/" not in file and any(f"/{package}/" in file for package in _PACKAGES) and "/lib/python" not in file


def _short(file: str) -> str:
    start = max(file.rfind(f"/{package}/") for package in _PACKAGES) if _is_ours(file) else file.rfind("/")
    return file[start + 1 :]


@contextlib.contextmanager
def _environment(**variables: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
