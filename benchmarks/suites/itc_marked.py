"""The cases of `itc`, each judged at the statement that the suite itself marks in it, in both halves.

Checkout: regehr/itc-benchmarks. A null has to be made, to pass or to fail at a marked line. What an allocation gave and
nobody tested is a null of its own, in good halves as well as in bad ones: where a group is about something else, it
counts neither way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from itc import GROUPS, HALVES, headers
from sources import Way, functions, ways
from verdicts import Verdict

_MARK = re.compile(r"/\*\s*(?:Tool should |(?:No |NO )?ERROR:)")
_ALLOCATED = re.compile(r"`(?:malloc|calloc|realloc)\(\)`")
_OF_ALLOCATIONS = ("memory_allocation_failure", "function_return_value_unchecked")


def verdicts(checkout: Path) -> Iterator[Verdict]:
    header = headers(checkout)
    for folder, bad in HALVES:
        for group in GROUPS:
            name = f"{group}.c"
            source = (checkout / folder / name).read_bytes()
            lines = source.decode(errors="replace").split("\n")
            marked = {number for number, line in enumerate(lines, 1) if _MARK.search(line)}
            found = [way for way in ways({name: source, **header}) if _counts(way, group)]
            at = {step.line for way in found for step in way.steps if step.file == name} & marked
            cases: dict[str, bool] = {}
            for function in functions(name, source):
                if match := re.match(rf"{group}_\d+", function.name):
                    fired = any(function.holds(name, line) for line in at)
                    cases[match[0]] = cases.get(match[0], False) or fired
            for case, fired in cases.items():
                yield Verdict(group, f"{folder}/{case}", bad, fired)


def _counts(way: Way, group: str) -> bool:
    return group in _OF_ALLOCATIONS or _ALLOCATED.search(way.steps[0].note) is None
