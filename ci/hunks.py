"""Which lines two versions of a file differ in, for many files with one `git diff --no-index`.

The contents go through two temporary folders in files named by number, so that names, attributes and configuration
of the analysed repository have no say in it.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Sequence
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
