"""What instructions take besides the values that other instructions give: constants, types, predicates, arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Value = int  # the number of the instruction that gives it


class Constant(NamedTuple):
    """A constant of the source.

    kind: null, boolean, integer, float, string, bytes, or `other` for one whose content is not kept. content: None for
    null and `other`; a boolean's, an integer's (a bounded number of digits) or a string's own content; the text of a
    float, and of bytes.
    """

    kind: Literal["null", "boolean", "integer", "float", "string", "bytes", "other"]
    content: bool | int | str | None = None


NULL = Constant("null")
OTHER = Constant("other")
Operand = Value | Constant  # what gives a value


@dataclass(frozen=True, slots=True)
class Type:
    """A type as far as the source shows it.

    kind: `class` (also an interface), `pointer`, `array`, `map`, `function`, `tuple`, `number`, `boolean`, `string`,
    or `any` where nothing is known. name: of a class or a number; of an array, `const` if it is never changed; of a
    pointer, `read` or `written` if what it points to is, and through it alone; module: where a class is: "" in this
    file, "." in this folder, else the name of a module. of: what it is made of: the target of a pointer, the elements
    of an array, keys and elements of a map, the items of a tuple, the results of a function.
    """

    kind: str
    name: str = ""
    module: str = ""
    of: tuple[Type, ...] = ()


ANY = Type("any")
NUMBER = Type("number")
STRING = Type("string")
BOOLEAN = Type("boolean")
UNTYPED = Type("pointer", of=(ANY,))
TYPE_KINDS = frozenset(
    (
        "any",
        "array",
        "boolean",
        "channel",
        "class",
        "function",
        "interface",
        "map",
        "number",
        "pointer",
        "string",
        "tuple",
    )
)


class Argument(NamedTuple):
    """An argument of a call. name: "" for a positional one, `*` for a sequence of them, `**` for a mapping of named
    ones, else its name."""

    value: Operand
    name: str = ""


class Predicate(NamedTuple):
    """What a branch asks; a tree.

    operator: `and`, `or`, `not` over predicates; `null` (the operand is null), `truth` (it counts as true), `is` (it is
    an instance of a type), and `==`, `<`, `<=`, `in` over two operands; `always`, with the constant true or false.
    """

    operator: str
    operands: tuple[Predicate | Operand | Type, ...]


CONNECTIVES = {"and": 2, "or": 2, "not": 1}  # operator -> number of operands, which are predicates
QUESTIONS = {"null": 1, "truth": 1, "is": 2, "==": 2, "<": 2, "<=": 2, "in": 2, "always": 1}


def negated(predicate: Predicate) -> Predicate:
    """The opposite of a predicate."""
    if predicate.operator == "not":
        [inner] = predicate.operands
        assert isinstance(inner, Predicate)
        return inner
    return Predicate("not", (predicate,))


def asked(predicate: Predicate) -> list[Operand]:
    """The operands that a predicate asks about, in their order."""
    found: list[Operand] = []
    todo: list[Predicate | Operand | Type] = [predicate]
    while todo:
        part = todo.pop()
        if isinstance(part, Predicate):
            todo.extend(reversed(part.operands))
        elif not isinstance(part, Type):
            found.append(part)
    return found
