"""The git layer on ordinary, odd and hostile repositories."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from repos import MakeRepo, Repo

from pliant.ci.errors import UserError
from pliant.ci.git import Entry, Repository
from pliant.ci.hunks import Hunk, hunks
from pliant.ci.worktree import Worktree

ODD_NAMES = ["a b.py", "new\nline.py", "tab\there.py", 'quo"te.py', "ünïcode.py", "-dash.py", "back\\slash.py", "*.py"]


def opened(repo: Repo) -> Repository:
    return Repository.open(repo.folder)


def contents(repository: Repository, entries: list[Entry]) -> dict[str, bytes]:
    by_oid = dict(repository.read([entry.oid for entry in entries], most=1 << 30))
    return {entry.path: by_oid[entry.oid] or b"" for entry in entries}


# Revisions


def test_revisions_resolve_to_commits(repo: Repo) -> None:
    first, second = repo.commit({"a": "1"}), repo.commit({"a": "2"})
    repo.git("tag", "-a", "v1", "-m", "v1")
    repository = opened(repo)
    assert [repository.resolve(rev) for rev in ("HEAD", "main", "HEAD~1", "v1", second[:10])] == [
        second,
        second,
        first,
        second,
        second,
    ]


@pytest.mark.parametrize("revision", ["", "-h", "--all", "HEAD\n", "nowhere", "HEAD..HEAD", "HEAD^{tree}", "^HEAD"])
def test_what_is_no_commit_is_refused_in_one_line(repo: Repo, revision: str) -> None:
    repo.commit({"a": "1"})
    with pytest.raises(UserError) as caught:
        opened(repo).resolve(revision)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("revision", "named"), [("HEAD~7", "HEAD"), ("main^2", "main"), ("main@{9}", "main"), ("HEAD:a", "HEAD")]
)
def test_nobody_is_told_to_fetch_what_is_said_of_a_commit_that_is_there(repo: Repo, revision: str, named: str) -> None:
    repo.commit({"a.py": "x = 1\n"})
    with pytest.raises(UserError) as caught:
        opened(repo).resolve(revision)
    assert f"there is no revision '{revision}'" in str(caught.value) and f"'{named}' is there" in str(caught.value)
    assert "git fetch" not in str(caught.value)


def test_a_branch_of_the_remote_alone_is_found(make_repo: MakeRepo, tmp_path: Path) -> None:
    origin = make_repo(name="origin")
    commit = origin.commit({"a": "1"})
    origin.git("branch", "topic")
    origin.git("clone", "--quiet", str(origin.folder), str(tmp_path / "clone"))
    assert Repository.open(tmp_path / "clone").resolve("topic") == commit


def test_the_default_branch_is_the_remotes_before_the_local_one(make_repo: MakeRepo, tmp_path: Path) -> None:
    origin = make_repo(name="origin")
    origin.commit({"a": "1"})
    origin.git("branch", "-m", "develop")
    origin.git("clone", "--quiet", str(origin.folder), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    clone.git("branch", "main")
    assert opened(clone).default_branch() == "refs/remotes/origin/develop"
    assert opened(origin).resolve("HEAD")
    with pytest.raises(UserError, match="give --base REV"):
        opened(origin).default_branch()
    origin.git("config", "init.defaultBranch", "develop")
    assert opened(origin).default_branch() == "refs/heads/develop"


def test_an_unborn_head_is_one_line(repo: Repo) -> None:
    with pytest.raises(UserError, match="HEAD has no commit yet"):
        opened(repo).resolve("HEAD")


def test_a_detached_head_is_a_head(repo: Repo) -> None:
    first = repo.commit({"a": "1"})
    repo.commit({"a": "2"})
    repo.git("checkout", "--quiet", "--detach", first)
    assert opened(repo).resolve("HEAD") == first


# Where a repository is


def test_not_a_repository(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not in a git repository"):
        Repository.open(tmp_path)
    with pytest.raises(UserError, match="there is no folder"):
        Repository.open(tmp_path / "missing")
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="is not a folder"):
        Repository.open(tmp_path / "file")


def test_a_folder_in_the_work_tree_stands_for_the_repository(repo: Repo) -> None:
    commit = repo.commit({"a/b/c.py": "1"})
    repository = Repository.open(repo.folder / "a" / "b")
    assert repository.folder == repo.folder
    assert [entry.path for entry in repository.tree(commit)] == ["a/b/c.py"]


@pytest.mark.parametrize("variables", [{"GIT_DIR": "/nowhere"}, {"GIT_INDEX_FILE": "x", "GIT_WORK_TREE": "/"}])
def test_a_hooks_environment_does_not_lead_elsewhere(
    repo: Repo, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = repo.commit({"a": "1"})
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert opened(repo).resolve("HEAD") == commit


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)])
def test_bare_and_sha256_repositories(make_repo: MakeRepo, tmp_path: Path, options: tuple[str, ...]) -> None:
    repo = make_repo(*options)
    commit = repo.commit({"a.py": "x = 1\n"})
    repo.git("clone", "--quiet", "--bare", str(repo.folder), str(tmp_path / "bare.git"))
    with Repository.open(tmp_path / "bare.git") as bare:
        assert bare.bare and bare.name == "bare"
        assert bare.hash_name == ("sha256" if options else "sha1")
        assert bare.resolve("main") == commit
        assert contents(bare, list(bare.tree(commit))) == {"a.py": b"x = 1\n"}
        with pytest.raises(UserError, match="no work tree"):
            Worktree(bare, lambda path: True)


# Trees and blobs


def test_odd_names_and_contents_are_read(repo: Repo) -> None:
    files: dict[str, str | bytes | None] = {name: f"# {number}\n" for number, name in enumerate(ODD_NAMES)}
    files |= {"empty.py": b"", "binary.py": b"\0\xff\n", "large.py": b"x = 1\n" * 900_000}
    commit = repo.commit(files)
    (repo.folder / os.fsdecode(b"latin-\xe9.py")).write_bytes(b"1")
    commit = repo.commit()
    with opened(repo) as repository:
        read = contents(repository, list(repository.tree(commit)))
    assert read.pop("latin-\udce9.py") == b"1"
    assert read == {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}


def test_more_blobs_than_a_pipe_holds(repo: Repo) -> None:
    commit = repo.commit({f"f{number}": f"{number}\n" * 50 for number in range(1500)})
    with opened(repo) as repository:
        entries = list(repository.tree(commit))
        assert len(contents(repository, entries)) == 1500
        assert next(repository.read([entries[0].oid]))[1].startswith(b"0\n")


def test_symbolic_links_and_submodules_are_known_as_such(make_repo: MakeRepo) -> None:
    inner, repo = make_repo(name="inner"), make_repo()
    inner.commit({"a.py": "1"})
    (repo.folder / "link.py").symlink_to("/etc/passwd")
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.folder), "sub")
    commit = repo.commit({"real.py": "1"})
    kinds = {entry.path: entry.is_file for entry in opened(repo).tree(commit)}
    assert kinds == {".gitmodules": True, "link.py": False, "real.py": True, "sub": False}


def test_a_missing_tree_is_one_line(repo: Repo) -> None:
    commit = repo.commit({"a.py": "x = 1\n"})
    tree = repo.git("rev-parse", "HEAD^{tree}")
    (repo.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(UserError, match=r"git ls-tree failed in .*; 'git fsck' says"):
        list(opened(repo).tree(commit))


def test_a_missing_object_is_one_line(repo: Repo) -> None:
    repo.commit({"a": "1"})
    with opened(repo) as repository, pytest.raises(UserError, match="partial or damaged"):
        list(repository.read(["0" * 39 + "1"]))


def test_tree_diff_finds_what_came_went_changed_and_moved(repo: Repo) -> None:
    long = "".join(f"line {number}\n" for number in range(50))
    base = repo.commit({"gone.py": "1\n", "same.py": "2\n", "edit.py": "3\n", "old name.py": long})
    head = repo.commit(
        {"gone.py": None, "edit.py": "4\n", "old name.py": None, "new\nname.py": long + "more\n", "came.py": "5\n"}
    )
    changes = opened(repo).tree_diff(base, head)
    paths = {(change.old and change.old.path, change.new and change.new.path) for change in changes}
    assert paths == {("gone.py", None), ("edit.py", "edit.py"), ("old name.py", "new\nname.py"), (None, "came.py")}
    assert opened(repo).tree_diff(base, base) == []


def test_a_file_that_becomes_a_link(repo: Repo) -> None:
    base = repo.commit({"a.py": "1\n"})
    (repo.folder / "a.py").unlink()
    (repo.folder / "a.py").symlink_to("b")
    [change] = opened(repo).tree_diff(base, repo.commit())
    assert change.old and change.new and (change.old.is_file, change.new.is_file) == (True, False)


# Changed lines


def test_hunks_of_many_files() -> None:
    pairs = [
        (b"a\nb\nc\n", b"a\nX\nc\n"),
        (b"a\nb\n", b"a\nb\n"),
        (b"a\nb\nc\n", b"a\nc\n"),
        (b"", b"a\nb"),
        (b"a\n", b""),
        (b"\0a\n", b"\0b\n"),
        (b"diff --git old/0 new/0\n@@ -1 +1 @@\n", b"@@ -7 +7 @@\n"),
    ]
    assert hunks(pairs) == [
        [Hunk(2, 1, 2, 1)],
        [],
        [Hunk(2, 1, 1, 0)],
        [Hunk(0, 0, 1, 2)],
        [Hunk(1, 1, 0, 0)],
        [Hunk(1, 1, 1, 1)],
        [Hunk(1, 2, 1, 1)],
    ]
    assert hunks([]) == []


# Nothing of the repository runs


def test_no_program_of_the_repository_runs(repo: Repo, tmp_path: Path) -> None:
    base = repo.commit({"a.py": "1\n", ".gitattributes": "*.py diff=evil filter=evil\n"})
    head = repo.commit({"a.py": "2\n"})
    trap = tmp_path / "trap"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {trap}\ncat\n")
    script.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "core.sshCommand",
    ):
        repo.git("config", key, str(script))
    hooks = repo.folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-index-change", "post-checkout", "reference-transaction"):
        (hooks / hook).symlink_to(script)
    (repo.folder / "a.py").write_text("3\n")
    with opened(repo) as repository:
        repository.default_branch()
        entries = list(repository.tree(head))
        contents(repository, entries)
        repository.tree_diff(base, head)
        repository.merge_bases(base, head)
        Worktree(repository, lambda path: True)
        hunks([(b"1", b"2")])
    assert not trap.exists()


# Work trees


def test_the_work_tree_as_it_is_on_disk(repo: Repo, tmp_path: Path) -> None:
    long = "".join(f"line {number}\n" for number in range(50))
    commit = repo.commit(
        {"edit.py": "1\n", "gone.py": "2\n", "same.py": "3\n", "old.py": long, "moved.py": "4\n", ".gitignore": "x.py"}
    )
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("secret\n")
    repo.write({"edit.py": "9\n", "gone.py": None, "x.py": "ignored", "a b.py": "5\n", "old.py": None})
    repo.write({"new.py": long + "more\n", "moved.py": None, "there/moved.py": "4\n"})
    (repo.folder / "link.py").symlink_to(outside / "secret.py")
    (repo.folder / "folder").symlink_to(outside)
    os.mkfifo(repo.folder / "pipe.py")
    with opened(repo) as repository:
        base = {entry.path: entry.oid for entry in repository.tree(commit) if entry.path.endswith(".py")}
        worktree = Worktree(repository, lambda path: path.endswith(".py"))
        changes = worktree.diff(base, lambda oid: next(repository.read([oid]))[1])
    assert set(worktree.entries) == {"edit.py", "same.py", "a b.py", "new.py", "there/moved.py"}
    paths = {(change.old and change.old.path, change.new and change.new.path) for change in changes}
    assert paths == {
        ("edit.py", "edit.py"),
        ("gone.py", None),
        (None, "a b.py"),
        ("old.py", "new.py"),
        ("moved.py", "there/moved.py"),
    }
    assert worktree.entries["same.py"].oid == base["same.py"]


def test_a_tracked_file_under_a_folder_that_became_a_link_is_not_followed(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"pkg/a.py": "1\n"})
    (repo.folder / "pkg").rename(tmp_path / "elsewhere")
    (repo.folder / "pkg").symlink_to(tmp_path / "elsewhere")
    assert Worktree(opened(repo), lambda path: True).entries == {}
