"""Types of the standard library's stubs.

A type expression becomes a `Type`; what the analyses have no use for (callables, class objects, protocols' variance)
becomes `ANY`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """kind: instance, tuple (of known length), variable, union, none, any, never or self.

    name: the class of an instance, the defining name of a variable. args: type arguments, elements, alternatives.
    """

    kind: str
    name: str = ""
    args: tuple[Type, ...] = ()


ANY = Type("any")
NONE = Type("none")
NEVER = Type("never")
SELF = Type("self")
TUPLE = "builtins.tuple"
_AWAITABLES = {"typing.Awaitable": 0, "typing.Coroutine": 2, "types.CoroutineType": 2}


def instance(name: str, *args: Type) -> Type:
    return Type("instance", name, args)


def members(type_: Type) -> tuple[Type, ...]:
    """The alternatives of a type: a union's members, else the type itself."""
    return type_.args if type_.kind == "union" else (type_,)


def includes_none(type_: Type) -> bool:
    """Whether None is one of the alternatives. In stubs `Any | None` says that a check is expected; where None is
    possible and a check is not expected they say `X | Any`, which does not count."""
    return any(member.kind == "none" for member in members(type_))


def union(types: Iterable[Type]) -> Type:
    flat: dict[Type, None] = {}
    for type_ in types:
        flat.update(dict.fromkeys(members(type_)))
    if len(flat) > 1:
        flat.pop(NEVER, None)
    found = tuple(flat)
    if not found:
        return ANY
    return found[0] if len(found) == 1 else Type("union", args=found)


def substitute(type_: Type, mapping: dict[str, Type]) -> Type:
    if type_.kind == "variable":
        return mapping.get(type_.name, type_)
    if type_.kind == "self":
        return mapping.get("Self", type_)
    if not type_.args:
        return type_
    args = tuple(substitute(arg, mapping) for arg in type_.args)
    return union(args) if type_.kind == "union" else Type(type_.kind, type_.name, args)


def variables(type_: Type) -> dict[str, None]:
    """Names of the type variables in a type, in order of appearance."""
    if type_.kind == "variable":
        return {type_.name: None}
    found: dict[str, None] = {}
    for arg in type_.args:
        found.update(variables(arg))
    return found


def awaited(type_: Type) -> Type:
    """The type with coroutines and awaitables replaced by what awaiting them gives."""
    found = []
    for member in members(type_):
        position = _AWAITABLES.get(member.name, -1) if member.kind == "instance" else -1
        found.append(member.args[position] if 0 <= position < len(member.args) else member)
    return union(found)
