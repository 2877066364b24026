"""Which rows comments silence, decided by the engine.

A comment on the line of a use silences what is found there, also one by which the author tells another tool that it may
be null there. One on another line of the way cuts the way there: the
null that comes by a value of that line is taken away (`hidden` in null_flow.dl) in a copy of the state, and what the
copy does not derive any more is silenced. So a dereference that can be reached without the line is still told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pliant.analyses.paths import Located, Proof, walk
from pliant.analyses.wording import file_of, function_of, what_of
from pliant.engine import Batch, Evaluation
from pliant.extractors.facts import Suppression

Row = tuple[str, str, str]  # relation, site, origin
RuleOf = Callable[[str, str], str]  # relation, site -> rule
_NULL = "null_dereference"


@dataclass(frozen=True, slots=True)
class Mark:
    """A comment of a file. at_use: whether it silences by standing at the use (at an alias' other place, too)."""

    file: str
    comment: Suppression
    at_use: bool = False

    @property
    def place(self) -> tuple[str, int]:
        return self.file, self.comment.line


@dataclass(frozen=True, slots=True)
class Comments:
    """The comments of one side by file, and the places of a file's entities by symbol."""

    of_files: Mapping[str, Sequence[Suppression]]
    places: Callable[[str], Mapping[str, Located]]


@dataclass(slots=True)
class Silenced:
    """rows: what is silenced, and by which comment. used: the comments that silence something, by place.
    without: by rule, the state without the ways that comments cut."""

    rows: dict[Row, Mark] = field(default_factory=dict)
    used: set[tuple[str, int]] = field(default_factory=set)
    without: dict[str, Evaluation] = field(default_factory=dict)


def matches(comment: Suppression, rule: str) -> bool:
    """Whether a comment speaks of a rule: by its id, or by the part before a dot (`null`)."""
    return any(rule == named or rule.startswith(f"{named}.") for named in comment.rules)


def silence(evaluation: Evaluation, rows: Iterable[Row], rule_of: RuleOf, comments: Comments) -> Silenced:
    """What the comments of a side silence of its rows."""
    silenced = Silenced()
    by_line: dict[tuple[str, int], list[Suppression]] = {}
    for file, of_file in comments.of_files.items():
        for comment in of_file:
            by_line.setdefault((file, comment.covers), []).append(comment)
    if not by_line:
        return silenced
    left: dict[str, list[Row]] = {}  # by rule
    for row in rows:
        relation, site, origin = row
        rule = rule_of(relation, site)
        if not any(matches(comment, rule) for of_line in by_line.values() for comment in of_line):
            continue
        mark = _at(site, rule, by_line, comments)
        if mark is None and relation != _NULL:
            mark = _at(origin, rule, by_line, comments)
        if mark is not None:
            silenced.rows[row] = mark
            silenced.used.add(mark.place)
        elif relation == _NULL:
            left.setdefault(rule, []).append(row)
    _on_the_way(evaluation, left, comments, silenced)
    return silenced


def _at(
    symbol: str, rule: str, by_line: Mapping[tuple[str, int], Sequence[Suppression]], comments: Comments
) -> Mark | None:
    file = file_of(symbol)
    place = comments.places(file).get(symbol) if file in comments.of_files else None
    for line in _lines(place) if place is not None else ():
        for comment in by_line.get((file, line), ()):
            if matches(comment, rule):
                return Mark(file, comment, at_use=True)
    return None


def _lines(place: Located) -> tuple[int, int]:
    """The first and the last line of an expression: a comment may stand on either."""
    return place.line, getattr(place, "last_line", place.line)


def _on_the_way(
    evaluation: Evaluation, left: Mapping[str, Sequence[Row]], comments: Comments, silenced: Silenced
) -> None:
    values: dict[Mark, list[str]] = {}
    for file, of_file in comments.of_files.items():
        places = comments.places(file)
        for comment in of_file:
            if not comment.tool and any(matches(comment, rule) for rule in left):
                here = [symbol for symbol, place in places.items() if comment.covers in _lines(place)]
                values[Mark(file, comment)] = here
    together: dict[frozenset[Mark], list[str]] = {}
    for rule in left:
        marks = frozenset(mark for mark in values if matches(mark.comment, rule))
        if marks:
            together.setdefault(marks, []).append(rule)
    for marks, rules in together.items():
        rows = [row for rule in rules for row in left[rule]]
        cut = without(evaluation, [symbol for mark in marks for symbol in values[mark]])
        dead = _absent(cut, rows)
        of_marks = {mark: values[mark] for mark in marks}
        if dead:
            silenced.rows.update(_told_apart(evaluation, dead, of_marks, silenced.used))
        idle = {mark: symbols for mark, symbols in of_marks.items() if mark.place not in silenced.used}
        if idle:
            silenced.used.update(_on_some_way(evaluation, rows, idle))
        if any(mark.place in silenced.used for mark in marks):
            silenced.without.update(dict.fromkeys(rules, cut))


def _told_apart(
    evaluation: Evaluation, dead: Sequence[Row], values: Mapping[Mark, Sequence[str]], used: set[tuple[str, int]]
) -> dict[Row, Mark]:
    """For each silenced row a comment on a way to it: of all the ways, those that the comments found so far leave."""
    mark_of = {
        number: mark
        for mark, symbols in values.items()
        for number in evaluation.symbol_ids(list(symbols)).tolist()
        if number >= 0
    }
    found: dict[Row, Mark] = {}
    needed: dict[Mark, None] = {}
    current, rest = evaluation, list(dead)
    while rest:
        known = len(needed)
        proofs = current.prove_many([(row[0], _ids(evaluation, row)) for row in rest])
        for row, proof in zip(rest, proofs, strict=True):
            for number in _cuttable(proof):
                if (mark := mark_of.get(number)) is not None:
                    needed[mark] = None
                    found.setdefault(row, mark)
        if len(needed) == known:
            raise AssertionError("a row is silenced, and no comment is on its way")
        current = without(evaluation, [symbol for mark in needed for symbol in values[mark]])
        rest = [row for row in rest if row not in set(_absent(current, rest))]
    used.update(mark.place for mark in needed)
    return found


def _on_some_way(
    evaluation: Evaluation, rows: Sequence[Row], values: Mapping[Mark, Sequence[str]]
) -> set[tuple[str, int]]:
    """The comments that cut some way to a row which can be reached by another, too: where a null made at a value of
    their lines would get to a site that a null which is in the value gets to."""
    mark_of = {
        number: mark
        for mark, symbols in values.items()
        for number in evaluation.symbol_ids(list(symbols)).tolist()
        if number >= 0
    }
    origins: dict[int, set[int]] = {}
    for name in ("up", "down", "expected"):
        carried = evaluation.rows(name)
        for value, origin in carried[np.isin(carried[:, 0], list(mark_of))].tolist():
            origins.setdefault(value, set()).add(origin)
    if not origins:
        return set()
    made = evaluation.strings(list(origins))
    probe = evaluation.copy()
    facts = [[number, len(made)] for number in range(len(made))]
    probe.update(insert=Batch(symbols=[*made, "literal"], rows={"null": np.array(facts)}), strategy="update")
    reached = probe.rows(_NULL)
    told = {_ids(evaluation, row) for row in rows}
    return {
        mark_of[value].place
        for site, value in reached[np.isin(reached[:, 1], list(origins))].tolist()
        if any((site, origin) in told for origin in origins[value])
    }


def _cuttable(proof: Proof | None) -> list[int]:
    """The values that a proof needs not to be hidden."""
    if proof is None:
        return []
    return [row[0] for part in walk(proof) for name, row in part.absent if name == "hidden" and row[0] is not None]


def without(evaluation: Evaluation, symbols: Sequence[str]) -> Evaluation:
    """A copy of a state in which no null comes by these values."""
    ids = evaluation.symbol_ids(list(symbols))
    known = [symbol for symbol, number in zip(symbols, ids.tolist(), strict=True) if number >= 0]
    copy = evaluation.copy()
    if known:
        copy.update(
            insert=Batch(symbols=known, rows={"hidden": np.arange(len(known)).reshape(-1, 1)}), strategy="update"
        )
    return copy


def _absent(evaluation: Evaluation, rows: Sequence[Row]) -> list[Row]:
    """Those of some null rows that a state does not derive."""
    if not rows:
        return []
    ids = np.array([_ids(evaluation, row) for row in rows], np.int64)
    there = evaluation.contains(_NULL, ids)
    return [row for row, holds in zip(rows, there.tolist(), strict=True) if not holds]


def _ids(evaluation: Evaluation, row: Row) -> tuple[int, ...]:
    return tuple(evaluation.symbol_ids(list(row[1:])).tolist())


def new_callers(base: Evaluation, head: Evaluation, rows: Sequence[Row]) -> tuple[list[Row], Evaluation | None]:
    """Of rows that both sides have, those that a call which only the head has brings about as well, and the state of
    the head without what the calls of both sides bring to them."""
    functions = {"|".join(row[1].split("|")[:2]) for row in rows}
    there, entries = _entries(head, functions), _entries(base, functions)
    counts: dict[tuple[str, str, str], int] = {}
    for call in entries:
        counts[_named(call)] = counts.get(_named(call), 0) + 1
    fresh, old = set(), []
    for call in sorted(there, key=lambda call: (call not in entries, call)):
        counts[_named(call)] = counts.get(_named(call), 0) - 1
        if counts[_named(call)] < 0:
            fresh.add(call)
        else:
            old.append(call)
    if not fresh:
        return [], None
    cut = without(head, old)
    gone = set(_absent(cut, rows))
    return [row for row in rows if row not in gone], cut


def _named(call: str) -> tuple[str, str, str]:
    return file_of(call), function_of(call), what_of(call)


def _entries(evaluation: Evaluation, functions: set[str]) -> set[str]:
    """The calls that pass something to parameters of functions."""
    ids = evaluation.symbol_ids(sorted(functions))
    formals = [evaluation.rows(name) for name in ("formal", "formal_name")]
    parameters = np.concatenate([rows[np.isin(rows[:, 0], ids), 2] for rows in formals])
    passes = evaluation.rows("passes")
    calls = np.unique(passes[np.isin(passes[:, 2], parameters), 0])
    return set(evaluation.strings(calls))
