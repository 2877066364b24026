"""The order of phases: which shards begin what, and when a phase is over. Nothing here grows with the facts.

Phases follow each other in one step (`steps`) as long as none of them may send; a phase that goes on until nothing is
sent takes a step for each exchange. What is done follows from what shards report and from nothing else, so whoever has
the same reports decides the same: a driver, each of the shards for itself, and a run that is started again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

import numpy as np

from ...backends.embedded.keys import Column
from ...backends.embedded.prices import UPDATE
from ...errors import EngineError
from ...report import StratumReport
from .localise import LocalProgram, LocalStratum
from .messages import Message, Number
from .report import Report, Settings
from .steps import Begin, Round, Step, Transport

STRATEGIES: Final = ("elastic", "update", "bootstrap", "counting", "dred")
_ROW: Final = UPDATE.row  # what a row that an update joins costs, in rows of an evaluation from nothing
_SMALL: Final = 240 * UPDATE.run  # as in elastic.py
SMALL_LEVELS: Final = 8  # where an exchange is a job
MANY_LEVELS: Final = 1000  # where it takes milliseconds: what grows out of turn is joined again, which costs far more
WORTH_A_LEVEL: Final = 1 << 20  # joined rows of all shards that are worth an exchange
FIRST: Final = "no earlier state"
UNCHANGED: Final = "nothing below it changed"


@dataclass(slots=True)
class Conductor:
    """`changes`: of each stored relation that this epoch changed, (inserted, deleted). `work`: of each stratum what its
    last evaluation from nothing cost. `climb`: how many levels that join few rows a stratum climbs; 0: none does.
    `progress` is told of every round."""

    program: LocalProgram
    transport: Transport
    ahead: bool = True
    climb: int = SMALL_LEVELS
    progress: Callable[[Round], None] | None = None
    work: dict[int, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    changes: dict[str, tuple[int, int]] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    reports: list[StratumReport] = field(default_factory=list)
    unfinished: set[str] = field(default_factory=set)
    _due: list[Begin] = field(default_factory=list)
    _finish: frozenset[str] = frozenset()
    _given: frozenset[str] = frozenset()  # the stored inputs that this epoch may change
    _unknown: set[str] = field(default_factory=set)  # relations of which it is not known yet what changed
    _asks: bool = False  # what is under way may be answered
    _died: int = 0
    _rose: int = 0
    _joined: int = 0  # rows, in the last step
    _tabled: set[int] = field(default_factory=set)  # strata of which the counts of every level are kept
    _chosen: dict[int, set[tuple[str, str]]] = field(default_factory=dict)
    _last: tuple[int, Settings] = (-1, Settings())
    _spent: int = 0
    _told: list[tuple[LocalStratum, str, str]] = field(default_factory=list)
    _strata: dict[int, tuple[int, int, int, float]] = field(default_factory=dict)

    # Epochs

    def bootstrap(self) -> None:
        """Evaluate from nothing over inputs that are under way, or there."""
        settings = Settings(ahead=self.ahead)
        self._open(settings, self.program.inputs)
        self._begin("inputs", -1, settings)
        for stratum in self.program.strata:
            self._fill(stratum, settings)
        self._settle()
        self._tell()

    def update(self, strategy: str, switch: float, given: Collection[str] | None = None) -> None:
        """Bring all relations up to date with changes of inputs that are under way. `given`: the stored inputs that
        these are changes of, where that is known. Raises EngineError."""
        if strategy not in STRATEGIES:
            raise EngineError(f"the Spark engine has no strategy {strategy!r}; expected one of {', '.join(STRATEGIES)}")
        settings = Settings(ahead=self.ahead, fresh=False, strategy=strategy, switch=switch)
        settings.overdelete = strategy == "dred"
        self._open(settings, self.program.inputs if given is None else given)
        self._finish, self.unfinished = self._of(self.unfinished), set()
        self._begin("inputs", -1, settings)
        for stratum in self.program.strata:
            if stratum.closed:
                if self._unknown & _below(stratum) or self._changed_below(stratum):
                    self._maintain_closed(stratum, settings)
                else:
                    self._report(stratum, "none", UNCHANGED)
                continue
            if self._unknown & _below(stratum):
                self._flush()
            if self._changed_below(stratum):
                self._maintain(stratum, settings, self._changed_below(stratum))
            else:
                self._report(stratum, "none", UNCHANGED)
        self._settle()
        self._tell()
        self.unfinished = {name for name, counts in self.changes.items() if sum(counts)} | {
            name for report in self.reports if report.strategy != "none" for name in report.relations
        }

    def finish(self) -> None:
        """The views before and after the last update become one; until then what it changed can be asked for."""
        names, self.unfinished = self._of(self.unfinished), set()
        self.transport.step(Step(self._last, [], names, names, "finish"))

    def bare(self) -> Conductor:
        """A copy of it as it is between epochs, without its program and what is of this process."""
        nothing: Any = None
        return deepcopy(replace(self, program=nothing, transport=nothing, progress=None, rounds=[], reports=[]))

    def reach(self, given: Collection[str] | None = None) -> frozenset[str]:
        """The local names of all that an epoch may touch that changes these inputs; None: all."""
        inputs = set(self.program.inputs if given is None else given)
        names = set(self._of(self.unfinished | inputs))
        changed = set(inputs)
        for stratum in self.program.strata:
            if changed & _below(stratum):
                changed.update(stratum.relations)
                names |= stratum.names()
        return frozenset(names)

    def _of(self, relations: set[str]) -> frozenset[str]:
        return frozenset(copy.name for copy in self.program.copies() if copy.relation in relations)

    def _open(self, settings: Settings, given: Collection[str]) -> None:
        self._given = frozenset(given)
        self.rounds, self.reports, self.changes, self._due = [], [], {}, []
        self._told, self._strata, self._chosen, self._unknown = [], {}, {}, set()
        self._last = (-1, settings)

    def _changed_below(self, stratum: LocalStratum) -> int:
        return sum(sum(self.changes.get(name, (0, 0))) for name in _below(stratum))

    def _moves(self, stratum: LocalStratum) -> tuple[bool, bool]:
        """Whether changes below a stratum may take instantiations from it, and give it some."""
        takes = gives = False
        relation_of = {copy.name: copy.relation for copy in stratum.below}
        for rule in stratum.rules:
            for atom in rule.rule.body:
                inserted, deleted = self.changes.get(relation_of.get(atom.relation, ""), (0, 0))
                takes |= bool(inserted if atom.negated else deleted)
                gives |= bool(deleted if atom.negated else inserted)
        return takes, gives

    def _fill(self, stratum: LocalStratum, settings: Settings) -> None:
        if stratum.closed:
            self._begin("closed", stratum.index, settings)
        elif not _recurses(stratum):
            self._begin("single", stratum.index, settings)
        elif self.climb and not _linear(stratum):
            self._climb(stratum, settings)
        else:
            self._until_quiet("grow", stratum, settings)
            self._begin("tally", stratum.index, settings)
        self._begin("publish", stratum.index, settings)
        self._report(stratum, "bootstrap", FIRST)

    def _climb(self, stratum: LocalStratum, settings: Settings) -> None:
        """Level by level as long as levels are worth an exchange of their own; what is above them is grown."""
        level, small = stratum.first_level, 0
        while True:
            self._due.append(("climb", stratum.index, replace(settings, level=level)))
            self._flush()
            if level and not self._rose and not self.transport.waiting:
                if not settings.fresh:
                    self._begin("settle", stratum.index, settings)
                return
            small += self._joined < WORTH_A_LEVEL
            if level and small >= self.climb:
                break
            level += 1
        self._until_quiet("grow", stratum, replace(settings, level=level))
        self._begin("tally", stratum.index, replace(settings, level=level))

    def _maintain(self, stratum: LocalStratum, settings: Settings, changed: int) -> None:
        known = self.work.get(stratum.index, 0)
        strategy, reason = settings.strategy, "asked for"
        tabled = stratum.index in self._tabled
        self._tabled.discard(stratum.index)
        if strategy == "counting" and not tabled:
            strategy, reason = "bootstrap", "its counts by level are not known"
            self._refill(stratum, settings)
            self._tabled.add(stratum.index)
        elif strategy == "counting":
            self._try(stratum, settings, None)
            self._tabled.add(stratum.index)
        elif strategy == "bootstrap":
            self._refill(stratum, settings)
        else:
            budget = settings.switch * max(known, _SMALL if settings.switch else 0)
            limit = f"the budget of {int(budget)} joined rows"
            if strategy != "elastic":
                self._try(stratum, settings, None)
            elif changed * _ROW > budget:
                strategy, reason = "bootstrap", f"{changed} changes below it are more than {limit}"
                self._refill(stratum, settings)
            else:
                self._settle()  # what lower strata have sent is not to be dropped with what is begun here
                before = self.transport.remember(frozenset(stratum.names()))
                spent = self._try(stratum, settings, budget / _ROW)
                before(spent)
                strategy, reason = "update", f"within {limit}"
                if spent:
                    strategy, reason = "bootstrap", f"the update spent {limit}"
                    self._refill(stratum, settings)
        self._begin("publish", stratum.index, settings)
        self._report(stratum, strategy, reason)

    def _maintain_closed(self, stratum: LocalStratum, settings: Settings) -> None:
        """What changed below may not be known yet: shards see for themselves."""
        share = self.work.get(stratum.index, 0) // self.program.shards
        self._begin("closed", stratum.index, replace(settings, work=share))
        self._begin("publish", stratum.index, settings)
        self._report(stratum, "", "")

    def _try(self, stratum: LocalStratum, settings: Settings, budget: float | None) -> bool:
        """Update a stratum; whether the budget was spent first."""
        start, self._died = self._spent, 0
        takes, gives = self._moves(stratum)
        for phase in ("lose", "regrow", "tally"):
            if phase == "lose" and not takes:
                continue
            if phase != "lose" and not gives and not self._died:
                continue  # what was lost left everything at its level
            for _ in self._rounds(phase, stratum, settings):
                if budget is not None and self._spent - start > budget:
                    self._due = []
                    return True
        return False

    def _refill(self, stratum: LocalStratum, settings: Settings) -> None:
        if self.climb and not _linear(stratum):
            self._climb(stratum, settings)
            return
        self._until_quiet("grow", stratum, settings)
        self._until_quiet("retally", stratum, settings)

    # Steps

    def _begin(self, phase: str, index: int, settings: Settings) -> None:
        self._due.append((phase, index, settings))
        if index < 0:
            self._unknown.update(self._given)
        elif phase == "publish":
            self._unknown.update(self.program.strata[index].relations)
        if index >= 0 and self._may_send(phase, self.program.strata[index]):
            self._flush()

    def _may_send(self, phase: str, stratum: LocalStratum) -> bool:
        if phase == "publish":
            return any(copy != stratum.home(name) for name, some in stratum.later.items() for copy in some)
        return not (phase in ("closed", "settle") or (phase in ("single", "tally") and stratum.local))

    def _until_quiet(self, phase: str, stratum: LocalStratum, settings: Settings) -> None:
        for _ in self._rounds(phase, stratum, settings):
            pass

    def _rounds(self, phase: str, stratum: LocalStratum, settings: Settings) -> Iterator[None]:
        self._due.append((phase, stratum.index, settings))
        self._flush()
        yield
        while self.transport.waiting and self._asks:  # what is not answered comes in with whatever is next
            self._step()
            yield

    def _flush(self) -> None:
        """Do what is due, and let what is under way come in."""
        if self._due:
            self._step()

    def _settle(self) -> None:
        self._flush()
        while self.transport.waiting:
            self._step()

    def _step(self) -> None:
        due, self._due = self._due, []
        finish, self._finish = self._finish, frozenset()
        strata = {index for _, index, _ in due if index >= 0} | ({self._last[0]} - {-1})
        names: set[str] = set(finish).union(*(self.program.strata[index].names() for index in strata))
        if self._last[0] < 0 or any(index < 0 for _, index, _ in due) or self.transport.waiting:
            names.update(copy.name for name in self._given for copy in self.program.inputs[name])
        if self._last[0] >= 0:
            names.update(self.program.strata[self._last[0]].names())
        texts = dict.fromkeys(
            f"{self.program.strata[index].text}: {phase}" if index >= 0 else "inputs" for phase, index, _ in due
        )
        text = "; ".join(texts) or self._text()
        done = self.transport.step(Step(self._last, due, finish, frozenset(names), text))
        self._unknown.clear()
        if due:
            self._last = (due[-1][1], due[-1][2])
        self._note(text, max(report.seconds for report in done), done)

    def _text(self) -> str:
        if self._last[0] < 0 or not self.rounds:
            return "inputs"
        first = self.rounds[-1].text.split(" (round ")[0].split("; ")[-1]
        number = sum(each.text.split(" (round ")[0].split("; ")[-1] == first for each in self.rounds) + 1
        return f"{first} (round {number})"

    def _note(self, text: str, seconds: float, done: Sequence[Report]) -> None:
        work = [report.work for report in done]
        total = sum(work)
        self._spent += total
        self._asks = any(report.asks for report in done)
        self._died += sum(report.died for report in done)
        self._rose, self._joined = sum(report.rose for report in done), total
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

    def _report(self, stratum: LocalStratum, strategy: str, reason: str) -> None:
        """What becomes of a stratum; how much it was is known when its steps are done."""
        self._told.append((stratum, strategy, reason))

    def _tell(self) -> None:
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
        if not self._changed_below(stratum):
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


def _below(stratum: LocalStratum) -> set[str]:
    return {copy.relation for copy in stratum.below}


def _linear(stratum: LocalStratum) -> bool:
    """Whether no rule joins tuples of the stratum: what grows out of turn is then derived again by few."""
    return all(sum(atom.same_stratum for atom in rule.rule.body) < 2 for rule in stratum.rules)


def _recurses(stratum: LocalStratum) -> bool:
    return any(atom.same_stratum for rule in stratum.rules for atom in rule.rule.body)


def route_rows(
    program: LocalProgram, storage: str, columns: Sequence[Column], counts: Number, sender: int, number: int
) -> Iterator[Message]:
    """Rows of an input that come (+1) and go (-1), for all shards that have copies of it."""
    for copy in program.inputs[storage]:
        for target, places in program.targets(copy, columns, len(counts)):
            some = [column[places] for column in columns]
            number += 1
            yield Message(sender, number, target, "rows", copy.name, some, len(counts[places]), None, counts[places])


def by_storage(program: LocalProgram, facts: Mapping[str, tuple[list[Column], int]], sign: int) -> Iterator[Message]:
    """Messages for encoded facts of a batch."""
    number = 0 if sign > 0 else 1 << 30
    for name, (columns, size) in facts.items():
        for message in route_rows(program, name, columns, np.full(size, sign, np.int64), -1, number):
            number = message.number
            yield message


__all__ = ["MANY_LEVELS", "SMALL_LEVELS", "STRATEGIES", "Conductor", "by_storage", "route_rows"]
