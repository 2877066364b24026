"""What a step on the path of a null says: one entry for each relation that a step may rest on.

A step is a tuple that says where the null is, with the atoms of the rule that derived it. Of the entries for the
tuple's relation, the first whose own relation is among these atoms says the step.

In a sentence, `{v}` is the tuple's first value, and `{0}`, `{1}`, ... are the atom's arguments: as a name (`{v.name}`),
as a call (`{v.call}`), or as the word for null in their language (`{v.null}`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pliant.analyses.wording import callable_name, null_word, value_name, what_of

Row = Sequence[str]  # symbols; a number is whatever symbol has that id, and is not used


class _Symbol(str):
    __slots__ = ()

    @property
    def name(self) -> str:
        return value_name(self)

    @property
    def call(self) -> str:
        return callable_name(self)

    @property
    def null(self) -> str:
        return null_word(self)


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence about a place. at: the number of the atom's argument that stands there; None for the tuple's first
    value. of_row: the number is one of the tuple's."""

    text: str | Callable[[Row, Row], str]
    at: int | None = None
    of_row: bool = False

    def said(self, row: Row, atom: Row) -> tuple[str, str]:
        """The symbol whose place it is, and the sentence; empty if there is nothing to say."""
        symbol = row[0] if self.at is None else (row if self.of_row else atom)[self.at]
        if not isinstance(self.text, str):
            return symbol, self.text(row, atom)
        return symbol, self.text.format(*map(_Symbol, atom), v=_Symbol(row[0]))


@dataclass(frozen=True, slots=True)
class Saying:
    """by: the relation; empty for any step. origin: what made the null; empty where nothing made it here. certain:
    whether nothing but the null may come this way. reads: whether the tuple's value is a field that may always be null.
    calls: whether a call is made or left. without: relations on which such a step does not rest."""

    by: str
    notes: tuple[Note, ...] = ()
    origin: str = ""
    certain: bool = True
    reads: bool = False
    calls: bool = False
    without: tuple[str, ...] = ()

    def origin_of(self, atom: Row) -> str:
        return self.origin.format(*atom)


def _null(row: Row, atom: Row) -> str:
    symbol, kind = row[0], atom[1]
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


def _left(row: Row, atom: Row) -> str:
    """Of a field after a call: in C, perhaps the variable whose address was passed."""
    _, value, field, *_ = atom
    what = what_of(value)
    if field != "*":
        content = f"the attribute `{field}`"
    else:
        content = f"`{what[1:]}`" if what.startswith("&") else f"what {value_name(value)} points to"
    return f"after this call {content} is {null_word(atom[0])}"


def _taken(row: Row, atom: Row) -> str:
    return f"it is taken from {value_name(atom[1]) if what_of(atom[1]).endswith('()') else 'the tuple'}"


def _returned(row: Row, atom: Row) -> str:
    """Nothing where the place says that itself."""
    return "" if what_of(atom[1]) in ("return", "end") else f"{callable_name(row[0])} returns it"


_READ = Note("{v.name} is read here, and nothing is known of it")
_READ_ELSEWHERE = Note("{v.name} is read here; it is compared with {v.null} elsewhere")
_ANY: Final = (
    Saying("null", (Note(_null),), "{1}"),
    Saying("lib_nullable", (Note("`{0}()` may return {v.null}"),), "call {0}", certain=False),
    Saying("lib_returns_none", (Note("`{0}()` always returns {v.null}"),), "call {0}"),
    Saying("nullable_field", (Note("{v.name} is declared to be {v.null} at times", 2),)),
    Saying("known_null", (Note("{v.name} of {0.name} is {v.null} from here on", 2),)),
    Saying("lib_value_nullable", (Note("the library may leave it {v.null}"),)),
    Saying("tested_null", (Note("{v.name} is compared with {1.null} here, and may be", 1),), "tested", certain=False),
    Saying(
        "nullable_formal",
        (Note("parameter {v.name} is declared to accept {v.null}"),),
        "parameter",
        certain=False,
    ),
    Saying(
        "default",
        (Note("parameter {v.name} of {v.call} is {v.null} where a call leaves it out"),),
        "default",
        certain=False,
        calls=True,
    ),
    Saying(
        "passes",
        (Note("it is passed to {2.call} as {2.name}", 0),),
        without=("path_formal", "path_exit", "null_for_null"),
        calls=True,
    ),
    Saying("path_actual", (Note("{v.name} is {v.null} when {v.call} is called here", 0),), calls=True),
    Saying("path_result", (Note(_left, 0),), calls=True),
    Saying("path_result_when", (Note(_left, 0),), calls=True),
    Saying("calls", (Note("this call of {1.call} gives it"),), certain=False, calls=True),
    Saying("property_call", (Note("reading {v.name} runs {1.call}, which gives it"),), certain=False, calls=True),
    Saying("awaits", (Note("awaiting {1.call} gives it"),), certain=False, calls=True),
    Saying("summary", (Note("{v.name} is what was passed"),), certain=False, calls=True),
    Saying("null_content", (Note("{v.name} is read here; all that is written to it may be {v.null}"),), reads=True),
    Saying("cleared", (_READ_ELSEWHERE,), reads=True),
    Saying("reset", (_READ_ELSEWHERE,), reads=True),
    Saying("variable_left", (Note("{0.name} is shared; all that is written to it may be {v.null}"),), certain=False),
    Saying("element", (Note(_taken),), certain=False),
    Saying("item_where", (Note(_taken),), certain=False),
    Saying("import_from", (Note("it is imported here", 0),)),
)
_EXPECTED: Final = (
    Saying(
        "untested",
        (Note("the other version of this function tests {v.name} for {v.null}", 1),),
        "removed",
        certain=False,
    ),
    Saying(
        "dropped",
        (Note("the other version of this function tests {v.name} for {v.null}", 1),),
        "removed",
        certain=False,
    ),
    Saying(
        "found_null",
        (Note("{v.name} is tested here, and the function goes on where it is {v.null}"),),
        "test",
        certain=False,
    ),
    Saying(
        "resettable",
        (Note("{v.name} is set back to {v.null} here", 2), _READ),
        "reset",
        certain=False,
        reads=True,
    ),
    Saying("late", (Note("{v.name} is {v.null} at first", 2), _READ), "first", certain=False, reads=True),
    Saying(
        "blind",
        (Note("{v.name} is read here; most functions that read it test it for {v.null} first"),),
        "doubted",
        certain=False,
        reads=True,
    ),
    Saying(
        "blind_result",
        (Note("most functions that make this call test its result for {v.null} first"),),
        "doubted",
        certain=False,
    ),
    Saying("doubtful", (_READ,), "doubted", certain=False, reads=True),
    Saying(
        "import_fallback",
        (Note("{v.name} is {v.null} where its import fails, and nothing tests it", 1, of_row=True),),
        "import",
        certain=False,
        reads=True,
    ),
    Saying("reset_variable", (Note("{v.name} is set back to {v.null} here", 2),), "reset", certain=False),
    Saying("late_variable", (Note("{v.name} is {v.null} at first", 2),), "first", certain=False),
    Saying(
        "optional",
        (Note("{v.name} is declared to be {v.null} at times", 2), _READ),
        "annotation",
        certain=False,
        reads=True,
    ),
)
_AT_USE: Final = (
    Saying("tested_late", (Note("it is compared with {1.null} here, after its use", 1),), "tested", certain=False),
    Saying("starts_null", (Note("{0.name} is {v.null} at first, and nothing else is written to it", 0),), "literal"),
)
_SILENT: Final = (Saying("", certain=False),)
_OF: Final[Mapping[str, tuple[Saying, ...]]] = {
    "null_dereference": _AT_USE,
    "freed_null": _AT_USE,
    "unset_field": _SILENT,
    "null_content": _SILENT,
    "cleared_by": _SILENT,
    "reset": _SILENT,
    "set_late": (Saying("", (Note(lambda row, _: _set_late(row[2]), 2, of_row=True),), "tested"),),
    "exports": (Saying("returns", (Note(_returned, 1),), certain=False), *_SILENT),
    "expected": (*_EXPECTED, *_ANY),
}


def _set_late(symbol: str) -> str:
    return f"{value_name(symbol)} is set here when it is first asked for, and {null_word(symbol)} before"


def sayings(relation: str) -> tuple[Saying, ...]:
    """What may be said of the tuples of a relation that says where a null is."""
    return _OF.get(relation, _ANY)


__all__ = ["Note", "Row", "Saying", "sayings"]
