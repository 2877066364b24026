"""`pliant serve`: what a client gets, what others cause, and that the stream of a query is the query at each commit."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import refused, run
from pyarrow import flight
from repos import Repo

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS))
from serve_client import Client  # noqa: E402 - it is a page of the documentation

BAD = "import re\n\n\ndef {name}(x):\n    return re.match('a', x).group()\n"
GOOD = "def {name}(x):\n    return x\n"
NULLS = "null_dereference(site, origin)"
PATIENCE = 120.0  # seconds


class Served:
    """A running `pliant serve`."""

    def __init__(self, repo: Repo, *arguments: str | Path) -> None:
        self.repo = repo
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "pliant.ci.cli", "serve", repo.folder, "--json", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        first = self.line()
        self.location, self.token_file = first["location"], Path(first["token_file"])
        self.commits = [first["commit"]]

    def line(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.stderr and self.process.stderr.read()
        found: dict[str, Any] = json.loads(line)
        return found

    def client(self, name: str = "test") -> Client:
        return Client(self.location, self.token_file.read_text().strip(), name)

    def commit(self, files: dict[str, str]) -> str:
        """A commit that the server has come to."""
        commit = self.repo.commit(files)
        assert self.line()["commit"] == commit
        self.commits.append(commit)
        return commit

    def end(self) -> str:
        self.process.send_signal(signal.SIGTERM)
        _, said = self.process.communicate(timeout=PATIENCE)
        return said


@pytest.fixture
def served(repo: Repo) -> Iterator[Served]:
    repo.commit({"a.py": BAD.format(name="f"), "b.py": GOOD.format(name="g")})
    made = Served(repo)
    yield made
    if made.process.poll() is None:
        assert made.end() == "pliant: ended by SIGTERM\n"


class Reader:
    """A client's stream, replayed: `rows` is the answer as of the last batch."""

    def __init__(self, client: Client, id: str, as_of: str = "") -> None:
        self.stream = client.follow(id, as_of)
        self.rows: Counter[tuple[object, ...]] = Counter()
        self.take()

    def take(self) -> None:
        about, rows = next(self.stream)
        self.commit: str = about["commit"]
        assert about["last"] and not (about["state"] and self.rows)
        for row in rows:
            assert row.pop("commit") == self.commit
            self.rows[tuple(list(row.values())[1:])] += row["change"]
        assert set(self.rows.values()) <= {0, 1}

    def to(self, commit: str) -> set[tuple[object, ...]]:
        while self.commit != commit:
            self.take()
        return {row for row, number in self.rows.items() if number}


def asked(repo: Repo, commit: str, query: str) -> set[tuple[object, ...]]:
    """What `pliant query` says."""
    done = run("query", commit, query, "--repo", repo.folder, "--format", "json")
    [relation] = json.loads(done.stdout)["relations"]
    return set(map(tuple, relation["rows"]))


def test_a_stream_is_the_query_at_each_commit(served: Served) -> None:
    client = served.client()
    queries = [NULLS, 'null_dereference(site, "a.py|f|.match()|1")', "n = count : { null_dereference(_, _) }"]
    registered = [client.register(query) for query in queries]
    assert [each["columns"] for each in registered[:2]] == [
        [{"name": "site", "type": "symbol"}, {"name": "origin", "type": "symbol"}],
        [{"name": "site", "type": "symbol"}],
    ]
    readers = [Reader(client, each["id"]) for each in registered]
    for files in (
        {"b.py": BAD.format(name="g")},
        {"a.py": GOOD.format(name="f")},
        {"notes.txt": "nothing of interest"},
        {"a.py": BAD.format(name="f"), "c.py": BAD.format(name="h")},
    ):
        served.commit(files)
    for commit in served.commits:
        for query, reader in zip(queries, readers, strict=True):
            assert reader.to(commit) == asked(served.repo, commit, query), (commit, query)
    late = Reader(client, registered[0]["id"], served.commits[2])
    for commit in served.commits[2:]:
        assert late.to(commit) == asked(served.repo, commit, NULLS)


def test_rules_and_what_is_maintained_can_be_asked_for(served: Served) -> None:
    rules = ".decl from_a(s: symbol)\nfrom_a(s) :- null_dereference(s, o), null_dereference(s, o)."
    first, second = served.client("one"), served.client("two")
    ids = [first.register("from_a(s)", rules)["id"], second.register("from_a(s)", rules)["id"]]
    reader = Reader(first, ids[0])
    assert reader.to(served.commits[0]) == {("a.py|f|.group|1",)}
    assert second.about("maintained(q, g, client, text, readers)") == [
        {"q": 0, "g": 0, "client": "one", "text": "from_a(s)", "readers": 1},
        {"q": 1, "g": 0, "client": "two", "text": "from_a(s)", "readers": 0},
    ]
    [cost] = second.about("cost(g, 2, rows, kilobytes, microseconds)")
    assert cost["rows"] > 0
    second.unregister(ids[1])
    first.unregister(ids[0])
    assert second.about("n = count : { maintained(_, _, _, _, _) }") == [{"n": 0}]
    with pytest.raises(flight.FlightServerError, match="was unregistered"):
        next(reader.stream)
    with pytest.raises(flight.FlightServerError, match="there is no such query"):
        first.unregister(ids[0])


def test_commits_that_were_rewritten_are_one_change(served: Served) -> None:
    client = served.client()
    reader = Reader(client, client.register(NULLS)["id"])
    served.commit({"b.py": BAD.format(name="g")})
    assert len(reader.to(served.commits[-1])) == 2
    served.repo.git("reset", "-q", "--hard", "HEAD~1")
    assert served.line()["commit"] == served.commits[0]
    about, rows = next(reader.stream)
    assert about["commit"] == served.commits[0] and [row["change"] for row in rows] == [-1]


RUBBISH = [
    ("register", b'{"query": "nul(x)"}', "query:1:1: relation nul is not declared; did you mean null"),
    ("register", b'{"query": "null(x, y"}', "the query ends inside a literal"),
    ("register", b'{"query": " "}', "a query is expected"),
    ("register", b'{"query": 1}', "the request needs query, a string"),
    ("register", b'{"query": "null(x, y)", "rules": "null(x, y) :- null(y, x)."}', "it takes no more rules"),
    ("register", b"{}", "the request needs query, a string"),
    ("register", b"[" * 100_000, "a request is a JSON object"),
    ("register", b"\xff\xfe", "a request is a JSON object"),
    ("register", b'{"query": "' + b"x" * 70_000 + b'"}', "at most 65,536 are read"),
    ("register", b" " * 1_100_000, "at most 1,048,576 are read"),
    ("unregister", b'{"id": "1"}', "there is no such query"),
    ("\x1b[2J", b"{}", "the actions are register and unregister"),
]


def test_rubbish_is_answered_in_a_line(served: Served) -> None:
    client = served.client()
    for action, body, says in RUBBISH:
        with pytest.raises(flight.FlightServerError) as caught:
            list(client._client.do_action((action, body), client._options))
        assert says in str(caught.value) and "\n" not in str(caught.value) and ".py" not in str(caught.value)
    for ticket in (b"{}", b"", b'{"id": 7}', b'{"id": "x"}', b'{"about": "cost(x)"}', b'{"about": "null(x, y)"}'):
        with pytest.raises(flight.FlightServerError) as caught:
            client._client.do_get(flight.Ticket(ticket), client._options).read_all()
        assert "\n" not in str(caught.value) and ".py" not in str(caught.value)
    assert client.register(NULLS)["commit"] == served.commits[0]


def test_nobody_without_the_token_is_served(served: Served) -> None:
    stranger = Client(served.location, "x" * 40)
    with pytest.raises(flight.FlightUnauthenticatedError):
        stranger.register(NULLS)
    with pytest.raises(flight.FlightUnauthenticatedError):
        stranger.about("cost(a, b, c, d, e)")
    bare = flight.FlightClient(served.location)
    with pytest.raises(flight.FlightUnauthenticatedError):
        list(bare.do_action(("register", b"{}")))
    assert served.token_file.stat().st_mode & 0o777 == 0o600
    assert served.token_file.parent.stat().st_mode & 0o777 == 0o700


def test_a_client_that_dies_and_one_that_reads_nothing_harm_nobody(served: Served) -> None:
    client = served.client()
    served.commit({"many.py": "".join(f"def made{n}():\n    x = []\n    return x\n\n\n" for n in range(30))})
    reader = Reader(client, client.register(NULLS)["id"])
    lazy = client.follow(client.register("points_to(v, o), points_to(w, p), points_to(x, q)")["id"])
    about, rows = next(lazy)
    assert not about["last"] and len(rows) > 10_000  # more waits than a connection holds
    script = [sys.executable, str(DOCS / "serve_client.py"), served.location, str(served.token_file), NULLS]
    with subprocess.Popen(script, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline().split()[1:] == ["has", "1", "rows"]
        assert other.stdout.readline() == "+ a.py|f|.group|1  a.py|f|.match()|1\n"
        other.kill()
    for number in range(3):
        served.commit({"b.py": BAD.format(name=f"g{number}")})
        assert reader.to(served.commits[-1]) == asked(served.repo, served.commits[-1], NULLS)
    deadline = time.monotonic() + PATIENCE
    while client.about('maintained(_, _, "serve_client.py", _, n)') != [{"n": 0}]:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert served.end() == "pliant: ended by SIGTERM\n"
    del lazy


def test_a_socket_and_a_token_of_ones_own(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.py": BAD.format(name="f")})
    token = tmp_path / "token"
    token.write_text("0123456789abcdef-mine\n")
    with socket.socket(socket.AF_UNIX) as left:  # of a server that was killed
        left.bind(str(tmp_path / "s"))
    served = Served(repo, "--listen", f"unix:{tmp_path / 's'}", "--token-file", token)
    assert served.location == f"grpc+unix://{tmp_path / 's'}" and served.token_file == token
    assert served.client().register(NULLS)["commit"] == served.commits[0]
    assert "another server listens at" in refused("serve", repo.folder, "--listen", f"unix:{tmp_path / 's'}")
    served.end()
    assert not (tmp_path / "s").exists() and token.exists()
    made = tmp_path / "made"
    served = Served(repo, "--listen", "127.0.0.1:0", "--token-file", made)
    assert served.location.startswith("grpc://127.0.0.1:") and not served.location.endswith(":0")
    assert served.client().register(NULLS)["commit"] == served.commits[0]
    assert made.stat().st_mode & 0o777 == 0o600
    served.end()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--listen", "0.0.0.0:80"), "--listen takes unix:PATH or a port of this machine alone"),
        (("--listen", "example.org:80"), "--listen takes unix:PATH or a port of this machine alone"),
        (("--listen", "127.0.0.1"), "--listen takes unix:PATH or a port of this machine alone"),
        (("--listen", "127.0.0.1:99999"), "--listen takes unix:PATH or a port of this machine alone"),
        (("--listen", f"unix:/tmp/{'x' * 120}"), "the socket's path is longer than 100 bytes"),
        (("--listen", "unix:/nowhere/s"), "the socket's folder is not there"),
        (("--listen", f"unix:{__file__}"), "is there already, and no socket"),
        (("--token-file", os.devnull), "is no word of at least 16 characters"),
        (("--token-file", "/nowhere/token"), "cannot be written"),
        (("--token-file", __file__), "cannot be read"),
        (("--rev", "WORKTREE"), "pliant serve follows commits"),
        (("--rev", "nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_served_is_told(repo: Repo, arguments: tuple[str, ...], says: str) -> None:
    repo.commit({"a.py": GOOD.format(name="f")})
    assert says in refused("serve", repo.folder, *arguments)
