"""From a proof to a path: the places that a null passes from its origin to its use, a sentence each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from pliant.analyses.findings import Step
from pliant.analyses.wording import callable_name, file_of, null_word, shown_function, stable_name, value_name, what_of

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
    """steps: origin first. guesses: calls on it that were resolved by name alone. calls: all calls on it. heap: steps
    through fields of objects. origin: what made the null. choices: where it is one of several values that may come
    this way. field: the field that the last step reads, if it reads one that may always be null."""

    steps: list[Step]
    guesses: int = 0
    choices: int = 0
    origin: str = ""
    calls: int = 0
    heap: int = 0
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


def _arguments(part: Proof, relation: str, text: Strings) -> list[str] | None:
    """The symbols of the body atom of that relation (numbers come out as whatever symbol has that id: not used)."""
    for atom in part.body:
        if atom.relation == relation:
            return [text(entry) for entry in atom.row]
    return None


def _step(path: NullPath, part: Proof, text: Strings, locate: Locate) -> None:
    def add(symbol: str, note: str, field: str = "") -> None:
        place = locate(symbol)
        if place is None:
            return
        path.field = field
        step = Step(place.file, place.line, note, shown_function(symbol), place.column)
        if path.steps and (path.steps[-1].file, path.steps[-1].line, path.steps[-1].note) == (
            step.file,
            step.line,
            note,
        ):
            return
        path.steps.append(step)

    def has(relation: str) -> list[str] | None:
        return _arguments(part, relation, text)

    for atom in part.body:
        if atom.relation in ("calls", "passes") and any(inner.relation == "guess" for inner in atom.body):
            path.guesses += 1
        if _by_hierarchy(atom):
            path.guesses += 1
        if atom.relation == "flow" and any(inner.relation == "phi" for inner in atom.body):
            path.choices += 1
    row = [text(entry) for entry in part.row]
    if part.relation in ("null_dereference", "freed_null"):
        if (late := has("tested_late")) is not None:
            path.origin = "tested"
            path.choices += 1
            add(late[1], f"it is compared with {null_word(late[1])} here, after its use")
        elif (variable := has("starts_null")) is not None:
            path.origin = "literal"
            add(
                variable[0],
                f"{value_name(variable[0])} is {null_word(row[0])} at first, and nothing else is written to it",
            )
        return
    null = null_word(row[0])
    if part.relation in ("unset_field", "null_content", "cleared_by", "reset"):
        path.choices += 1
        path.heap += 1
        return
    if part.relation == "set_late":
        path.origin = "tested"
        add(row[2], f"{value_name(row[2])} is set here when it is first asked for, and {null_word(row[2])} before")
        return
    if part.relation == "exports":
        returned = has("returns")
        path.choices += 1
        if returned is not None and what_of(returned[1]) not in ("return", "end"):
            add(returned[1], f"{callable_name(row[0])} returns it")
        return
    if part.relation == "expected" and (reason := _expected(part, row)) is not None:
        path.origin, path.choices = reason[0], path.choices + 1
        for symbol, note in reason[1]:
            add(symbol, note, value_name(row[0]) if symbol == row[0] and reason[0] != "test" else "")
    elif (made := has("null")) is not None:
        path.origin = made[1]
        add(row[0], _null_note(row[0], made[1]))
    elif (call := has("lib_nullable")) is not None:
        path.origin = f"call {call[0]}"
        path.choices += 1
        add(row[0], f"`{call[0]}()` may return {null}")
    elif (call := has("lib_returns_none")) is not None:
        path.origin = f"call {call[0]}"
        add(row[0], f"`{call[0]}()` always returns {null}")
    elif (declared := has("nullable_field")) is not None:
        add(declared[2], f"{value_name(row[0])} is declared to be {null} at times")
    elif (kept := has("known_null")) is not None:
        add(kept[2], f"{value_name(row[0])} of {value_name(kept[0])} is {null} from here on")
    elif has("lib_value_nullable") is not None:
        add(row[0], f"the library may leave it {null}")
    elif (tested := has("tested_null")) is not None:
        path.origin = "tested"
        path.choices += 1
        add(tested[1], f"{value_name(row[0])} is compared with {null_word(tested[1])} here, and may be")
    elif has("nullable_formal") is not None:
        path.origin = "parameter"
        path.choices += 1
        add(row[0], f"parameter {value_name(row[0])} is declared to accept {null}")
    elif has("default") is not None:
        path.origin = "default"
        path.choices += 1
        path.calls += 1
        add(
            row[0],
            f"parameter {value_name(row[0])} of {callable_name(row[0])} is {null} where a call leaves it out",
        )
    elif (passed := has("passes")) is not None and not (has("path_formal") or has("path_exit") or has("null_for_null")):
        path.calls += 1
        add(passed[0], f"it is passed to {callable_name(passed[2])} as {value_name(passed[2])}")
    elif (actual := has("path_actual")) is not None:
        path.calls += 1
        path.heap += 1
        add(actual[0], f"{value_name(row[0])} is {null} when {callable_name(row[0])} is called here")
    elif (result := has("path_result") or has("path_result_when")) is not None:
        path.calls += 1
        path.heap += 1
        add(result[0], f"after this call {_content(result[1], result[2])} is {null_word(result[0])}")
    elif (called := has("calls")) is not None:
        path.calls += 1
        path.choices += 1
        add(row[0], f"this call of {callable_name(called[1])} gives it")
    elif (called := has("property_call")) is not None:
        path.calls += 1
        path.choices += 1
        add(row[0], f"reading {value_name(row[0])} runs {callable_name(called[1])}, which gives it")
    elif (called := has("awaits")) is not None:
        path.calls += 1
        path.choices += 1
        add(row[0], f"awaiting {callable_name(called[1])} gives it")
    elif has("summary") is not None:
        path.choices += 1
        path.calls += 1
        add(row[0], f"{value_name(row[0])} is what was passed")
    elif has("null_content") is not None:
        add(row[0], f"{value_name(row[0])} is read here; all that is written to it may be {null}", value_name(row[0]))
    elif has("cleared") is not None or has("reset") is not None:
        add(row[0], f"{value_name(row[0])} is read here; it is compared with {null} elsewhere", value_name(row[0]))
    elif (left := has("variable_left")) is not None:
        path.choices += 1
        add(row[0], f"{value_name(left[0])} is shared; all that is written to it may be {null}")
    elif (item := has("element") or has("item_where")) is not None:
        path.choices += 1
        of_call = what_of(item[1]).endswith("()")
        add(row[0], f"it is taken from {value_name(item[1]) if of_call else 'the tuple'}")
    elif (imported := _imported(part)) is not None:
        add(text(imported.row[0]), "it is imported here")


def _content(symbol: str, field: str) -> str:
    """What is read as `field` of a value: in C, a variable whose address it is."""
    if field != "*":
        return f"the attribute `{field}`"
    what = what_of(symbol)
    return f"`{what[1:]}`" if what.startswith("&") else f"what {value_name(symbol)} points to"


def _expected(part: Proof, row: Sequence[str]) -> tuple[str, list[tuple[str, str]]] | None:
    """Why a function has to expect a null: what kind of reason, and places with what they say."""
    said = {atom.relation for atom in part.body}
    what, null = value_name(row[0]), null_word(row[0])
    if "found_null" in said:
        return "test", [(row[0], f"{what} is tested here, and the function goes on where it is {null}")]
    read = (row[0], f"{what} is read here; other functions test it for {null} first")
    if "risky" in said:
        return "reset", [(row[1], f"{what} is set back to {null} here"), read]
    if "late" in said:
        return "reset", [(row[1], f"{what} is {null} at first"), read]
    if "doubtful" in said:
        return "reset", [read]
    if "import_fallback" in said:
        return "import", [(row[1], f"{what} is {null} where its import fails, and nothing tests it")]
    if "optional" in said:
        return "annotation", [(row[1], f"{what} is declared to be {null} at times")]
    return None


def _by_hierarchy(atom: Proof) -> bool:
    """Whether what a call runs shows from the class hierarchy alone."""
    evidence = [atom] if atom.relation == "evident" else atom.body if atom.relation == "passes" else []
    return any(
        part.relation == "evident" and any(inner.relation == "dispatches" for inner in part.body) for part in evidence
    )


def _imported(part: Proof) -> Proof | None:
    for atom in part.body:
        if atom.relation == "flow":
            for inner in atom.body:
                if inner.relation == "import_from":
                    return inner
    return None


def _null_note(symbol: str, kind: str) -> str:
    if kind == "end":
        return f"{callable_name(symbol)} can end without returning a value"
    if kind == "unset":
        return f"{callable_name(symbol)} does not set the field `{what_of(symbol).removesuffix(' unset')}`"
    if kind == "zero":
        return f"{value_name(symbol)} is {null_word(symbol)} here: nothing is assigned to it yet"
    if kind == "annotation":
        declared = callable_name(what_of(symbol).removesuffix(" annotation"))
        return f"{declared} is declared to return {null_word(symbol)} as well"
    if what_of(symbol) == "return":
        return f"{callable_name(symbol)} returns {null_word(symbol)} here"
    return f"{null_word(symbol)} here"


def place_of(symbol: str, locate: Locate) -> tuple[str, int, int]:
    """File, line and column of an entity; the file's first line where it has no place."""
    found = locate(symbol)
    return (found.file, found.line, found.column) if found is not None else (file_of(symbol), 1, 0)
