"""The queries that are registered with a maintained state, who asked for them, and what each commit changed.

Queries that differ in their constants alone are one group: one registered query of the engine, with a row of parameters
for each client. An epoch is a commit. What it changed in an answer is appended to the log of that answer; a reader
keeps its own place in the log, so one that does not read holds nothing up and costs nothing but that log.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pliant.ci.errors import UserError, visible
from pliant.ci.query import mistaken
from pliant.ci.serve.limits import Limits
from pliant.ci.wording import counted
from pliant.engine import Batch, Bound, DatalogError, Evaluation, Program, TooLarge
from pliant.engine.datalog.syntax import QUERY, Schema
from pliant.engine.facts import Rows
from pliant.engine.registered import Registered

_WAIT: Final = 0.5  # seconds after which a reader that waits looks whether its client is still there
_TYPES: Final = {"symbol": pa.large_string(), "number": pa.int32(), "unsigned": pa.uint32()}
COMMIT, CHANGE = "commit", "change"  # columns of a stream, before those of the query
_ABOUT: Final = """
.decl maintained(query: number, group: number, client: symbol, text: symbol, readers: number)  .input maintained
.decl cost(group: number, queries: number, rows: unsigned, kilobytes: unsigned, microseconds: unsigned)  .input cost
.output maintained
.output cost
"""


@dataclass(frozen=True, slots=True)
class Epoch:
    """What a reader gets: the answer at a commit, or what the commit changed. changes: of each row 1 if it came, -1 if
    it went."""

    commit: str
    rows: Rows
    changes: np.ndarray
    is_state: bool


@dataclass(slots=True)
class _Group:
    """seconds: of its part of the last epoch."""

    number: int
    registered: Registered
    queries: dict[int, Query] = field(default_factory=dict)  # by the number of who asked
    seconds: float = 0.0


@dataclass(slots=True)
class Query:
    """One registration. id: a secret of who registered it. since: the log has all changes after this epoch. log:
    (epoch, rows that came, rows that went) of those that changed the answer. ended: why it is maintained no more."""

    id: str
    number: int
    key: str
    client: str
    text: str
    schema: Schema
    constants: tuple[str | int, ...]
    since: int
    log: deque[tuple[int, Rows, Rows]] = field(default_factory=deque)
    logged: int = 0
    readers: int = 0
    used: float = 0.0
    ended: str = ""

    @property
    def arrow(self) -> pa.Schema:
        """Of a stream."""
        own = [(COMMIT, pa.string()), (CHANGE, pa.int8())]
        columns = zip(self.schema.columns, self.schema.kinds, strict=True)
        return pa.schema([*own, *((name, _TYPES[kind]) for name, kind in columns)])


class Dataflow:
    """evaluation: of `commit`; it is updated in `epoch` alone. Methods may be called from many threads."""

    def __init__(
        self, evaluation: Evaluation, commit: str, limits: Limits, clock: Callable[[], float] = time.monotonic
    ):
        self._evaluation, self._limits, self._clock = evaluation, limits, clock
        self._program = evaluation.program
        self._about = Program.parse({"about.dl": _ABOUT})
        self._lock = threading.RLock()
        self._told = threading.Condition(self._lock)
        self._groups: dict[str, _Group] = {}
        self._queries: dict[str, Query] = {}
        self._commits = [commit]  # by epoch
        self._next = 0
        self._closed = False

    @property
    def commit(self) -> str:
        return self._commits[-1]

    def epoch(self, commit: str, update: Callable[[], object]) -> None:
        """Goes to a commit: `update` brings the evaluation there, and all registered queries with it."""
        with self._told:
            update()
            self._commits.append(commit)
            for key, group in list(self._groups.items()):
                group.seconds = group.registered.seconds
                self._record(group)
                self._check(key, group)
            self._sweep()
            self._told.notify_all()

    def register(self, client: str, text: str, rules: str = "") -> Query:
        """Raises UserError for a query that cannot be, or that is too much."""
        self._refuse_text(text, rules)
        try:
            shared = self._program.shared({"rules": rules} if rules.strip() else {}, text)
            with self._lock:
                group = self._groups.get(shared.key)
            program = shared.program() if group is None else None
        except DatalogError as error:
            raise mistaken(error) from None
        with self._lock:
            self._sweep()
            if len(self._queries) >= self._limits.queries:
                raise UserError(f"{self._limits.queries:,} queries are registered already, and no more are taken")
            held = sum(group.registered.size for group in self._groups.values())
            if held > self._limits.held:
                raise UserError(f"the queries that are registered hold {held:,} rows, and no more are taken")
            number, self._next = self._next, self._next + 1
            query = Query(
                secrets.token_hex(16), number, shared.key, client, text, shared.schema, shared.constants,
                len(self._commits) - 1, used=self._clock(),
            )  # fmt: skip
            group = self._groups.get(shared.key) or self._group(shared.key, program or shared.program(), number)
            self._join(group, query)
            self._queries[query.id] = query
            return query

    def unregister(self, id: str) -> None:
        with self._told:
            query = self._query(id)
            self._remove(query, "the query was unregistered")
            self._told.notify_all()

    def follow(
        self, id: str, as_of: str = "", gone: Callable[[], bool] = lambda: False
    ) -> tuple[Query, Iterator[Epoch]]:
        """The answer at a commit, by default the newest, and the change of each commit after it, as they come. It ends
        when `gone` says so, or the server does; with a UserError when the query is not maintained any more, or the
        reader has fallen behind what the log keeps. `as_of`: a commit since the query was registered."""
        with self._lock:
            query = self._query(id)
            start, query.used = self._epoch_of(query, as_of), self._clock()
            first = self._state(query, start)
        return query, self._follow(query, start, first, gone)

    def _follow(self, query: Query, at: int, first: Epoch, gone: Callable[[], bool]) -> Iterator[Epoch]:
        with self._lock:
            query.readers += 1
        try:
            yield first
            while True:
                with self._told:
                    while at + 1 >= len(self._commits) and not query.ended and not self._closed and not gone():
                        self._told.wait(_WAIT)
                    if self._closed or gone():
                        return
                    if query.ended:
                        raise UserError(query.ended)
                    if at < query.since:
                        raise UserError(
                            f"this reader fell behind: the changes of {self._commits[at + 1][:12]} are not kept any "
                            "more; read the query again"
                        )
                    at += 1
                    epoch = self._change(query, at)
                yield epoch
        finally:
            with self._lock:
                query.readers -= 1
                query.used = self._clock()

    def table(self, query: Query, epoch: Epoch) -> pa.RecordBatch:
        """The rows of an epoch, with those columns that `query.arrow` has."""
        columns: list[Any] = [
            pa.array([epoch.commit] * len(epoch.rows), pa.string()),
            pa.array(epoch.changes, pa.int8()),
        ]
        with self._lock:
            for index, kind in enumerate(query.schema.kinds):
                values = epoch.rows[:, index]
                columns.append(
                    self._evaluation.arrow_strings(values).cast(_TYPES[kind])
                    if kind == "symbol"
                    else pa.array(values, _TYPES[kind])
                )
        return pa.RecordBatch.from_arrays(columns, schema=query.arrow)

    def about(self, question: str) -> pa.Table:
        """The answer to a query over the relations `maintained` and `cost`. Raises UserError."""
        self._refuse_text(question)
        with self._lock:
            facts = self._facts()
        evaluation = Evaluation.bootstrap(self._about, facts)
        try:
            program = self._about.extended({}, question)
            program.bound = Bound(self._limits.rows, 0)
            evaluation = evaluation.extended(program)
        except DatalogError as error:
            raise mistaken(error) from None
        except TooLarge as error:
            raise UserError(_too_large(error)) from None
        schema, rows = program.stored[QUERY], evaluation.rows(QUERY)
        return pa.table(
            [
                evaluation.arrow_strings(rows[:, index]) if kind == "symbol" else pa.array(rows[:, index], _TYPES[kind])
                for index, kind in enumerate(schema.kinds)
            ],
            names=list(schema.columns),
        )

    def close(self) -> None:
        """All readers end."""
        with self._told:
            self._closed = True
            self._told.notify_all()

    def _refuse_text(self, query: str, rules: str = "") -> None:
        if (size := len(query) + len(rules)) > self._limits.text:
            raise UserError(f"the query has {size:,} characters; at most {self._limits.text:,} are read")
        if not query.strip():
            raise UserError("a query is expected, such as 'null(v, _)', and none is there")

    def _facts(self) -> Batch:
        maintained: list[tuple[str | int, ...]] = []
        cost: list[tuple[str | int, ...]] = []
        for group in self._groups.values():
            size, kilobytes = (min(each, 2**32 - 1) for each in (group.registered.size, group.registered.nbytes >> 10))
            cost.append((group.number, len(group.queries), size, kilobytes, int(group.seconds * 1e6)))
            maintained += [
                (each.number, group.number, each.client, each.text, each.readers) for each in group.queries.values()
            ]
        return Batch.from_tuples({"maintained": maintained, "cost": cost})

    def _group(self, key: str, program: Program, number: int) -> _Group:
        try:
            group = self._groups[key] = _Group(number, self._registered(program, 1))
        except TooLarge as error:
            raise UserError(_too_large(error)) from None
        return group

    def _registered(self, program: Program, queries: int) -> Registered:
        program.bound = self._bound(queries)
        return self._evaluation.register(program)

    def _bound(self, queries: int) -> Bound:
        """Of an epoch of a group."""
        return Bound(self._limits.rows * queries, 0)

    def _join(self, group: _Group, query: Query) -> None:
        """One more query of a group. If it is too much, those that were there go on without it."""
        group.queries[query.number] = query
        registered = group.registered
        registered.program.bound = self._bound(len(group.queries))
        why = ""
        try:
            registered.change([(query.number, *query.constants)])
        except TooLarge as error:
            why = _too_large(error)
        why = why or self._holds_too_much(group)
        if why:
            del group.queries[query.number]
            self._evaluation.unregister(registered)
            self._again(group, query.key)
            raise UserError(why)

    def _again(self, group: _Group, key: str) -> None:
        """A group without what has failed in it."""
        if not group.queries:
            del self._groups[key]
            return
        try:
            group.registered = self._registered(group.registered.program, len(group.queries))
            group.registered.change([(number, *each.constants) for number, each in group.queries.items()])
        except TooLarge as error:
            self._fail(key, group, _too_large(error))

    def _query(self, id: str) -> Query:
        query = self._queries.get(id)
        if query is None:
            raise UserError("there is no such query: it was unregistered, or nobody read it for too long")
        return query

    def _epoch_of(self, query: Query, as_of: str) -> int:
        if not as_of:
            return len(self._commits) - 1
        known = [at for at in range(query.since, len(self._commits)) if self._commits[at] == as_of]
        if not known:
            raise UserError(
                f"the changes since {visible(as_of[:40])} are not kept: those since {self._commits[query.since]} are"
            )
        return known[-1]

    def _state(self, query: Query, at: int) -> Epoch:
        """What holds now, without what later epochs changed."""
        group = self._groups[query.key]
        rows = group.registered.rows(QUERY)
        rows = rows[rows[:, 0] == query.number][:, 1:]
        for epoch, came, went in reversed(query.log):
            if epoch <= at:
                break
            rows = np.concatenate([_without(rows, came), went])
        return Epoch(self._commits[at], rows, np.ones(len(rows), np.int8), is_state=True)

    def _change(self, query: Query, at: int) -> Epoch:
        for epoch, came, went in reversed(query.log):
            if epoch == at:
                changes = np.concatenate([np.ones(len(came), np.int8), np.full(len(went), -1, np.int8)])
                return Epoch(self._commits[at], np.concatenate([came, went]), changes, is_state=False)
            if epoch < at:
                break
        return Epoch(self._commits[at], np.zeros((0, query.schema.arity), np.int64), np.zeros(0, np.int8), False)

    def _record(self, group: _Group) -> None:
        """The group's difference, to the logs of those whose answers it changed."""
        if group.registered.failed is not None:
            return
        found = group.registered.difference
        parts = [_by_asker(rows[QUERY]) for rows in (found.inserted, found.deleted)]
        epoch = len(self._commits) - 1
        for number in parts[0].keys() | parts[1].keys():
            query = group.queries[number]
            nothing = np.zeros((0, query.schema.arity), np.int64)
            came, went = (part.get(number, nothing) for part in parts)
            query.log.append((epoch, came, went))
            query.logged += len(came) + len(went)
            while query.logged > self._limits.log and len(query.log) > 1:
                at, came, went = query.log.popleft()
                query.logged -= len(came) + len(went)
                query.since = at

    def _check(self, key: str, group: _Group) -> None:
        if group.registered.failed is not None:
            self._fail(key, group, _too_large(group.registered.failed))
        elif why := self._holds_too_much(group):
            self._fail(key, group, why)

    def _holds_too_much(self, group: _Group) -> str:
        """Why, if it does."""
        size, most = group.registered.size, self._limits.rows * max(len(group.queries), 1)
        return f"the query holds {size:,} rows, and {most:,} may be held: bind more of its columns" * (size > most)

    def _fail(self, key: str, group: _Group, why: str) -> None:
        """Nobody's query of this group is maintained any more."""
        for query in group.queries.values():
            query.ended = why
            self._queries.pop(query.id, None)
        self._evaluation.unregister(group.registered)
        self._groups.pop(key, None)

    def _remove(self, query: Query, why: str) -> None:
        query.ended = why
        del self._queries[query.id]
        group = self._groups[query.key]
        del group.queries[query.number]
        if group.queries:
            try:
                group.registered.change([], [(query.number, *query.constants)])
                group.registered.program.bound = self._bound(len(group.queries))
            except TooLarge as error:
                self._fail(query.key, group, _too_large(error))
        else:
            self._evaluation.unregister(group.registered)
            del self._groups[query.key]

    def _sweep(self) -> None:
        """Queries that nobody has read for too long go."""
        latest = self._clock() - self._limits.idle
        for query in [each for each in self._queries.values() if not each.readers and each.used < latest]:
            self._remove(query, f"nobody read the query for {counted(int(self._limits.idle), 'second')}")


def _by_asker(rows: Rows) -> dict[int, Rows]:
    """The rows of each asker, who is the first column, without it."""
    if not len(rows):
        return {}
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    askers, starts = np.unique(rows[:, 0], return_index=True)
    return dict(zip(askers.tolist(), np.split(rows[:, 1:], starts[1:]), strict=True))


def _without(rows: Rows, others: Rows) -> Rows:
    """Those of distinct `rows` that are not among `others`, all of which are rows."""
    if not len(others):
        return rows
    if not rows.shape[1]:
        return rows[:0]
    _, where, counts = np.unique(np.concatenate([rows, others]), axis=0, return_inverse=True, return_counts=True)
    kept: Rows = rows[counts[where.reshape(-1)[: len(rows)]] == 1]
    return kept


def _too_large(error: TooLarge) -> str:
    return f"the query may join {error.most:,} rows in an epoch, and needs more: bind more of its columns"


__all__ = ["CHANGE", "COMMIT", "Dataflow", "Epoch", "Query"]
