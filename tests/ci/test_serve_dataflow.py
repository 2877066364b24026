"""The queries of a server: what readers get is the answer at each epoch, whoever comes, goes, lags or asks too much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.ci.errors import UserError
from pliant.ci.serve.dataflow import Dataflow, Epoch, Query
from pliant.ci.serve.limits import Limits
from pliant.engine import Batch, Evaluation, Program
from pliant.engine.datalog.syntax import QUERY

Edge = tuple[str, str]
TEXT = """
.decl edge(x: symbol, y: symbol)  .input edge
.decl tc(x: symbol, y: symbol)  .output tc
tc(x, y) :- edge(x, y).
tc(x, z) :- tc(x, y), edge(y, z).
"""
PROGRAM = Program.parse({"program.dl": TEXT})
NODES = "abcde"
EDGES = st.sets(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=8)
SHAPES = [
    'tc("{0}", y)',
    'tc(x, "{0}"), !edge(x, "{1}")',
    'tc("{0}", "{1}")',
    "tc(x, x)",
    'n = count : {{ tc("{0}", _) }}',
]


def batch(edges: set[Edge]) -> Batch:
    return Batch.from_tuples({"edge": sorted(edges)})


@dataclass
class Server:
    """A dataflow over edges, and the edges at each commit. now: what its clock says."""

    limits: Limits = field(default_factory=Limits)
    edges: dict[str, set[Edge]] = field(default_factory=lambda: {"0": set()})
    now: float = 0.0

    def __post_init__(self) -> None:
        self.evaluation = Evaluation.bootstrap(PROGRAM, Batch())
        self.dataflow = Dataflow(self.evaluation, "0", self.limits, lambda: self.now)

    def epoch(self, edges: set[Edge]) -> str:
        commit, before = str(len(self.edges)), self.edges[self.dataflow.commit]
        self.dataflow.epoch(commit, lambda: self.evaluation.update(batch(edges - before), batch(before - edges)))
        self.edges[commit] = edges
        return commit

    def asked(self, query: str, commit: str) -> set[tuple[object, ...]]:
        anew = Evaluation.bootstrap(PROGRAM, batch(self.edges[commit]))
        evaluation = anew.extended(PROGRAM.extended({}, query))
        return tuples(evaluation, QUERY, evaluation.rows(QUERY))


def tuples(evaluation: Evaluation, name: str, rows: np.ndarray) -> set[tuple[object, ...]]:
    kinds = evaluation.program.stored[name].kinds
    columns = [
        evaluation.strings(rows[:, index]) if kind == "symbol" else rows[:, index].tolist()
        for index, kind in enumerate(kinds)
    ]
    return set(zip(*columns, strict=True)) if columns else {()} if len(rows) else set()


class Reader:
    def __init__(self, server: Server, query: Query, as_of: str = "") -> None:
        self.server, self.query = server, query
        self.rows: Counter[tuple[object, ...]] = Counter()
        self.epochs: Iterator[Epoch] = server.dataflow.follow(query.id, as_of)[1]
        self.read()

    def read(self) -> None:
        epoch = next(self.epochs)
        self.commit = epoch.commit
        table = self.server.dataflow.table(self.query, epoch).to_pylist()
        for row in table:
            assert row.pop("commit") == self.commit
            self.rows[tuple(list(row.values())[1:])] += row["change"]
        assert set(self.rows.values()) <= {0, 1}
        assert {row for row, there in self.rows.items() if there} == self.server.asked(self.query.text, self.commit)


@given(st.data())
def test_a_reader_gets_the_answer_at_each_epoch(data: st.DataObject) -> None:
    server = Server()
    queries: list[Query] = []
    readers: list[Reader] = []
    for _ in range(data.draw(st.integers(4, 16))):
        step = data.draw(st.sampled_from(["register", "follow", "read", "epoch", "epoch", "unregister"]))
        if step == "register" or not queries:
            shape = data.draw(st.sampled_from(SHAPES))
            text = shape.format(data.draw(st.sampled_from(NODES)), data.draw(st.sampled_from(NODES)))
            queries.append(server.dataflow.register("client", text))
        elif step == "follow":
            query = data.draw(st.sampled_from(queries))
            known = [str(at) for at in range(query.since, len(server.edges))]
            readers.append(Reader(server, query, data.draw(st.sampled_from(["", *known]))))
        elif step == "read" and readers:
            reader = data.draw(st.sampled_from(readers))
            if reader.commit != server.dataflow.commit:
                reader.read()
        elif step == "unregister":
            query = queries.pop(data.draw(st.integers(0, len(queries) - 1)))
            server.dataflow.unregister(query.id)
            for reader in [each for each in readers if each.query is query]:
                with pytest.raises(UserError, match="was unregistered"):
                    next(reader.epochs)
                readers.remove(reader)
        else:
            server.epoch(data.draw(EDGES))
    for reader in readers:
        while reader.commit != server.dataflow.commit:
            reader.read()
    about = server.dataflow.about("maintained(q, g, _, text, n)").to_pylist()
    assert Counter(row["text"] for row in about) == Counter(query.text for query in queries)
    assert sum(row["n"] for row in about) == len(readers)
    shapes = {PROGRAM.shared({}, query.text).key for query in queries}
    assert len({row["g"] for row in about}) == len(shapes)
    for query in queries:
        server.dataflow.unregister(query.id)
    assert not server.evaluation._registered


def test_a_reader_that_falls_behind_the_log_is_told_and_others_go_on() -> None:
    server = Server(Limits(log=5))
    query = server.dataflow.register("client", "edge(x, y)")
    slow, quick = Reader(server, query), Reader(server, query)
    for number in range(4):
        server.epoch({(NODES[number], to) for to in "abc"})
        quick.read()
    assert len(query.log) == 1 and query.logged == 6 and query.since == 3
    with pytest.raises(UserError, match="this reader fell behind: the changes of 1 are not kept"):
        next(slow.epochs)
    with pytest.raises(UserError, match="the changes since 2 are not kept: those since 3 are"):
        Reader(server, query, "2")
    assert Reader(server, query, "3").commit == "3"


def test_a_query_that_nobody_reads_goes_after_a_while() -> None:
    server = Server(Limits(idle=10.0))
    read, unread = (server.dataflow.register("client", f'tc("{name}", y)') for name in "ab")
    reader = Reader(server, read)
    server.now = 9.0
    server.epoch({("a", "b")})
    server.now = 11.0
    server.epoch({("b", "a")})
    with pytest.raises(UserError, match="there is no such query"):
        server.dataflow.follow(unread.id)
    reader.read()
    reader.read()
    assert server.dataflow.about("maintained(q, _, _, _, _)").to_pylist() == [{"q": 0}]
    del reader.epochs  # its client went away
    server.now = 30.0
    server.epoch(set())
    assert not server.evaluation._registered


def test_no_more_queries_than_the_limit() -> None:
    server = Server(Limits(queries=2))
    first = server.dataflow.register("client", "tc(x, y)")
    server.dataflow.register("client", "tc(x, y)")
    with pytest.raises(UserError, match="2 queries are registered already"):
        server.dataflow.register("client", "tc(x, y)")
    server.dataflow.unregister(first.id)
    server.dataflow.register("client", "tc(x, y)")


def test_no_more_queries_when_they_hold_too_much() -> None:
    server = Server(Limits(held=20))
    server.epoch({("a", node) for node in "bcdefghijk"})
    first = server.dataflow.register("client", "edge(x, y)")
    server.dataflow.register("client", 'edge("a", y)')
    with pytest.raises(UserError, match="hold 22 rows, and no more are taken"):
        server.dataflow.register("client", "tc(x, y)")
    server.dataflow.unregister(first.id)
    server.dataflow.register("client", "tc(x, y)")


def dense(size: int) -> set[Edge]:
    return {(f"n{x}", f"n{y}") for x in range(size) for y in range(size)}


def test_a_query_that_is_too_much_is_refused_and_those_like_it_go_on() -> None:
    server = Server(Limits(rows=2_000))
    server.epoch({("a", "b"), ("b", "c")})
    few = server.dataflow.register("client", 'tc("a", y), tc(y, z)')
    reader = Reader(server, few)
    server.epoch({("a", "b"), ("b", "d"), *dense(70)})
    reader.read()
    for _ in range(3):
        with pytest.raises(UserError, match="may join 4,000 rows in an epoch, and needs more: bind more"):
            server.dataflow.register("client", 'tc("n1", y), tc(y, z)')
        assert server.dataflow.about("cost(_, n, rows, _, _)").to_pylist() == [{"n": 1, "rows": 2}]
    server.epoch({("a", "b"), ("b", "a")})
    reader.read()


def test_a_query_that_becomes_too_much_ends_alone() -> None:
    server = Server(Limits(rows=2_000))
    large = server.dataflow.register("client", "tc(x, y), tc(y, z), tc(z, w)")
    small = server.dataflow.register("client", 'tc("n1", y)')
    readers = [Reader(server, each) for each in (large, small)]
    server.epoch(dense(10))
    readers[1].read()
    with pytest.raises(UserError, match="may join 2,000 rows in an epoch, and needs more"):
        next(readers[0].epochs)
    assert server.dataflow.about("maintained(q, _, _, _, _)").to_pylist() == [{"q": 1}]
    server.epoch({("n1", "n2")})
    readers[1].read()


def test_readers_end_with_the_server() -> None:
    server = Server()
    reader = Reader(server, server.dataflow.register("client", "tc(x, y)"))
    server.dataflow.close()
    assert list(reader.epochs) == []
    gone = Server()
    query = gone.dataflow.register("client", "tc(x, y)")
    assert len(list(gone.dataflow.follow(query.id, gone=lambda: True)[1])) == 1
