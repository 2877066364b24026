"""The null groups of the ITC benchmarks: cases of 01.w_Defects must fire, at any place, 02.wo_Defects must be quiet.

Checkout: regehr/itc-benchmarks. A case is a function `group_NNN` with its helpers `group_NNN_...`. The rules that are
off by default are switched on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from sources import Places, at_places, found, functions, inside
from verdicts import Outcome, Verdict

from pliant.analyses.registry import OPT_IN

GROUPS = ("null_pointer", "free_null_pointer", "memory_allocation_failure", "function_return_value_unchecked")
HALVES = (("01.w_Defects", True), ("02.wo_Defects", False))


def headers(checkout: Path) -> dict[str, bytes]:
    return {f"include/{path.name}": path.read_bytes() for path in sorted((checkout / "include").glob("*.h"))}


def verdicts(checkout: Path) -> Iterator[Verdict]:
    return judged(checkout, lambda group, name, files: at_places(found(files, OPT_IN)))


def judged(checkout: Path, places: Callable[[str, str, dict[str, bytes]], Places]) -> Iterator[Verdict]:
    """Each case, which has fired where it holds one of the `places` that are found: of a group, the name of its file,
    and all files."""
    header = headers(checkout)
    for folder, bad in HALVES:
        for group in GROUPS:
            name = f"{group}.c"
            source = (checkout / folder / name).read_bytes()
            at = places(group, name, {name: source, **header})
            cases: dict[str, Outcome] = {}
            for function in functions(name, source):
                if match := re.match(rf"{group}_\d+", function.name):
                    cases[match[0]] = max(cases.get(match[0], Outcome.NOTHING), inside(function, at))
            for case, outcome in cases.items():
                yield Verdict(group, f"{folder}/{case}", bad, outcome)
