"""From what commits introduce and fix to how long each finding lived, over a line or a graph of commits.

A commit's findings are its parent's, less what it fixed, plus what is new: `check` says which. A finding that is
unchanged may have another fingerprint than before (its function was renamed, say); what is left over on both sides of
such a commit is paired by what else it has in common. What a commit left out ends no finding: it lives on until all
that it depends on was read again. Where commits lie between a commit's parent and what is known of the history
(`--paths`, `--since`), findings begin or end there without a commit to name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pliant.analyses.findings import is_unlikely
from pliant.ci.history.plan import Commit
from pliant.ci.history.versions import NOTHING
from pliant.ci.left_out import Key, key_of

Row = Mapping[str, Any]  # what `store.finding_row` says of a finding
Began = Literal["new", "there"]
Ended = Literal["open", "fixed", "gone", "unknown"]

# By what findings of different fingerprints are one, the strongest first.
_LIKENESS: Final[tuple[Callable[[Row], tuple[Any, ...]], ...]] = (
    lambda row: (row["rule"], row["file"], row["function"], row["line"]),
    lambda row: (row["rule"], row["file"], row["function"]),
    lambda row: (row["rule"], row["file"]),
    lambda row: (row["rule"], row["function"]),
    lambda row: (row["file"], row["function"], row["line"]),
    lambda row: (row["rule"],),
)


@dataclass(slots=True)
class Lifetime:
    """`first`, `last`: positions in the history; -1 for before it."""

    id: int
    row: Row
    began: Began
    first: int
    first_commit: str
    ended: Ended = "open"
    last: int | None = None
    commits: int = 0


@dataclass(slots=True)
class Compared:
    """An edge: what is new, fixed and unchanged, and what the parent has and the commit may have. told: all but the
    unchanged ones, in order. regained: what the parent left out and the commit did not."""

    new: list[Row] = field(default_factory=list)
    fixed: list[Row] = field(default_factory=list)
    unchanged: list[Row] = field(default_factory=list)
    lost: list[Row] = field(default_factory=list)
    told: list[Row] = field(default_factory=list)
    regained: set[Key] = field(default_factory=set)


Alive = dict[int, Row]  # lifetime -> the finding as the commit has it; never changed once it is made


class Lifetimes:
    """Fed with commits in order, parents first. `of_change`: of each edge the lifetime of each row by its identity.

    A finding that a commit may have stays alive. Its row says what it waits for (`waits`): it ends if all of that is
    read again and does not bring it back.
    """

    def __init__(self, line: bool):
        self.lifetimes: list[Lifetime] = []
        self.of_change: dict[tuple[str, str], dict[int, int]] = {}
        self._line = line  # the commits are a line: what lies outside belongs between its neighbours
        self._alive: dict[str, Alive] = {NOTHING: {}}
        self._pool: Alive = {}  # what is known of commits outside
        self._latest: Alive | None = None
        self._times: list[tuple[Alive, int]] = []

    def outside(self, commit: str, listing: Sequence[Row], position: int) -> None:
        """The findings of a commit that is not of the history, a parent of the commit at `position`."""
        before = self._latest if self._line and self._latest is not None else self._pool
        kept, left, rest = _matched(before, listing)
        if self._line:
            pairs = _paired({each: before[each] for each in left}, rest)
            kept |= pairs
            rest = _without(rest, pairs.values())
            for gone in set(left) - set(pairs):
                self._end(gone, "gone", position)
        for row in rest:
            kept[self._begin(row, "there", position - 1, commit)] = row
        self._alive[commit] = kept
        self._pool = {**self._pool, **kept}

    def commit(self, commit: Commit, position: int, edges: Mapping[str, Compared | None]) -> tuple[int, int, int]:
        """`edges`: by parent, None where no finding differs. How many findings it introduced and fixed, and has."""
        alike = next((parent for parent, compared in edges.items() if compared is None), None)
        introduced = fixed = 0
        if alike is not None:
            alive = self._alive[alike]
            for parent, compared in edges.items():
                if parent != alike:
                    self._merge_alike(commit.oid, parent, compared or Compared(), alive, position)
        else:
            alive, introduced, fixed = self._compare(
                commit, position, {p: c for p, c in edges.items() if c is not None}
            )
        self._alive[commit.oid] = self._latest = alive
        if self._times and self._times[-1][0] is alive:
            self._times[-1] = (alive, self._times[-1][1] + 1)
        else:
            self._times.append((alive, 1))
        return introduced, fixed, len(alive)

    def finish(self) -> list[Lifetime]:
        for alive, commits in self._times:
            for each in alive:
                self.lifetimes[each].commits += commits
        for each, row in (self._latest or {}).items():  # also what ended on a side that a merge did not follow
            self.lifetimes[each].ended = "unknown" if row.get("waits") else "open"
            self.lifetimes[each].last = None
        return self.lifetimes

    def forget(self, commit: str) -> None:
        """No later commit has this one as a parent."""
        self._alive.pop(commit, None)

    def _compare(self, commit: Commit, position: int, edges: Mapping[str, Compared]) -> tuple[Alive, int, int]:
        places = _Places()
        lifetime_of: dict[int, int] = {}  # place -> lifetime
        new_against: Counter[int] = Counter()
        loud: Counter[int] = Counter()  # the same without what is suppressed
        followed: dict[str, _Followed] = {}
        place_of: dict[int, int] = {}  # by the identity of a row of the commit
        for parent, compared in edges.items():
            places.restart()
            follow = followed[parent] = _follow(self._alive[parent], compared)
            for row in (*compared.unchanged, *compared.new):
                place = place_of[id(row)] = places.of(row)
                if id(row) in follow.of_row:
                    lifetime_of.setdefault(place, follow.of_row[id(row)])
            new = [place_of[id(row)] for row in compared.new]
            new_against.update(new)
            loud.update(place for place, row in zip(new, compared.new, strict=True) if is_told(row))
        alive: Alive = {}
        for place, row in enumerate(places.rows):
            if place not in lifetime_of or lifetime_of[place] in alive:
                began: Began = "new" if new_against[place] else "there"
                lifetime_of[place] = self._begin(row, began, position, commit.oid)
            alive[lifetime_of[place]] = row
        for follow in followed.values():
            for each, row in follow.waiting.items():
                alive.setdefault(each, row)
        for parent, follow in followed.items():
            self.of_change[parent, commit.oid] = {
                id(row): lifetime_of[place_of[id(row)]] if id(row) in place_of else follow.of_row.get(id(row), -1)
                for row in edges[parent].told
            }
            for each in self._alive[parent]:
                if each not in alive:
                    self._end(each, "fixed" if each in follow.fixed else "gone", position)
        introduced = sum(count == len(edges) for count in loud.values())
        counted = [Counter(row["fingerprint"] for row in compared.fixed if is_told(row)) for compared in edges.values()]
        return alive, introduced, sum(min(each[name] for each in counted) for name in counted[0])

    def _merge_alike(self, commit: str, parent: str, compared: Compared, alive: Alive, position: int) -> None:
        """A merge that has the findings of another parent: what is new against this one is known, and what this one
        alone has ends."""
        by_fingerprint: dict[str, list[int]] = defaultdict(list)
        for each, row in alive.items():
            by_fingerprint[row["fingerprint"]].append(each)
        ends, _, _ = _matched(self._alive[parent], compared.fixed)
        before, _, _ = _matched(self._alive[parent], [*compared.fixed, *compared.lost])
        for each in self._alive[parent]:
            if each not in alive:
                self._end(each, "fixed" if each in ends else "gone", position)
        order = {id(row): each for each, row in before.items()}
        of_base = {id(row) for row in (*compared.fixed, *compared.lost)}
        self.of_change[parent, commit] = {
            id(row): order.get(id(row), -1) if id(row) in of_base else (by_fingerprint[row["fingerprint"]] or [-1])[-1]
            for row in compared.told
        }

    def _begin(self, row: Row, began: Began, position: int, commit: str) -> int:
        self.lifetimes.append(Lifetime(len(self.lifetimes), row, began, position, commit))
        return len(self.lifetimes) - 1

    def _end(self, each: int, ended: Ended, position: int) -> None:
        lifetime = self.lifetimes[each]
        if lifetime.last is None:
            lifetime.ended, lifetime.last = ended, position


@dataclass(slots=True)
class _Followed:
    """The findings of a parent in a commit. of_row: their lifetimes by the identity of the rows that say what became of
    them. waiting: those that the commit may have."""

    of_row: dict[int, int]
    fixed: set[int]
    waiting: Alive


def _follow(before: Alive, compared: Compared) -> _Followed:
    waits = {each: row for each, row in before.items() if row.get("waits")}  # not findings of the parent as it was read
    fixed, left, unknown = _matched(_apart(before, waits), compared.fixed)
    lost, left, unmatched = _matched(_of(before, left), compared.lost)
    kept, left, fresh = _matched(_of(before, left) | waits, compared.unchanged)
    kept |= _paired(_of(before, left), fresh)
    again, _, _ = _matched(_apart(waits, kept), compared.new)
    rest = _apart(_of(before, left), {**kept, **waits})
    lost |= _paired(rest, unmatched)
    fixed |= _paired(_apart(rest, lost), unknown)
    waiting: Alive = {each: {**before[each], "waits": _waits_for(row)} for each, row in lost.items()}
    for each, row in _apart(waits, {**kept, **again}).items():
        if still := row["waits"] - compared.regained:
            waiting[each] = {**row, "waits": still}
    of_row = {id(row): each for found in (kept, again, fixed, lost) for each, row in found.items()}
    return _Followed(of_row, set(fixed), waiting)


def _waits_for(row: Row) -> set[Key]:
    unread = (each for each in row["unread"] if each["side"] == "head")
    return {(each["file"], key_of(each["scope"], each["function"])) for each in unread}


def _of(alive: Alive, some: Iterable[int]) -> Alive:
    return {each: alive[each] for each in some}


def _apart(alive: Alive, others: Alive) -> Alive:
    return {each: row for each, row in alive.items() if each not in others}


class _Places:
    """The findings of a commit, each once, as the comparison with each parent lists them: the n-th of a fingerprint in
    one is the n-th in another."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._of: dict[str, list[int]] = defaultdict(list)
        self._taken: Counter[str] = Counter()

    def restart(self) -> None:
        """Another parent's comparison begins."""
        self._taken.clear()

    def of(self, row: Row) -> int:
        same = self._of[row["fingerprint"]]
        used = self._taken[row["fingerprint"]]
        self._taken[row["fingerprint"]] += 1
        if used == len(same):
            same.append(len(self.rows))
            self.rows.append(row)
        return same[used]


def is_told(row: Row) -> bool:
    """Whether a check lists a finding, as new or fixed, when nothing more is asked for."""
    return not row["suppressed"] and not is_unlikely(row["status"], unlikely=row["unlikely"])


def _matched(alive: Alive, rows: Sequence[Row]) -> tuple[Alive, list[int], list[Row]]:
    """Those that are alive with the row of the same fingerprint; who is left; which rows are."""
    waiting: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        waiting[row["fingerprint"]].append(row)
    kept: Alive = {}
    left = []
    for each, row in alive.items():
        same = waiting[row["fingerprint"]]
        if same:
            kept[each] = same.pop(0)
        else:
            left.append(each)
    return kept, left, _without(rows, kept.values())


def _paired(alive: Alive, rows: Sequence[Row]) -> Alive:
    """Those that are alive with the row that is most like theirs."""
    pairs: Alive = {}
    left = dict(alive)
    rest = list(rows)
    for likeness in _LIKENESS:
        if not left or not rest:
            break
        waiting: dict[tuple[Any, ...], list[int]] = defaultdict(list)
        for each, row in left.items():
            waiting[likeness(row)].append(each)
        unpaired = []
        for row in rest:
            same = waiting[likeness(row)]
            if same:
                each = same.pop(0)
                pairs[each] = row
                del left[each]
            else:
                unpaired.append(row)
        rest = unpaired
    return pairs


def _without(rows: Sequence[Row], taken: Iterable[Row]) -> list[Row]:
    gone = {id(row) for row in taken}
    return [row for row in rows if id(row) not in gone]


__all__ = ["Compared", "Lifetime", "Lifetimes", "is_told"]
