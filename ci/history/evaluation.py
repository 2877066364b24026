"""A window's versions evaluated, one way or the other: for each edge both sides and what differs between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from pliant.engine import Difference, Evaluation, Program, VersionedFacts, Versions

Pair = tuple[int, int]  # versions of a parent and of its child


class Evaluated(Protocol):
    """`tuples`: rows of all relations that were kept at once."""

    tuples: int

    def at(self, version: int) -> Evaluation:
        """A version that no pair has been compared from yet."""

    def compare(self, pairs: Sequence[Pair]) -> Iterator[tuple[Evaluation, Evaluation, Difference]]:
        """Both sides of each pair and their difference; they are let go of when they are not needed any more."""


class Together:
    """All versions in one fixpoint."""

    def __init__(self, facts: VersionedFacts):
        self._versions = Versions.of(facts)
        self.tuples = self._versions.tuples

    def at(self, version: int) -> Evaluation:
        return self._versions.at(version)

    def compare(self, pairs: Sequence[Pair]) -> Iterator[tuple[Evaluation, Evaluation, Difference]]:
        left = Counter(version for pair in pairs for version in pair)
        for old, new in pairs:
            yield self._versions.at(old), self._versions.at(new), self._versions.difference(old, new)
            left.subtract((old, new))
            for version in {old, new}:
                if not left[version]:
                    self._versions.forget(version)


class OneByOne:
    """Bootstrap where nothing leads to, and Update along the pairs, which come parents first."""

    def __init__(self, program: Program, facts: VersionedFacts):
        self._program, self._facts = program, facts
        self._known: dict[int, Evaluation] = {}
        self.tuples = 0

    def at(self, version: int) -> Evaluation:
        if version not in self._known:
            made = self._known[version] = Evaluation.bootstrap(self._program, self._facts.batch(version))
            self.tuples = max(self.tuples, sum(made.size(name) for name in self._program.stored))
        return self._known[version]

    def compare(self, pairs: Sequence[Pair]) -> Iterator[tuple[Evaluation, Evaluation, Difference]]:
        left = Counter(version for pair in pairs for version in pair)
        for old, new in pairs:
            base = self.at(old)
            head = base.copy()
            insert, delete = self._facts.difference(old, new)
            difference = head.update(insert=insert, delete=delete)
            self._known.setdefault(new, head)
            yield base, head, difference
            left.subtract((old, new))
            for version in {old, new}:
                if not left[version]:
                    self._known.pop(version, None)


__all__ = ["Evaluated", "OneByOne", "Pair", "Together"]
