"""What Java says of itself beyond its syntax."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from pliant.extractors.ir.operands import Type
from pliant.extractors.ir.semantics import Containers, LibraryCalls, Semantics, pure
from pliant.extractors.java.library_models import built_in
from pliant.extractors.java.types import BOXES, DULL

_CALLS = tomllib.loads(resources.files("pliant.extractors").joinpath("models", "java_calls.toml").read_text("utf-8"))


def _library() -> LibraryCalls:
    sets: dict[str, Any] = {key: frozenset(value) for key, value in _CALLS.items() if isinstance(value, list)}
    for key in ("tells", "tells_not"):
        sets[key] = {name: tuple(those) for name, those in _CALLS[key].items()}
    keyed = dict(_CALLS["keyed"])
    reads = tuple(keyed.pop("reads"))
    present: dict[str, frozenset[str]] = {}
    for table in built_in().values():
        for member, constants in table.get("present", {}).items():
            name = member.partition("/")[0]
            present[name] = present.get(name, frozenset()) | frozenset(constants)
    return LibraryCalls(**sets, keyed=keyed, reads=reads, present=present, subject=_CALLS["subject"])


def kind_of(kind: Type) -> str:
    """What tells overloads apart: a coarse kind of primitives, strings and arrays, else the type's simple name."""
    if kind.kind in ("number", "class") and (kind.kind == "number" or kind.module == "java.lang"):
        return _KINDS.get(kind.name or "int", kind.name)
    if kind.kind == "class":
        return kind.name.rpartition(".")[2]
    return {"array": "array", "boolean": "boolean", "string": "String"}.get(kind.kind, "")


_KINDS = {
    **dict.fromkeys(("byte", "short", "int", "long", "Byte", "Short", "Integer", "Long"), "number"),
    **dict.fromkeys(("float", "double", "Float", "Double"), "floating"),
    **dict.fromkeys(("char", "Character"), "char"),
    "Boolean": "boolean",
}

# What else fails for null (unboxing, `for`, `switch`, `throw`, `synchronized`) is a `require` of its own.
SEMANTICS = Semantics(
    null="null",
    needs={
        "load": "attribute",
        "store": "attribute",
        "element": "subscript",
        "put": "subscript",
        "invoke": "method",
    },
    truth_is_not_null=False,
    containers={"array": "java.lang.Object[]"},
    zero_is_null=frozenset(("class", "array")),
    errors={"": "NullPointerException"},
    everything=frozenset(("Exception", "RuntimeException", "Throwable")),
    assertion="AssertionError",
    integers={"": 32, **dict.fromkeys(("byte", "char", "int", "short"), 32), "long": 64},
    boxed_once=range(-128, 128),
    boxes=("Integer", "Boolean", "Byte", "Character", "Long", "Short"),
    objects=True,
    tests_tell=True,
    states=True,
    kind_of=kind_of,
    arrays_passed=True,
    iterators_fail=True,
    classes_tell=True,
    all_classes=("java.lang.Object",),
    synonyms=True,
    versions=True,
    containers_of=Containers.of(_CALLS["containers"]),
    string=Type("class", "String", "java.lang"),
    arity=True,
    constructors=True,
    functional=True,
    virtual=True,
    typed_members=True,
    fields_begin_null=True,
    effects=True,
    library=_library(),
    passed_conditions=True,
    dull=frozenset(f"java.lang.{name}" for name in DULL),
    pure=pure("java"),
    final=frozenset(f"java.lang.{name}" for name in ("String", *BOXES)),
    steady=r"[A-Z][A-Z0-9_]+|class",
)
