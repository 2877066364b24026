"""`pliant state convert`: a commit's state from the state directory to Parquet that Spark reads, and back.

Both ways the state is there whole or not at all: on Spark's side data is written before the manifest that names it, in
the state directory a folder is renamed when all of it is there. What was written is opened again and its digest
compared before anything is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pliant.ci.commits import Commits
from pliant.ci.errors import UserError, visible, visible_path
from pliant.ci.git import Repository
from pliant.ci.state_commands import no_state, opened, state_of
from pliant.engine import EngineError, Evaluation, StateError


@dataclass(frozen=True, slots=True)
class Converted:
    """`where`: what holds the state now, a URI or a folder."""

    commit: str
    digest: str
    where: str


def to_spark(
    folder: Path, revision: str, path: str, state: Path | None, master: str | None, say: Callable[[str], None]
) -> Converted:
    """Writes the state of a commit to `path`, a folder or a URI that Spark knows. Raises UserError."""
    from pliant.engine.backends.spark import convert
    from pliant.engine.backends.spark import state as on_spark
    from pliant.engine.backends.spark.files import uri_of
    from pliant.engine.backends.spark.session import spark_session

    with opened(folder, state, say) as (commits, repository):
        commit = repository.resolve(revision)
        found = state_of(commits, commit)
        if found is None:
            raise no_state(revision, commit, commits)
        try:
            digest = found.evaluation.digest()
            where = uri_of(path)
            with spark_session(master, "pliant state") as spark:
                written = on_spark.save(convert.to_spark(spark, found.evaluation), where, _about(commits, commit))
                again = on_spark.load(spark, commits.program, where, about=_about(commits, commit)).digest()
        except EngineError as error:
            raise _not_converted(commit, path, error) from None
        _compare(commit, digest, written, again)
        return Converted(commit, digest, where)


def to_embedded(
    folder: Path, revision: str, path: str, state: Path | None, master: str | None, say: Callable[[str], None]
) -> Converted:
    """Takes the state of a commit from `path` into the state directory. Raises UserError."""
    from pliant.engine.backends.spark import convert
    from pliant.engine.backends.spark import state as on_spark
    from pliant.engine.backends.spark.files import uri_of
    from pliant.engine.backends.spark.session import spark_session

    with opened(folder, state, say) as (commits, repository):
        commit = repository.resolve(revision)
        try:
            with spark_session(master, "pliant state") as spark:
                there = on_spark.load(spark, commits.program, uri_of(path), about=_about(commits, commit))
                expected = there.digest()
                evaluation = convert.to_embedded(there)
            digest = evaluation.digest()
        except EngineError as error:
            raise _not_converted(commit, path, error) from None
        _compare(commit, expected, digest)
        _keep(commits, repository, commit, evaluation)
        found = state_of(commits, commit)
        if found is None:
            where = visible_path(str(commits.store.folder))
            raise UserError(f"the state of {commit[:12]} was not kept in {where}: see the messages above")
        _compare(commit, digest, found.evaluation.digest())
        return Converted(commit, digest, str(commits.store.at(commit)))


def _keep(commits: Commits, repository: Repository, commit: str, evaluation: Evaluation) -> None:
    if state_of(commits, commit) is not None:  # one that is damaged is gone now
        return
    snapshot = commits.snapshot(repository.tree(commit))
    commits.facts(snapshot, repository.read)  # a state says of each file what there was to say of it
    commits.store.save(commit, evaluation, snapshot)


def _compare(commit: str, expected: str, *found: str) -> None:
    for digest in found:
        if digest != expected:
            raise UserError(
                f"the state of {commit[:12]} was not converted: {expected} is its digest, and {digest} what came of it"
            )


def _about(commits: Commits, commit: str) -> str:
    """The name under which Spark stores the state of a commit: the commit and the settings that the facts depend on."""
    return f"{commit}-{commits.store.key}"


def _not_converted(commit: str, path: str, error: EngineError) -> UserError:
    hint = "; nothing was changed" if isinstance(error, StateError) else ""
    told = visible(str(error).splitlines()[0])
    return UserError(f"the state of {commit[:12]} was not converted ({visible_path(path)}): {told}{hint}")


__all__ = ["Converted", "to_embedded", "to_spark"]
