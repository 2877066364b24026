"""What Python says of itself beyond its syntax."""

from __future__ import annotations

from pliant.extractors.ir.semantics import Semantics

_BINARY = ("+", "-", "*", "/", "//", "**", "<<", ">>", "&", "^", "@")
_IN_PLACE = (*(f"{operator}=" for operator in _BINARY), "|=")

# What else fails for None (unpacking, `with`, `for`, `in`) is a `require` of its own.
SEMANTICS = Semantics(
    null="None",
    needs={
        "load": "attribute",
        "store": "attribute",
        "element": "subscript",
        "slice": "subscript",
        "put": "subscript",
        "call": "call",
        "invoke": "attribute",
        "await": "await",
    },
    truth_is_not_null=True,
    containers={"tuple": "builtins.tuple", "slice": "builtins.list"},
    zero_is_null=frozenset(),
    of_null=frozenset(dir(None)),
    # The right side of `%` may be what a string is formatted with; `|` is between classes, too.
    arithmetic={**dict.fromkeys((*_BINARY, *_IN_PLACE), 2), "%": 1, "%=": 1, "~": 1},
    comparisons={
        "<": ("__lt__", "__gt__"),
        "<=": ("__le__", "__ge__"),
        ">": ("__gt__", "__lt__"),
        ">=": ("__ge__", "__le__"),
    },
    arguments={
        **dict.fromkeys((f"builtins.{name}" for name in ("range", "zip", "divmod")), 3),
        **dict.fromkeys(
            (
                f"builtins.{name}"
                for name in (
                    *("len", "iter", "next", "reversed", "enumerate", "sorted", "any", "all", "sum", "abs", "ord"),
                    *("list", "tuple", "set", "frozenset", "dict", "int", "float", "chr", "round", "open"),
                )
            ),
            1,
        ),
    },
    checks=frozenset(("builtins.issubclass", "builtins.callable", "builtins.hasattr", "builtins.bool", "inspect.is*")),
    all_of="builtins.all",
    class_of=("builtins.type", "__class__"),
    getter="builtins.getattr",
    setter="builtins.setattr",
    null_class="NoneType",
    errors={"attribute": "AttributeError", "context": "AttributeError", "": "TypeError"},
    everything=frozenset(("Exception", "BaseException")),
    suppressing=frozenset(("suppress", "raises", "assertRaises", "assertRaisesRegex")),
    assertion="AssertionError",
    builtins="builtins",
    members=True,
    rest={"rest": "builtins.tuple", "names": "builtins.dict"},
    objects=True,
    iterator=("__iter__", "__next__"),
    tests_tell=True,
)
