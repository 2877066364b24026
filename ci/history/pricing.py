"""Elastic over a window: one fixpoint over all versions, or Bootstrap of one and Update from commit to commit.

Both are priced before either is tried, from sizes of fact differences, so the choice is the same on every machine. The
prices are in seconds of the machine they were measured on (`benchmarks/history.py prices` prints them anew); only
their ratios matter.

What does not fit the memory of its process is not tried: versions that are too many facts together go commit by commit,
and where even one commit is too large the window is refused in one line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pliant.ci.errors import UserError
from pliant.ci.places import gibibytes
from pliant.engine import VersionedFacts

Strategy = Literal["versions", "update"]
Choice = Literal["auto", "versions", "update"]

VERSIONS_FIXED: Final = 0.10  # of a fixpoint over many versions, whatever its size
VERSIONS_FACT: Final = 9.0e-6  # for each fact that any version has
BOOTSTRAP_FIXED: Final = 0.05
BOOTSTRAP_FACT: Final = 7.5e-6
UPDATE_FIXED: Final = 0.03  # of an update from one commit to another
UPDATE_SIZE: Final = 2.3e-6  # for each fact of the commit: what a change reaches grows with what is there
UPDATE_FACT: Final = 1.0e-4  # for each fact that comes or goes
# Bytes of memory at the least, for each fact of all versions together, and of one commit with its child.
VERSIONS_BYTES: Final = 2500
UPDATE_BYTES: Final = 2000


@dataclass(frozen=True, slots=True)
class Priced:
    """Estimated seconds of both ways, and which is taken and why."""

    strategy: Strategy
    reason: str
    versions: float
    update: float


def choose(
    facts: VersionedFacts, roots: Sequence[int], edges: Sequence[tuple[int, int]], asked: Choice, free: int
) -> Priced:
    """`roots`: versions that Update would have to start from nothing. `edges`: pairs of versions that differ. `free`:
    bytes of memory that this process may still take. Raises UserError where not even Update fits."""
    versions = VERSIONS_FIXED + VERSIONS_FACT * facts.size
    changed = [sum(facts.changes(old, new)) for old, new in edges]
    update = sum(BOOTSTRAP_FIXED + BOOTSTRAP_FACT * facts.size_of(root) for root in roots)
    update += sum(UPDATE_FIXED + UPDATE_SIZE * facts.size_of(old) for old, _ in edges) + UPDATE_FACT * sum(changed)
    needed = facts.size * VERSIONS_BYTES
    if needed > free:
        one = max(map(facts.size_of, {*roots, *(old for old, _ in edges)}), default=0)
        if one * UPDATE_BYTES > free:
            raise UserError(
                f"a commit of {one} facts needs more than {gibibytes(one * UPDATE_BYTES)} of memory, and "
                f"{gibibytes(free)} are free: give this process (on Spark, a task) more, or run fewer at once (--jobs)"
            )
        return Priced("update", f"{gibibytes(needed)} for {facts.count} versions do not fit", versions, update)
    if asked != "auto":
        return Priced(asked, "asked for", versions, update)
    if versions <= update:
        return Priced("versions", f"{facts.count} versions share most facts", versions, update)
    return Priced("update", f"{len(changed)} differences of {sum(changed)} facts are few", versions, update)


__all__ = ["Choice", "Priced", "Strategy", "choose"]
