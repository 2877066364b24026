"""Progress on a terminal, once work has taken a second; nothing in a pipe."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from pliant.ci.commits import Progress, no_progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

_DELAY_SECONDS = 1.0


@contextmanager
def progress_on(stream: TextIO, *, quiet: bool) -> Iterator[Progress]:
    if quiet or not stream.isatty():
        yield no_progress
        return
    display = _Display(stream)
    try:
        yield display
    finally:
        display.close()


class _Display:
    def __init__(self, stream: TextIO):
        self._stream = stream
        self._start = time.monotonic()
        self._bar: Bar | None = None

    def __call__(self, phase: str, done: int = 0, total: int = 0) -> None:
        if self._bar is None:
            if time.monotonic() - self._start < _DELAY_SECONDS:
                return
            self._bar = self._open()
        self._bar.update(self._bar.tasks[0].id, description=phase, completed=done, total=total or None)

    def _open(self) -> Bar:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        bar = Bar(*columns, TimeElapsedColumn(), console=Console(file=self._stream), transient=True)
        bar.add_task("", total=None)
        bar.start()
        return bar

    def close(self) -> None:
        if self._bar:
            self._bar.stop()
