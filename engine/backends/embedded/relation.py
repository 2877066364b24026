"""A stored relation: columns of 32-bit words, level and count of each row, and which views each row is in.

A row keeps its number for life. A row that dies keeps its place (a tombstone) and is revived if its tuple comes back,
so that arrangements never lose an entry; `compacted` drops the dead. While an update runs, a row's state says in which
of three views it is: before the update, without anything that changes, and after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from . import kernels
from .arrangement import Arrangement, Run, concatenate
from .kernels import Divided
from .keys import EXACT_WIDTH, Column, Counts, Indices, Mask, Words, consolidate, half_of, key_words, places_of
from .search import find, locate
from .widths import WIDTHS, Numbers, fits, highest_of, most, widened

if TYPE_CHECKING:
    from .replacement import Replacement

OLD: Final = 1  # in the view before the update
KEPT: Final = 2  # in it before and after
NEW: Final = 4  # in it now (while its stratum is updated), then: after the update
DELTA: Final = 8  # among the tuples whose derivations are being asked for
SETTLED: Final = OLD | KEPT | NEW

NO_ROWS: Final[Column] = np.zeros(0, np.int32)
Number = Literal["level", "count", "total", "above"]
NUMBERS: Final[tuple[Number, ...]] = ("level", "count", "total", "above")
_ROOM: Final = 32  # one row in so many is what a relation may grow by before its arrays are copied
_LATEST: Final = 1 << 30  # time of the clock of deaths, which has 32 bits
_PLACES: Final = np.random.default_rng(0).random(1024)  # of the rows that an estimate looks at: always the same


class Relation:
    """`level`, `count` and `total` are None for relations that only hold input (level 0, count 1). Where `level` is
    there and `count` and `total` are None, nobody has counted.

    `total` is the number of instantiations that derive a tuple at any level: it says when none is left. `above` is 1 +
    the number of those that fire one level above the tuple's own, 0 where that is not known: what dies at its level and
    has some is there again at the next. It is None where nobody keeps it.

    They are as narrow as what they hold (`widths`): they are written by methods, which widen them, and to compute
    with levels they are read by `levels_of`.

    `versions` is there where many versions are evaluated together: of each row the set of those that have it.
    """

    __slots__ = (
        "_deleted", "_inserted", "_shared", "_whole", "above", "arity", "arrangements", "clock", "columns", "count",
        "dead", "died", "fanouts", "former", "known", "level", "name", "replacement", "size", "stable", "state",
        "total", "uniform", "versions",
    )  # fmt: skip

    def __init__(self, name: str, arity: int, levelled: bool, counted: bool = True):
        self.name = name
        self.arity = arity
        self.columns: list[Column] = [np.empty(0, np.int32) for _ in range(arity)]
        self.level: Numbers | None = np.empty(0, WIDTHS[0]) if levelled else None
        self.count: Numbers | None = np.empty(0, WIDTHS[0]) if levelled and counted else None
        self.total: Numbers | None = np.empty(0, WIDTHS[0]) if levelled and counted else None
        self.above: Numbers | None = None
        self.state: NDArray[np.uint8] = np.empty(0, np.uint8)
        self.size = 0
        self.stable = 0  # rows from here on are the newest level of a running Bootstrap
        self.dead = 0
        self.known = 0  # rows among which the dead were counted
        self.uniform = True  # every row is in every view
        self.former: Column | None = None  # 1 + the level that a row is just moving from, 0 for most
        self.died: Column | None = (
            None  # when a row last fell in an update, by a clock that goes on from one to the next
        )
        self.clock = 0
        self._inserted: Column = NO_ROWS
        self._deleted: Column = NO_ROWS
        self.replacement: Replacement | None = None  # of another relation, whose difference is not marked yet
        self.arrangements: dict[tuple[int, ...], Arrangement] = {}
        self.fanouts: dict[tuple[int, ...], tuple[int, float]] = {}  # key -> size and fan-out when it was estimated
        self.versions: Words | None = None
        self._shared = False
        self._whole: Arrangement | None = None

    def copy(self) -> Relation:
        """A relation with the same rows; arrays are shared until either side writes."""
        copied = Relation(self.name, self.arity, self.level is not None)
        for name in ("columns", *NUMBERS, "state", "size", "stable", "dead", "known", "uniform"):
            setattr(copied, name, getattr(self, name))
        copied.columns = list(self.columns)
        copied.arrangements = {columns: each.copy() for columns, each in self.arrangements.items()}
        copied.fanouts = dict(self.fanouts)
        self._shared = copied._shared = True
        return copied

    @property
    def inserted(self) -> Column:
        """Rows that the running update has put in; they are in the view NEW alone."""
        self._mark()
        return self._inserted

    @inserted.setter
    def inserted(self, rows: Column) -> None:
        self._inserted = rows

    @property
    def deleted(self) -> Column:
        """Rows that the running update has taken out; they are in the view OLD alone."""
        self._mark()
        return self._deleted

    @deleted.setter
    def deleted(self, rows: Column) -> None:
        self._deleted = rows

    def _mark(self) -> None:
        """Where this relation took the place of another, mark what differs; what it lacks gets rows."""
        if self.replacement is None:
            return
        change, self.replacement = self.replacement.change, None
        self._inserted = change.inserted
        if len(change.inserted):
            self.set_state(change.inserted, NEW)
        if change.deletions:
            start = self.append(change.deleted, change.deletions, 0, 0, OLD)
            self.settle()
            self._deleted = np.arange(start, self.size, dtype=np.int32)

    def own(self) -> None:
        """To be called before any write to the arrays."""
        if self._shared:
            self._reserve(self.size, copy=True)
            self._shared = False

    def append(
        self,
        columns: Sequence[Column],
        size: int,
        level: Numbers | int,
        count: Numbers | int,
        state: int,
        total: Numbers | int | None = None,
        above: Numbers | int = 0,
    ) -> int:
        """Add `size` rows that are not there yet; the number of the first. `total` is `count` if it is not given."""
        start, end = self.size, self.size + size
        self._reserve(end, copy=self._shared)
        self._shared = False
        for mine, new in zip(self.columns, columns, strict=True):
            mine[start:end] = new
        of_rows = slice(start, end)
        for what, values in zip(NUMBERS, (level, count, count if total is None else total, above), strict=True):
            numbers = getattr(self, what)
            if numbers is not None:
                highest = highest_of(values)
                if not fits(numbers, highest):
                    numbers = widened(numbers, highest)
                    setattr(self, what, numbers)
                numbers[of_rows] = values
        self.state[start:end] = state
        self.size = end
        if state != SETTLED and size:
            self.uniform = False
        return start

    def _reserve(self, needed: int, copy: bool) -> None:
        capacity = len(self.state)
        if needed <= capacity and not copy:
            return
        if needed > capacity:
            capacity = max(needed, capacity + capacity // 2, 16)

        def grown(array: NDArray[Any]) -> NDArray[Any]:
            new = np.empty(capacity, array.dtype)
            new[: self.size] = array[: self.size]
            return new

        self.columns = [grown(column) for column in self.columns]
        self.level = None if self.level is None else grown(self.level)
        self.count = None if self.count is None else grown(self.count)
        self.total = None if self.total is None else grown(self.total)
        self.above = None if self.above is None else grown(self.above)
        self.state = grown(self.state)
        self.versions = None if self.versions is None else grown(self.versions)
        if self.former is not None:
            moving = self.former.nonzero()[0]
            former, self.former = self.former, np.zeros(capacity, np.int32)
            self.former[moving] = former[moving]

    def put(self, what: Number, rows: Column | slice, values: Numbers | int) -> None:
        """Write such numbers of rows. Each tuple of the relation has to have one."""
        self.own()
        numbers = getattr(self, what)
        if (
            isinstance(values, np.ndarray)
            and values.dtype == np.int64
            and isinstance(rows, np.ndarray)
            and kernels.put(numbers, rows, values, most(numbers))
        ):
            return
        numbers = widened(numbers, highest_of(values))
        if isinstance(values, int) and isinstance(rows, np.ndarray):
            kernels.fill(numbers, rows, values)
        else:
            numbers[rows] = values
        setattr(self, what, numbers)

    def keep_above(self) -> None:
        """From now on, for all rows that are still to come, if counts are kept."""
        if self.count is not None:
            self.above = np.zeros(len(self.state), WIDTHS[0])

    def levels_of(self, rows: Column) -> Column:
        """The levels of rows, to compute with."""
        assert self.level is not None
        return self.level.take(rows).astype(np.int32)

    def note(
        self, rows: Column, levels: Column, counts: Counts, former: bool = False, counted: bool = False
    ) -> list[tuple[int, Column, Counts]]:
        """Note instantiations that came or went at their levels: in `total` if they are to be `counted`, and in `above`
        what fires one level above a tuple. What waits of it, by level; `former`: heads that are moving are taken at the
        level that they had. Rows may repeat."""
        assert self.level is not None
        self.own()
        total, moving = self.total if counted else None, self.former if former else None
        noted = kernels.note(rows, levels, counts, self.state, self.level, moving, total, self.above)
        if isinstance(noted, str):
            self._widen(noted)
            return self.note(rows, levels, counts, former, counted)
        return noted

    def change(self, rows: Column, sums: Counts, level: int) -> Divided:
        """Add to the counts of distinct rows that are present at a level, and to what is known of those that are
        present one below, what the instantiations at that level sum up to."""
        assert self.level is not None and self.count is not None
        self.own()
        divided = kernels.divide(rows, sums, self.state, self.level, self.count, self.above, level)
        if isinstance(divided, str):
            self._widen(divided)
            return self.change(rows, sums, level)
        return divided

    def enter(self, rows: Column, counts: Counts, level: int, above: int) -> None:
        """Rows come into the view at a level, with their counts there."""
        assert self.level is not None and self.count is not None
        self.own()
        self.level = widened(self.level, level)
        if not kernels.enter(rows, counts, self.state, self.level, self.count, self.above, level, above):
            self.count = widened(self.count, highest_of(counts))
            kernels.enter(rows, counts, self.state, self.level, self.count, self.above, level, above)
        self.uniform = False

    def _widen(self, what: Number) -> None:
        numbers = getattr(self, what)
        setattr(self, what, widened(numbers, most(numbers) + 1))

    def lower(self, rows: Column, counts: Counts, level: int) -> Column:
        """Rows in the view come down to a level, with their counts there. The levels that they had, which
        `former_levels` tells until `moved`."""
        assert self.level is not None and self.count is not None
        self.own()
        if self.former is None or len(self.former) < self.size:
            self.former = np.zeros(len(self.state), np.int32)  # pages that are never written are never made
        former = kernels.lower(rows, counts, self.level, self.count, self.above, self.former, level)
        if isinstance(former, str):
            self._widen(former)
            return self.lower(rows, counts, level)
        return former

    def former_levels(self, rows: Column, levels: Column) -> Column:
        """The levels of rows before those that are moving did; `levels` are their levels now."""
        if self.former is None:
            return levels
        former = self.former.take(rows) - np.int32(1)
        return np.where(former < 0, levels, former)

    def moved(self, rows: Column) -> None:
        assert self.former is not None
        kernels.fill(self.former, rows, 0)

    def deaths(self) -> Column:
        """`died` of all rows. It is kept from update to update: to make so large an array is dearer than to write a few
        of its rows."""
        if self.died is None or len(self.died) < self.size:
            longer = np.zeros(self.size + self.size // 4 + 1024, np.int32)
            if self.died is not None:
                longer[: len(self.died)] = self.died
            self.died = longer
        return self.died

    def settle(self) -> None:
        """Rows appended so far are no longer the newest level."""
        self.stable = self.size

    def locate(self, columns: Sequence[Column], size: int, words: Words | None = None) -> Column:
        """The row that holds each given tuple, dead or alive, or -1. `words`: all columns packed, if that was done."""
        if not self.size or not size:
            return np.full(size, -1, np.int32)
        arrangement = self.whole()
        if arrangement.exact:
            return self.locate_keys(key_words([columns[column] for column in arrangement.columns], size))
        runs = arrangement.prepare(self, recent=True)
        keys = key_words([columns[column] for column in arrangement.columns], size) if words is None else half_of(words)
        arrangement.note_search(size)
        rows = locate(runs, keys)
        there = places_of(rows >= 0)
        if not len(there):
            return rows
        others = there[~self._same(rows[there], columns, there)]
        if len(others):  # rows of the same hash: look at all of them
            rows[others] = -1
            for hits in find(runs, keys[others], prefix=False):
                found, probes = hits.run.rows[hits.positions], others[hits.probes]
                same = self._same(found, columns, probes)
                rows[probes[same]] = found[same]
        return rows

    def locate_keys(self, keys: Words) -> Column:
        """The same of tuples of up to two columns, packed in the order of `whole`."""
        if not self.size:
            return np.full(len(keys), -1, np.int32)
        whole = self.whole()
        runs = whole.prepare(self, recent=True)
        whole.note_search(len(keys))
        return locate(runs, keys)

    def _same(self, rows: Column, columns: Sequence[Column], places: Indices) -> Mask:
        """Whether each row holds the tuple at its place of the given columns."""
        same = np.ones(len(rows), np.bool_)
        for mine, given in zip(self.columns, columns, strict=True):
            same &= mine.take(rows) == given[places]
        return same

    def rows_with(self, key: Sequence[int], values: Sequence[Column], size: int, view: int) -> tuple[Indices, Column]:
        """(i, row) for each row in `view` whose columns `key` are the i-th of `size` values."""
        if not key:
            rows = self.rows_in(view)
            return np.repeat(np.arange(size), len(rows)), np.tile(rows, size)
        order = sorted(range(len(key)), key=key.__getitem__)
        arrangement, prefix = self.arrangement(tuple(key[each] for each in order))
        value_of = {key[each]: values[each] for each in order}
        keys = key_words([value_of[column] for column in arrangement.columns[: len(key)]], size)
        parts = []
        for hits in find(arrangement.prepare(self, recent=True), keys, prefix):
            probes, rows = hits.probes, hits.run.rows[hits.positions]
            kept = np.ones(len(rows), np.bool_) if self.uniform else (self.state[rows] & view) != 0
            if not arrangement.exact:
                for column, of_column in value_of.items():
                    kept &= self.columns[column][rows] == of_column[probes]
            parts.append((probes[kept], rows[kept]))
        if not parts:
            return np.zeros(0, np.intp), NO_ROWS
        return concatenate([part[0] for part in parts]), concatenate([part[1] for part in parts])

    def whole(self) -> Arrangement:
        """The arrangement that finds a tuple by all of its columns."""
        if self._whole is None:  # it is asked for by each look-up of a few tuples, and stays
            self._whole = self.arrangement(tuple(range(self.arity)))[0]
        return self._whole

    def locator(self) -> Callable[[Words], Column] | None:
        """What finds the rows of tuples, dead or alive, or -1, by words packed in the order of `whole`; None if there
        are none. For up to two columns, and as long as no row is added."""
        if not self.size:
            return None
        runs = self.whole().prepare(self, recent=True)
        return partial(locate, runs, threads=1)

    def arrangement(self, key: tuple[int, ...]) -> tuple[Arrangement, bool]:
        """An arrangement that finds rows by the columns `key` (ascending), and whether they are a prefix of its own.

        Made on first use. A pair sorted by (a, b) serves a alone as well, and (a, b) in either order.
        """
        found = self.arrangements.get(key)
        if found is not None:
            return found, False
        if len(key) == 1:
            for columns, arrangement in self.arrangements.items():
                if len(columns) == EXACT_WIDTH and columns[0] == key[0]:
                    return arrangement, True
            if self.arity == EXACT_WIDTH:
                columns = (key[0], 1 - key[0])
                found = self.arrangements[columns] = Arrangement(columns)
                return found, True
        elif len(key) == EXACT_WIDTH:
            first, second = key
            found = self.arrangements.get((second, first))
            if found is not None:
                return found, False
            if (first,) not in self.arrangements and (second,) in self.arrangements:
                key = second, first
            self.arrangements.pop(key[:1], None)  # the pair serves its first column from now on
        found = self.arrangements[key] = Arrangement(key)
        return found, False

    def has_arrangement(self, key: tuple[int, ...]) -> bool:
        """Whether there is one that `arrangement` would give without making it."""
        return (
            key in self.arrangements
            or (len(key) == EXACT_WIDTH and (key[1], key[0]) in self.arrangements)
            or (len(key) == 1 and any(len(each) == 2 and each[0] == key[0] for each in self.arrangements))
        )

    def fanout(self, key: tuple[int, ...]) -> float:
        """How many rows share the key of a row, on average over the rows: an estimate, dead rows included.

        Kept until the relation has twice or half the size.
        """
        size = self.size
        known = self.fanouts.get(key)
        if known is not None and known[0] <= 2 * size <= 4 * known[0]:
            return known[1]
        if not size or not key:
            return float(size)
        places = None if size <= len(_PLACES) else (_PLACES * size).astype(np.intp)
        columns = [self.columns[column][:size] if places is None else self.columns[column][places] for column in key]
        drawn = size if places is None else len(places)
        _, counts = consolidate(columns, drawn)
        met = int((counts * counts).sum())
        fanout = met / size if places is None else max(1.0, (met - drawn) / (drawn * (drawn - 1)) * size)
        self.fanouts[key] = (size, fanout)
        return fanout

    def rows_in(self, view: int) -> Column:
        """Numbers of the rows in `view` (one of OLD, KEPT, NEW)."""
        if self.uniform:
            return np.arange(self.size, dtype=np.int32)
        return np.flatnonzero(self.state[: self.size] & view).astype(np.int32)

    def contains(self, columns: Sequence[Column], size: int) -> Mask:
        rows = self.locate(columns, size)
        present: Mask = rows >= 0
        if not self.uniform:
            present &= (self.state[rows] & NEW) != 0
        return present

    def set_state(self, rows: Column, state: int) -> None:
        self.own()
        kernels.fill(self.state, rows, state)
        self.uniform = False

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays, room to grow and arrangements included; arrays shared with a copy count in both."""
        counted = sum(int(getattr(self, what).nbytes) for what in NUMBERS if getattr(self, what) is not None)
        rows = self.state.nbytes + sum(column.nbytes for column in self.columns)
        return counted + rows + sum(each.nbytes for each in self.arrangements.values())

    def finish_update(self) -> None:
        """Forget the views of the update that ran: what it deleted is dead, what it inserted is settled."""
        self.replacement = None
        if self.clock > _LATEST:
            self.died, self.clock = None, 0
        deleted, inserted = self._deleted, self._inserted
        self._deleted = self._inserted = NO_ROWS
        if len(deleted):
            self.set_state(deleted, 0)
        if len(inserted):
            self.set_state(inserted, SETTLED)
        if self.uniform:
            self.dead = 0
        else:  # to count all of millions of rows takes longer than most updates
            came_back, died = (int(np.count_nonzero(rows < self.known)) for rows in (inserted, deleted))
            new = self.state[self.known : self.size]
            self.dead = (self.dead if self.known else 0) + died - came_back + len(new) - int(np.count_nonzero(new))
            self.uniform = self.dead == 0
        self.known = self.size

    def now(self, affordable: int) -> Relation:
        """The view NEW as a relation to read as long as nothing is written here: joins are faster where no row has to
        be asked for its state. Where rows have to be left out it is a copy, of `affordable` rows at most."""
        if self.uniform:
            return self
        if (self.state[: self.size] & NEW).all():
            alike = Relation(self.name, self.arity, self.level is not None, self.count is not None)
            for name in ("columns", *NUMBERS, "state", "size", "stable", "arrangements", "fanouts"):
                setattr(alike, name, getattr(self, name))
            return alike
        return self.compacted() if self.size <= affordable else self

    def bare(self) -> Relation:
        """The same rows in the same views and nothing that is known of them, for somebody who only reads tuples."""
        bare = Relation(self.name, self.arity, levelled=False)
        for name in ("columns", "state", "size", "stable", "uniform"):
            setattr(bare, name, getattr(self, name))
        return bare

    def trim(self) -> None:
        """Give back most of the room for more rows that is left, if it is much. Arrays are made shorter where they
        are; those that somebody else looks at stay as they are."""
        kept = self.size + self.size // _ROOM + 16
        if self._shared or len(self.state) <= kept + kept // _ROOM:
            return
        with suppress(ValueError):
            self.state.resize(kept)  # its length is the capacity of all, so the others may be longer
            for what in NUMBERS:
                if getattr(self, what) is not None:
                    getattr(self, what).resize(kept)
            for index in range(self.arity):
                self.columns[index].resize(kept)

    def compacted(self) -> Relation:
        """The same tuples without tombstones, in a new relation without arrangements."""
        rows = self.rows_in(NEW)
        fresh = Relation(self.name, self.arity, self.level is not None, self.count is not None)
        fresh.above = None if self.above is None else np.empty(0, WIDTHS[0])
        fresh.append([column[rows] for column in self.columns], len(rows), 0, 1, SETTLED)
        for what in NUMBERS:
            if getattr(self, what) is not None:
                fresh.put(what, slice(len(rows)), getattr(self, what)[rows])
        fresh.settle()
        return fresh


__all__ = [
    "DELTA", "KEPT", "NEW", "NO_ROWS", "NUMBERS", "OLD", "SETTLED",
    "Number", "Relation", "Run", "concatenate",
]  # fmt: skip
