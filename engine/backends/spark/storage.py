"""Where the frames of a run are kept from step to step: by Spark, in memory and on its disks, cut from their lineage.

That is quick, and gone with an executor: then the run fails in one line, and is to be started again.
"""

from __future__ import annotations

import contextlib
from typing import Any, Protocol

from . import blocks


class Frames(Protocol):
    def keep(self, number: int, made: Any) -> tuple[Any, list[tuple[str, str]]]:
        """Compute a frame, keep it, and give it with the name and note of each report in it."""

    def of(self, number: int) -> Any: ...
    def release(self, used: set[int]) -> None:
        """Frames that are not in use any more may go."""

    def hold(self, used: set[int]) -> None:
        """Frames that are to stay until the end of the epoch."""

    def end_epoch(self, used: set[int]) -> None: ...


class InSpark:
    """Kept by Spark."""

    def __init__(self) -> None:
        self._frames: dict[int, Any] = {}
        self._held: set[int] = set()

    def keep(self, number: int, made: Any) -> tuple[Any, list[tuple[str, str]]]:
        # Lazily: the frame is computed and kept by the job that reads the reports.
        frame = made.localCheckpoint(eager=False)
        notes = reports_of(frame)
        self._frames[number] = frame
        return frame, notes

    def of(self, number: int) -> Any:
        return self._frames[number]

    def release(self, used: set[int]) -> None:
        for number in set(self._frames) - used - self._held:
            _unpersist(self._frames.pop(number))

    def hold(self, used: set[int]) -> None:
        self._held |= used

    def end_epoch(self, used: set[int]) -> None:
        self._held = set()
        self.release(used)


def reports_of(frame: Any) -> list[tuple[str, str]]:
    """A row for each shard, however large the frame is."""
    rows = frame.filter(frame.kind == blocks.REPORT).select("name", "note").collect()
    return [(row["name"], row["note"]) for row in rows]


def _unpersist(frame: Any) -> None:
    """Have Spark drop the blocks of a frame now; else they go when the virtual machine next collects garbage."""
    with contextlib.suppress(Exception):
        frame._jdf.queryExecution().logical().rdd().unpersist(False)
