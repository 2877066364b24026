"""Which places may name one object after a change, and could not before: `aliases.dl` evaluated on both sides.

Two places are a new pair if some object of the one side has both names, and no object of the other side has. The pairs
are quadratic, so they are told by object: the names that came, and those that were there and pair with one that came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from pliant.analyses.findings import Step
from pliant.analyses.paths import Locate, Proof
from pliant.analyses.witness.programs import Programs
from pliant.analyses.wording import callable_name, file_of, shown_function, value_name, what_of
from pliant.engine import Evaluation, Program
from pliant.extractors.facts import OWN

How = Literal["attribute", "global", "outside", "maker", "variable", "result", "parameter", "value"]
_NAMES: Final = ("alias", "name_of")
# A proof of one of these rests on another, down to where the object is made.
_CARRIERS: Final = ("held_content", "taken", "may_hold")
_INNER: Final = {"[]": "an element of", "{}": "a key of", "*": "the target of"}
Rows = NDArray[np.int64]
_Key = tuple[int, int, int]  # object, place, field
_Tuple = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Name:
    """A place that may name an object. file, line: of it, of its class or of its function; line 0 where it has none.
    path: how the object gets there, the place where it is made first."""

    how: How
    says: str
    file: str
    line: int
    function: str
    path: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Shared:
    """An object with a new pair of names. came: names in some new pair that did not name it before. known: the other
    names of those pairs."""

    says: str
    file: str
    line: int
    function: str
    came: tuple[Name, ...]
    known: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: its state, with the strata of `aliases.dl`, the places of its entities, and its
    instructions."""

    evaluation: Evaluation
    locate: Locate
    programs: Programs


@dataclass(frozen=True, slots=True)
class _Found:
    """object: its symbol. came, known: (place, field)."""

    object: int
    came: Rows
    known: Rows


def asked(program: Program) -> Program:
    """The program of a state with the rules of `aliases.dl` on top. Raises DatalogError where names clash."""
    text = resources.files(__package__).joinpath("aliases.dl").read_text(encoding="utf-8")
    return program.extended({"aliases.dl": text})


def aliases(
    before: Side,
    after: Side,
    renames: Mapping[str, str],
    is_test: Callable[[str], bool],
    at: Sequence[str] | None = None,
) -> list[Shared]:
    """The objects with a pair of names in `after` that `before` does not have, by their places.

    renames: escaped path in `before` -> in `after`. at: symbols of `after`; then pairs of one of them with any other
    value count, and else pairs of what `alias` says. Symbol ids have to mean the same on both sides.
    """
    old, new = _names(before.evaluation, at is not None), _names(after.evaluation, at is not None)
    old = _renamed(before.evaluation, old, renames)
    focus = None if at is None else after.evaluation.symbol_ids(list(at))
    found = _pairs(old, new, focus)
    return sorted(_Telling(after, is_test).all(found), key=lambda each: (each.file, each.line, each.says))


def _names(evaluation: Evaluation, every: bool) -> Rows:
    """Rows (object, place, field). every: also of values that last no longer than a call."""
    rows = evaluation.rows("alias")[:, :3]
    objects = np.unique(rows[:, 0])
    symbols = zip(objects.tolist(), evaluation.strings(objects), strict=True)
    variables = np.array([entry for entry, symbol in symbols if _is_variable(symbol)], np.int64)
    values = [np.column_stack([variables, variables])]
    if every:
        values.append(evaluation.rows("name_of"))
    [none] = evaluation.symbol_ids([""])
    whole = [np.column_stack([each, np.full(len(each), none, np.int64)]) for each in values]
    return np.unique(np.concatenate([rows, *whole]), axis=0)


def _is_variable(symbol: str) -> bool:
    """Whether it is the address of a variable, which is a name of the object by itself."""
    return what_of(symbol).startswith("&")


def _renamed(evaluation: Evaluation, rows: Rows, renames: Mapping[str, str]) -> Rows:
    """Rows with the symbols that the entities of renamed files have on the other side."""
    if not renames or not len(rows):
        return rows
    ids, inverse = np.unique(rows, return_inverse=True)
    there = ids.copy()
    for index, symbol in enumerate(evaluation.strings(ids)):
        path, own, rest = symbol.partition(OWN)
        if own and path in renames:
            [known] = evaluation.symbol_ids([f"{renames[path]}{OWN}{rest}"])
            there[index] = known if known >= 0 else ids[index]
    return there[inverse].reshape(rows.shape)


def _pairs(old: Rows, new: Rows, focus: Rows | None) -> Iterator[_Found]:
    """The objects of `new` with a pair of places that no object of `old` has; with `focus`, pairs of one of those
    values."""
    places, inverse = np.unique(np.concatenate([old, new])[:, 1:], axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    had = np.column_stack([old[:, 0], inverse[: len(old)]])
    have = np.column_stack([new[:, 0], inverse[len(old) :]])
    asked = None if focus is None else np.isin(places[:, 0], focus)
    by_place, by_object = had[np.argsort(had[:, 1], kind="stable")], had[np.argsort(had[:, 0], kind="stable")]
    width = len(places)
    fresh = ~np.isin(have[:, 0] * width + have[:, 1], had[:, 0] * width + had[:, 1])
    ends = np.flatnonzero(np.r_[have[1:, 0] != have[:-1, 0], np.ones(min(len(have), 1), bool)]) + 1
    for start, end in pairwise([0, *ends.tolist()]):
        here, came = have[start:end, 1], fresh[start:end]
        if len(here) < 2 or not came.any() or (asked is not None and not asked[here].any()):
            continue
        paired = np.zeros(len(here), bool)
        for index in np.flatnonzero(came):
            objects = _of(by_place, 1, here[index])[:, 0]
            shared = np.concatenate([_of(by_object, 0, each)[:, 1] for each in objects] or [here[:0]])
            partners = ~np.isin(here, shared)
            partners[index] = False
            if asked is not None and not asked[here[index]]:
                partners &= asked[here]
            if partners.any():
                paired |= partners
                paired[index] = True
        if paired.any():
            yield _Found(int(have[start, 0]), places[here[paired & came]], places[here[paired & ~came]])


def _of(rows: Rows, column: int, value: int) -> Rows:
    """The rows with that value, of rows in the order of the column."""
    low, high = np.searchsorted(rows[:, column], [value, value + 1])
    return rows[low:high]


class _Telling:
    """Objects and places in words, with a path to each."""

    def __init__(self, side: Side, is_test: Callable[[str], bool]) -> None:
        self._evaluation, self._locate, self._programs = side.evaluation, side.locate, side.programs
        self._is_test = is_test
        self._strings: dict[int, str] = {}

    def all(self, found: Iterator[_Found]) -> Iterator[Shared]:
        wanted = [each for each in found if not self._is_test(file_of(self._text(each.object)))]
        rows = self._evaluation.rows("alias")
        rows = rows[np.isin(rows[:, 0], [each.object for each in wanted])].tolist()
        # Of a place that is one in several ways, the first by name.
        how = {
            (row[0], row[1], row[2]): row[3] for row in sorted(rows, key=lambda row: self._text(row[3]), reverse=True)
        }
        named = [self._of(each, which, how) for each in wanted for which in (each.came, each.known)]
        proofs = iter(self._evaluation.prove_many([entry for names in named for entry, _ in names]))
        told = [tuple(replace(name, path=tuple(self._path(next(proofs)))) for _, name in names) for names in named]
        for each, came, known in zip(wanted, told[::2], told[1::2], strict=True):
            if came and len(came) + len(known) > 1:
                symbol = self._text(each.object)
                yield Shared(_object(symbol), *self._place(symbol), shown_function(symbol), came, known)

    def _of(self, found: _Found, places: Rows, how: Mapping[_Key, int]) -> list[tuple[_Tuple, Name]]:
        """The names of an object that have a place, each with the tuple that says so."""
        named: list[tuple[_Tuple, Name]] = []
        for place, field in places.tolist():
            key, symbol = (found.object, place, field), self._text(place)
            kind: How = "value"
            if place == found.object and _is_variable(symbol):
                kind = "variable"
            elif key in how:
                kind = self._text(how[key])  # type: ignore[assignment]
            file, line = self._place(symbol)
            if self._is_test(file) or (kind == "value" and self._locate(symbol) is None):
                continue
            entry = ("alias", (*key, how[key])) if key in how else ("name_of", (found.object, place))
            says = _SAYS[kind](symbol, self._text(field))
            named.append((entry, Name(kind, says, file, line, shown_function(symbol))))
        return sorted(named, key=lambda each: (each[1].file, each[1].line, each[1].says))

    def _text(self, entry: int) -> str:
        if entry not in self._strings:
            self._strings[entry] = self._evaluation.strings([entry])[0] if entry >= 0 else ""
        return self._strings[entry]

    def _place(self, symbol: str) -> tuple[str, int]:
        """Of an entity, else of its function."""
        parts = symbol.split("|")
        found = self._locate(symbol) or (self._locate("|".join(parts[:2])) if len(parts) > 2 else None)
        return (found.file, found.line) if found is not None else (file_of(symbol) if OWN in symbol else "", 0)

    def _path(self, proof: Proof | None) -> Iterator[Step]:
        """From the object to the place."""
        parts, current = [], _carried(proof) if proof is not None else None
        while current is not None:
            parts.append(current)
            current = _carried(current)
        last = None
        for part in reversed(parts):
            step = self._step(part)
            if step is not None and step != last:
                yield step
                last = step

    def _step(self, part: Proof) -> Step | None:
        said = {atom.relation: [self._text(entry) for entry in atom.row] for atom in part.body}
        row = [self._text(entry) for entry in part.row]
        if (flow := next((atom for atom in part.body if atom.relation == "object_flow"), None)) is not None:
            said |= {atom.relation: [self._text(entry) for entry in atom.row] for atom in flow.body}
        at, note = row[0], ""
        if "made_object" in said:
            note = "it is made here"
        elif "outside_object" in said:
            note = f"a caller passes it as {value_name(row[0])}"
        elif "own_object" in said:
            note = f"{callable_name(row[0])} runs on it"
        elif "binds" in said:
            at, note = said["binds"][0], f"it is passed to {callable_name(row[0])} as {value_name(row[0])}"
        elif "receiver" in said:
            at, note = said["receiver"][0], f"{callable_name(row[0])} runs on it"
        elif "callee" in said:
            note = f"{callable_name(said['callee'][1])} returns it"
        elif "store" in said:
            base, field, _ = said["store"]
            file, line = self._store(base, field)
            return Step(file, line, f"it is stored in {_field(base, field)}", shown_function(base))
        elif "lib_stores" in said:
            at, note = said["bound_target"][0], f"`{said['bound_target'][1]}()` stores it"
        elif "contents_flow" in said:
            at, note = said["contents_flow"][0], "the elements are copied, and are the same objects"
        elif "load" in said:
            note = f"it is read from {_field(said['load'][1], said['load'][2])}"
        elif part.relation == "taken" and "taken" not in said:
            note = "it is taken out of a container"
        file, line = self._place(at)
        return Step(file, line, note, shown_function(at)) if note else None

    def _store(self, base: str, field: str) -> tuple[str, int]:
        """Where a function writes a field, if it does so on one line: facts do not tell several apart. Else its own
        place."""
        symbol = "|".join(base.split("|")[:2])
        code = self._programs.code(symbol)
        if code is None:
            return self._place(base)
        written = code.index.of("put" if field == "[]" else "store")
        spans = [code.function.spans.get(each.number) for each in written if field in ("[]", each.operands[1])]
        lines = {span[0] for span in spans if span is not None}
        return (file_of(symbol), lines.pop()) if len(lines) == 1 else self._place(symbol)


def _carried(proof: Proof) -> Proof | None:
    """What says where the object was before."""
    made = proof.row[0 if proof.relation in _NAMES else -1]
    parts = [atom for atom in proof.body if atom.relation in _CARRIERS and atom.row[-1] == made]
    return min(parts, key=lambda atom: _CARRIERS.index(atom.relation), default=None)


def _object(symbol: str) -> str:
    if symbol.endswith("|formal"):
        return f"what is passed as {value_name(symbol)} of {callable_name(symbol)}"
    if _is_variable(symbol):
        name = what_of(symbol)[1:]
        return f"the variable `{name}`" if name else "the variable"
    return value_name(symbol)


def _field(base: str, name: str) -> str:
    if name == "[]":
        return "a container"
    return f"the target of {value_name(base)}" if name == "*" else f"the attribute `{name}`"


def _attribute(symbol: str, name: str) -> str:
    return f"{_INNER[name]} {_class(symbol)}" if name in _INNER else f"`{name}` of {_class(symbol)}"


def _class(symbol: str) -> str:
    if symbol.count(OWN) == 1:
        return f"`{symbol.partition(OWN)[2].split('#')[0]}`"
    return _object(symbol)


_SAYS: Final[Mapping[How, Callable[[str, str], str]]] = {
    "attribute": _attribute,
    "global": lambda symbol, _: f"the global variable `{symbol.split('|')[2]}`",
    "outside": lambda symbol, _: f"callers of {callable_name(symbol)}, which pass it",
    "maker": lambda symbol, _: f"{_maker(symbol)}, which makes it, passes it on and uses it",
    "result": lambda symbol, _: value_name(symbol),
    "parameter": lambda symbol, _: f"parameter {value_name(symbol)} of {callable_name(symbol)}, which changes it",
    "variable": lambda symbol, _: _object(symbol),
    "value": lambda symbol, _: value_name(symbol),
}


def _maker(symbol: str) -> str:
    return callable_name(symbol) if shown_function(symbol) else f"`{file_of(symbol)}`"


__all__ = ["Name", "Shared", "Side", "aliases", "asked"]
