"""The facts of a commit as tab-separated files, one a relation; or the graphs that are drawn from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from pliant.ci.commits import Commits, Console, Progress
from pliant.ci.config import of_commit, of_file
from pliant.ci.errors import UserError, reason, visible
from pliant.ci.git import Repository
from pliant.ci.revision import WORKTREE
from pliant.ci.selection import Selection
from pliant.ci.snapshot import Snapshot
from pliant.ci.state import StateStore, state_folder
from pliant.ci.steps import Places
from pliant.ci.worktree import Worktree
from pliant.extractors.blobs import Read
from pliant.extractors.schema import RELATIONS


def dump(
    folder: Path,
    revision: str,
    out: Path,
    state: Path | None,
    say: Callable[[str], None],
    progress: Progress,
    named: Path | None,
    places: Callable[[Repository], Places] | None = None,
) -> tuple[int, int]:
    """Writes `<relation>.facts` for every relation of the schema; says how many facts and relations that were."""
    with _opened(folder, revision, state, say, progress, named, places) as (commits, snapshot, read):
        facts = commits.facts(snapshot, read)
    texts = [text.translate(_ESCAPES) for text in facts.symbols.to_pylist()]
    count = 0
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, relation in RELATIONS.items():
            kinds = [kind for _, kind in relation.columns]
            with (out / f"{name}.facts").open("w", encoding="utf-8", newline="\n") as stream:
                rows = facts.rows[name].tolist() if name in facts.rows else []
                lines = {
                    "\t".join(texts[v] if kind == "symbol" else str(v) for v, kind in zip(row, kinds, strict=True))
                    for row in rows
                }
                count += len(lines)
                stream.writelines(f"{line}\n" for line in sorted(lines))
    except OSError as error:
        raise UserError(f"facts cannot be written to {visible(str(out))}: {reason(error)}") from None
    return count, len(facts.rows)


def dump_graphs(
    folder: Path,
    revision: str,
    out: Path,
    state: Path | None,
    say: Callable[[str], None],
    progress: Progress,
    named: Path | None,
) -> dict[str, int]:
    """Writes the graphs of `graphs.py`; says how many rows each file has."""
    from pliant.ci.graphs import write_graphs

    with _opened(folder, revision, state, say, progress, named) as (commits, snapshot, read):
        evaluation = commits.bootstrap(snapshot, read).evaluation
    return write_graphs(evaluation, out)


@contextmanager
def _opened(
    folder: Path,
    revision: str,
    state: Path | None,
    say: Callable[[str], None],
    progress: Progress,
    named: Path | None,
    places: Callable[[Repository], Places] | None = None,
) -> Iterator[tuple[Commits, Snapshot, Read]]:
    """The files of a commit, and how their blobs are read."""
    with Repository.open(folder) as repository:
        commit = repository.resolve("HEAD" if revision == WORKTREE else revision)
        config = of_file(named) if named else of_commit(repository, commit, revision)
        selection = Selection(config)
        where = state_folder(repository, state, config.state_dir)
        store = partial(StateStore, where, say=say)
        elsewhere = places and places(repository)
        commits = Commits(repository, store, Console(say, progress=progress), selection=selection, places=elsewhere)
        if revision == WORKTREE:
            worktree = Worktree(repository, lambda path: selection.language(path) is not None)
            snapshot = commits.snapshot(worktree.entries.values())
            yield commits, snapshot, lambda oids: ((oid, worktree.content(oid)) for oid in oids)
        else:
            yield commits, commits.snapshot(repository.tree(commit)), repository.read


_ESCAPES = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})
