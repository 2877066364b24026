"""What formats say of a rule as such: its title, what it means, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from pliant.analyses.rules import rules


@dataclass(frozen=True, slots=True)
class Described:
    """help: in Markdown."""

    title: str
    text: str
    help: str


def described(rule: str) -> Described:
    known = rules().get(rule)
    if known is None:
        title = f"{rule.replace('.', ': ').replace('-', ' ').replace('_', ' ').capitalize()}."
        return Described(title, title, title)
    return Described(f"{known.title}.", known.what, known.page())
