"""`pliant queue`: pull requests against one base, each alone and merged one after the other, evaluated together.

    base ──► alone 1, alone 2, ...                      each head merged into the base
    base ──► merged 1 ──► merged 2 ──► ...              every prefix of the queue

All of these are versions of the same facts, most of which they share: up to 64 of them take one fixpoint. What is new
in a prefix and not new for its head alone exists only because an earlier head came before; with which one it does is
found by merging the two alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pliant.analyses.findings import Finding
from pliant.ci.commits import Progress, no_progress
from pliant.ci.errors import UserError
from pliant.ci.git import Repository
from pliant.ci.history.plan import Commit, windows_of
from pliant.ci.history.run import MOST_VERSIONS
from pliant.ci.history.window import Edge, Task, evaluate, selection_of
from pliant.ci.merges import Merge, beside, merge
from pliant.ci.report import Remark
from pliant.ci.state import state_folder

Pair = tuple[str, str]  # parent, commit


@dataclass(frozen=True, slots=True)
class Request:
    folder: Path
    base: str
    heads: tuple[str, ...]
    state: Path | None = None
    config: Path | None = None


@dataclass(slots=True)
class Step:
    """A head in its place in the queue. conflicts: files, if it cannot be merged there; then it is left out. new,
    fixed, unknown: against the prefix before. unlikely: how many unlikely ones are left out of these. together: of
    the new ones those that the head alone does not bring, each with the earlier heads that bring it in with this one;
    with none, where it takes more than two. not_analysed: what was left out of what the head changes."""

    head: str
    commit: str
    conflicts: tuple[str, ...] = ()
    alone: bool = True  # whether it merges into the base
    new: list[Finding] = field(default_factory=list)
    fixed: list[Finding] = field(default_factory=list)
    unknown: list[Finding] = field(default_factory=list)
    unlikely: int = 0
    not_analysed: list[Remark] = field(default_factory=list)
    together: list[tuple[Finding, list[str]]] = field(default_factory=list)


@dataclass(slots=True)
class Queue:
    """fixpoints: how many were needed for all versions."""

    base: str
    commit: str
    steps: list[Step]
    versions: int = 0
    fixpoints: int = 0


def queue(request: Request, progress: Progress = no_progress) -> Queue:
    """Evaluates a queue. Raises UserError."""
    with Repository.open(request.folder) as own:
        base = own.resolve(request.base)
        heads = [own.resolve(head) for head in request.heads]
        named = None if request.config is None else str(request.config.absolute())
        selection = selection_of(own, base, named)
        facts = state_folder(own, request.state, selection.config.state_dir) / "facts"
        if len(set(heads)) < len(heads):
            raise UserError("two heads of the queue are the same commit: give each once")
        with beside(own) as repository:
            evaluator = _Evaluator(repository, base, facts, named)
            found = Queue(request.base, base, [])
            progress("merging")
            alone = [merge(repository, base, head) for head in heads]
            edges = {(base, each.commit) for each in alone if each.commit}
            before, prefixes = base, []
            for name, head, single in zip(request.heads, heads, alone, strict=True):
                merged = merge(repository, before, head)
                found.steps.append(Step(name, head, merged.conflicts, single.commit is not None))
                prefixes.append((before, merged.commit))
                if merged.commit:
                    edges.add((before, merged.commit))
                    before = merged.commit
            progress("evaluating the queue")
            results = evaluator.findings(sorted(edges, key=_order(base, alone, prefixes)))
            for step, single, (parent, commit) in zip(found.steps, alone, prefixes, strict=True):
                if commit:
                    alone_found = results[base, single.commit].findings if single.commit else None
                    _fill(step, results[parent, commit], alone_found or [])
            progress("looking for what comes together")
            _partners(repository, evaluator, found.steps, heads, alone)
            found.versions, found.fixpoints = evaluator.versions, evaluator.fixpoints
    return found


def _order(base: str, alone: Sequence[Merge], prefixes: Sequence[tuple[str, str | None]]) -> Callable[[Pair], int]:
    """Parents before children: heads alone first, then the prefixes in their order."""
    place = {each.commit: number for number, each in enumerate(alone)}
    place |= {commit: len(alone) + number for number, (_, commit) in enumerate(prefixes)}
    return lambda edge: place[edge[1]]


def _fill(step: Step, edge: Edge, alone: Sequence[Finding]) -> None:
    found = [each for each in edge.findings or () if each.suppressed is None]
    step.not_analysed = edge.left_out
    step.unlikely = sum(each.is_unlikely for each in found)
    step.new = [each for each in found if each.status == "new" and not each.is_unlikely]
    step.fixed = [each for each in found if each.status == "fixed" and not each.is_unlikely]
    step.unknown = [each for each in found if each.status == "unknown"]
    known = Counter(each.fingerprint for each in alone if not each.of_base and not each.is_unlikely)
    for each in step.new:
        if known[each.fingerprint]:
            known[each.fingerprint] -= 1
        elif step.alone:
            step.together.append((each, []))


def _partners(
    repository: Repository, evaluator: _Evaluator, steps: Sequence[Step], heads: Sequence[str], alone: Sequence[Merge]
) -> None:
    """With which earlier head each finding comes that a head alone does not bring."""
    pairs: dict[tuple[int, int], Pair] = {}
    for number, step in enumerate(steps):
        for earlier in range(number) if step.together else ():
            single = alone[earlier].commit
            merged = (
                merge(repository, single, heads[number]).commit if single and not steps[earlier].conflicts else None
            )
            if single and merged:
                pairs[earlier, number] = (single, merged)
    results = evaluator.findings(list(pairs.values()))
    for (earlier, number), edge in pairs.items():
        told = [each for each in results[edge].findings or () if each.status == "new" and not each.is_unlikely]
        new = {each.fingerprint for each in told}
        for finding, partners in steps[number].together:
            if finding.fingerprint in new:
                partners.append(steps[earlier].head)


class _Evaluator:
    """Findings of edges between commits of a repository, as many versions in a fixpoint as fit."""

    def __init__(self, repository: Repository, base: str, facts: Path, config: str | None):
        self._repository, self._base, self._facts, self._config = repository, base, facts, config
        self.versions = self.fixpoints = 0

    def findings(self, edges: Sequence[Pair]) -> dict[Pair, Edge]:
        """What each commit does against its parent; no findings where none differs. Parents come first."""
        found: dict[Pair, Edge] = {}
        named = dict.fromkeys(commit for edge in edges for commit in edge)
        trees = {commit: self._repository.git("rev-parse", f"{commit}^{{tree}}").decode().strip() for commit in named}
        commits = [Commit(commit, trees[commit], (parent,), 0, "") for parent, commit in edges]
        for window in windows_of(commits, trees, MOST_VERSIONS):
            task = Task(str(self._repository.folder), str(self._facts), window, self._base, self._config, by_way=True)
            result = evaluate(task)
            self.versions += result.numbers["versions"]
            self.fixpoints += 1
            found.update(((each.parent, each.commit), each) for each in result.edges)
        return found


__all__ = ["Queue", "Request", "Step", "queue"]
