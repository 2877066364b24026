"""A check of a work tree that is watched is done by the process that watches it, which has the state in memory.

    pliant check --head WORKTREE ──► Question ──► pliant watch: the same check ──► Answer

Each is one line of JSON on a socket in the user's cache, in a folder that nobody else can open; its name is made from
the folder of the work tree and from this program. The watch declines what it would do otherwise: another comparison,
another environment. Where nobody answers, or declines, the check is done as if there was no watch. What a check imports
is what takes most of its time, so nothing heavy is imported here.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import stat
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple

from pliant.ci import base, web
from pliant.ci.errors import reason, visible_path
from pliant.extractors.user_folders import user_cache

_MOST_BYTES: Final = 1 << 16  # of a question
_MOST_AT_ONCE: Final = 16  # questions that wait; more are not taken
_PULSE: Final = 0.5  # seconds between two signs that an answer is being made
_SILENCE: Final = 5.0  # seconds without a sign, after which it is not waited for
# What a check may depend on: where the change goes, where things are kept, and how git is configured.
_FOLDERS: Final = frozenset(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"))
_VARIABLES: Final = base.VARIABLES | web.VARIABLES | _FOLDERS
_PREFIXES: Final = ("PLIANT_", "GIT_ALTERNATE", "GIT_CONFIG", "GIT_OBJECT")
_PROGRAM: Final = [(found := Path(__file__).stat()).st_ino, found.st_mtime_ns]  # another one once it is installed anew


class Question(NamedTuple):
    """What a check is asked to do: the options of `pliant check`, with absolute paths, and where its reports go.
    comparison: what has to be as the watch has it. start: the seconds that the asking process has taken."""

    comparison: dict[str, Any]
    folder: str
    within: str | None
    rules: list[str]
    unchanged: bool
    baseline: str | None
    outputs: list[tuple[str, str | None]]
    style: dict[str, bool]
    summary: str | None
    fail_on: str | None
    fail_on_skipped: bool | None
    start: float


class Answer(NamedTuple):
    """texts: of the reports, and the files that they go to (`outputs.Text`). said: lines for standard error. error: why
    the check could not be done. declined: it has not been done."""

    texts: Sequence[Sequence[Any]] = ()
    said: Sequence[str] = ()
    fails: bool = False
    error: str | None = None
    declined: bool = False


class Asked:
    """A question that waits: for `begin`, and then for `answer`. wanted: whether whoever asked still waits."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.wanted = True
        self._told: SimpleQueue[Answer | None] = SimpleQueue()

    def begin(self) -> None:
        self._told.put(None)

    def answer(self, answer: Answer) -> None:
        self._told.put(answer)

    def next(self, seconds: float) -> Answer | None:
        """None where it has been begun. Raises Empty where nothing comes."""
        return self._told.get(timeout=seconds)


def comparison(base: str | None, state: Path | None, config: Path | None) -> dict[str, Any]:
    """What two processes have in common that make the same comparison of a work tree."""
    environment = {
        name: value for name, value in os.environ.items() if name in _VARIABLES or name.startswith(_PREFIXES)
    }
    paths = {"state": _absolute(state), "config": _absolute(config)}
    return {"program": _PROGRAM, "base": base, **paths, "environment": environment}


def _absolute(path: Path | None) -> str | None:
    return None if path is None else str(path.absolute())


def ask(folder: Path, question: Question) -> Answer | None:
    """The answer of a watch of the work tree that a folder is in; None where there is no watch, or it declines."""
    try:
        top = _top(folder)
        if top is None or not _is_own(_folder()):
            return None
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as connection:
            connection.settimeout(_SILENCE)
            connection.connect(str(_path(top)))
            connection.sendall(json.dumps(question).encode("ascii") + b"\n")
            received = b"".join(iter(lambda: connection.recv(1 << 16), b""))
        answer = Answer(*json.loads(received))
    except (OSError, ValueError, TypeError):
        return None
    return None if answer.declined else answer


def _top(folder: Path) -> Path | None:
    """The work tree that a folder is in."""
    start = Path(os.path.realpath(folder))
    return next((each for each in (start, *start.parents) if os.path.lexists(each / ".git")), None)


def _folder() -> Path:
    return user_cache() / "watch"


def _path(top: Path) -> Path:
    named = "\0".join((os.path.realpath(top), os.path.realpath(__file__), sys.executable))
    return _folder() / hashlib.sha256(os.fsencode(named)).hexdigest()[:16]


def _is_own(folder: Path) -> bool:
    """Whether this user alone can make or open a file there."""
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


@contextmanager
def listening(top: Path, asked: Callable[[Asked], None], say: Callable[[str], None]) -> Iterator[None]:
    """Take questions on the work tree `top` until the end; `asked` is called for each, in a thread of its own. Where
    that is not possible, it is said."""
    path = _path(top)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(path.parent):
            raise PermissionError(0, "others can open this folder")
        server = _server(path)
    except OSError as error:
        say(f"checks of this work tree will not use this watch: {visible_path(str(path))}: {reason(error)}")
        yield
        return
    threading.Thread(target=_accept, args=(server, asked), daemon=True).start()
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        server.close()


def _server(path: Path) -> socket.socket:
    with contextlib.suppress(FileNotFoundError), contextlib.closing(socket.socket(socket.AF_UNIX)) as other:
        other.settimeout(_SILENCE)
        try:
            other.connect(str(path))
        except ConnectionError:
            path.unlink()  # of a watch that was killed
    server = socket.socket(socket.AF_UNIX)
    try:
        server.bind(str(path))
        server.listen(_MOST_AT_ONCE)
    except OSError:
        server.close()
        raise
    return server


def _accept(server: socket.socket, asked: Callable[[Asked], None]) -> None:
    free = threading.Semaphore(_MOST_AT_ONCE)
    while True:
        try:
            connection, _ = server.accept()
        except OSError:  # it has been closed
            return
        if free.acquire(blocking=False):
            threading.Thread(target=_serve, args=(connection, asked, free), daemon=True).start()
        else:
            connection.close()


def _serve(connection: socket.socket, asked: Callable[[Asked], None], free: threading.Semaphore) -> None:
    """Nothing is sent to whoever asks before an answer is begun: what keeps this process may last."""
    try:
        connection.settimeout(_SILENCE)
        with connection, contextlib.suppress(OSError, ValueError, TypeError, RecursionError, Empty):
            one = Asked(_question(connection))
            asked(one)
            try:
                answer = one.next(_SILENCE)
                while answer is None:
                    connection.sendall(b" ")  # which JSON has no meaning for
                    with contextlib.suppress(Empty):
                        answer = one.next(_PULSE)
                connection.sendall(json.dumps(answer).encode("ascii"))
            finally:
                one.wanted = False
    finally:
        free.release()


def _question(connection: socket.socket) -> Question:
    received = b""
    while not received.endswith(b"\n"):
        part = connection.recv(_MOST_BYTES)
        received += part
        if not part or len(received) > _MOST_BYTES:
            raise ValueError("no question")
    return Question(*json.loads(received))


__all__ = ["Answer", "Asked", "Question", "ask", "comparison", "listening"]
