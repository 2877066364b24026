"""A git repository read through plumbing: revisions, trees and blobs; nothing that runs a program of it.

Commands run as `git_process` has them; revisions cannot be taken for options; names are bytes decoded with surrogate
escapes. Blobs come in bulk through `blob_reader`. The work tree is never written, and read in
`worktree` alone.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pliant.ci.blob_reader import BlobReader
from pliant.ci.errors import UserError, visible, visible_path
from pliant.ci.git_process import complaint, decode, run
from pliant.ci.git_reasons import why_damaged, why_not_open, why_not_resolved
from pliant.extractors.workers import MAX_BYTES, Content

SYMLINK = 0o120000
SUBMODULE = 0o160000
_FOLDER = 0o040000

_FETCHING = [
    part for name in ("http", "https", "ssh", "git", "file") for part in ("-c", f"protocol.{name}.allow=always")
]
_RENAME_CANDIDATES = 1000
_RAW_DIFF = ("-r", "-z", "--raw", "--no-abbrev")
_RENAMES = ("-M50%", f"-l{_RENAME_CANDIDATES}")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a tree."""

    path: str
    mode: int
    oid: str

    @property
    def is_file(self) -> bool:
        return self.mode not in (SYMLINK, SUBMODULE)


@dataclass(frozen=True, slots=True)
class Change:
    """What a tree diff says of one file; both sides with different paths is a rename."""

    old: Entry | None
    new: Entry | None


class Repository:
    """One repository, opened from any folder in it."""

    def __init__(
        self, folder: Path, git_dir: Path, common_dir: Path, *, bare: bool, shallow: bool, hash_name: str, prefix: str
    ):
        self.folder = folder  # the top of the work tree; the git directory of a bare repository
        self.prefix = prefix  # the folder that it was opened from, below the top, with a slash at its end; or empty
        self.git_dir = git_dir
        self.common_dir = common_dir  # shared by all work trees of a clone
        self.bare = bare
        self.shallow = shallow
        self.hash_name = hash_name  # "sha1" or "sha256"
        self._blobs = BlobReader(git_dir, folder, hash_name)

    @classmethod
    def open(cls, folder: Path) -> Repository:
        questions = (
            "--absolute-git-dir",
            "--is-bare-repository",
            "--is-shallow-repository",
            "--show-object-format",
            "--git-common-dir",
            "--show-prefix",
            "--show-toplevel",  # fails where there is no work tree: last, so that the others are answered
        )
        done = run(["rev-parse", *questions], folder)
        answers = [decode(line) for line in done.stdout.split(b"\n")[: len(questions)]]
        if len(answers) < len(questions) or not answers[4]:
            raise UserError(why_not_open(folder, done.stderr))
        git_dir, bare, shallow, hash_name, common_dir, prefix, top = answers
        where = Path(top) if done.returncode == 0 and top else Path(git_dir)
        return cls(
            where,
            Path(git_dir),
            (folder / common_dir).resolve(),
            bare=bare == "true" or where == Path(git_dir),
            shallow=shallow == "true",
            hash_name=hash_name,
            prefix=prefix,
        )

    @property
    def name(self) -> str:
        folder = self.folder.parent if self.folder.name == ".git" else self.folder
        return visible_path(folder.name.removesuffix(".git")) or "repository"

    def git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        done = self.attempt(*arguments, stdin=stdin)
        if done.returncode:
            raise UserError(
                f"git {arguments[0]} failed in {visible_path(str(self.folder))}: {complaint(done.stderr)}; "
                "'git fsck' says whether the clone is damaged"
            )
        return done.stdout

    def attempt(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return run([f"--git-dir={self.git_dir}", *arguments], self.folder, stdin)

    # Revisions

    def resolve(self, revision: str) -> str:
        """The id of the commit that `revision` names; a bare branch name may also be a branch of `origin`."""
        if not revision or revision.startswith(("-", "^")) or not revision.isprintable():
            raise UserError(f"'{visible(revision)}' is not a revision: give a branch, a tag or a commit id")
        done = self.parse(revision)
        if done.returncode:
            if why := why_damaged(self, revision, done.stderr):
                raise UserError(why)
            remote = self.parse(f"refs/remotes/origin/{revision}")
            if remote.returncode:
                raise UserError(why_not_resolved(self, revision, done.stderr))
            done = remote
        return done.stdout.decode("ascii").strip()

    def parse(self, revision: str) -> subprocess.CompletedProcess[bytes]:
        return self.attempt("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")

    def find(self, revision: str) -> str | None:
        """The id of the commit that `revision` names, if it is here."""
        try:
            return self.resolve(revision)
        except UserError:
            return None

    def merge_bases(self, base: str, head: str) -> list[str]:
        """The best common ancestors of two commits; more than one where merges cross."""
        if base == head:
            return [base]
        done = self.attempt("merge-base", "--all", base, head)
        if done.returncode not in (0, 1) or (
            not done.stdout and b"error: " in done.stderr
        ):  # it goes on where it cannot
            raise UserError(
                f"the history of {visible_path(str(self.folder))} cannot be read: {complaint(done.stderr)}; "
                "run 'git fsck' to see what is wrong"
            )
        return done.stdout.decode("ascii").split()

    def is_ancestor(self, ancestor: str, commit: str) -> bool:
        return self.attempt("merge-base", "--is-ancestor", ancestor, commit).returncode == 0

    def configured(self, key: str) -> str:
        """What the configuration of the repository and of its user says; empty where it says nothing."""
        lines = decode(self.attempt("config", "--show-scope", "--get-all", key).stdout).splitlines()
        values = [value for scope, _, value in (line.partition("\t") for line in lines) if scope != "command"]
        return values[-1] if values else ""

    def is_remote(self, name: str) -> bool:
        return name.isprintable() and not name.startswith("-") and bool(self.remote_url(name))

    def remote_url(self, name: str) -> str:
        return self.configured(f"remote.{name}.url")

    def cut_off(self, ancestor: str, *commits: str) -> bool:
        """Whether a shallow clone lacks parents of what `commits` have and their common `ancestor` has not."""
        if not self.shallow:
            return False
        edges = set((self.common_dir / "shallow").read_text(encoding="ascii", errors="replace").split())
        ours = self.git("rev-list", *commits, f"^{ancestor}", "--").decode("ascii").split()
        return not edges.isdisjoint(ours)

    def fetch(self, *commits: str, deepen: int | None = None) -> None:
        """`git fetch` of commits or refspecs from origin, for those who allow it; `deepen`: by so many more commits
        behind them, 0 for all.

        The one command that writes to the clone and uses a network. It goes by the clone's own configuration of the
        remote (its address, its credentials).
        """
        for commit in commits:
            if commit.startswith("-") or not commit.isprintable():
                raise UserError(f"'{visible(commit)}' is nothing to fetch")
        options = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-gc"]
        if deepen is not None:
            options.append(f"--deepen={deepen}" if deepen else "--unshallow")
        done = run(
            [*_FETCHING, f"--git-dir={self.git_dir}", "fetch", *options, "origin", *commits], self.folder, fetching=True
        )
        if done.returncode:
            raise UserError(
                f"git fetch from origin failed in {visible_path(str(self.folder))}: {complaint(done.stderr)}"
            )
        self.shallow = self.attempt("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"
        self.close()

    def default_branch(self) -> str:
        """The ref that pull requests go to: the remote's default branch, else the local main or master."""
        preferred = ["refs/remotes/origin/HEAD", "refs/remotes/upstream/HEAD"]
        configured = self.attempt("config", "--get", "init.defaultBranch").stdout.decode("utf-8", "replace").strip()
        branches = ["main", "master", "trunk", *([configured] if configured and configured.isprintable() else [])]
        preferred += [f"refs/remotes/origin/{branch}" for branch in branches]
        preferred += [f"refs/heads/{branch}" for branch in branches]
        # A dangling origin/HEAD is listed by no for-each-ref, which prints only refs that resolve.
        listing = self.git("for-each-ref", "--format=%(refname) %(symref)", *preferred).decode("utf-8", "replace")
        there = dict(line.split(" ", 1) for line in listing.splitlines())
        for ref in preferred:
            if ref in there:
                return there[ref] or ref
        raise UserError(
            f"{visible_path(str(self.folder))} has no default branch (no origin/HEAD, main or master): give --base REV"
        )

    def ancestors(self, commit: str, limit: int) -> list[str]:
        """Up to `limit` commits reachable from `commit`, itself first, newest first."""
        return self.git("rev-list", f"--max-count={limit}", commit, "--").decode("ascii").split()

    # Trees

    def tree(self, commit: str) -> Iterator[Entry]:
        """Every entry of a commit's tree that is not a folder."""
        listing = self.git("ls-tree", "-r", "-z", "--full-tree", commit)
        yield from _entries(listing)

    def files(self, commit: str, paths: Sequence[str]) -> dict[str, Entry]:
        """Those of `paths` that are plain files of a commit."""
        asked = [path for path in paths if path and ".." not in path.split("/") and not path.startswith("/")]
        if not asked:
            return {}
        listing = self.git("ls-tree", "-z", "--full-tree", commit, "--", *asked)
        found = {entry.path: entry for entry in _entries(listing) if entry.is_file and entry.mode != _FOLDER}
        return {path: found[path] for path in asked if path in found}

    def content(self, entry: Entry, most: int) -> bytes | None:
        """What a file holds; None if that is more than `most` bytes."""
        [(_, content)] = self.read([entry.oid], most)
        return content

    def tree_diff(self, base: str, head: str) -> list[Change]:
        """The files in which two commits differ, with renames found by content."""
        if base == head:
            return []
        raw = self.git("diff-tree", *_RAW_DIFF, *_RENAMES, base, head, "--")
        fields = iter(raw.split(b"\0")[:-1])
        return [_change(meta, fields) for meta in fields]

    def tree_diffs(self, pairs: Sequence[tuple[str, str]], *, renames: bool = True) -> list[list[Change]]:
        """The files in which two trees differ, for many (tree, tree) with one process; as `tree_diff` for each, or
        without looking for renames."""
        if not pairs:
            return []
        asked = "".join(f"{old} {new}\n" for old, new in pairs).encode("ascii")
        raw = self.git("diff-tree", "--stdin", *_RAW_DIFF, *(_RENAMES if renames else ["--no-renames"]), stdin=asked)
        found: list[list[Change]] = []
        fields = iter(raw.split(b"\0"))
        for meta in fields:
            while meta and not meta.startswith(b":"):  # a line with both trees stands before their differences
                found.append([])
                meta = meta.partition(b"\n")[2]
            if meta:
                found[-1].append(_change(meta, fields))
        if len(found) != len(pairs):
            raise UserError("git diff-tree ended early: run 'git fsck' to see what is wrong")
        return found

    # Blobs

    def read(self, oids: Iterable[str], most: int = MAX_BYTES) -> Iterator[tuple[str, Content]]:
        """The contents of blobs, in the order asked for; None for one of more than `most` bytes, which is not read.

        To be read to its end before the next `read` begins.
        """
        return self._blobs.read(oids, most)

    def sizes(self, oids: Iterable[str]) -> list[int]:
        """Bytes of those blobs that the repository has, read from no content."""
        asked = "".join(f"{oid}\n" for oid in oids).encode("ascii")
        told = self.git("cat-file", "--batch-check=%(objectsize)", stdin=asked).split(b"\n") if asked else []
        return [int(size) for size in told if size.isdigit()]

    def close(self) -> None:
        self._blobs.close()

    def __enter__(self) -> Repository:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _entries(listing: bytes) -> Iterator[Entry]:
    for record in listing.split(b"\0")[:-1]:
        meta, _, path = record.partition(b"\t")
        mode, _, oid = meta.split(b" ")
        yield Entry(decode(path), int(mode, 8), oid.decode("ascii"))


def _change(meta: bytes, fields: Iterator[bytes]) -> Change:
    """A record of a raw diff, whose paths are the next fields."""
    old_mode, new_mode, old_oid, new_oid, status = meta[1:].decode("ascii").split(" ")
    path = decode(next(fields))
    renamed = decode(next(fields)) if status[0] in "RC" else path
    old = None if status[0] in "AC" else Entry(path, int(old_mode, 8), old_oid)
    new = None if status[0] == "D" else Entry(renamed, int(new_mode, 8), new_oid)
    return Change(old, new)
