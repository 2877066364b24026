"""Where a check takes place: here as long as the commit promises to fit, else on Spark, which says why."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from repos import Repo
from typer.testing import CliRunner

from pliant.ci.check import check
from pliant.ci.commands.app import app
from pliant.ci.comparison import Request
from pliant.ci.git import Repository
from pliant.ci.places import WhereItFits, place
from pliant.ci.steps import Here, Told
from pliant.engine import Evaluation, Program
from pliant.extractors.blobs import FactCache, Read, Source
from pliant.extractors.tables import FactTable

USE = "def find(key):\n    return None if key else 1\n\n\ndef use(key):\n    return find(key).name\n"


class There(Here):
    """A place that counts what it is asked for."""

    def __init__(self) -> None:
        super().__init__(FactCache(None))
        self.begun = self.extracted = self.evaluated = 0

    def begin(self, repository: Repository) -> There:
        self.begun += 1
        return self

    def extract(self, sources: Iterable[Source], read: Read, told: Told) -> int:
        self.extracted += 1
        return super().extract(sources, read, told)

    def bootstrap(self, program: Program, tables: Sequence[FactTable]) -> Evaluation:
        self.evaluated += 1
        return super().bootstrap(program, tables)


def test_a_commit_goes_there_where_it_does_not_fit_and_says_why(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"app.py": "def find(key):\n    return 1\n"}, "base")
    repo.commit({"app.py": USE}, "head")
    told: list[str] = []

    def found(there: There, name: str, free: int) -> list[tuple[str, str, int]]:
        request = Request(
            repo.folder, "main~1", "main", tmp_path / name,
            places=lambda repository: WhereItFits(repository, there.begin, told.append, free),
        )  # fmt: skip
        report = check(request, pytest.fail)
        report.keep()
        return [(each.rule, each.file, each.line) for each in report.findings]

    roomy, tight, again = There(), There(), There()
    here = found(roomy, "roomy", 1 << 20)
    assert here and not roomy.begun and not told
    assert found(tight, "tight", 1 << 10) == here
    assert (tight.begun, tight.extracted, tight.evaluated) == (1, 1, 1)  # the head is an update, which stays here
    [why] = told
    assert why.startswith("on Spark: 0.0 KiB of source need about ") and why.endswith(
        " KiB, and 1.0 KiB of memory are free here"
    )
    assert found(again, "tight", 1 << 10) == here
    assert not again.begun  # so does a check from a stored state


def test_the_master_is_handed_on_and_the_session_ends(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"app.py": "def find(key):\n    return 1\n"}, "base")
    repo.commit({"app.py": USE}, "head")
    there, masters, ended = There(), list[str | None](), list[bool]()

    @contextmanager
    def session(master: str | None, told: object) -> Iterator[Callable[[Repository], There]]:
        masters.append(master)
        yield there.begin
        ended.append(True)

    monkeypatch.setattr("pliant.ci.pipeline.place.place_on_spark", session)
    monkeypatch.setattr("pliant.ci.places.free_memory", lambda: 1 << 10)
    arguments = ["check", str(repo.folder), "--base", "main~1", "--state-dir", str(tmp_path / "state")]
    done = CliRunner().invoke(app, [*arguments, "--spark-master", "local[7]"])
    assert done.exit_code == 1, done.output
    assert "pliant: on Spark: 0.0 KiB of source need about" in done.stderr
    assert (masters, there.evaluated, ended) == (["local[7]"], 1, [True])
    assert CliRunner().invoke(app, [*arguments, "--engine", "embedded", "--strategy", "bootstrap"]).exit_code == 1
    assert len(masters) == 1


@pytest.mark.parametrize(
    "command",
    [
        ["verify", "REPO", "--base", "main~1"],
        ["explain", "FINGERPRINT", "REPO", "--base", "main~1"],
        ["explain", "--refuted", "REPO", "--base", "main~1"],
        ["aliases", "app.py:6", "--repo", "REPO", "--base", "main~1", "--json"],
        ["query", "main", "null_dereference(site, origin)", "--repo", "REPO"],
        ["baseline", "write", "REPO", "--baseline", "OUT"],
        ["facts", "REPO", "--out", "OUT"],
    ],
    ids=lambda command: " ".join(word for word in command[:2] if word.islower()),
)
def test_every_command_says_the_same_wherever_it_is_evaluated(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    repo.commit({"app.py": "def find(key):\n    return 1\n"}, "base")
    repo.commit({"app.py": USE}, "head")
    [finding] = check(Request(repo.folder, "main~1", state=tmp_path / "first"), pytest.fail).findings
    there = There()

    @contextmanager
    def session(master: str | None, told: object) -> Iterator[Callable[[Repository], There]]:
        yield there.begin

    monkeypatch.setattr("pliant.ci.pipeline.place.place_on_spark", session)
    monkeypatch.setattr("pliant.ci.places.free_memory", lambda: 1 << 10)
    printed = []
    for engine in ("embedded", "auto"):
        out = tmp_path / engine
        named = {"REPO": str(repo.folder), "FINGERPRINT": finding.fingerprint, "OUT": str(out)}
        words = [named.get(word, word) for word in command]
        done = CliRunner().invoke(app, [*words, "--engine", engine, "--state-dir", str(tmp_path / f"state-{engine}")])
        assert done.exit_code == 0, done.output
        written = {path.name: path.read_bytes() for path in out.rglob("*") if path.is_file()}
        printed.append((done.stdout.replace(str(out), ""), written or (out.is_file() and out.read_bytes())))
        assert bool(there.begun) == (engine == "auto")
    assert printed[0] == printed[1]


def test_without_spark_it_stays_here_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "edge.facts").write_bytes(b"x" * 1_000_000)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    where, why = place("auto", [tmp_path / "edge.facts"], free=64 << 20)
    assert where == "embedded" and why.endswith("it goes on here, since pyspark is not installed")
