"""What a suite says of one place, and what is found there; and the table of many of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """bad: the suite says that something fails here. fired: something was found. place: what a reader looks for."""

    category: str
    place: str
    bad: bool
    fired: bool

    @property
    def right(self) -> bool:
        return self.bad == self.fired


HEADS = ("category", "bad", "found", "recall", "good", "alarms", "false alarms")


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
    bad = [verdict.fired for verdict in verdicts if verdict.bad]
    good = [verdict.fired for verdict in verdicts if not verdict.bad]
    return [str(len(bad)), str(sum(bad)), _share(bad), str(len(good)), str(sum(good)), _share(good)]


def _share(fired: list[bool]) -> str:
    return f"{100 * sum(fired) / len(fired):.1f}%" if fired else "-"
