"""Memory of this process: what arrays have left is kept for the next ones, and the most that was ever in use."""

from __future__ import annotations

import ctypes
import resource
import sys
from pathlib import Path
from typing import Final

# Of glibc's malloc.h.
_M_TRIM_THRESHOLD: Final = -1
_M_TOP_PAD: Final = -2
_M_MMAP_THRESHOLD: Final = -3

_LARGEST: Final = 1 << 30  # bytes of an array that is given back when it is free, and of what may lie free at the end
_AT_ONCE: Final = 64 << 20  # bytes that are asked for at a time


def keep_freed_memory() -> None:
    """Let the C library keep what large arrays leave, in place of giving it back to the system, which clears each page
    before it gives it out again: up to a third of a Bootstrap. It holds for the whole process, so a program calls it,
    not a library; at most 1 GiB lies free at the end. Without glibc nothing happens."""
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGEST)
        mallopt(_M_TRIM_THRESHOLD, _LARGEST)
        mallopt(_M_TOP_PAD, _AT_ONCE)


def peak_memory() -> int:
    """Bytes of main memory that this program has had in use at once, at most. On Linux it is VmHWM of proc(5), in place
    of `ru_maxrss` of getrusage(2), which a program inherits from the process that started it."""
    try:
        for line in Path("/proc/self/status").read_bytes().splitlines():
            if line.startswith(b"VmHWM:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


__all__ = ["keep_freed_memory", "peak_memory"]
