"""What the kernels take and give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..keys import Column, Counts, Indices, Keys
from ..widths import Numbers

if TYPE_CHECKING:
    from ..arrangement import Run

TooNarrow = Literal["count", "total", "above"]  # which numbers cannot hold what they would have to; nothing is done


class Entries(NamedTuple):
    """What a look-up met in one run: of key `i` the `counts[i]` entries from `low[i]` on. `keys` are the run's words;
    None where nobody reads them."""

    keys: Keys | None
    rows: Column
    low: Indices
    counts: Indices


class Seen(NamedTuple):
    """Rows whose state has a bit of `wanted` and none of `barred`, where `wanted` is one bit."""

    state: Numbers
    wanted: int
    barred: int


class Levels(NamedTuple):
    """Of each key the highest level so far, and that before rows moved (None where none do). Of each row of the
    relation its level (None where the atom is of a lower stratum), and 1 + the one that it is moving from, 0 for most
    (None if for all). What has the same level before and after is wanted only under `ceiling`."""

    of_keys: Column
    former: Column | None
    of_rows: Numbers | None
    moving: Column | None
    ceiling: int


class Wanted(NamedTuple):
    """Which of the columns of `Joined` with these names are asked for."""

    keys: bool = False
    rows: bool = False
    seconds: bool = False


class Joined(NamedTuple):
    """`carried`, `levels` and `former`: of each entry; `fetched`: of its row; `seconds`: the second value of its pair;
    `keys`: which key met it."""

    size: int
    keys: Indices | None
    rows: Column | None
    seconds: Column | None
    carried: list[Column]
    fetched: list[Column]
    levels: Column | None
    former: Column | None


class Leg(NamedTuple):
    """A lookup of a walk. In each of `runs` the rows of the table look `operands` up, variables or `~` constants: all
    columns of the relation (`whole`), or the first of two (`prefix`). `absent`: those that find nothing go on, else
    all that they find does, without any row if there are no runs. `seen`, `of_rows` and `moving`: as `join` takes
    them. What goes on: the variables `carried`, columns of the rows as other variables (`binds`), and the second value
    of a pair as the variable `second`, if that is not negative. `last`: nothing is joined behind it. It is not for
    tables of more than `most_asked` rows, nor where they meet more than `most_met` entries."""

    runs: Sequence[Run]
    operands: Sequence[int]
    whole: bool
    prefix: bool
    absent: bool
    seen: Seen | None
    of_rows: Numbers | None
    moving: Column | None
    carried: Sequence[int]
    binds: Sequence[tuple[Column, int]]
    second: int
    last: bool
    most_asked: float
    most_met: int


class Sieve(NamedTuple):
    """A comparison of variables or `~` constants, as numbers with a sign or without, in a walk."""

    operator: str
    left: int
    right: int
    unsigned: bool
    carried: Sequence[int]


class Walked(NamedTuple):
    """What a walk puts out: `columns` by variable; `work`: the entries that its joins met; `searched`: keys that were
    looked up, in each run."""

    size: int
    columns: list[Column | None]
    levels: Column | None
    former: Column | None
    work: int
    searched: int


class Held(NamedTuple):
    """A lookup of an ascent in a relation of the stratum, by its number: `operands` in `columns`. `stable`: the tuples
    of the level before do not count. `binds`: (column, variable); `equal`: pairs of columns with the same value."""

    tier: int
    columns: Sequence[int]
    operands: Sequence[int]
    stable: bool
    binds: Sequence[tuple[int, int]]
    equal: Sequence[tuple[int, int]]


class Way(NamedTuple):
    """A rule of an ascent that is driven by one of its atoms, of the relation `driver`: its rows that have `constants`
    (column, constant) and `equal` columns `binds` variables, and go through `steps`. `heads`: the relation and operands
    of each."""

    driver: int
    constants: Sequence[tuple[int, int]]
    equal: Sequence[tuple[int, int]]
    binds: Sequence[tuple[int, int]]
    steps: Sequence[Leg | Sieve | Held]
    heads: Sequence[tuple[int, Sequence[int]]]


class Tier(NamedTuple):
    """A relation of an ascent. Rows from `stable` on are those of the level before."""

    columns: Sequence[Column]
    stable: int
    size: int


class Tally(NamedTuple):
    """What an ascent has done with a way: how often it was driven by how many rows, what it found; `work`: rows that
    fitted and entries that joins met; `searched`: keys that were looked up, in each run."""

    runs: int
    driven: int
    found: int
    work: int
    searched: int


class Derived(NamedTuple):
    """What an ascent has derived in a relation. Of the new rows, by level: their level, `counts` (instantiations at
    that level), `others` (at higher ones) and of these `above` (at the next one). `again`: rows that were there, and
    the same of them. `known`: a row and a level for each instantiation of a tuple that was there before it fired, if
    these are noted."""

    columns: list[Column]
    levels: Column
    counts: Counts
    others: Counts
    above: Counts
    again: Column
    again_others: Counts
    again_above: Counts
    known: tuple[Column, Column]


class Outlook(NamedTuple):
    """Rows that are dead at a level, and derived at others: those that are at the next, and by how many instantiations;
    those that are not; and those of which it is not known."""

    raised: Column
    counts: Counts
    fallen: Column
    unknown: Column


class Divided(NamedTuple):
    """Rows by what the changes of their counts at one level do to them. `dead`: those that were present at it and have
    none left; `lowered`: those that come down to it; `arrivals`: those that were absent. `owing`: one that was present
    has less than none."""

    dead: Column
    lowered: Column
    lowered_sums: Counts
    arrivals: Column
    arrival_sums: Counts
    owing: bool
