"""Values of which something is known while a method is evaluated, and what is known of them before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from pliant.extractors.java.declarations import Class

_LARGEST = 2**31


@dataclass(slots=True, eq=False)
class Thing:
    """An object. kind: the name of its class, if that is known; class_: that, if it is one of the file; fields: those
    that are known; empty: of a container."""

    kind: str = ""
    class_: Class | None = None
    fields: dict[str, Known] = field(default_factory=dict)
    empty: bool | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    name: str


UNKNOWN: Final = Mark("unknown")
NULL: Final = Mark("null")
Known = int | str | Thing | Mark
# What is known of a value before a method is run: a number or a string, "null", "some" for what is not null, the class
# of an object, the class and the arguments of one that is new, whether a container is empty, or nothing.
Spec = tuple[object, ...]


def bounded(number: int) -> Known:
    return number if -_LARGEST <= number < _LARGEST else UNKNOWN


def same(a: Known, b: Known) -> bool | None:
    """Whether `a == b`."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    if NULL in (a, b):
        other = b if a == NULL else a
        return True if other == NULL else None if other == UNKNOWN else False
    return a is b if isinstance(a, Thing) and isinstance(b, Thing) else None


def arithmetic(operator: str, a: Known, b: Known) -> Known:
    if not isinstance(a, int) or not isinstance(b, int):
        return Thing("String") if operator == "+" and (isinstance(a, str) or isinstance(b, str)) else UNKNOWN
    if operator in ("+", "-", "*"):
        return bounded(a + b if operator == "+" else a - b if operator == "-" else a * b)
    if operator in ("<", "<=", ">", ">="):
        return int(a < b if operator == "<" else a <= b if operator == "<=" else a > b if operator == ">" else a >= b)
    return UNKNOWN


def changed(*values: Known) -> None:
    """Others have got objects: nothing is known of what is in them from there on."""
    for value in values:
        if isinstance(value, Thing):
            inside = list(value.fields.values())
            value.fields.clear()
            value.empty = None
            changed(*inside)


def of_container(thing: Thing, name: str, given: list[Known]) -> Known | None:
    """What a container gives; None where it has to be treated like any other object."""
    if thing.empty is None:
        return None
    if not given and name == "isEmpty":
        return int(thing.empty)
    if not given and name == "size" and thing.empty:
        return 0
    if name in ("get", "getFirst", "getLast", "peek", "contains", "containsKey", "indexOf", "size"):
        return UNKNOWN
    return None
