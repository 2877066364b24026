"""Where a run takes place, if nobody says it: here, as long as what it promises fits the memory of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

_STATE_BYTES: Final = 60  # of state that a byte of facts promises: CSPA and CSDA programs derive 20 to 90 tuples a fact
_ZIPPED: Final = 6  # bytes of facts in a byte of a compressed file
_SHARE: Final = 0.6  # of the free memory that a state may take


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
    free = free_memory() if free is None else free
    if size * _STATE_BYTES <= _SHARE * free:
        return "embedded", ""
    return "spark", (
        f"on Spark: {_gib(size)} of facts promise a state of about {_gib(size * _STATE_BYTES)}, "
        f"and {_gib(free)} of memory are free here"
    )


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


def _gib(size: float) -> str:
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 / 10 else f"{size / 2**20:.1f} MiB"
