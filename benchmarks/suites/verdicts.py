"""What a suite says of one place, and what is found there; and the table of many of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum


class Outcome(IntEnum):
    """What is found at a place. HIDDEN: something that a report lists only with `--all`, as what the search refutes."""

    NOTHING = 0
    HIDDEN = 1
    SHOWN = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """bad: the suite says that something fails here. outcome: what was found. place: what a reader looks for."""

    category: str
    place: str
    bad: bool
    outcome: Outcome

    @property
    def fired(self) -> bool:
        return self.outcome > Outcome.NOTHING

    @property
    def shown(self) -> bool:
        return self.outcome == Outcome.SHOWN

    @property
    def wrong(self) -> str:
        """How it is judged wrongly; empty if it is not."""
        if self.bad:
            return {Outcome.NOTHING: "missed", Outcome.HIDDEN: "hidden", Outcome.SHOWN: ""}[self.outcome]
        return {Outcome.NOTHING: "", Outcome.HIDDEN: "hidden alarm", Outcome.SHOWN: "false alarm"}[self.outcome]


HEADS = ("category", "bad", "found", "recall", "shown", "recall", "good", "alarms", "false", "shown", "false")


def rows(verdicts: Iterable[Verdict]) -> Iterator[list[str]]:
    """A row a category and one for all."""
    by_category: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_category.setdefault(verdict.category, []).append(verdict)
    for category in sorted(by_category):
        yield [category, *_counts(by_category[category])]
    if len(by_category) > 1:
        yield ["all", *_counts([verdict for some in by_category.values() for verdict in some])]


def _counts(verdicts: list[Verdict]) -> list[str]:
    cells = []
    for bad in (True, False):
        places = [verdict for verdict in verdicts if verdict.bad == bad]
        cells.append(str(len(places)))
        for counted in ([verdict.fired for verdict in places], [verdict.shown for verdict in places]):
            cells += [str(sum(counted)), _share(counted)]
    return cells


def _share(counted: list[bool]) -> str:
    return f"{100 * sum(counted) / len(counted):.1f}%" if counted else "-"
