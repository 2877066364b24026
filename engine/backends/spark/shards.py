"""A shard in a worker, made of the rows that it is handed, and what it has to give back as rows.

A worker that is used again remembers the relations that it had, with their arrangements: if the shard comes to it again
they need not be read and sorted anew. Whatever it does not find there it has from the rows, so the result is the same
on any worker.
"""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...strategies.level_counts import LevelCounts
from ...strategies.pipelined.localise import LocalProgram
from ...strategies.pipelined.messages import Message
from ...strategies.pipelined.shard import Shard
from ..embedded.keys import Column
from ..embedded.relation import Relation
from . import blocks
from .blocks import Row
from .encoding import Chunk
from .symbols import Parts

_PROGRAMS: dict[str, LocalProgram] = {}
_WRITTEN: dict[tuple[str, int, str], tuple[int, Relation]] = {}  # (run, shard, name) -> frame that has it, relation
_REMEMBERED: Final = 1 << 29  # bytes


@dataclass(slots=True)
class Work:
    """What the shards of a job have in common. `number`: of the frame that they make. `program`: a pickle of this
    program's own making, and `digest` its name. `versions`: the frame that has each relation."""

    run: str
    number: int
    digest: str
    program: bytes
    constants: Column
    versions: Mapping[str, int]

    @property
    def local(self) -> LocalProgram:
        return local_program(self.digest, self.program)


def local_program(digest: str, content: bytes) -> LocalProgram:
    found = _PROGRAMS.get(digest)
    if found is None:
        _PROGRAMS.clear()
        found = _PROGRAMS[digest] = pickle.loads(content)  # from the driver, by Spark's own pickled function
    return found


@dataclass(slots=True)
class Opened:
    """A shard, the messages that are under way for it, the facts that it was given, and the strings that it was handed:
    blocks of parts in order, and what compares by them."""

    shard: Shard
    messages: list[Message]
    chunks: list[Chunk]
    blocks: dict[int, list[Any]]
    symbols: Parts


def opened(work: Work, number: int, rows: Iterable[Row]) -> Opened:
    """What rows are."""
    local = work.local
    relations: dict[str, Relation] = {}
    tables: dict[str, LevelCounts] = {}
    messages: list[Message] = []
    chunks: list[Chunk] = []
    strings: dict[int, list[tuple[int, Any]]] = {}
    for _, kind, name, payload, note in rows:
        if kind == blocks.RELATION:
            known = _WRITTEN.pop((work.run, number, name), None)
            if known is not None and known[0] == work.versions.get(name):
                relations[name] = known[1]
            else:
                relations[name] = blocks.unpacked_relation(name, payload, note)
        elif kind == blocks.COUNTS:
            tables[name] = blocks.unpacked_counts(payload)
        elif kind == blocks.MESSAGE:
            messages.append(blocks.unpacked_message(payload, note))
        elif kind == blocks.FACTS:
            chunks.append((name, int(note), payload))
        elif kind == blocks.SYMBOLS:
            strings.setdefault(int(name), []).append((int(note), blocks.unpacked_strings(payload)))
    in_turn = in_order(strings)
    symbols = Parts(local.shards, in_turn)
    shard = Shard(number, local, relations, work.constants, symbols.compare)
    shard.tables = tables
    return Opened(shard, messages, chunks, in_turn, symbols)


def relation_rows(work: Work, shard: Shard, key: int, writes: Collection[str]) -> Iterator[Row]:
    """The relations that were written; all are remembered."""
    for name in sorted(shard.relations):
        relation = shard.relations[name]
        if not relation.size:
            continue
        if name not in writes:
            _remember(work, shard.number, relation, work.versions.get(name, -1))
            continue
        yield key, blocks.RELATION, name, *blocks.packed_relation(relation)
        _remember(work, shard.number, relation, work.number)
        if name in shard.tables:
            yield key, blocks.COUNTS, name, blocks.packed_counts(shard.tables[name]), ""


def in_order(strings: Mapping[int, list[tuple[int, Any]]]) -> dict[int, list[Any]]:
    return {part: [block for _, block in sorted(some, key=lambda each: each[0])] for part, some in strings.items()}


def _remember(work: Work, number: int, relation: Relation, version: int) -> None:
    _WRITTEN[work.run, number, relation.name] = version, relation
    for key in [key for key in _WRITTEN if key[0] != work.run]:
        del _WRITTEN[key]
    while len(_WRITTEN) > 1 and sum(each.nbytes for _, each in _WRITTEN.values()) > _REMEMBERED:
        del _WRITTEN[next(iter(_WRITTEN))]


__all__ = ["Opened", "Work", "in_order", "local_program", "opened", "relation_rows"]
