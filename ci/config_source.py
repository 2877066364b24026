"""Which configuration a comparison goes by, and what is to be said of it."""

from __future__ import annotations

from pathlib import Path

from pliant.ci import config
from pliant.ci.config import Config
from pliant.ci.git import Repository
from pliant.ci.revision import WORKTREE


def configured(repository: Repository, base: str | None, head: str, named: Path | None) -> tuple[Config, list[str]]:
    """The configuration of a check of `head` against `base`, and notes for the reader."""
    from pliant.ci.sides import resolve

    sides, _ = resolve(repository, base, head)
    return of_sides(repository, sides.base_tip, sides.base.name, sides.base_commit, sides.head.commit, named)


def of_sides(
    repository: Repository, tip: str, called: str, base: str, head: str | None, named: Path | None
) -> tuple[Config, list[str]]:
    """tip: the commit that the base's name means, which `called` is; base: its merge base with the head; head: None for
    the work tree."""
    if named is not None:
        return config.of_file(named), []
    found = config.of_commit(repository, tip, called)
    changed = [] if base == head else config.changed_by(repository, base, head or repository.folder)
    notes = [
        f"{'the work tree' if head is None else 'the head'} changes the settings in {name}: those of {called} hold here"
        f"; --config {name} would take those on disk"
        for name in changed
    ]
    return found, notes


__all__ = ["WORKTREE", "configured", "of_sides"]
