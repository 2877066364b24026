"""`pliant history` says of each commit what `pliant check` says, whatever the windows, the way and the cores."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from faults import survivors
from histories import with_a_past
from repos import MakeRepo, Repo

from pliant.ci.errors import UserError
from pliant.ci.history import tables
from pliant.ci.history.plan import Range
from pliant.ci.history.pricing import VERSIONS_BYTES
from pliant.ci.history.run import Request, history
from pliant.ci.history.store import Store
from pliant.ci.history.verify import compare
from pliant.ci.history.window import Edge, Result

DETERMINED = ("commits.parquet", "changes.parquet", "findings.parquet")


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Repo, Path]]:
    """The repository, and a folder for caches and states that all tests share."""
    folder = tmp_path_factory.mktemp("history")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", str(folder / "no-gitconfig"))
        for who in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{who}_NAME", "Test")
            patch.setenv(f"GIT_{who}_EMAIL", "test@example.org")
            patch.setenv(f"GIT_{who}_DATE", "2024-01-01T00:00:00Z")
        yield with_a_past(folder / "repo"), folder


@pytest.fixture
def request_of(past: tuple[Repo, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    repo, folder = past
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setenv("PLIANT_STATE_KEY", "the same for all tests here")

    def make(out: str = "out", **options: Any) -> Request:
        of_range = {name: options.pop(name) for name in ("first_parent", "since", "until", "paths", "max_commits")
                    if name in options}  # fmt: skip
        wanted = Range(options.pop("range", "main"), **of_range)
        return Request(repo.folder, tmp_path / out, wanted, folder / "state", **options)

    return make


def rows(out: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(out / f"{name}.parquet").to_pylist()
    return found


def run(request: Request) -> Any:
    return history(request, pytest.fail, lambda *told: None)  # without progress, it says how far it is after some time


def check_equal(request: Request, past: tuple[Repo, Path]) -> None:
    """Every commit against every parent, one check each."""
    verdict = compare(request.folder, request.out, None, None, pytest.fail, state=past[1] / "checks")
    assert verdict.compared and not verdict.different
    assert verdict.sizes == len([row for row in rows(request.out, "commits") if row["parents"]])


@pytest.mark.parametrize(
    ("strategy", "first_parent"),
    [
        ("versions", False),
        pytest.param("update", True, marks=pytest.mark.nightly),
        pytest.param("versions", True, marks=pytest.mark.nightly),
        pytest.param("update", False, marks=pytest.mark.nightly),
    ],
)
def test_every_commit_is_as_its_check_says(
    strategy: str, first_parent: bool, request_of: Any, past: tuple[Repo, Path]
) -> None:
    request = request_of(strategy=strategy, first_parent=first_parent, versions=5, range="start..main")
    summary = run(request)
    assert summary.windows > 2
    assert summary.strategies == {strategy: summary.windows}
    check_equal(request, past)
    assert summary.totals.introduced >= 3 and summary.totals.fixed >= 3


def test_authors_are_named_where_they_are_asked_for(request_of: Any) -> None:
    for authors in (False, True):
        request = request_of(range="start..main", max_commits=3, authors=authors)
        run(request)
        assert {row["author"] for row in rows(request.out, "commits")} == {"Test" if authors else None}
        assert ('"author":["Test"' in (request.out / "report.html").read_text()) == authors


def test_a_path_has_the_lines_of_its_side(request_of: Any, past: tuple[Repo, Path]) -> None:
    request = request_of(range="start..main")
    run(request)
    seen = set()
    for row in rows(request.out, "changes"):
        side = row["parent"] if row["status"] == "fixed" else row["commit"]
        for step in row["path"]:
            text = past[0].git("show", f"{side}:{step['file']}").splitlines()[step["line"] - 1]
            assert step["source"] == text.strip()
            seen.add(row["status"])
    assert seen >= {"new", "fixed"}


def test_windows_ways_and_cores_make_no_difference(request_of: Any) -> None:
    whole = request_of("whole")
    run(whole)
    others: list[dict[str, Any]] = [{"versions": 3}, {"strategy": "update"}, {"versions": 4, "jobs": 2}]
    for number, options in enumerate(others):
        other = request_of(f"other{number}", **options)
        run(other)
        for name in DETERMINED:
            mine = pq.read_table(whole.out / name)
            theirs = pq.read_table(other.out / name)
            if name == "commits.parquet":
                mine, theirs = (each.drop_columns(["window_number", "strategy"]) for each in (mine, theirs))
            assert mine.equals(theirs), (name, options)


def test_lifetimes_follow_a_finding_through_renames(request_of: Any) -> None:
    request = request_of(versions=4)
    summary = run(request)
    commits = {row["commit"]: row for row in rows(request.out, "commits")}
    subjects = {commit: row["subject"] for commit, row in commits.items()}
    lived = {
        (row["rule"], row["function"]): (row["began"], subjects[row["first"]], row["ended"], subjects.get(row["last"]))
        for row in rows(request.out, "findings")
    }
    assert lived["null.attribute", "show"] == ("new", "a null that is used", "fixed", "one use is guarded")
    assert lived["null.attribute", "greet"] == ("new", "the side comes in", "fixed", "no greeting")
    assert lived["null.attribute", "first"] == ("new", "first is told again", "fixed", "more is less")
    assert lived["alias.mutable-default", "add"] == ("new", "a shared default", "fixed", "the fix comes in")
    assert summary.totals.open == 0
    assert [row["position"] for row in commits.values()] == list(range(len(commits)))
    for row in rows(request.out, "changes"):
        assert row["finding"] is not None


def test_all_parents_tell_where_on_a_side_it_came(request_of: Any) -> None:
    request = request_of(first_parent=False)
    run(request)
    subjects = {row["commit"]: row for row in rows(request.out, "commits")}
    [greet] = [row for row in rows(request.out, "findings") if row["function"] == "greet"]
    assert subjects[greet["first"]]["subject"] == "another use, on a side"
    merge = next(row for row in subjects.values() if row["subject"] == "the side comes in")
    assert (merge["introduced"], merge["fixed"], len(merge["parents"])) == (0, 0, 2)
    [default] = [row for row in rows(request.out, "findings") if row["rule"] == "alias.mutable-default"]
    assert (default["ended"], subjects[default["last"]]["subject"]) == ("fixed", "no default")


def test_the_range_and_its_filters(request_of: Any, past: tuple[Repo, Path]) -> None:
    last = request_of("last", max_commits=3)
    run(last)
    assert [row["subject"] for row in rows(last.out, "commits")] == ["two starts", "the other is gone", "no greeting"]
    assert {row["function"]: row["began"] for row in rows(last.out, "findings")} == {"greet": "there", "view": "new"}
    some = request_of("some", paths=("app/users.py",))
    run(some)
    assert len(rows(some.out, "commits")) == 5
    check_equal(some, past)
    greet = next(row for row in rows(some.out, "findings") if row["function"] == "greet")
    assert (greet["began"], greet["ended"]) == ("new", "fixed")
    mistakes: list[tuple[dict[str, Any], str]] = [
        ({"range": "start...main"}, "is no range of commits"),
        ({"range": "main..start"}, "there is no commit in main..start"),
        ({"since": "yesterday"}, "--since 'yesterday' is no date"),
        ({"since": "2031-01-01"}, "there is no commit"),
        ({"versions": 2}, "a window holds 3 to 64 versions"),
        ({"range": "nowhere..main"}, "there is no revision 'nowhere'"),
    ]
    for wrong, message in mistakes:
        with pytest.raises(UserError, match=message):
            run(request_of("wrong", **wrong))


def test_a_run_goes_on_where_another_was_killed(request_of: Any, past: tuple[Repo, Path], tmp_path: Path) -> None:
    whole = request_of("whole", versions=3)
    windows = run(whole).windows
    assert windows > 4
    killed = request_of("killed", versions=3)
    command = [sys.executable, "-m", "pliant.ci.cli", "history", "main", str(killed.folder), "--out", str(killed.out),
               "--versions", "3", "--jobs", "2", "--state-dir", str(past[1] / "state")]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    kept = killed.out / "windows"
    while process.poll() is None and not (kept.is_dir() and [path for path in kept.iterdir() if path.suffix != ".tmp"]):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = len([path for path in kept.iterdir() if path.suffix != ".tmp"])
    (kept / ".left.tmp").mkdir()
    while True:  # its workers end with it, and the lock that they hold does
        try:
            summary = run(killed)
            break
        except UserError as error:
            assert "another process writes" in str(error)
            time.sleep(0.05)
    assert done <= summary.resumed < windows or done == windows
    for name in DETERMINED:
        assert (killed.out / name).read_bytes() == (whole.out / name).read_bytes()
    assert not list(kept.glob(".*"))
    assert run(killed).resumed == windows


def test_what_does_not_fit_goes_commit_by_commit_or_is_refused(request_of: Any, monkeypatch: Any) -> None:
    roomy, tight = request_of("roomy"), request_of("tight")
    assert run(roomy).strategies == {"versions": 1}
    [facts] = [row["facts"] for row in rows(roomy.out, "windows")]
    monkeypatch.setattr("pliant.ci.history.window.free_memory", lambda: facts * VERSIONS_BYTES - 1)
    assert run(tight).strategies == {"update": 1}
    for name in ("changes.parquet", "findings.parquet"):
        assert (tight.out / name).read_bytes() == (roomy.out / name).read_bytes()
    monkeypatch.setattr("pliant.ci.history.window.free_memory", lambda: 1000)
    with pytest.raises(UserError, match=r"^a commit of \d+ facts needs more than [\d.]+ MiB of memory, and 1.0 KiB"):
        run(request_of("full"))


def test_a_damaged_window_is_evaluated_again(request_of: Any) -> None:
    request = request_of(versions=4)
    windows = run(request).windows
    before = {name: (request.out / name).read_bytes() for name in DETERMINED}
    changes = request.out / "windows" / "000001" / "changes.parquet"
    changes.chmod(0o600)
    changes.write_bytes(changes.read_bytes()[:-1])
    (request.out / "windows" / "000000" / "manifest.json").unlink()
    assert run(request).resumed == windows - 2
    assert {name: (request.out / name).read_bytes() for name in DETERMINED} == before


def test_a_manifest_that_is_none_is_a_window_that_is_not_there(request_of: Any) -> None:
    request = request_of(versions=8)
    windows = run(request).windows
    for manifest in ("[" * 100_000, "[]", '{"format": ' + "9" * 5000 + "}", "\0"):
        (request.out / "windows" / "000001" / "manifest.json").write_text(manifest)
        assert run(request).resumed == windows - 1
    (request.out / "plan.json").write_text("[" * 100_000)
    with pytest.raises(UserError, match="holds another history"):
        run(request)


def test_a_folder_in_the_place_of_a_file_is_one_line_and_stays(request_of: Any) -> None:
    request = request_of(versions=8)
    run(request)
    for name in ("report.html", "findings.parquet"):
        (request.out / name).unlink()
        (request.out / name / "mine").mkdir(parents=True)
        with pytest.raises(UserError, match=r"cannot be written to .*: Is a directory"):
            run(request)
        (request.out / name / "mine").rmdir()
        (request.out / name).rmdir()
    assert run(request).resumed


def test_who_may_read_the_tables_may_read_the_page(request_of: Any) -> None:
    request = request_of(max_commits=2)
    run(request)
    assert len({(request.out / name).stat().st_mode for name in ("report.html", "findings.parquet")}) == 1


def test_a_folder_is_of_one_history(request_of: Any, tmp_path: Path, past: tuple[Repo, Path]) -> None:
    request = request_of(max_commits=2)
    run(request)
    with pytest.raises(UserError, match="holds another history"):
        run(replace(request, range=Range("main", max_commits=3)))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(UserError, match="is not empty and holds no history"):
        run(request_of("full"))
    with pytest.raises(UserError, match="lies in the git directory"):
        run(replace(request, out=past[0].folder / ".git" / "history"))
    held = Store(request.out)
    held.begin(*_plan(request.out))
    with pytest.raises(UserError, match="another process writes the history"):
        run(request)


def _plan(out: Path) -> tuple[str, str]:
    plan = json.loads((out / "plan.json").read_text())
    return plan["key"], plan["title"]


def test_a_window_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    result = Result([Edge("c" * 40, "p" * 40, 1, findings=[])], numbers={"seconds": 1.0})
    Store(tmp_path / "out").begin("key", "title")

    def put() -> None:
        Store(tmp_path / "out").put(0, result)

    for _ in survivors(put):
        store = Store(tmp_path / "out")
        if store.has(0):
            assert store.get(0).edges.to_pylist()[0]["commit"] == "c" * 40
        store.begin("key", "title")
        assert not list((tmp_path / "out" / "windows").glob(".*"))


def test_a_window_in_the_place_of_another_is_evaluated_again(request_of: Any) -> None:
    request = request_of(versions=4)
    whole = run(request)
    expected = [rows(request.out, name) for name in ("commits", "changes", "findings")]
    windows = sorted((request.out / "windows").iterdir())
    assert len(windows) == whole.windows >= 3
    shutil.rmtree(windows[1])
    shutil.copytree(windows[0], windows[1])
    other = request_of("other", versions=4, max_commits=3)
    run(other)
    shutil.rmtree(windows[2])
    shutil.copytree(other.out / "windows" / windows[0].name, windows[2])
    assert run(request).resumed == whole.windows - 2
    assert [rows(request.out, name) for name in ("commits", "changes", "findings")] == expected


@pytest.mark.parametrize("number", ["strategy", "seconds_git"])
@pytest.mark.one_in(2)
def test_the_numbers_of_a_window_are_under_its_digest(request_of: Any, number: str) -> None:
    request = request_of(versions=4)
    whole = run(request)
    path = min((request.out / "windows").iterdir()) / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["numbers"][number] = "another"
    path.write_text(json.dumps(manifest))
    assert run(request).resumed == whole.windows - 1
    assert "another" not in {row["strategy"] for row in rows(request.out, "commits")}


def test_a_condition_alone_brings_a_finding_and_takes_it_away(make_repo: MakeRepo, tmp_path: Path) -> None:
    """No row of what the rules derive differs."""
    repo = make_repo()
    text = "def f(count):\n    rows = [0] if count > {} else None\n    i = 0\n"
    text += "    while i < count:\n        rows.append(i)\n        i = i + 1\n"
    for bound in (0, 1, 0):
        repo.commit({"a.py": text.format(bound)}, f"from {bound} on")
    request = Request(repo.folder, tmp_path / "out", Range("main"), tmp_path / "state")
    run(request)
    told = [(row["position"], row["status"]) for row in rows(request.out, "changes") if not row["unlikely"]]
    assert told == [(1, "new"), (2, "fixed")]
    verdict = compare(repo.folder, request.out, None, None, pytest.fail, state=tmp_path / "checks")
    assert verdict.compared == 2 and not verdict.different


def test_findings_of_a_commit_are_compared_in_whatever_order_they_come(repo: Repo, tmp_path: Path) -> None:
    """The condition of one is less than that of the other, and its fingerprint is greater."""
    repo.commit({"README": "x"})
    names = ["home", "name", "root", "shell", "term", "user"]
    functions = [f"def {name}():\n    return os.environ.get('{name[::-1]}').upper()\n\n\n" for name in names]
    repo.commit({"a.py": "import os\n\n\n" + "".join(functions)})
    request = Request(repo.folder, tmp_path / "out", Range("main"), tmp_path / "state")
    run(request)
    verdict = compare(repo.folder, request.out, None, None, pytest.fail, state=tmp_path / "checks")
    assert verdict.findings == len(names) and not verdict.different


def test_tables_are_as_documented(request_of: Any) -> None:
    request = request_of(max_commits=2)
    run(request)
    text = (Path(__file__).parents[2] / "docs" / "history.md").read_text(encoding="utf-8")
    for name, schema in (("commits", tables.COMMITS), ("changes", tables.CHANGES), ("findings", tables.FINDINGS),
                         ("windows", tables.WINDOWS)):  # fmt: skip
        assert tables.read(request.out / f"{name}.parquet", schema).schema.names == schema.names
        section = text.split(f"### {name}.parquet")[1].split("###")[0]
        assert [column for column in schema.names if f"`{column}`" not in section] == []


def test_no_column_of_a_table_is_a_keyword_of_sql() -> None:
    # Reserved in SQL:2016, or in what DuckDB, PostgreSQL or Spark (in its ANSI mode) add to that.
    reserved = {"column", "window", "user", "order", "group", "table", "end", "start", "check", "references", "values"}
    for schema in (tables.COMMITS, tables.CHANGES, tables.FINDINGS, tables.WINDOWS):
        inner = [field.name for each in schema.types if pa.types.is_list(each) and pa.types.is_struct(each.value_type)
                 for field in each.value_type]  # fmt: skip
        assert reserved.isdisjoint([*schema.names, *inner])
