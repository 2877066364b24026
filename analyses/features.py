"""What a null dereference rests on, as numbers: what makes its null, how many, and what the rest of the program does
with the results of the function that gives it. `ranking.py` makes a probability of them.

That a function whose results nobody tests is believed not to give null follows "Bugs as deviant behavior" (Engler et
al., SOSP 2001). Here it is a feature with a learned weight, and decides nothing by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log1p

import numpy as np
from numpy.typing import NDArray

from pliant.analyses.paths import NullPath, Proof, carriers
from pliant.analyses.ranking import Features
from pliant.engine import Evaluation

_LOOKS_UP = ("lib_picks", "lib_returns_item")


@dataclass(frozen=True, slots=True)
class Source:
    """The function that gives a null to the function of its use. relation: `calls` for one of the program,
    `any_target` for one of the library; empty where there is none. entity: the id of its symbol."""

    relation: str = ""
    entity: int = -1


def source_of(proof: Proof) -> Source:
    """The last call on the way of a null that gives it."""
    for part in carriers(proof):
        if part.relation == "up":
            for atom in part.body:
                if atom.relation in ("calls", "any_target"):
                    return Source(atom.relation, atom.row[1])
    return Source()


def library_function(proof: Proof) -> int:
    """The id of the library's function whose result is the null; -1 if none made it."""
    for part in carriers(proof):
        said = {atom.relation: atom for atom in part.body}
        if "lib_nullable" in said and "any_target" in said:
            return said["any_target"].row[1]
    return -1


class Practice:
    """What a program does with the results of functions: how many calls there are, and how many results it tests for
    null."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._known: dict[Source, tuple[int, int]] = {}

    @cached_property
    def _tested(self) -> NDArray[np.int64]:
        return np.unique(self._evaluation.rows("doubts")[:, 1])

    @cached_property
    def _lookups(self) -> frozenset[int]:
        return frozenset(entity for name in _LOOKS_UP for entity in self._evaluation.rows(name)[:, 0].tolist())

    def looks_up(self, entity: int) -> bool:
        """Whether it is a function of the library that finds an element of its receiver."""
        return entity in self._lookups

    def ask(self, proofs: Sequence[Proof]) -> None:
        """Read at once what `of` is asked for later: of the sources of proofs."""
        sources = {source_of(proof) for proof in proofs} - self._known.keys()
        for relation in ("calls", "any_target"):
            wanted = np.array(sorted(each.entity for each in sources if each.relation == relation), np.int64)
            if not len(wanted):
                continue
            rows = self._evaluation.rows(relation)
            rows = rows[np.isin(rows[:, 1], wanted)]
            at = np.searchsorted(wanted, rows[:, 1])
            calls = np.bincount(at, minlength=len(wanted))
            tested = np.bincount(at[np.isin(rows[:, 0], self._tested)], minlength=len(wanted))
            for entity, *counts in zip(wanted.tolist(), calls.tolist(), tested.tolist(), strict=True):
                self._known[Source(relation, entity)] = counts[0], counts[1]

    def of(self, source: Source) -> tuple[int, int]:
        """How many calls there are of a function, and how many of their results are tested."""
        return self._known.get(source, (0, 0))


def features(path: NullPath, proof: Proof, origins: int, practice: Practice) -> Features:
    """Names and values; one that is absent is 0. origins: from how many places a null comes to the use."""
    origin = path.origin.partition(" ")[0] or "field"
    if origin == "call" and practice.looks_up(library_function(proof)):
        origin = "lookup"
    calls, tested = practice.of(source_of(proof))
    found = {
        f"origin: {origin}": 1.0,
        "other origins": log1p(max(origins - 1, 0)),
        "guessed callees": log1p(path.guesses),
        "untested results of the callee": log1p(calls - tested),
    }
    return {name: value for name, value in found.items() if value}
