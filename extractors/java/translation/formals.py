"""Parameters of a function, and what declarations say of null."""

from __future__ import annotations

from collections.abc import Iterable

from pliant.extractors.ir.operands import NULL, OTHER, Argument, Operand
from pliant.extractors.ir.unit import Formal
from pliant.extractors.java.translation import nulls
from pliant.extractors.java.translation.body import Body
from pliant.extractors.java.translation.frames import Parameter
from pliant.extractors.java.translation.written import array_of


def said_of_null(nullness: frozenset[bool]) -> tuple[Operand, ...]:
    """What a declaration says of null, as types: null if it may be there, one that is not known if not."""
    return tuple(NULL if each else OTHER for each in nullness)


def formals(body: Body, takes: Iterable[Parameter]) -> list[Argument]:
    """Declare parameters; returns what is said of null in them."""
    said: list[Argument] = []
    for each in takes:
        kind = array_of(body.type(each.type), each.dimensions + each.rest)
        local = body.declare_as(each.name, kind)
        if body.file.says_null:
            nulls.declare(body, local, nulls.of_parameter(body, each))
        body.function.formals.append(Formal(local.variable, kind, "rest" if each.rest else "one"))
        said += [Argument(value, each.name) for value in said_of_null(each.nullness)]
    return said
