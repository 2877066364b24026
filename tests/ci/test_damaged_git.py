"""Repositories that are damaged, or that say of themselves what is not so: the same result, or one line that says what
to run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import run
from repos import MakeRepo, Repo

from pliant.ci import git_process
from pliant.ci.check import check
from pliant.ci.comparison import Request
from pliant.ci.errors import UserError
from pliant.ci.git import Repository

BASE = "def find(key):\n    return key\n\n\ndef use():\n    return find(1).name\n"
HEAD = BASE.replace("return key", "if key:\n        return None\n    return key")
SAME = "the result of the sound repository"
FSCK = "run 'git fsck'"

Damage = Callable[[Repo], None]


@pytest.fixture
def damaged(repo: Repo) -> Repo:
    """A pull request in loose objects."""
    repo.git("config", "core.looseCompression", "9")
    repo.commit({"a.py": BASE, "pkg/b.py": "x = 1\n"})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({"a.py": HEAD})
    return repo


def outcome(repo: Repo, state: Path, head: str = "pr") -> str:
    """The findings of a check, or the one line that says why there are none."""
    try:
        report = check(Request(repo.folder, "main", head, state), pytest.fail)
    except UserError as error:
        assert str(error).isprintable()
        return str(error)
    [finding] = report.findings
    assert (finding.rule, finding.status, report.remarks) == ("null.attribute", "new", [])
    return SAME


# Objects


def file_of(repo: Repo, oid: str) -> Path:
    path = repo.folder / ".git" / "objects" / oid[:2] / oid[2:]
    if path.exists():
        path.chmod(0o600)
    return path


def blob(repo: Repo) -> str:
    return repo.git("rev-parse", "pr:a.py")


def loose(content: bytes) -> Damage:
    return lambda repo: put(repo, content)


def put(repo: Repo, content: bytes) -> None:
    file_of(repo, blob(repo)).write_bytes(zlib.compress(content, 0))


def header(more: int) -> Damage:
    return loose(b"blob %d\0%s" % (len(HEAD) + more, HEAD.encode()))


def flipped(path: Path, start: int, step: int = 7) -> None:
    path.chmod(0o600)
    content = bytearray(path.read_bytes())
    for place in range(start, len(content) - 20, step):
        content[place] ^= 0x55
    path.write_bytes(content)


def flip_blob(repo: Repo) -> None:
    flipped(file_of(repo, blob(repo)), 40, 40)


def cut_blob(repo: Repo) -> None:
    path = file_of(repo, blob(repo))
    path.write_bytes(path.read_bytes()[:-20])


def packs(repo: Repo) -> Path:
    repo.git("repack", "-adq")
    return repo.folder / ".git" / "objects" / "pack"


def cut_pack(repo: Repo) -> None:
    [pack] = packs(repo).glob("*.pack")
    pack.chmod(0o600)
    pack.write_bytes(pack.read_bytes()[:-60])


def flip_pack(repo: Repo) -> None:
    [pack] = packs(repo).glob("*.pack")
    flipped(pack, 12)


def flip_index(repo: Repo) -> None:
    [index] = packs(repo).glob("*.idx")
    flipped(index, 1100)


def flip_graph(repo: Repo) -> None:
    repo.git("commit-graph", "write", "--reachable")
    flipped(repo.folder / ".git" / "objects" / "info" / "commit-graph", 100, 5)


def flip_packs_index(repo: Repo) -> None:
    folder = packs(repo)
    repo.git("multi-pack-index", "write")
    flipped(folder / "multi-pack-index", 100, 5)


def alternates(text: str) -> Damage:
    return lambda repo: put_alternates(repo, text)


def put_alternates(repo: Repo, text: str) -> None:
    own = repo.folder / ".git" / "objects"
    (own / "info" / "alternates").write_text(text.format(own=own))


def cyclic_alternates(repo: Repo) -> None:
    other = repo.folder.parent / "other"
    repo.git("init", "--quiet", "--bare", str(other))
    (other / "objects" / "info" / "alternates").write_text(f"{repo.folder}/.git/objects\n")
    put_alternates(repo, f"{other}/objects\n")


OBJECTS: dict[str, tuple[Damage, str]] = {
    "a byte less than promised": (header(+1), FSCK),
    "a byte more than promised": (header(-1), FSCK),
    "a thousand bytes less than promised": (header(+1000), FSCK),
    "much more than promised": (loose(b"blob 10\0" + b"x" * 3_000_000), FSCK),
    "another content": (loose(b"blob 6\0x = 2\n"), FSCK),
    "another kind": (loose(b"tree 6\0x = 2\n"), "stands for a file and is a tree: " + FSCK),
    "bits of an object": (flip_blob, FSCK),
    "an object cut short": (cut_blob, FSCK),
    "an empty object": (lambda repo: file_of(repo, blob(repo)).write_bytes(b"") and None, "'git fsck'"),
    "a missing object": (lambda repo: file_of(repo, blob(repo)).unlink(), "partial or damaged.*'git fsck'"),
    "a pack cut short": (cut_pack, "'pr' is commit .*, which cannot be read.*" + FSCK),
    "bits of a pack": (flip_pack, "which cannot be read.*" + FSCK),
    "bits of a pack's index": (flip_index, "which cannot be read.*" + FSCK),
    "bits of a commit graph": (flip_graph, SAME),
    "bits of an index of packs": (flip_packs_index, SAME),
    "alternates that are nowhere": (alternates("/nowhere\n"), SAME),
    "alternates that are no paths": (alternates('\0"\x01\n\n{own}/../.\n'), SAME),
    "itself as alternate": (alternates("{own}\n"), SAME),
    "alternates in a circle": (cyclic_alternates, SAME),
}


@pytest.mark.parametrize("what", OBJECTS)
@pytest.mark.one_in(2)
def test_damaged_objects_are_one_line(damaged: Repo, tmp_path: Path, what: str) -> None:
    damage, expected = OBJECTS[what]
    damage(damaged)
    assert re.search(expected, outcome(damaged, tmp_path / "state"))


def test_an_object_that_promises_99_gigabytes_is_not_read(damaged: Repo, tmp_path: Path) -> None:
    header(99 * 10**9)(damaged)
    report = check(Request(damaged.folder, "main", "pr", tmp_path / "state"), pytest.fail)
    [(file, remark)] = [(each.file, each.message) for each in report.remarks]
    assert (file, "2,097,152 bytes" in remark) == ("a.py", True)


def test_a_reader_goes_on_after_damage(damaged: Repo) -> None:
    header(+1)(damaged)
    sound = damaged.git("rev-parse", "main:a.py")
    with Repository.open(damaged.folder) as repository:
        for _ in range(2):
            with pytest.raises(UserError, match=FSCK):
                list(repository.read([sound, blob(damaged), sound]))
            assert dict(repository.read([sound])) == {sound: BASE.encode()}
        for part in (repository.read([sound, sound]), repository.read([sound])):  # the first is not read to its end
            assert next(part) == (sound, BASE.encode())
        assert list(repository.read([sound], most=3)) == [(sound, None)]


# Trees and commits


def raw(repo: Repo, kind: str, content: bytes) -> str:
    """An object as git itself would not write it."""
    command = ["git", "-C", str(repo.folder), "hash-object", "-t", kind, "-w", "--literally", "--stdin"]
    return subprocess.run(command, input=content, capture_output=True, check=True).stdout.decode().strip()


def entry(mode: bytes, name: bytes, oid: str) -> bytes:
    return mode + b" " + name + b"\0" + bytes.fromhex(oid)


TREES: dict[str, tuple[Callable[[str, str], bytes], str]] = {
    "a mode that is no number": (lambda one, two: entry(b"1006x4", b"a.py", one), "malformed mode.*fsck"),
    "no mode": (lambda one, two: entry(b"", b"a.py", one), "malformed mode.*fsck"),
    "no name": (lambda one, two: entry(b"100644", b"", one), "empty filename.*fsck"),
    "a name twice": (
        lambda one, two: entry(b"100644", b"a.py", one) + entry(b"100644", b"a.py", two),
        "a.py twice.*fsck",
    ),
    "cut short": (lambda one, two: entry(b"100644", b"a.py", one)[:-5], "too-short tree.*fsck"),
    "no tree": (lambda one, two: b"garbage", "too-short tree.*fsck"),
    "a file for a folder": (lambda one, two: entry(b"40000", b"pkg", one), "unable to read tree|not a tree.*fsck"),
    "a file that is nowhere": (lambda one, two: entry(b"100644", b"a.py", "0" * 40), "partial or damaged.*fsck"),
    "names out of order": (lambda one, two: entry(b"100644", b"b.py", two) + entry(b"100644", b"a.py", one), SAME),
    "a name with a slash": (lambda one, two: entry(b"100644", b"x/a.py", one), SAME),
    "an unusual mode": (lambda one, two: entry(b"100666", b"a.py", one), SAME),
}


@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.parametrize("what", TREES)
@pytest.mark.one_in(3)
def test_odd_trees_are_one_line_or_say_what_they_hold(damaged: Repo, tmp_path: Path, what: str, warm: bool) -> None:
    made, expected = TREES[what]
    if warm:
        outcome(damaged, tmp_path / "state")
    tree = raw(damaged, "tree", made(blob(damaged), damaged.git("rev-parse", "main:pkg/b.py")))
    head = damaged.git("commit-tree", "-p", damaged.git("rev-parse", "main"), "-m", "odd", tree)
    damaged.git("update-ref", "refs/heads/pr", head)
    assert re.search(expected, outcome(damaged, tmp_path / "state"))


@pytest.mark.parametrize("command", ["ls-tree", "diff-tree"])
def test_a_tree_that_holds_itself_many_times_over_is_one_line(
    damaged: Repo, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    if command == "diff-tree" and sys.platform != "linux":
        pytest.skip("git's memory is bounded on Linux alone")
    tree = raw(damaged, "tree", entry(b"100644", b"a.py", blob(damaged)))
    for _ in range(12):
        tree = raw(damaged, "tree", b"".join(entry(b"40000", b"%d" % number, tree) for number in range(10)))
    head = damaged.git("commit-tree", "-p", damaged.git("rev-parse", "main"), "-m", "many", tree)
    monkeypatch.setattr(git_process.run, "__defaults__", (b"", 1 << 22))
    monkeypatch.setattr(git_process, "MOST_MEMORY", 1 << 26)
    says = "says more than 4 MiB" if command == "ls-tree" else "needs more than 64 MiB of memory"
    with Repository.open(damaged.folder) as repository, pytest.raises(UserError, match=f"{says}.*itself many times"):
        list(repository.tree(head) if command == "ls-tree" else repository.tree_diff("main", head))


COMMITS = {
    "no commit": (b"garbage", FSCK),
    "nothing": (b"", FSCK),
    "no tree": (b"parent %s\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nm", FSCK),
    "a tree that is nowhere": (b"tree " + b"1" * 40 + b"\nparent %s\n\nm", "not a tree.*fsck"),
    "a parent that is nowhere": (b"tree %t\nparent " + b"1" * 40 + b"\n\nm", "history of .* cannot be read.*" + FSCK),
    "a parent that is none": (b"tree %t\nparent zz\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nm", FSCK),
    "a file as parent": (b"tree %t\nparent %b\n\nm", "history of .* cannot be read.*" + FSCK),
    "nobody": (b"tree %t\nparent %s\n\nm", SAME),
    "a parent twice": (b"tree %t\nparent %s\nparent %s\ncommitter a <a> 1 +0000\n\nm", SAME),
    "a NUL": (b"tree %t\nparent %s\ncommitter a <a> 1 +0000\n\nm\0m", SAME),
}


@pytest.mark.parametrize("what", COMMITS)
def test_odd_commits_are_one_line_or_what_they_say(damaged: Repo, tmp_path: Path, what: str) -> None:
    content, expected = COMMITS[what]
    for name, revision in ((b"%s", "main"), (b"%t", "pr^{tree}"), (b"%b", "pr:a.py")):
        content = content.replace(name, damaged.git("rev-parse", revision).encode())
    (damaged.folder / ".git" / "refs" / "heads" / "pr").write_text(raw(damaged, "commit", content) + "\n")
    assert re.search(expected, outcome(damaged, tmp_path / "state"))


# Names of commits


def text_in(name: str, text: str) -> Damage:
    return lambda repo: (repo.folder / ".git" / name).write_text(text) and None


NAMES = {
    "a reference that is none": (text_in("refs/heads/pr", "garbage\n"), "'pr' is a broken reference.*" + FSCK),
    "a reference to what is nowhere": (text_in("refs/heads/pr", "1" * 40), "'pr' is commit 1*, which cannot.*" + FSCK),
    "another reference that is none": (text_in("refs/heads/other", "garbage\n"), SAME),
    "packed references that are none": (text_in("packed-refs", "garbage\n"), FSCK),
    "a head that points nowhere": (text_in("HEAD", "ref: refs/heads/nowhere\n"), SAME),
    "a head that is none": (text_in("HEAD", "garbage\n"), "has a .git that is no repository.*clone it anew"),
    "a configuration that is none": (text_in("config", "[core\n"), "git cannot open .*bad config line 1"),
    "a configuration that includes itself": (
        text_in("config", "[include]\npath=config\n"),
        "git cannot open .*include",
    ),
    "another format": (text_in("config", "[core]\nrepositoryformatversion=99\n"), "git cannot open .*version"),
    "an edge that is none": (text_in("shallow", "garbage\n"), "git cannot open .*bad shallow line"),
}


@pytest.mark.parametrize("what", NAMES)
def test_names_that_lead_nowhere_are_one_line(damaged: Repo, tmp_path: Path, what: str) -> None:
    damage, expected = NAMES[what]
    damage(damaged)
    assert re.search(expected, outcome(damaged, tmp_path / "state"))


def test_an_index_that_is_none_is_one_line(damaged: Repo, tmp_path: Path) -> None:
    (damaged.folder / ".git" / "index").write_bytes(b"garbage")
    assert re.search("git ls-files failed.*git fsck", outcome(damaged, tmp_path / "state", head="WORKTREE"))


# What is not part of the history


def test_the_merge_base_is_that_of_the_real_history(damaged: Repo, tmp_path: Path) -> None:
    main, head = damaged.git("rev-parse", "main"), damaged.git("rev-parse", "pr")
    empty = damaged.git("commit-tree", "-m", "other", damaged.git("mktree", stdin=b""))
    info = damaged.folder / ".git" / "info"
    info.mkdir(exist_ok=True)
    (info / "grafts").write_text(f"{head}\n{main} {head}\n")
    damaged.git("update-ref", f"refs/replace/{head}", empty)
    assert damaged.git("merge-base", main, head) != main
    with Repository.open(damaged.folder) as repository:
        assert repository.merge_bases(main, head) == [main]
        assert repository.ancestors(head, 9) == [head, main]
    assert outcome(damaged, tmp_path / "state") == SAME


def test_the_edge_of_a_shallow_clone_still_counts(damaged: Repo, make_repo: MakeRepo) -> None:
    clone = make_repo(name="clone")
    clone.git("fetch", "--quiet", "--depth=1", damaged.folder.as_uri(), "pr")
    with Repository.open(clone.folder) as repository:
        assert repository.shallow
        assert len(repository.ancestors(repository.resolve("FETCH_HEAD"), 9)) == 1


# Git that does not answer


PIPES = ("HEAD", "config", "packed-refs", "shallow", "objects/info/alternates")


@pytest.mark.parametrize("name", [*PIPES, "a source"])
def test_git_that_waits_for_a_pipe_ends(
    damaged: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(git_process, "SILENCE_SECONDS", 1)
    path = file_of(damaged, blob(damaged)) if name == "a source" else damaged.folder / ".git" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    said = outcome(damaged, tmp_path / "state")
    assert re.search("git (rev-parse|cat-file) has said nothing for .* and was ended.*'git fsck'", said)


def test_the_repository_of_another_user_is_one_line(damaged: Repo) -> None:
    done = run("check", damaged.folder, GIT_TEST_ASSUME_DIFFERENT_OWNER="1")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"git config --global --add safe.directory {damaged.folder}" in done.stderr
