"""`pliant watch`: what it tells is what a check of the work tree tells, whatever is saved in which order."""

from __future__ import annotations

import os
import random
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
from repos import MakeRepo, Repo
from watching import BAD, GOOD, PATIENCE, Watch

from pliant.ci import worktree
from pliant.ci.check import check
from pliant.ci.comparison import Request
from pliant.ci.git import Repository
from pliant.ci.held import Held
from pliant.ci.watch import watched_folders
from pliant.ci.worktree import Seen, Worktree

pytestmark = pytest.mark.usefixtures("short_cache")


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    made = make_repo()
    made.commit({"a.py": GOOD.format(name="a"), "b.py": GOOD.format(name="b"), ".gitignore": "ignored.py\n"})
    return made


def test_findings_come_and_go_with_what_is_saved(repo: Repo, watching: Watch) -> None:
    assert watching.events()[0]["came"] == []
    (repo.folder / "a.py").write_text(BAD.format(name="a"))
    came = watching.wait(2)[1]["came"]
    assert [(each["file"], each["line"], each["rule"]) for each in came] == [("a.py", 5, "null.attribute")]
    (repo.folder / "a.py").write_text(GOOD.format(name="a"))
    assert [each["file"] for each in watching.wait(3)[2]["went"]] == ["a.py"]


def test_random_edits_end_where_a_check_ends(repo: Repo, watching: Watch) -> None:
    choose = random.Random(7)
    for _ in range(4):
        for _ in range(choose.randint(1, 6)):  # a burst
            path = repo.folder / choose.choice(["a.py", "b.py", "sub/c.py", "ignored.py", "d.c"])
            path.parent.mkdir(exist_ok=True)
            act = choose.choice(["bad", "good", "broken", "gone", "renamed"])
            if act in ("bad", "good"):
                path.write_text((BAD if act == "bad" else GOOD).format(name=path.stem))
            elif act == "broken":
                path.write_bytes(b"def f(:\n\0\xff")
            elif path.exists():
                path.unlink() if act == "gone" else path.rename(path.with_name(f"moved_{path.name}"))
        watching.follows(repo)


def test_a_commit_of_what_was_told_moves_the_base(repo: Repo, watching: Watch) -> None:
    (repo.folder / "a.py").write_text(BAD.format(name="a"))
    watching.wait(2)
    repo.git("commit", "--quiet", "--all", "--message", "bad")
    [gone] = watching.wait(3)[2:]
    assert (len(gone["went"]), gone["new"]) == (1, 0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_without_a_traceback(watching: Watch, number: signal.Signals) -> None:
    watching.process.send_signal(number)
    _, errors = watching.process.communicate(timeout=PATIENCE)
    assert watching.process.returncode == (130 if number == signal.SIGINT else -number)
    assert errors == ("pliant: interrupted\n" if number == signal.SIGINT else "pliant: ended by SIGTERM\n")


def test_a_repository_that_is_gone_is_one_line(repo: Repo, watching: Watch, tmp_path: Path) -> None:
    repo.folder.rename(tmp_path / "elsewhere")
    _, errors = watching.process.communicate(timeout=PATIENCE)
    assert watching.process.returncode == 2
    assert errors.startswith("pliant: ") and errors.count("\n") == 1 and "Traceback" not in errors


def test_a_check_that_goes_on_from_another_says_what_one_alone_says(repo: Repo) -> None:
    choose = random.Random(11)
    held = Held()
    for _ in range(12):
        name = choose.choice("abcd")
        path = repo.folder / f"{name}.py"
        act = choose.choice(["bad", "good", "gone", "commit", "base"])
        if act in ("bad", "good"):
            path.write_text((BAD if act == "bad" else GOOD).format(name=choose.choice("abcd")))
        elif act == "gone":
            path.unlink(missing_ok=True)
        elif act == "commit":
            repo.git("add", "--all")
            repo.git("commit", "--quiet", "--allow-empty", "--message", "more")
        base = "HEAD~1" if act == "base" and repo.git("rev-list", "--count", "HEAD").strip() != "1" else "HEAD"
        alone = Request(repo.folder, base, "WORKTREE", repo.folder.parent / "alone")
        going = replace(alone, state=repo.folder.parent / "going", held=held)
        assert check(going, pytest.fail).findings == check(alone, pytest.fail).findings


def test_a_file_is_read_again_when_its_status_says_so_or_says_little(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, Seen] = {}

    def read() -> str:
        with Repository.open(repo.folder) as repository:
            tree = Worktree(repository, lambda path: path == "a.py", seen)
        return str(tree.content(tree.entries["a.py"].oid))

    path = repo.folder / "a.py"
    path.write_text("one\n")
    assert "one" in read() and not seen  # it was changed so lately that it may change again at the same time
    old = time.time_ns() - 10**10
    path.write_text("two\n")
    os.utime(path, ns=(old, old))
    assert "two" in read() and not seen  # what its time says is not believed: its status has changed just now
    monkeypatch.setattr(worktree, "_SETTLED", -1)
    assert "two" in read() and set(seen) == {"a.py"}
    seen["a.py"] = replace(seen["a.py"], content=b"as it was read")
    assert "as it was read" in read()
    path.write_text("six\n")  # as long as before
    os.utime(path, ns=(old, old))
    assert "six" in read()


def test_no_link_is_followed_and_nothing_ignored_is_watched(repo: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    (repo.folder / "link").symlink_to(outside)
    (repo.folder / "loop").symlink_to(repo.folder)
    (repo.folder / "new/empty").mkdir(parents=True)
    (repo.folder / "built/inner").mkdir(parents=True)
    (repo.folder / "built/inner/a.o").touch()
    (repo.folder / ".gitignore").write_text("built/\n")
    git = repo.folder / ".git"
    (git / "refs/heads/team").mkdir()
    here = {str(path.relative_to(repo.folder)) for path in watched_folders(repo.folder, [git])}
    assert here == {".", "new", "new/empty", ".git", ".git/refs/heads", ".git/refs/heads/team"}
