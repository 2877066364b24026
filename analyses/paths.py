"""From a proof to a path: the places that a null passes from its origin to its use, a sentence each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from pliant.analyses.findings import Step
from pliant.analyses.sayings import sayings
from pliant.analyses.wording import file_of, shown_function, stable_name, value_name

# Relations whose tuples say where the null is; a proof of one rests on one other of them, down to the origin.
_CARRIERS = frozenset(
    (
        "null_dereference",
        "freed_null",
        "up",
        "down",
        "exports",
        "unset_field",
        "null_field",
        "null_content",
        "cleared",
        "cleared_by",
        "set_late",
        "reset",
        "wary",
        "null_for_null",
        "by_null",
        "expected",
    )
)


class Proof(Protocol):
    """What is used of a proof of the engine."""

    @property
    def relation(self) -> str: ...
    @property
    def row(self) -> tuple[int, ...]: ...
    @property
    def body(self) -> Sequence[Proof]: ...
    @property
    def absent(self) -> Sequence[tuple[str, tuple[int | None, ...]]]: ...
    @property
    def is_input(self) -> bool: ...


class Located(Protocol):
    """A place in a file; lines from 1."""

    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


Locate = Callable[[str], Located | None]
Strings = Callable[[int], str]


@dataclass(slots=True)
class NullPath:
    """steps: origin first. guesses: calls on it that were resolved by name alone. certain: whether nothing else than
    the null may come this way. calls: whether it goes through a call. origin: what made the null. field: the field that
    the last step reads, if it reads one that may always be null."""

    steps: list[Step]
    guesses: int = 0
    certain: bool = True
    calls: bool = False
    origin: str = ""
    field: str = ""

    @property
    def arrival(self) -> str:
        """How the null comes to the function of its use; the same for all reads of a field there."""
        came = self.steps[:-1] if self.field else self.steps
        return f"{came[-1] if came else ''} {self.field}" if self.steps else ""


def walk(proof: Proof) -> Iterator[Proof]:
    """Every part of a proof once."""
    seen: set[int] = set()
    todo = [proof]
    while todo:
        part = todo.pop()
        if id(part) not in seen:
            seen.add(id(part))
            yield part
            todo.extend(part.body)


def carriers(proof: Proof) -> Iterator[Proof]:
    """The tuples of a proof that say where the null is, from its use to its origin."""
    current: Proof | None = proof
    while current is not None:
        yield current
        current = next((part for part in current.body if part.relation in _CARRIERS), None)


def signature(proof: Proof, text: Strings) -> str:
    """What a proof says apart from names: the rules on the way of the null, and the operations that are not locals."""
    said: list[str] = []
    for current in carriers(proof):
        relations = sorted({part.relation for part in current.body if part.relation not in _CARRIERS})
        if relations != ["flow"]:
            names = [stable_name(text(entry)) for entry in current.row]
            shown = [name for name in names if name.startswith((".", "[", "->", "*")) or name.endswith("()")]
            said.append(f"{current.relation}({', '.join(shown)}) {' '.join(relations)}")
    return "; ".join(said)


def null_path(
    proof: Proof, text: Strings, locate: Locate, one_of_several: Callable[[int], bool] = lambda call: False
) -> NullPath:
    """The path of a `null_dereference`; `text` gives the string of a symbol id. one_of_several: whether a call, by the
    id of its symbol, may run other methods than the one that gives the null."""
    path = NullPath([])
    for part in reversed(list(carriers(proof))):
        _step(path, part, text, locate)
        if part.relation == "up" and _runs(part) and one_of_several(part.row[0]):
            path.guesses += 1
    return path


def _runs(part: Proof) -> bool:
    """Whether a call gives what a function returns, and that does not show from the class hierarchy alone: such a one
    is counted by itself."""
    return any(atom.relation == "calls" for atom in part.body) and not any(_by_hierarchy(atom) for atom in part.body)


def _step(path: NullPath, part: Proof, text: Strings, locate: Locate) -> None:
    """Adds what a tuple of the proof says."""
    atoms: dict[str, Proof] = {}
    for atom in part.body:
        atoms.setdefault(atom.relation, atom)
        if atom.relation == "flow":
            for inner in atom.body:
                path.certain = path.certain and inner.relation != "phi"
                if inner.relation == "import_from":
                    atoms.setdefault(inner.relation, inner)
        guessed = atom.relation in ("calls", "passes") and any(inner.relation == "guess" for inner in atom.body)
        path.guesses += guessed + _by_hierarchy(atom)
    fitting = (each for each in sayings(part.relation) if not each.by or each.by in atoms)
    saying = next((each for each in fitting if atoms.keys().isdisjoint(each.without)), None)
    if saying is None:
        return
    row = [text(entry) for entry in part.row]
    arguments = [text(entry) for entry in atoms[saying.by].row] if saying.by else []
    path.certain = path.certain and saying.certain
    path.calls = path.calls or saying.calls
    path.origin = saying.origin_of(arguments) or path.origin
    for symbol, note in (each.said(row, arguments) for each in saying.notes):
        place = locate(symbol) if note else None
        if place is None:
            continue
        path.field = value_name(row[0]) if saying.reads and symbol == row[0] else ""
        step = Step(place.file, place.line, note, shown_function(symbol), place.column)
        last = path.steps[-1] if path.steps else None
        if last is None or (last.file, last.line, last.note) != (step.file, step.line, step.note):
            path.steps.append(step)


def _by_hierarchy(atom: Proof) -> bool:
    """Whether what a call runs shows from the class hierarchy alone."""
    evidence = [atom] if atom.relation == "evident" else atom.body if atom.relation == "passes" else []
    return any(
        part.relation == "evident" and any(inner.relation == "dispatches" for inner in part.body) for part in evidence
    )


def place_of(symbol: str, locate: Locate) -> tuple[str, int, int]:
    """File, line and column of an entity; the file's first line where it has no place."""
    found = locate(symbol)
    return (found.file, found.line, found.column) if found is not None else (file_of(symbol), 1, 0)
