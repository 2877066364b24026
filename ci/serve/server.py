"""A server from start to end: a state, its queries, the network, and the commits that come."""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from pliant.ci.commits import Progress
from pliant.ci.comparison import Comparison, Request, on_sound_states
from pliant.ci.errors import UserError, visible
from pliant.ci.serve.flight import Server
from pliant.ci.serve.follow import Follower
from pliant.ci.serve.limits import Limits
from pliant.ci.serve.listen import place

_PAUSE = 0.5  # seconds between two looks at the revision
_LONGEST = 3.0  # seconds that readers have for what they have not read yet, at the end


@dataclass(frozen=True, slots=True)
class Event:
    """The server listens, or has come to a commit. seconds: that this took."""

    commit: str
    location: str
    token_file: Path
    seconds: float
    is_first: bool


def serve(
    request: Request,
    listen: str | None,
    token_file: Path | None,
    limits: Limits,
    tell: Callable[[Event], None],
    say: Callable[[str], None],
    progress: Progress,
) -> None:
    """Until this process is asked to end. request: its head is the revision to follow. Raises UserError."""

    def run(comparison: Comparison) -> None:
        began = time.perf_counter()
        follower = Follower.of(comparison, request.head, limits)
        with place(listen, token_file) as where:
            try:
                server = Server(where.location, where.token, follower.dataflow)
            except pa.ArrowException as error:
                raise UserError(f"no server can listen at {where.location}: {visible(str(error))}") from None
            location = where.location
            if location.endswith(":0"):
                location = f"{location.removesuffix('0')}{server.port}"
            try:
                is_first = True
                commit = follower.dataflow.commit
                while True:
                    tell(Event(commit, location, where.token_file, time.perf_counter() - began, is_first))
                    is_first = False
                    commit, began = _next(follower)
            finally:
                follower.dataflow.close()
                _shut_down(server)

    on_sound_states(run, request, say, progress)


def _shut_down(server: Server) -> None:
    """A client that reads nothing is not waited for: its call ends with this process."""
    ending = threading.Thread(target=server.shutdown, daemon=True)
    ending.start()
    ending.join(_LONGEST)
    if ending.is_alive():  # the server's own finalizer would wait for it once more, when this process ends
        atexit.unregister(weakref.finalize._exitfunc)  # type: ignore[attr-defined]


def _next(follower: Follower) -> tuple[str, float]:
    """The next commit, when it is there, and when work on it began."""
    while True:
        began = time.perf_counter()
        commit = follower.advance()
        if commit is not None:
            return commit, began
        time.sleep(_PAUSE)


__all__ = ["Event", "serve"]
