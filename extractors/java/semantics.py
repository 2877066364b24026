"""What Java says of itself beyond its syntax."""

from __future__ import annotations

from pliant.extractors.ir.semantics import Semantics

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
    objects=True,
    tests_tell=True,
    arity=True,
    constructors=True,
    functional=True,
    virtual=True,
    typed_members=True,
    fields_begin_null=True,
    effects=True,
)
