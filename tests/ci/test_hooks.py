"""The pre-push hook: git's own lines, a real push through git and through pre-commit; and what `pliant init` writes."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import yaml
from command_line import PROGRAM, refused, run
from repos import MakeRepo, Repo
from service_runner import NO_COMPILER, copy_of_the_source

from pliant.ci.errors import UserError
from pliant.ci.git import Repository
from pliant.ci.init import cloned_from
from pliant.ci.init import planned as to_write
from pliant.ci.pre_push import Plan, Push, of_pre_commit, parse, plans

ZERO = "0" * 40
NULL = "def find(key):\n    if key:\n        return None\n    return key\n\n\nfind(1).name\n"


# Git's lines


def test_lines_of_git() -> None:
    a, b = "a" * 40, "b" * 64
    lines = (
        f"refs/heads/x {a} refs/heads/x {ZERO}\nrefs/heads/y {b} refs/heads/y {b}\n(delete) {ZERO} refs/heads/z {a}\n"
    )
    assert parse(lines) == [Push("refs/heads/x", a, ""), Push("refs/heads/y", b, b)]
    assert parse(f"(delete) {'0' * 64} refs/heads/z {b}\n\n") == []
    for wrong in ("x", f"refs/heads/x {a} refs/heads/x", f"refs/heads/x --all refs/heads/x {a}", "\x1b[2J a b c"):
        with pytest.raises(UserError, match="expected lines of '<local ref>"):
            parse(wrong)


def test_what_pre_commit_tells() -> None:
    assert of_pre_commit({"PRE_COMMIT": "1"}) is None
    told = {"PRE_COMMIT_TO_REF": "a" * 40, "PRE_COMMIT_FROM_REF": ZERO, "PRE_COMMIT_REMOTE_BRANCH": "refs/heads/x"}
    assert of_pre_commit(told) == [Push("refs/heads/x", "a" * 40, "")]


@pytest.fixture
def clone(make_repo: MakeRepo, tmp_path: Path) -> Repo:
    """A clone of a bare remote whose main has one commit."""
    seed = make_repo(name="seed")
    seed.commit({"a.py": "x = 1\n"})
    seed.git("clone", "--quiet", "--bare", str(seed.folder), str(tmp_path / "remote.git"))
    seed.git("clone", "--quiet", str(tmp_path / "remote.git"), str(tmp_path / "clone"))
    return Repo(tmp_path / "clone")


def planned(repo: Repo, new: str, old: str = "") -> list[str | None]:
    with Repository.open(repo.folder) as repository:
        return [plan.base for plan in plans(repository, [Push("refs/heads/x", new, old)], "origin")]


def test_the_base_of_a_push(clone: Repo) -> None:
    default = "refs/remotes/origin/HEAD"
    main = clone.git("rev-parse", "main")
    clone.git("checkout", "--quiet", "-b", "topic")
    first, second = clone.commit({"b.py": "x = 1\n"}), clone.commit({"b.py": "x = 2\n"})
    assert planned(clone, second) == [default]
    assert planned(clone, second, first) == [first]
    assert planned(clone, second, "d" * 40) == [default]  # what the remote has was never fetched
    clone.git("commit", "--quiet", "--amend", "-m", "again")
    assert planned(clone, clone.git("rev-parse", "HEAD"), second) == [default]  # a force push
    clone.git("checkout", "--quiet", "-b", "newer", main)
    clone.commit({"c.py": "x = 1\n"})
    clone.git("update-ref", "refs/remotes/origin/main", "newer")
    clone.git("checkout", "--quiet", "topic")
    clone.git("merge", "--quiet", "--no-edit", "newer")
    assert planned(clone, clone.git("rev-parse", "HEAD"), first) == [default]  # newer commits of main came with it
    blob = clone.git("rev-parse", "HEAD:a.py")
    assert planned(clone, blob) == []


def test_equal_comparisons_are_made_once(clone: Repo) -> None:
    head = clone.commit({"b.py": "x = 1\n"})
    pushes = [Push(f"refs/heads/{name}", head, "") for name in "ab"]
    with Repository.open(clone.folder) as repository:
        assert plans(repository, pushes, "origin") == [Plan("refs/heads/a", "refs/remotes/origin/HEAD", head)]


def test_several_refs_and_their_exit_status(clone: Repo) -> None:
    clean = clone.commit({"b.py": "x = 1\n"})
    bad = clone.commit({"c.py": NULL})
    lines = "".join(f"refs/heads/{n} {oid} refs/heads/{n} {ZERO}\n" for n, oid in (("one", clean), ("two", bad)))
    done = run("pre-push", "origin", "url", cwd=clone.folder, stdin=lines)
    assert done.returncode == 1
    assert done.stdout.startswith("refs/heads/one:\n0 new") and "refs/heads/two:\nc.py:7: warning" in done.stdout
    assert done.stderr == "pliant: the push is stopped; git push --no-verify pushes all the same\n"
    deletion = f"(delete) {ZERO} refs/heads/z {clean}\n"
    done = run("pre-push", "origin", cwd=clone.folder, stdin=deletion)
    assert (done.returncode, done.stdout) == (0, "")
    assert run("pre-push", cwd=clone.folder).returncode == 1  # nothing told: HEAD against the default branch
    assert run("pre-push", "--upload-pack=x", cwd=clone.folder).returncode == 2


# Real pushes


def hook_of_git(repo: Repo, tmp_path: Path) -> None:
    done = run("init", repo.folder, "--hook", "--yes")
    assert done.returncode == 0, done
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "pliant").write_text(f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n')
    (programs / "pliant").chmod(0o755)
    os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"


def push(repo: Repo, *refs: str) -> subprocess.CompletedProcess[str]:
    arguments = ["git", "-C", str(repo.folder), "push", "origin", *refs]
    return subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize("options", [[], ["--object-format=sha256"]])
def test_git_push_is_stopped_by_a_new_finding_alone(
    make_repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setenv("PATH", os.environ["PATH"])
    repo = make_repo(*options)
    repo.commit({"a.py": "x = 1\n"})
    subprocess.run(["git", "init", "--quiet", "--bare", *options, str(tmp_path / "remote.git")], check=True)
    repo.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    repo.git("push", "--quiet", "origin", "main")
    hook_of_git(repo, tmp_path)
    repo.git("checkout", "--quiet", "-b", "topic")
    repo.commit({"b.py": "x = 1\n"})
    assert push(repo, "topic").returncode == 0
    repo.commit({"c.py": NULL})
    stopped = push(repo, "topic")
    assert stopped.returncode == 1
    assert "c.py:7: warning null.attribute" in stopped.stdout + stopped.stderr
    remote = Repo(tmp_path / "remote.git")
    assert remote.git("rev-parse", "topic") == repo.git("rev-parse", "topic~1")
    repo.git("push", "--quiet", "--no-verify", "origin", "topic")
    repo.commit({"d.py": "x = 1\n"})
    assert push(repo, "topic").returncode == 0  # a finding stops one push
    assert push(repo, "--delete", "topic").returncode == 0


def hook_repository(folder: Path) -> str:
    """This repository's files, committed where pre-commit can clone them; the commit."""
    copy_of_the_source(folder)
    repo = Repo(folder)
    repo.git("init", "--quiet")
    return repo.commit()


def test_pre_commit_runs_the_hook_of_this_repository(clone: Repo, tmp_path: Path) -> None:
    commit = hook_repository(tmp_path / "pliant")
    hook = {"repo": (tmp_path / "pliant").as_uri(), "rev": commit, "hooks": [{"id": "pliant"}]}
    clone.write({".pre-commit-config.yaml": yaml.safe_dump({"repos": [hook]})})
    clone.commit()
    # What pliant needs is installed already: pre-commit's own environment takes it from there.
    installed = sysconfig.get_path("purelib")
    environment = (
        os.environ
        | NO_COMPILER
        | {
            "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
            "PIP_NO_DEPS": "1",
            "PYTHONPATH": installed,
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "protocol.file.allow",
            "GIT_CONFIG_VALUE_0": "always",
        }
    )

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            arguments, cwd=clone.folder, env=environment, capture_output=True, text=True, check=False, timeout=400
        )

    done = command(sys.executable, "-m", "pre_commit", "install", "--hook-type", "pre-push")
    assert done.returncode == 0, done.stderr
    clone.git("checkout", "--quiet", "-b", "topic")
    clean = command("git", "push", "origin", "topic")
    assert clean.returncode == 0, clean.stdout + clean.stderr
    assert "pliant" in clean.stdout + clean.stderr and "Passed" in clean.stdout + clean.stderr
    clone.commit({"c.py": NULL})
    stopped = command("git", "push", "origin", "topic")
    assert stopped.returncode != 0
    assert "c.py:7: warning null.attribute" in stopped.stdout + stopped.stderr
    assert Repo(tmp_path / "remote.git").git("rev-parse", "topic") == clone.git("rev-parse", "topic~1")


# pliant init

SOURCE = f"https://host.example/team/pliant@{'a' * 40}"


def test_init_shows_and_writes_what_fits_and_nothing_twice(clone: Repo) -> None:
    (clone.folder / ".github").mkdir()
    shown = run("init", clone.folder, "--source", SOURCE)
    assert shown.returncode == 0 and shown.stdout.endswith("nothing is written: --yes writes it\n")
    assert "+++ " in shown.stdout and f"+      - uses: team/pliant@{'a' * 40}" in shown.stdout
    assert clone.git("status", "--porcelain") == ""
    written = run("init", clone.folder, "--source", SOURCE, "--yes")
    assert written.stdout.count("\nwrote ") == 3
    assert (
        clone.git("status", "--porcelain", "--untracked-files=all") == "?? .github/workflows/pliant.yml\n?? pliant.toml"
    )
    hook = clone.folder / ".git" / "hooks" / "pre-push"
    assert os.access(hook, os.X_OK)
    hook.write_text("mine")
    again = run("init", clone.folder, "--source", SOURCE, "--yes")
    assert again.stdout == "nothing to write\n" and again.stderr.count("is there already and stays as it is") == 3
    assert hook.read_text() == "mine"
    assert run("check", clone.folder, "--base", "HEAD", "--config", clone.folder / "pliant.toml").returncode == 0


def test_init_writes_only_what_was_asked_for_and_needs_a_source(clone: Repo) -> None:
    [settings], [remark] = to_write(clone.folder, {"gitlab", "settings"}, "")
    assert settings.name == "pliant.toml" and "needs --source URL@COMMIT" in remark
    assert run("init", clone.folder, "--settings", "--yes").returncode == 0
    assert clone.git("status", "--porcelain") == "?? pliant.toml"
    assert "expected URL@COMMIT" in refused("init", clone.folder, "--source", "https://x/y@main")
    assert "expected URL@COMMIT" in refused("init", clone.folder, "--source", f"https://x/$(touch y)@{'a' * 40}")
    assert run("init", clone.folder, "--gitlab", "--yes", "--source", SOURCE).returncode == 0
    job = yaml.safe_load((clone.folder / ".gitlab" / "pliant.yml").read_text())
    assert "pliant" in job


def test_init_knows_the_source_of_a_clone_whose_origin_has_its_commit(tmp_path: Path, clone: Repo) -> None:
    assert cloned_from(clone.folder) == ""  # a folder of this machine is its origin
    clone.git("config", "remote.origin.url", "https://host.example/team/pliant.git")
    published = clone.git("rev-parse", "HEAD")
    clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert cloned_from(clone.folder) == f"https://host.example/team/pliant@{published}"
    (clone.folder / "below").mkdir()
    assert cloned_from(clone.folder / "below") == ""
    clone.write({"b.py": "x = 2\n"})
    clone.git("add", "b.py")
    assert cloned_from(clone.folder) == ""
    clone.commit()
    assert cloned_from(clone.folder) == ""  # nobody else has it
    assert cloned_from(tmp_path / "nowhere") == ""


def test_init_does_not_write_through_links(clone: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (clone.folder / ".github").symlink_to(tmp_path / "outside")
    assert "is a link" in refused_last(run("init", clone.folder, "--github", "--yes", "--source", SOURCE))
    (clone.folder / "pliant.toml").symlink_to(tmp_path / "outside" / "x")
    assert "is there already" in run("init", clone.folder, "--settings", "--yes").stderr
    assert list((tmp_path / "outside").iterdir()) == []


def refused_last(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2
    return done.stderr.splitlines()[-1]
