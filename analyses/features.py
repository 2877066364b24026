"""What a null dereference rests on, as numbers: what makes its null, how many, and what the rest of the program does
with the attribute that holds it, or with the results of the function that gives it. `ranking.py` makes a probability of
them. Of a function of the library, other programs say that as well (library_tests.py).

That what nobody tests is believed not to be null follows "Bugs as deviant behavior" (Engler et al., SOSP 2001). Here it
is a feature with a learned weight. Only what is believed of a name (`feared` in suspicion.dl) needs a majority.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from math import log1p

import numpy as np
from numpy.typing import NDArray

from pliant.analyses.library_tests import log_odds
from pliant.analyses.paths import NullPath, Proof, carriers
from pliant.analyses.ranking import Features
from pliant.engine import Evaluation
from pliant.extractors.languages import language_of

REMOVED = "origin: removed"  # of a null that is one because the other side tests for it
_LOOKS_UP = ("lib_picks", "lib_returns_item")
# What says that an attribute may be null: how many of its first columns name the attribute, and the relations, with the
# same first columns, that say which functions test it and which functions rely on it.
_ATTRIBUTES = {
    "begins": (2, "wondered", "trusted"),
    "resets": (2, "wondered", "trusted"),
    "optional_field": (2, "wondered", "trusted"),
    "doubtful": (2, "asked_of", ""),
    "feared": (2, "asked_field", "relied_field"),
    "feared_result": (2, "asked_result", "relied_result"),
    "variable_null": (1, "asked_variable", "relied_variable"),
    "cleared": (2, "queried", "rests_on"),
    "reset": (2, "queried", "rests_on"),
}


@dataclass(frozen=True, slots=True)
class Source:
    """The function that gives a null to the function of its use. relation: `calls` for one of the program,
    `any_target` for one of the library; empty where there is none. entity: the id of its symbol."""

    relation: str = ""
    entity: int = -1


@dataclass(frozen=True, slots=True)
class Attribute:
    """What holds a null between functions. tested, relied: the relations that say who tests it for null, and who uses
    it without a test. key: the ids of the symbols in their first columns."""

    tested: str
    relied: str
    key: tuple[int, ...]


def attribute_of(proof: Proof) -> Attribute | None:
    """The attribute from which the null comes that its own function knows nothing of."""
    for part in carriers(proof):
        for atom in (*part.body, *(inner for each in part.body for inner in each.body)):
            if atom.relation in _ATTRIBUTES:
                width, tested, relied = _ATTRIBUTES[atom.relation]
                return Attribute(tested, relied, atom.row[:width])
    return None


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
    """What a program does with the results of functions, and with attributes: how many calls there are, and how many
    results it tests for null; how many functions test an attribute, and how many rely on it."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._known: dict[Source, tuple[int, int]] = {}
        self._names: dict[int, str] = {}  # of functions of the library
        self._attributes: dict[Attribute, tuple[int, int]] = {}

    @cached_property
    def _tested(self) -> NDArray[np.int64]:
        return np.unique(self._evaluation.rows("doubts")[:, 1])

    @cached_property
    def _searches(self) -> frozenset[int]:
        return frozenset(self._evaluation.rows("searched")[:, 0].tolist())

    def finds_nothing(self, origin: int) -> bool:
        """Whether a null is what a search of the program gives that finds nothing."""
        return origin in self._searches

    @cached_property
    def _lookups(self) -> frozenset[int]:
        return frozenset(entity for name in _LOOKS_UP for entity in self._evaluation.rows(name)[:, 0].tolist())

    def looks_up(self, entity: int) -> bool:
        """Whether it is a function of the library that finds an element of its receiver."""
        return entity in self._lookups

    def ask(self, proofs: Sequence[Proof]) -> None:
        """Read at once what is asked for later: of the sources and the attributes of proofs."""
        self._ask_sources({source_of(proof) for proof in proofs} - self._known.keys())
        found = {each for each in map(attribute_of, proofs) if each is not None}
        self._ask_attributes(found - self._attributes.keys())
        functions = sorted(set(map(library_function, proofs)) - self._names.keys() - {-1})
        self._names.update(zip(functions, self._evaluation.strings(functions), strict=True))

    def _ask_sources(self, sources: Set[Source]) -> None:
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

    def _ask_attributes(self, asked: Set[Attribute]) -> None:
        names = {(name, each.key) for each in asked for name in (each.tested, each.relied) if name}
        rows = self._rows_of(names)
        for each in asked:
            self._attributes[each] = rows[each.tested, each.key], rows[each.relied, each.key]

    def _rows_of(self, wanted: set[tuple[str, tuple[int, ...]]]) -> Counter[tuple[str, tuple[int, ...]]]:
        """How many rows of each relation begin so."""
        found = Counter[tuple[str, tuple[int, ...]]]()
        for relation in sorted({name for name, _ in wanted}):
            keys = np.array([key for name, key in wanted if name == relation], np.int64)
            rows = self._evaluation.rows(relation)[:, : keys.shape[1]]
            rows = rows[np.logical_and.reduce([np.isin(*columns) for columns in zip(rows.T, keys.T, strict=True)])]
            places, counts = np.unique(rows, axis=0, return_counts=True)
            found.update(
                dict(zip(((relation, tuple(place)) for place in places.tolist()), counts.tolist(), strict=True))
            )
        return found

    def of_attribute(self, attribute: Attribute | None) -> tuple[int, int]:
        """How many functions test an attribute, and how many rely on it."""
        return (0, 0) if attribute is None else self._attributes.get(attribute, (0, 0))

    def elsewhere(self, file: str, entity: int) -> float:
        """The log odds of other programs in the language of a file testing what a function of the library gives; 0 if
        it is none."""
        language = language_of(file)
        return log_odds(language.name, self._names[entity]) if language is not None and entity in self._names else 0.0

    def of(self, source: Source) -> tuple[int, int]:
        """How many calls there are of a function, and how many of their results are tested."""
        return self._known.get(source, (0, 0))


def features(path: NullPath, proof: Proof, origins: int, practice: Practice, file: str) -> Features:
    """Names and values; one that is absent is 0. origins: from how many places a null comes to the use. file: that of
    the use."""
    origin = path.origin.partition(" ")[0] or "field"
    function = library_function(proof)
    if origin == "call" and practice.looks_up(function):
        origin = "lookup"
    elif practice.finds_nothing(proof.row[1]):
        origin = "search"
    calls, tested = practice.of(source_of(proof))
    doubting, relying = practice.of_attribute(attribute_of(proof))
    found = {
        f"origin: {origin}": 1.0,
        "other origins": log1p(max(origins - 1, 0)),
        "guessed callees": log1p(path.guesses),
        "tested results in other programs": practice.elsewhere(file, function),
        "tested results of the callee": log1p(tested),
        "untested results of the callee": log1p(calls - tested),
        "functions that test the attribute": log1p(doubting),
        "functions that rely on the attribute": log1p(relying),
    }
    return {name: value for name, value in found.items() if value}
