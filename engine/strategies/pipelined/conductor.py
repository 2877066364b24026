"""The order of phases: which shards begin what, and when a phase is over. Nothing here grows with the facts.

Phases follow each other in one step (`steps`) as long as none of them may send; a phase that goes on until nothing is
sent takes a step for each exchange. What is done follows from what shards report and from nothing else, so whoever has
the same reports decides the same: a driver, each of the shards for itself, and a run that is started again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import deepcopy
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Final

from ...errors import EngineError
from .accounts import FIRST, UNCHANGED, Accounts, below
from .localise import LocalStratum
from .report import Settings
from .steps import Begin, Step, Transport

STRATEGIES: Final = ("elastic", "update", "bootstrap", "counting", "dred")
_ROW: Final = 1.5  # what a row that an update joins costs, its keys included, in rows of an evaluation from nothing
_SMALL: Final = 960_000.0  # work that is not worth a choice
SMALL_LEVELS: Final = 8  # where an exchange is a job
MANY_LEVELS: Final = 1000  # where it takes milliseconds: what grows out of turn is joined again, which costs far more
WORTH_A_LEVEL: Final = 1 << 20  # joined rows of all shards that are worth an exchange


@dataclass(slots=True)
class Conductor(Accounts):
    """`ahead`: shards go on with what they derive before they send. `climb`: how many levels that join few rows a
    stratum climbs; 0: none does."""

    transport: Transport
    ahead: bool = True
    climb: int = SMALL_LEVELS
    _: KW_ONLY
    unfinished: set[str] = field(default_factory=set)
    _due: list[Begin] = field(default_factory=list)
    _finish: frozenset[str] = frozenset()
    _given: frozenset[str] = frozenset()  # the stored inputs that this epoch may change
    _unknown: set[str] = field(default_factory=set)  # relations of which it is not known yet what changed
    _tabled: set[int] = field(default_factory=set)  # strata of which the counts of every level are kept
    _last: tuple[int, Settings] = (-1, Settings())

    # Epochs

    def bootstrap(self) -> None:
        """Evaluate from nothing over inputs that are under way, or there."""
        settings = Settings(ahead=self.ahead)
        self._open(settings, self.program.inputs)
        self._begin("inputs", -1, settings)
        for stratum in self.program.strata:
            self._fill(stratum, settings)
        self._settle()
        self.tell()

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
                if self._unknown & below(stratum) or self.changed_below(stratum):
                    self._maintain_closed(stratum, settings)
                else:
                    self.note_stratum(stratum, "none", UNCHANGED)
                continue
            if self._unknown & below(stratum):
                self._flush()
            if self.changed_below(stratum):
                self._maintain(stratum, settings, self.changed_below(stratum))
            else:
                self.note_stratum(stratum, "none", UNCHANGED)
        self._settle()
        self.tell()
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
            if changed & below(stratum):
                changed.update(stratum.relations)
                names |= stratum.names()
        return frozenset(names)

    def _of(self, relations: set[str]) -> frozenset[str]:
        return frozenset(copy.name for copy in self.program.copies() if copy.relation in relations)

    def _open(self, settings: Settings, given: Collection[str]) -> None:
        self._given = frozenset(given)
        self.open_accounts()
        self._due, self._unknown = [], set()
        self._last = (-1, settings)

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
        self.note_stratum(stratum, "bootstrap", FIRST)

    def _climb(self, stratum: LocalStratum, settings: Settings) -> None:
        """Level by level as long as levels are worth an exchange of their own; what is above them is grown."""
        level, small = stratum.first_level, 0
        while True:
            self._due.append(("climb", stratum.index, replace(settings, level=level)))
            self._flush()
            if level and not self.rose and not self.transport.waiting:
                if not settings.fresh:
                    self._begin("settle", stratum.index, settings)
                return
            small += self.joined < WORTH_A_LEVEL
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
        self.note_stratum(stratum, strategy, reason)

    def _maintain_closed(self, stratum: LocalStratum, settings: Settings) -> None:
        """What changed below may not be known yet: shards see for themselves."""
        share = self.work.get(stratum.index, 0) // self.program.shards
        self._begin("closed", stratum.index, replace(settings, work=share))
        self._begin("publish", stratum.index, settings)
        self.note_stratum(stratum, "", "")

    def _try(self, stratum: LocalStratum, settings: Settings, budget: float | None) -> bool:
        """Update a stratum; whether the budget was spent first."""
        start, self.died = self.spent, 0
        takes, gives = self._moves(stratum)
        for phase in ("lose", "regrow", "tally"):
            if phase == "lose" and not takes:
                continue
            if phase != "lose" and not gives and not self.died:
                continue  # what was lost left everything at its level
            for _ in self._rounds(phase, stratum, settings):
                if budget is not None and self.spent - start > budget:
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
        while self.transport.waiting and self.asks:  # what is not answered comes in with whatever is next
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
        self.note(text, max(report.seconds for report in done), done)

    def _text(self) -> str:
        if self._last[0] < 0 or not self.rounds:
            return "inputs"
        first = self.rounds[-1].text.split(" (round ")[0].split("; ")[-1]
        number = sum(each.text.split(" (round ")[0].split("; ")[-1] == first for each in self.rounds) + 1
        return f"{first} (round {number})"


def _linear(stratum: LocalStratum) -> bool:
    """Whether no rule joins tuples of the stratum: what grows out of turn is then derived again by few."""
    return all(sum(atom.same_stratum for atom in rule.rule.body) < 2 for rule in stratum.rules)


def _recurses(stratum: LocalStratum) -> bool:
    return any(atom.same_stratum for rule in stratum.rules for atom in rule.rule.body)


__all__ = ["MANY_LEVELS", "SMALL_LEVELS", "STRATEGIES", "Conductor"]
