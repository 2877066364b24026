"""What shards did in an epoch, from what they reported: sizes, changes, and how much work each stratum was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Final

from ...report import StratumReport
from .localise import LocalProgram, LocalStratum
from .report import Report
from .steps import Round

FIRST: Final = "no earlier state"
UNCHANGED: Final = "nothing below it changed"


@dataclass(slots=True)
class Accounts:
    """`changes`: of each stored relation that this epoch changed, (inserted, deleted). `work`: of each stratum what its
    last evaluation from nothing cost. `progress` is told of every round. Of the last step: `asks`, what is under way
    may be answered; `rose`, tuples at a new level; `joined`, rows. `died`, `spent`: tuples and joined rows so far."""

    program: LocalProgram
    _: KW_ONLY
    progress: Callable[[Round], None] | None = None
    work: dict[int, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    changes: dict[str, tuple[int, int]] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    reports: list[StratumReport] = field(default_factory=list)
    asks: bool = False
    died: int = 0
    rose: int = 0
    joined: int = 0
    spent: int = 0
    _chosen: dict[int, set[tuple[str, str]]] = field(default_factory=dict)
    _told: list[tuple[LocalStratum, str, str]] = field(default_factory=list)
    _strata: dict[int, tuple[int, int, int, float]] = field(default_factory=dict)

    def open_accounts(self) -> None:
        self.rounds, self.reports, self.changes = [], [], {}
        self._told, self._strata, self._chosen = [], {}, {}

    def changed_below(self, stratum: LocalStratum) -> int:
        return sum(sum(self.changes.get(name, (0, 0))) for name in below(stratum))

    def note(self, text: str, seconds: float, done: Sequence[Report]) -> None:
        work = [report.work for report in done]
        total = sum(work)
        self.spent += total
        self.asks = any(report.asks for report in done)
        self.died += sum(report.died for report in done)
        self.rose, self.joined = sum(report.rose for report in done), total
        for report in done:
            for index, chosen in report.chosen.items():
                self._chosen.setdefault(int(index), set()).add(chosen)
        self._note_strata(done, seconds)
        sent = sum(report.sent_rows for report in done), sum(report.sent_bytes for report in done)
        skew = max(work, default=0) * len(work) / total if total else 1.0
        self.rounds.append(Round(text, seconds, total, *sent, skew))
        if self.progress is not None:
            self.progress(self.rounds[-1])
        found: dict[str, list[int]] = {}
        for report in done:
            for name, counts in report.changes.items():
                found[name] = [one + other for one, other in zip(found.get(name, (0, 0, 0)), counts, strict=True)]
        for name, (inserted, deleted, size) in found.items():
            self.sizes[name] = size
            if inserted or deleted:
                self.changes[name] = inserted, deleted

    def note_stratum(self, stratum: LocalStratum, strategy: str, reason: str) -> None:
        """What becomes of a stratum; how much it was is known when its steps are done."""
        self._told.append((stratum, strategy, reason))

    def tell(self) -> None:
        """The reports of an epoch that is over. The seconds of a step go to its strata by their work."""
        for stratum, strategy, reason in self._told:
            work, instantiations, levels, seconds = self._strata.get(stratum.index, (0, 0, 0, 0.0))
            if not strategy:
                strategy, reason = self._choice_of(stratum)
            if strategy == "bootstrap":
                self.work[stratum.index] = work
            changed = sum(sum(self.changes.get(name, (0, 0))) for name in stratum.relations)
            if reason == FIRST:
                changed = sum(self.sizes.get(name, 0) for name in stratum.relations)
            self.reports.append(
                StratumReport(
                    stratum.relations, strategy, reason, instantiations, partial(int, changed), levels, seconds
                )
            )
        self._told = []

    def _choice_of(self, stratum: LocalStratum) -> tuple[str, str]:
        """What shards did with a closed stratum."""
        if not self.changed_below(stratum):
            return "none", UNCHANGED
        chosen = self._chosen.get(stratum.index, set())
        if len(chosen) == 1:
            return next(iter(chosen))
        names = {name for name, _ in chosen}
        return names.pop() if len(names) == 1 else "elastic", "each shard chose for itself"

    def _note_strata(self, done: Sequence[Report], seconds: float) -> None:
        total = sum(work for report in done for work, _, _ in report.strata.values())
        together: dict[int, tuple[int, int, int]] = {}
        for report in done:
            for index, (work, instantiations, levels) in report.strata.items():
                known = together.get(int(index), (0, 0, 0))
                together[int(index)] = known[0] + work, known[1] + instantiations, max(known[2], levels)
        for stratum, (work, instantiations, levels) in together.items():
            before = self._strata.get(stratum, (0, 0, 0, 0.0))
            share = seconds * (work / total if total else 1 / len(together))
            self._strata[stratum] = (
                before[0] + work, before[1] + instantiations, before[2] + levels, before[3] + share,
            )  # fmt: skip


def below(stratum: LocalStratum) -> set[str]:
    return {copy.relation for copy in stratum.below}


__all__ = ["FIRST", "UNCHANGED", "Accounts", "below"]
