"""Queries that are kept up to date over the commits of a repository: are they right, and what do they cost?

    python benchmarks/serve.py REPOSITORY [--commits 200] [--clients 100] [--subscribers 1000] [--state DIR]

Follows the last commits of HEAD (first parents) with a number of clients, each with a query of its own, and holds what
each has read to the answer of the query at that commit, asked anew of the evaluation. Then one client and many with
other constants of one query follow the same commits, in turn, and the time of an epoch is compared.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pliant.ci.comparison import Comparison, Request
from pliant.ci.serve.dataflow import Dataflow, Epoch, Query
from pliant.ci.serve.follow import Follower
from pliant.ci.serve.limits import Limits
from pliant.engine.datalog.syntax import QUERY

SHAPES = (
    "null_dereference(site, origin)",
    'null_dereference("{0}", origin)',
    'points_to("{1}", o)',
    'points_to("{1}", o), points_to(w, o)',
    'points_to("{1}", o), !null("{1}", _)',
    "n = count : {{ null_dereference(_, _) }}",
)


@dataclass(slots=True)
class Client:
    query: Query
    epochs: Iterator[Epoch]
    rows: set[tuple[int, ...]] = field(default_factory=set)

    def read(self) -> None:
        epoch = next(self.epochs)
        came, went = (set(map(tuple, epoch.rows[epoch.changes == sign].tolist())) for sign in (1, -1))
        assert not came & self.rows and went <= self.rows
        self.rows = (self.rows | came) - went


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--subscribers", type=int, default=1000)
    parser.add_argument("--state", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        state = given.state or Path(scratch)
        print(f"{given.clients} clients: {differences(given.repository, given.commits, given.clients, state)}")
        for subscribers in (1, given.subscribers):
            took = subscribed(given.repository, given.commits, subscribers, state)
            print(f"{subscribers:,} subscribers with constants of their own: {took}")
    return 0


def follower(repository: Path, commits: int, state: Path) -> tuple[Comparison, Follower]:
    start = f"HEAD~{commits}"
    comparison = Comparison(Request(repository, start, start, state), lambda message: None)
    made = Follower.of(comparison, start, Limits())
    made.revision = "HEAD"
    return comparison, made


def constants(dataflow: Dataflow, made: Follower, number: int) -> list[tuple[str, str]]:
    """Sites of null dereferences and variables, spread over those that there are."""
    evaluation = made.state.evaluation
    columns = []
    for name in ("null_dereference", "points_to"):
        ids = np.unique(evaluation.rows(name)[:, 0])
        columns.append(evaluation.strings(ids[np.linspace(0, len(ids) - 1, number).astype(int)]))
    return list(zip(*columns, strict=True))


def differences(repository: Path, commits: int, number: int, state: Path) -> str:
    comparison, made = follower(repository, commits, state)
    dataflow, checked, seconds = made.dataflow, 0, 0.0
    clients: list[Client] = []
    with comparison:
        for index, values in enumerate(constants(dataflow, made, number)):
            query = dataflow.register(f"client {index}", SHAPES[index % len(SHAPES)].format(*values))
            clients.append(Client(query, dataflow.follow(query.id)[1]))
            clients[-1].read()
        while True:
            evaluation = made.state.evaluation
            for client in clients:
                again = evaluation.extended(evaluation.program.extended({}, client.query.text))
                assert client.rows == set(map(tuple, again.rows(QUERY).tolist())), client.query.text
                checked += 1
            began = time.perf_counter()
            if made.advance() is None:
                break
            seconds += time.perf_counter() - began
            for client in clients:
                client.read()
    return f"{checked:,} answers are those of the query at that commit; {1000 * seconds / commits:.0f} ms a commit"


def subscribed(repository: Path, commits: int, number: int, state: Path) -> str:
    comparison, made = follower(repository, commits, state)
    dataflow = made.dataflow
    with comparison:
        clients = []
        for index, (_, variable) in enumerate(constants(dataflow, made, number)):
            query = dataflow.register(f"client {index}", f'points_to("{variable}", o), points_to(w, o)')
            clients.append(Client(query, dataflow.follow(query.id)[1]))
            clients[-1].read()
        epochs, reads, strata = [], [], []
        while True:
            began = time.perf_counter()
            if made.advance() is None:
                break
            done = time.perf_counter()
            for client in clients:
                client.read()
            epochs.append(1000 * (done - began))
            reads.append(1000 * (time.perf_counter() - done))
            [cost] = dataflow.about("cost(_, _, _, _, microseconds)").to_pylist()
            strata.append(cost["microseconds"] / 1000)
    return (
        f"{statistics.mean(epochs):.1f} ms a commit (median {statistics.median(epochs):.1f}), of which their strata "
        f"{statistics.mean(strata):.2f}; reading all changes takes {statistics.mean(reads):.1f} ms"
    )


if __name__ == "__main__":
    raise SystemExit(main())
