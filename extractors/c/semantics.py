"""What C says of itself beyond its syntax."""

from __future__ import annotations

from pliant.extractors.ir.semantics import Semantics

# The address of a member is computed, and not used, where a pointer is null: what is used of it is a `require`.
SEMANTICS = Semantics(
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
)
