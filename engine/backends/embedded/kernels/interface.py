"""What the kernels take and give."""

from __future__ import annotations

from typing import NamedTuple

from ..keys import Column, Counts, Indices, Keys
from ..widths import Numbers


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


class Sifted(NamedTuple):
    """Changes that wait, and at which levels at least and at most; `beyond`: rows that are present one level below."""

    rows: Column
    levels: Column
    counts: Counts
    lowest: int
    highest: int
    beyond: Column
    beyond_counts: Counts


class Divided(NamedTuple):
    """Rows by what the changes of their counts at one level do to them. `here`: those that are present at it, with
    their counts now; `dead`: those of them that have none left; `below`: those that are present one level below;
    `lowered`: those that come down to it; `arrivals`: those that were absent."""

    here: Column
    here_counts: Counts
    dead: Column
    below: Column
    below_sums: Counts
    lowered: Column
    lowered_sums: Counts
    arrivals: Column
    arrival_sums: Counts
