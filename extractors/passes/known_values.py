"""Values of which something is known while a function is run, and what is known of them before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

_LARGEST = 2**31


@dataclass(slots=True, eq=False)
class Thing:
    """An object. kind: the symbol of its class, if that is known; fields: those that are known. instance: False for a
    class of the file itself, of which kind is the name. empty: of a container, if that is known."""

    kind: str = ""
    fields: dict[str, Known] = field(default_factory=dict)
    instance: bool = True
    empty: bool | None = None


@dataclass(frozen=True, slots=True)
class Null:
    """function, number: the instruction that gives it."""

    function: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Unknown:
    """Of a value nothing is known."""


UNKNOWN: Final = Unknown()
Known = int | str | Thing | Null | Unknown
# What is known of a value before a function is run: a number or a string (`is`), `null`, `some` for what is not null,
# the class of an object (`made`), the class and the arguments of one that is new (`new`), whether a container is
# `empty`, or nothing (`unknown`).
Spec = tuple[object, ...]
NOTHING: Spec = ("unknown",)
SOME: Spec = ("some",)


def same(a: Known, b: Known) -> bool | None:
    """Whether `a == b`."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    if isinstance(a, Null) or isinstance(b, Null):
        other = b if isinstance(a, Null) else a
        return True if isinstance(other, Null) else None if other == UNKNOWN else False
    return a is b if isinstance(a, Thing) and isinstance(b, Thing) else None


def compared(operator: str, a: Known, b: Known) -> bool | None:
    if operator == "==":
        return same(a, b)
    if not isinstance(a, int) or not isinstance(b, int):
        return None
    return a < b if operator == "<" else a <= b


def computed(operator: str, operands: list[Known]) -> Known:
    """What arithmetic gives."""
    if operator == "concat":
        return Thing()
    if not 1 <= len(operands) <= 2:
        return UNKNOWN
    a, b = operands if len(operands) == 2 else (0, operands[0])
    if not isinstance(a, int) or not isinstance(b, int) or operator not in ("+", "-", "*"):
        return UNKNOWN
    number = a + b if operator == "+" else a - b if operator == "-" else a * b
    return number if -_LARGEST <= number < _LARGEST and (len(operands) == 2 or operator == "-") else UNKNOWN


def changed(*values: Known) -> None:
    """Others have got objects: nothing is known of what is in them from there on."""
    todo = list(values)
    while todo:
        value = todo.pop()
        if isinstance(value, Thing) and value.instance:
            todo += value.fields.values()
            value.fields.clear()
            value.empty = None
