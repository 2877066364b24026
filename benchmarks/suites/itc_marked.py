"""The cases of `itc`, each judged at the statement that the suite itself marks in it, in both halves.

Checkout: regehr/itc-benchmarks. A null has to be made, to pass or to fail at a marked line. What an allocation gave and
nobody tested is a null of its own, in good halves as well as in bad ones: where a group is about something else, it
counts neither way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from itc import judged
from sources import Way, ways
from verdicts import Verdict

_MARK = re.compile(r"/\*\s*(?:Tool should |(?:No |NO )?ERROR:)")
_ALLOCATED = re.compile(r"`(?:malloc|calloc|realloc)\(\)`")
_OF_ALLOCATIONS = ("memory_allocation_failure", "function_return_value_unchecked")


def verdicts(checkout: Path) -> Iterator[Verdict]:
    return judged(checkout, _marked)


def _marked(group: str, name: str, files: dict[str, bytes]) -> set[tuple[str, int]]:
    """The marked lines of the group's file that a null's way touches."""
    lines = files[name].decode(errors="replace").split("\n")
    marked = {number for number, line in enumerate(lines, 1) if _MARK.search(line)}
    found = [way for way in ways(files) if _counts(way, group)]
    return {(name, step.line) for way in found for step in way.steps if step.file == name and step.line in marked}


def _counts(way: Way, group: str) -> bool:
    return group in _OF_ALLOCATIONS or _ALLOCATED.search(way.steps[0].note) is None
