"""Which lines two versions of a file differ in, for many files with one `git diff --no-index`.

The contents go through two temporary folders in files named by number, so that names, attributes and configuration
of the analysed repository have no say in it.
"""

from __future__ import annotations

import re
import sys
import tempfile
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pliant.ci.errors import UserError
from pliant.ci.git_process import run

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_OLD, _NEW = "old", "new"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines `old_start` to `old_start + old_count - 1` became `new_start` to `new_start + new_count - 1`.

    Lines count from 1. With a count of 0 nothing is there, and the start is the line before.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int

    @property
    def inverted(self) -> Hunk:
        """The same from the new content to the old one."""
        return Hunk(self.new_start, self.new_count, self.old_start, self.old_count)


class Touched:
    """Which lines of the new content hunks, in order, add or change, or take something away between."""

    def __init__(self, hunks: Iterable[Hunk]):
        spans = [
            (each.new_start, each.new_start + each.new_count - 1)
            if each.new_count
            else (each.new_start + 0.5, each.new_start + 0.5)
            for each in hunks
        ]
        self._firsts, self._lasts = [first for first, _ in spans], [last for _, last in spans]

    def within(self, first: int, last: int) -> bool:
        """Whether something is touched from one line to another, both included."""
        place = bisect_left(self._lasts, first)
        return place < len(self._firsts) and self._firsts[place] <= last


def moved(lines: Iterable[int], hunks: Sequence[Hunk]) -> dict[int, int | None]:
    """What each line of the old content has become in the new one; None for one that hunks, in order, touch."""
    found: dict[int, int | None] = {}
    shift = place = 0
    for line in sorted(set(lines)):
        while place < len(hunks) and _end(hunks[place]) <= line:
            shift += hunks[place].new_count - hunks[place].old_count
            place += 1
        is_touched = place < len(hunks) and hunks[place].old_count > 0 and hunks[place].old_start <= line
        found[line] = None if is_touched else line + shift
    return found


def _end(hunk: Hunk) -> int:
    """The first line of the old content behind a hunk."""
    return hunk.old_start + hunk.old_count if hunk.old_count else hunk.old_start + 1


def hunks(pairs: Sequence[tuple[bytes, bytes]]) -> list[list[Hunk]]:
    """The hunks of each (old content, new content), in the order given."""
    found: list[list[Hunk]] = [[] for _ in pairs]
    if not pairs:
        return found
    with tempfile.TemporaryDirectory(prefix="pliant-diff-") as scratch:
        for side in (_OLD, _NEW):
            (Path(scratch) / side).mkdir()
        for number, (old, new) in enumerate(pairs):
            (Path(scratch) / _OLD / str(number)).write_bytes(old)
            (Path(scratch) / _NEW / str(number)).write_bytes(new)
        options = [
            "--no-index",
            "--unified=0",
            "--text",
            "--no-renames",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
        ]
        done = run(["diff", *options, "--src-prefix=", "--dst-prefix=", _OLD, _NEW], Path(scratch), most=sys.maxsize)
    if done.returncode not in (0, 1):
        raise UserError(f"git diff failed: {done.stderr.decode('utf-8', 'replace').strip()}")
    current: list[Hunk] = []
    header = f"diff --git {_OLD}/".encode()
    # Lines of a hunk start with `+`, `-` or a backslash, so neither prefix below can be a line of a file.
    for line in done.stdout.split(b"\n"):
        if line.startswith(b"@@ ") and (match := _HUNK.match(line)):
            old_start, old_count, new_start, new_count = match.groups()
            current.append(Hunk(int(old_start), int(old_count or 1), int(new_start), int(new_count or 1)))
        elif line.startswith(header):
            current = found[int(line[len(header) :].split(b" ")[0])]
    return found
