"""Which changed lines bring a finding about, and which ones take one away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from pliant.analyses.findings import Place, Removed
from pliant.analyses.identity import Hunk
from pliant.analyses.paths import Locate, Proof, walk
from pliant.analyses.wording import what_of
from pliant.engine import Evaluation, TooMuch
from pliant.extractors.facts import OWN

Fact = tuple[str, Sequence[int]]  # a relation, and the ids of a row
_MOST_REMOVALS = 64  # explained from all ways that went; past that, from one proof each
_MOST_ROWS = 1 << 24  # of joins, to find all ways that one of them went; past that, it is explained from one proof


class Causes:
    """The changed lines of one side behind its proofs.

    changes: the facts that came (of the base: that went), by relation. names: the string of a symbol id. hunks: by the
    path in the head. later: of the base, the state of the head.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        locate: Locate,
        changes: Mapping[str, np.ndarray],
        hunks: Mapping[str, Sequence[Hunk]],
        *,
        new_side: bool,
        renames: Mapping[str, str] | None = None,
        later: Evaluation | None = None,
    ) -> None:
        self.evaluation, self.locate, self.changes, self.hunks = evaluation, locate, changes, hunks
        self.new_side = new_side
        self.renames = renames or {}
        self.later = later
        self.removals = 0
        self.fact_sets: dict[str, set[tuple[int, ...]]] = {}
        self.names: Callable[[int], str] = self._name
        self._names: dict[int, str] = {}

    def _name(self, entry: int) -> str:
        if entry not in self._names:
            known = 0 <= entry < len(self.evaluation.symbols)
            self._names[entry] = self.evaluation.strings([entry])[0] if known else ""
        return self._names[entry]

    def fix(self, proof: Proof | None, rows: Sequence[tuple[str, str, str]], file: str) -> list[Place]:
        """The lines of the head that took the last derivation of rows of the base: of each hunk that holds, or stands
        next to, a fact whose loss was enough, what it became."""
        lost = self._lost(rows)
        before = self._lines_of(lost, file) if lost else self.lines(proof, file)
        after: set[Place] = set()
        for place in before:
            path = self.renames.get(place.file, place.file)
            for hunk, (start, end) in zip(self.hunks.get(path, ()), self._spans(place.file), strict=True):
                if start <= place.line <= end:
                    count = max(hunk.new_count, 1)
                    first = hunk.new_start if hunk.new_count else hunk.new_start + 1
                    after.update(Place(path, number) for number in range(first, first + min(count, 8)))
        return sorted(after, key=lambda place: (place.file, place.line))

    def _lost(self, rows: Sequence[tuple[str, str, str]]) -> list[Fact]:
        """Facts whose loss took every derivation of rows, for the first findings that ask."""
        self.removals += 1
        if self.later is None or self.removals > _MOST_REMOVALS:
            return []
        lost: list[Fact] = []
        for relation, *names in rows:
            row = tuple(self.evaluation.symbol_ids(names).tolist())
            if not self.evaluation.contains(relation, np.array([row]))[0]:
                continue  # it was only used untested, and a test came
            if not self.later.contains(relation, np.array([row]))[0]:
                try:
                    removal = self.evaluation.explain_removal(self.later, relation, row, _MOST_ROWS)
                except TooMuch:
                    return []
                lost += [*removal.deleted, *removal.gained]
        return lost

    def lines(self, proof: Proof | None, file: str) -> list[Place]:
        """Changed lines that hold a changed fact of the proof; else those nearest to such facts; else those of the
        file of the use.

        Facts are placed by the values in them; by the functions and classes in them only where no value is.
        """
        parts = walk(proof) if proof is not None else ()
        return self._lines_of(
            [(part.relation, part.row) for part in parts if part.is_input and part.row in self._facts(part.relation)],
            file,
        )

    def removed(self, places: Sequence[Place]) -> tuple[list[Place], list[Removed]]:
        """Of changed lines of the head, those that it has changed itself; and the lines that it took away where
        another one only stands behind a gap."""
        kept: list[Place] = []
        gone: dict[Removed, None] = {}
        for place in places:
            gaps = [
                hunk
                for hunk in self.hunks.get(place.file, ())
                if not hunk.new_count and place.line == hunk.new_start + 1
            ]
            if not gaps:
                kept.append(place)
            before = next((old for old, new in self.renames.items() if new == place.file), place.file)
            for hunk in gaps:
                lines = range(hunk.old_start, hunk.old_start + hunk.old_count)
                gone |= dict.fromkeys(Removed(before, line, place) for line in lines)
        return kept, list(gone)

    def _lines_of(self, facts: Sequence[Fact], file: str) -> list[Place]:
        places: list[tuple[str, int, int]] = []
        definitions: list[tuple[str, int, int]] = []
        for entry in {entry: None for fact in facts for entry in self._symbols_of(*fact)}:
            symbol = self.names(entry)
            if OWN in symbol and (found := self.locate(symbol)) is not None:
                known = places if what_of(symbol) != symbol else definitions
                known.append((found.file, found.line, getattr(found, "last_line", found.line)))
        if not any(self._spans(place_file) for place_file, _, _ in places):
            places = definitions
        exact: set[Place] = set()
        near: set[Place] = set()
        for place_file, first, last in places:
            spans = self._spans(place_file)
            inside = [number for start, end in spans for number in range(max(start, first), min(end, last) + 1)]
            exact.update(Place(place_file, number) for number in inside[:3])
            if spans and not inside:
                near.add(Place(place_file, min((abs(first - edge), edge) for span in spans for edge in span)[1]))
        chosen = exact or near
        if not chosen:
            files = [file] if self._spans(file) else list(self.hunks)[:4]
            chosen = {
                Place(self._own_path(path), start)
                for path in files
                for start, _ in self._spans(self._own_path(path))[:3]
            }
        return sorted(chosen, key=lambda place: (place.file, place.line))

    def _symbols_of(self, relation: str, row: Sequence[int]) -> Iterator[int]:
        """The entries of a row that are ids of symbols: a number is none."""
        schema = self.evaluation.program.schemas.get(relation)
        if schema is None:  # a count, of which no symbol tells a place
            return iter(())
        kinds = schema.kinds
        return (entry for entry, kind in zip(row, kinds, strict=True) if kind == "symbol")

    def _facts(self, relation: str) -> set[tuple[int, ...]]:
        if relation not in self.fact_sets:
            rows = (self.changes).get(relation)
            self.fact_sets[relation] = set(map(tuple, rows.tolist())) if rows is not None else set()
        return self.fact_sets[relation]

    def _own_path(self, head_path: str) -> str:
        if self.new_side:
            return head_path
        return next((old for old, new in self.renames.items() if new == head_path), head_path)

    def _spans(self, path: str) -> list[tuple[int, int]]:
        """First and last line of each hunk on this side; where lines were only taken away, the line after them."""
        hunks = self.hunks.get(path if self.new_side else self.renames.get(path, path), ())
        spans = []
        for hunk in hunks:
            start, count = (hunk.new_start, hunk.new_count) if self.new_side else (hunk.old_start, hunk.old_count)
            spans.append((start, start + count - 1) if count else (start + 1, start + 1))
        return spans
