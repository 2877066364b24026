"""What C says of itself beyond its syntax."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from pliant.extractors.c.linkage import LINKAGE
from pliant.extractors.c.models import models
from pliant.extractors.ir.semantics import MemoryCalls, Semantics
from pliant.extractors.lowering.ranges import NATURAL, Range


def named_number(name: str) -> int:
    """A number that stands for a constant of another file, the same wherever it is named."""
    digest = 0
    for character in name.encode():
        digest = (digest * 131 + character) % 1_000_000_007
    return 1_000_000 + digest


_LIMITS: dict[str, Range] = {
    **dict.fromkeys(
        [f"unsigned{size}" for size in ("", " int", " long", " long int", " long long", " long long int")], NATURAL
    ),
    **dict.fromkeys(("size_t", "uintptr_t", "uintmax_t", "uint32_t", "uint64_t"), NATURAL),
    **dict.fromkeys(("bool", "_Bool"), ((0, 1),)),
    "char": ((0, 127),),  # with a sign on some machines
    **dict.fromkeys(("signed char", "int8_t"), ((-128, 127),)),
    **dict.fromkeys(("unsigned char", "uint8_t"), ((0, 255),)),
    **dict.fromkeys(("short", "short int", "signed short", "int16_t"), ((-32768, 32767),)),
    **dict.fromkeys(("unsigned short", "unsigned short int", "uint16_t"), ((0, 65535),)),
}

# The address of a member is computed, and not used, where a pointer is null: what is used of it is a `require`.
_PLAIN = Semantics(
    null="NULL",
    needs={
        "load": "member",
        "store": "member",
        "element": "subscript",
        "put": "subscript",
        "call": "call",
    },
    truth_is_not_null=True,
    containers={"array": "array", "function": "function"},
    zero_is_null=frozenset(("pointer",)),
    false=frozenset((False, 0)),
    tests_tell=True,
    passed_conditions=True,
    linkage=LINKAGE,
    pointers=True,
    synonyms=True,
    sums=True,
    results_tell=True,
    constant=lambda name: named_number(name) if name.isupper() else None,
    limits=_LIMITS,
    fractions=frozenset(("float", "double", "long double")),
)


T = TypeVar("T")


def _with_models() -> Semantics:
    """With what the models say of its library."""
    known = models()

    def named(table: Mapping[str, T]) -> dict[str, T]:
        return {f"{LINKAGE}.{name}": value for name, value in table.items()}

    def names(listed: Iterable[str]) -> frozenset[str]:
        return frozenset(f"{LINKAGE}.{name}" for name in listed)

    memory = MemoryCalls(
        names=names(known.names),
        frees=named(known.frees),
        moves=named(known.moves),
        gives_back=named(known.returns_argument),
        touches_none=named(known.touches_none),
        may_give_null=names(known.null),
        writes=named(known.writes),
        runs=named(known.runs),
        apart=names(known.apart),
        sizes=named(known.sizes),
        largest=known.largest_allocation,
        finds_end=names(known.finds_end),
        reads=names(known.reads),
        allocates=names(known.allocates),
        results=named(known.results),
        last_resort=known.last_resort,
        failures=known.failures,
    )
    return replace(
        _PLAIN,
        memory=memory,
        formats=named(known.formats),
        arguments={f"{LINKAGE}.{name}": at for name, at in known.needs.items()},
        never_return=frozenset(f"{LINKAGE}.{name}" for name in known.noreturn),
    )


SEMANTICS = _with_models()
