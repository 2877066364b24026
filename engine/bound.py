"""How far the evaluation of a program may go: a count of rows, so that it is the same on every machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from .errors import TooLarge

if TYPE_CHECKING:
    from .backends.embedded.joins import Joins
    from .backends.embedded.relation import Relation
    from .datalog.program import Program
    from .symbols import SymbolTable

_SAMPLE: Final = 1 << 16  # rows that are asked what most of a relation is about


class Spent(Exception):
    """The joins have put out more rows than they may."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The rows that the joins of one evaluation, or of one update, may put out: so many, and more for each fact.
    A tuple takes a row for each way to derive it, so that tuples are bounded, too."""

    rows: int
    rows_of_fact: int


@contextmanager
def bounded(
    program: Program, relations: Mapping[str, Relation], symbols: SymbolTable, executor: Joins
) -> Iterator[None]:
    """What runs here keeps to the program's bound, if it has one. Raises TooLarge. `relations`: those that are used."""
    bound = program.bound
    if bound is None:
        yield
        return
    inputs = frozenset(program.input_storage.values())

    def facts() -> int:
        return sum(relation.size for name, relation in relations.items() if name in inputs)

    executor.allowed = lambda: bound.rows + bound.rows_of_fact * facts()
    executor.most = bound.rows
    try:
        yield
    except Spent:
        name = max((each for each in relations if each not in inputs), key=lambda each: relations[each].size)
        about = _about(relations[name], program.stored[name].kinds, symbols)
        raise TooLarge(int(executor.most), facts(), name, relations[name].size, about) from None


def _about(relation: Relation, kinds: tuple[str, ...], symbols: SymbolTable) -> Counter[str]:
    if "symbol" not in kinds or not relation.size:
        return Counter()
    rows = np.linspace(0, relation.size - 1, min(relation.size, _SAMPLE)).astype(np.intp)
    return Counter(symbols.take(relation.columns[kinds.index("symbol")][rows]).to_pylist())
