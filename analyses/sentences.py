"""Tuples as sentences: the words that the schema and the programs have for a relation, with the names of the tuple."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from pliant.analyses.registry import sources
from pliant.analyses.wording import callable_name, value_name, what_of
from pliant.extractors.facts import OWN
from pliant.extractors.schema import RELATIONS

_DECLARED = re.compile(r"^\.decl (\w+)\(([^)]*)\)[ \t]*(?://[ \t]*(.*))?$", re.M)
_ASIDE = re.compile(r" \([^`()]*\)")
_COUNT = re.compile(r"@count\d+$")  # what the engine makes of an aggregate
_FUNCTIONS = frozenset("fg")
_RESULT, _CALL = "the result of ", "the call of "


@dataclass(frozen=True, slots=True)
class Words:
    """columns: (name, type). text: a sentence in which the columns' names stand."""

    columns: tuple[tuple[str, str], ...]
    text: str


@cache
def vocabulary() -> dict[str, Words]:
    """The words for each relation that has some: those of the schema, and the comments behind declarations."""
    found = {}
    for text in sources().values():
        for name, columns, comment in _DECLARED.findall(text):
            declared = tuple(
                (part.partition(":")[0].strip(), part.partition(":")[2].strip())
                for part in columns.split(",")
                if part.strip()
            )
            if comment:
                found[name] = Words(declared, comment.strip())
    # What stands behind a colon or in parentheses is about the relation: the values that a column has, say.
    of_facts = {
        name: _ASIDE.sub("", relation.doc.partition(":")[0]).rstrip(".") for name, relation in RELATIONS.items()
    }
    found.update({name: Words(RELATIONS[name].columns, text) for name, text in of_facts.items()})
    return found


def sentence(relation: str, row: tuple[int, ...], kinds: Sequence[str], text: Callable[[int], str]) -> str:
    """What a tuple says; `text` gives the string of a symbol id."""
    words = vocabulary().get(relation)
    if words is None:
        values = (
            named(text(entry)) if kind == "symbol" else str(entry) for entry, kind in zip(row, kinds, strict=True)
        )
        listed = ", ".join(values)
        return f"counted: {listed}" if _COUNT.match(relation) else f"{relation.removeprefix('@')}({listed})"
    names = {
        column: str(entry) if kind == "number" else named(text(entry), column)
        for (column, kind), entry in zip(words.columns, row, strict=True)
    }
    pattern = re.compile(r"`?\b(" + "|".join(map(re.escape, names)) + r")\b`?") if names else None
    return pattern.sub(lambda match: names[match[1]], words.text) if pattern else words.text


def named(symbol: str, column: str = "") -> str:
    """A symbol as a reader would call it, where it stands in a column of that name."""
    if OWN not in symbol or symbol.endswith(OWN):
        return f"`{symbol.removesuffix(OWN)}`"
    if column in _FUNCTIONS or symbol.count(OWN) == 1:
        return callable_name(symbol)
    if what_of(symbol) == "control":
        return "that point"
    name = value_name(symbol)
    return f"{_CALL}{name.removeprefix(_RESULT)}" if column == "call" and name.startswith(_RESULT) else name
