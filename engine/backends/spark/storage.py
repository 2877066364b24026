"""Where the frames of a run are kept from step to step.

    InSpark   by Spark, in memory and on its disks, cut from their lineage. That is quick, and gone with an executor:
              then the run fails in one line, and is to be started again.
    InFiles   as Parquet on a path that all executors reach. What is lost with an executor is read again, and a run
              whose driver is gone goes on from its last step when it is started again.

Which steps a run does follows from what shards report, so a run that is started again asks for the same steps: for
those whose reports are there nothing is done, until one is missing. A step is there if all its reports are, because
the rows of a shard are one file, its report last.
"""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import Any, Final, Protocol

from . import blocks

Notes = list[tuple[str, str]]
_NOTES: Final = "number bigint, name string, note string"
_AT_ONCE: Final = 8  # frames that are emptied together


class Frames(Protocol):
    def kept(self, number: int, shards: int) -> Notes | None:
        """What `keep` gave for this frame in an earlier run of the same, if it was kept whole."""

    def keep(self, number: int, made: Any) -> Notes:
        """Compute a frame and keep it; the name and note of each report in it."""

    def of(self, number: int) -> Any: ...
    def release(self, used: set[int]) -> None:
        """Frames that are not in use any more may go."""

    def hold(self, used: set[int]) -> None:
        """Frames that are to stay until the end of the epoch."""

    def end_epoch(self, used: set[int]) -> None: ...
    def epoch(self, key: str) -> None:
        """What comes belongs to an epoch that `key` names with all that goes into it."""


class InSpark:
    """Kept by Spark."""

    def __init__(self) -> None:
        self._frames: dict[int, Any] = {}
        self._held: set[int] = set()

    def kept(self, number: int, shards: int) -> Notes | None:
        return None

    def keep(self, number: int, made: Any) -> Notes:
        # Lazily: the frame is computed and kept by the job that reads the reports.
        frame = made.localCheckpoint(eager=False)
        notes = reports_of(frame)
        self._frames[number] = frame
        return notes

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

    def epoch(self, key: str) -> None:
        pass


class InFiles:
    """Under `path`, a URI. A frame that is not needed any more is emptied once its reports are noted."""

    def __init__(self, spark: Any, path: str):
        self._spark, self.path, self.key = spark, path.rstrip("/"), ""
        self._epoch_of: dict[int, str] = {}
        self._frames: dict[int, Any] = {}
        self._notes: dict[int, Notes] = {}
        self._held: set[int] = set()
        self._spent: dict[int, Notes] = {}
        self._emptied: dict[int, Notes] = {}
        self._live = False
        self.found = 0  # steps that an earlier run had done

    def epoch(self, key: str) -> None:
        self.key, self._live = key, False
        self._emptied = {}
        rows = self._rows(self._spark.read.schema(_NOTES), "notes", lambda frame: frame)
        for row in rows or []:
            self._emptied.setdefault(row["number"], []).append((row["name"], row["note"]))

    def kept(self, number: int, shards: int) -> Notes | None:
        if self._live:
            return None
        notes = self._emptied.get(number)
        if notes is None:
            reports = self._rows(self._spark.read.schema(blocks.DDL), f"frame-{number}", _reports)
            notes = [(row["name"], row["note"]) for row in reports or []]
        if len(notes) != shards:
            self._live = True
            return None
        self.found += 1
        self._took(number, notes)
        return notes

    def keep(self, number: int, made: Any) -> Notes:
        self._live = True
        made.write.mode("overwrite").parquet(self._where(number))
        self._frames.pop(number, None)
        self._epoch_of[number] = self.key
        notes = reports_of(self.of(number))
        self._took(number, notes)
        return notes

    def of(self, number: int) -> Any:
        found = self._frames.get(number)
        if found is None:
            found = self._spark.read.schema(blocks.DDL).parquet(self._where(number))
            self._frames[number] = found
        return found

    def release(self, used: set[int]) -> None:
        for number in set(self._notes) - used - self._held:
            notes = self._notes.pop(number)
            self._frames.pop(number, None)
            if self._epoch_of[number] == self.key and number not in self._emptied:
                self._spent[number] = notes
        if len(self._spent) >= _AT_ONCE and self._live:
            self._empty()

    def hold(self, used: set[int]) -> None:
        self._held |= used

    def end_epoch(self, used: set[int]) -> None:
        self._held = set()
        self.release(used)
        if self._live:
            self._empty()
        self._spent = {}

    def remove(self) -> None:
        """What is under `path`, if that is a folder of this machine. Elsewhere it is the user's to remove."""
        if self.path.startswith("file:/"):
            folder = Path("/" + self.path.removeprefix("file:").lstrip("/"))
            for key in dict.fromkeys(self._epoch_of.values()):
                shutil.rmtree(folder / key, ignore_errors=True)

    def _took(self, number: int, notes: Notes) -> None:
        self._notes[number] = notes
        self._epoch_of[number] = self.key

    def _where(self, number: int) -> str:
        return f"{self.path}/{self._epoch_of.get(number, self.key)}/frame-{number}"

    def _empty(self) -> None:
        rows = [(number, *each) for number, notes in sorted(self._spent.items()) for each in notes]
        if not rows:
            return
        noted = self._spark.createDataFrame(rows, _NOTES).coalesce(1)
        noted.write.mode("append").parquet(f"{self.path}/{self.key}/notes")
        nothing = self._spark.createDataFrame([], blocks.DDL).coalesce(1)
        for number in self._spent:
            nothing.write.mode("overwrite").parquet(self._where(number))
        self._emptied.update(self._spent)
        self._spent = {}

    def _rows(self, reader: Any, name: str, asked: Any) -> list[Any] | None:
        try:
            found: list[Any] = asked(reader.parquet(f"{self.path}/{self.key}/{name}")).collect()
        except Exception as error:
            if "PATH_NOT_FOUND" in str(error):
                return None
            raise
        return found


def reports_of(frame: Any) -> Notes:
    """A row for each shard, however large the frame is."""
    return [(row["name"], row["note"]) for row in _reports(frame).collect()]


def _reports(frame: Any) -> Any:
    return frame.where(f"kind = '{blocks.REPORT}'").select("name", "note")


def _unpersist(frame: Any) -> None:
    """Have Spark drop the blocks of a frame now; else they go when the virtual machine next collects garbage."""
    with contextlib.suppress(Exception):
        frame._jdf.queryExecution().logical().rdd().unpersist(False)
