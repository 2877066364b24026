"""The cases of `itc`, each judged at the statement that the suite itself marks in it, in both halves.

Checkout: regehr/itc-benchmarks. A mark names a defect ("Freeing a NULL pointer"), so that in each group the rules count
that are about it, and only at marked lines; those that are off by default are switched on. Of null pointers, the null
has to be made, to pass or to fail at a marked line, and what an allocation gave and nobody tested is a null of its own,
in good halves as well as in bad ones: it counts neither way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from itc import judged
from sources import Places, Way, at_places, found, ways
from verdicts import Verdict

from pliant.analyses.registry import OPT_IN

_MARK = re.compile(r"/\*\s*(?:Tool should |(?:No |NO )?ERROR:)")
_ALLOCATED = re.compile(r"`(?:malloc|calloc|realloc)\(\)`")
_RULES = {
    "free_null_pointer": ("null.free",),
    "memory_allocation_failure": ("allocation.excessive",),
    "function_return_value_unchecked": ("result.unchecked", "result.output"),
}


def verdicts(checkout: Path) -> Iterator[Verdict]:
    return judged(checkout, _marked)


def _marked(group: str, name: str, files: dict[str, bytes]) -> Places:
    """The marked lines of the group's file that what is found touches."""
    lines = files[name].decode(errors="replace").split("\n")
    marked = {number for number, line in enumerate(lines, 1) if _MARK.search(line)}
    if group in _RULES:
        places = at_places(each for each in found(files, OPT_IN) if each.rule in _RULES[group])
    else:
        of_nulls = sorted((way for way in ways(files) if not _is_of_allocation(way)), key=lambda way: way.outcome)
        places = {(step.file, step.line): way.outcome for way in of_nulls for step in way.steps}
    return {(file, line): outcome for (file, line), outcome in places.items() if file == name and line in marked}


def _is_of_allocation(way: Way) -> bool:
    return _ALLOCATED.search(way.steps[0].note) is not None
