"""What shards tell each other, and how what is alike is put together before it is sent.

    fired      copy      a tuple is derived at the level in turn   counted at its home
    new        copy      the same, for other copies
    arrive     copy      a tuple is derived at a level             the receiver keeps the lowest
    lost       relation  instantiations of a head are gone         with the level at which they fired
    dead       copy      a tuple has lost its level                the receiver takes it out of its view
    ask        relation  which derivations has this tuple left     answered by `arrive`
    tally      relation  instantiations of a head, by level        counted at its home
    recount    relation  how many fire at this tuple's level       answered by `recounted`
    recounted  relation  so many
    rows       copy      a tuple comes (+1) or goes (-1)           from a finished stratum, or from the inputs

`arrive` and `dead` may be repeated and come in any order. The others count, so a receiver drops what it has seen: each
message has the number that its sender gave it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...backends.embedded.arrangement import concatenate
from ...backends.embedded.grouping import group
from ...backends.embedded.keys import Column, consolidate

Number = NDArray[np.int64]
LEVELLED: Final = frozenset({"arrive", "lost", "tally", "recount"})
COUNTED: Final = frozenset({"fired", "lost", "tally", "recounted", "rows"})
LAST: Final = frozenset({"fired", "new", "tally", "recounted", "rows"})  # who receives them sends nothing for it


@dataclass(slots=True)
class Message:
    """`columns`: of tuples. `levels` and `counts` are there where the kind has them."""

    sender: int
    number: int
    target: int
    kind: str
    name: str
    columns: list[Column]
    size: int
    levels: Column | None = None
    counts: Number | None = None

    @property
    def nbytes(self) -> int:
        arrays: list[NDArray[Any]] = [*self.columns]
        arrays += [each for each in (self.levels, self.counts) if each is not None]
        return sum(array.nbytes for array in arrays)


@dataclass(slots=True)
class _Part:
    columns: list[list[Column]] = field(default_factory=list)
    levels: list[Column] = field(default_factory=list)
    counts: list[Number] = field(default_factory=list)
    size: int = 0


class Outbox:
    """Collects what is to be sent; `messages` are one for each target, kind and name."""

    def __init__(self, sender: int):
        self._sender = sender
        self._number = 0
        self._parts: dict[tuple[int, str, str], _Part] = {}

    def add(
        self,
        target: int,
        kind: str,
        name: str,
        columns: Sequence[Column],
        size: int,
        levels: Column | None = None,
        counts: Number | None = None,
    ) -> None:
        if not size:
            return
        part = self._parts.setdefault((target, kind, name), _Part())
        part.columns.append(list(columns))
        part.size += size
        if kind in LEVELLED:
            assert levels is not None
            part.levels.append(levels)
        if kind in COUNTED:
            part.counts.append(np.ones(size, np.int64) if counts is None else counts)

    def messages(self) -> Iterator[Message]:
        """All that was collected, put together; nothing is left."""
        parts, self._parts = self._parts, {}
        for (target, kind, name), part in sorted(parts.items()):
            columns = [concatenate(list(some)) for some in zip(*part.columns, strict=True)]
            levels = concatenate(part.levels) if part.levels else None
            counts = concatenate(part.counts) if part.counts else None
            columns, levels, counts = together(kind, columns, part.size, levels, counts)
            size = len(counts) if counts is not None else len(levels) if levels is not None else _rows(columns)
            self._number += 1
            yield Message(self._sender, self._number, target, kind, name, columns, size, levels, counts)


def in_turn(message: Message) -> tuple[bool, int, int]:
    """What goes before what comes: a fact in both ends present."""
    comes = message.kind == "rows" and message.counts is not None and int(message.counts[0]) > 0
    return comes, message.sender, message.number


def together(
    kind: str, columns: list[Column], size: int, levels: Column | None, counts: Number | None
) -> tuple[list[Column], Column | None, Number | None]:
    """Alike tuples as one: at the lowest level (`arrive`), or with the sum of what is counted of them."""
    if kind in ("fired", "new", "rows") or not size:  # those are told once
        return columns, levels, counts
    if kind == "arrive":
        assert levels is not None
        return *lowest(columns, levels, size), None
    keys = [*columns, levels] if kind in LEVELLED and levels is not None else columns
    if kind == "recount":
        counts = None
    found, sums = consolidate(keys, size, counts)
    at = found[-1] if kind in LEVELLED else None
    return found[: len(columns)], at, sums if kind in COUNTED else (None if columns or at is not None else sums[:1])


def by_level(columns: list[Column], levels: Column, size: int) -> tuple[list[Column], Column, Number]:
    """Distinct tuples at distinct levels, and how often each is there."""
    grouped = group([[*columns, levels]], size) if columns and size else None
    found, counts = consolidate([*columns, levels], size) if grouped is None else grouped
    return found[:-1], found[-1], counts


def lowest(columns: list[Column], levels: Column, size: int) -> tuple[list[Column], Column]:
    """Distinct tuples, each at the lowest of its levels."""
    if not columns:
        return [], levels[np.argmin(levels)][None] if size else levels
    grouped = group([[*columns, levels]], size) if size else None
    if grouped is None:
        found, _ = consolidate([*columns, levels], size)
        tuples, at = found[:-1], found[-1]
        order = np.lexsort([at, *reversed(tuples)])
        tuples, at = [column[order] for column in tuples], at[order]
    else:
        *tuples, at = grouped[0]
    first = np.zeros(len(at), np.bool_)
    first[:1] = True
    for column in tuples:
        first[1:] |= column[1:] != column[:-1]
    if first.all():
        return tuples, at
    return [column[first] for column in tuples], at[first]


def _rows(columns: Sequence[Column]) -> int:
    return len(columns[0]) if columns else 1


__all__ = ["COUNTED", "LAST", "LEVELLED", "Message", "Outbox", "by_level", "in_turn", "lowest", "together"]
