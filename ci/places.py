"""Where a run takes place, if nobody says it: here, as long as what it promises fits the memory of this machine.

What fits is estimated before anything is read or derived: from the sizes of fact files, or of a commit's source files.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pliant.ci.git import Repository
    from pliant.ci.snapshot import Snapshot
    from pliant.ci.steps import Place

_STATE_BYTES: Final = 60  # of state that a byte of facts promises: CSPA and CSDA programs derive 20 to 90 tuples a fact
_ZIPPED: Final = 6  # bytes of facts in a byte of a compressed file
_SHARE: Final = 0.6  # of the free memory that a state may take
# Of memory at the most, for each byte of source of a commit that is evaluated from nothing: git/git (C) took 89,
# apache/commons-math (Java) 98, scrapy (Python) 140.
_COMMIT_BYTES: Final = 140


def place(engine: str, files: Sequence[Path], free: int | None = None) -> tuple[str, str]:
    """Where `engine` puts a run over fact files, and why where that is worth telling."""
    if engine != "auto":
        return engine, ""
    size = 0
    for path in files:
        try:
            with path.open("rb") as file:
                zipped = file.read(2) == b"\x1f\x8b"
            size += path.stat().st_size * (_ZIPPED if zipped else 1)
        except OSError:
            continue  # the run itself says what is wrong
    return _judged(f"{gibibytes(size)} of facts promise a state of about", size * _STATE_BYTES, free)


def _judged(what: str, needed: float, free: int | None) -> tuple[str, str]:
    free = free_memory() if free is None else free
    if needed <= _SHARE * free:
        return "embedded", ""
    why = f"{what} {gibibytes(needed)}, and {gibibytes(free)} of memory are free here"
    if importlib.util.find_spec("pyspark") is None:
        return "embedded", f"{why}; it goes on here, since pyspark is not installed"
    return "spark", f"on Spark: {why}"


class WhereItFits:
    """The `Places` of one repository: this process, unless a whole commit does not fit it. `there` starts the other."""

    def __init__(
        self,
        repository: Repository,
        there: Callable[[Repository], Place],
        say: Callable[[str], None],
        free: int | None = None,
    ):
        self._repository, self._there, self._say, self._free = repository, there, say, free
        self._place: Place | None = None

    def of_commit(self, snapshot: Snapshot) -> Place | None:
        if self._place is None:
            size = sum(self._repository.sizes([source.oid for source in snapshot.sources.values()]))
            what = f"{gibibytes(size)} of source need about"
            where, why = _judged(what, size * _COMMIT_BYTES, self._free)
            if why:
                self._say(why)
            if where == "spark":
                self._place = self._there(self._repository)
        return self._place

    def of_changes(self) -> Place | None:
        return None


def free_memory() -> int:
    """Bytes that this process may still take, by the machine and by its control group."""
    free = 1 << 40
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        pass
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        used = int(Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii"))
        free = free if limit == "max" else min(free, max(int(limit) - used, 0))
    except (OSError, ValueError):
        pass
    return free


def gibibytes(size: float) -> str:
    for unit, name in ((30, "GiB"), (20, "MiB")):
        if size >= 2**unit / 10:
            return f"{size / 2**unit:.1f} {name}"
    return f"{size / 2**10:.1f} KiB"
