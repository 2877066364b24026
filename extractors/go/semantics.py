"""What Go says of itself beyond its syntax."""

from __future__ import annotations

from pliant.extractors.ir.semantics import Semantics, pure

# A map is read, ranged over and measured where it is nil, and so is a slice. What fails for nil besides these (a type
# assertion, the receiver of a method that takes a value) is a `require` of its own.
SEMANTICS = Semantics(
    null="nil",
    pure=pure("go"),
    needs={
        "load": "attribute",
        "store": "attribute",
        "interior": "attribute",
        "put": "subscript",
        "call": "call",
        "invoke": "method",
    },
    truth_is_not_null=False,
    containers={"array": "slice", "map": "map", "tuple": "results", "channel": "channel", "function": "function"},
    private=r"[a-z_]",
    zero_is_null=frozenset(("pointer", "map", "function", "interface", "array", "channel")),
)
