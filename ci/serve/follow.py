"""A server's state, from the newest commit of a revision to the next one as they come."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from pliant.ci.commits import State
from pliant.ci.comparison import Comparison
from pliant.ci.errors import UserError
from pliant.ci.serve.dataflow import Dataflow
from pliant.ci.serve.limits import Limits


@dataclass(slots=True)
class Follower:
    """state: of the newest commit that `dataflow` has."""

    comparison: Comparison
    revision: str
    state: State
    dataflow: Dataflow
    _waiting: deque[str] = field(default_factory=deque)

    @classmethod
    def of(cls, comparison: Comparison, revision: str, limits: Limits) -> Follower:
        """With all relations in memory. Raises an engine's StateError where what was stored is damaged."""
        state = comparison.base()
        for name in state.evaluation.program.stored:
            state.evaluation.relation(name)
        return cls(comparison, revision, state, Dataflow(state.evaluation, comparison.sides.base_commit, limits))

    def advance(self) -> str | None:
        """Brings the dataflow to the next commit that the revision has got, if there is one: the commit, when its
        answers are there. Where commits were rewritten the next one is the newest."""
        repository = self.comparison.repository
        if not self._waiting:
            try:
                newest = repository.resolve(self.revision)
            except UserError:  # a branch that is being rewritten, or was removed: what was there stays
                return None
            self._waiting.extend(self._between(self.dataflow.commit, newest))
        if not self._waiting:
            return None
        commit = self._waiting.popleft()
        changes = repository.tree_diff(self.dataflow.commit, commit)
        target = self.state.snapshot.changed(changes)
        advance = self.comparison.commits.advance
        self.dataflow.epoch(commit, lambda: advance(self.state, target, repository.read))
        return commit

    def _between(self, old: str, new: str) -> list[str]:
        if old == new:
            return []
        listed = self.comparison.repository.git("rev-list", "--first-parent", "--reverse", "--parents", f"{old}..{new}")
        lines = [line.split() for line in listed.decode().splitlines()]
        if not lines or old not in lines[0][1:2]:
            return [new]
        return [line[0] for line in lines]


__all__ = ["Follower"]
