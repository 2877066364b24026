"""What Python says of itself beyond its syntax."""

from __future__ import annotations

import tomllib
from importlib import resources

from pliant.extractors.ir.semantics import Semantics

_CALLS = tomllib.loads(resources.files("pliant.extractors").joinpath("models", "python_calls.toml").read_text("utf-8"))
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
        "delete": "subscript",
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
    arguments={name: tuple(positions) for name, positions in _CALLS["needs"].items()},
    fails={name: tuple(positions) for name, positions in (_CALLS["needs"] | _CALLS["fails"]).items()},
    checks=frozenset(_CALLS["checks"]),
    all_of="builtins.all",
    any_of="builtins.any",
    lookups=frozenset(("builtins.dict.get", "os._Environ.get", "types.MappingProxyType.get", "typing.Mapping.get")),
    class_of=("builtins.type", "__class__"),
    getter="builtins.getattr",
    setter="builtins.setattr",
    null_class="NoneType",
    errors={"attribute": "AttributeError", "context": "AttributeError", "": "TypeError"},
    everything=frozenset(("Exception", "BaseException")),
    suppressing=frozenset(name.rpartition(".")[2] for name in _CALLS["suppresses"]),
    stays_empty=frozenset(_CALLS["stays_empty"]),
    assertion="AssertionError",
    false=frozenset((False, "")),
    integers={"": 0},
    builtins="builtins",
    members=True,
    rest={"rest": "builtins.tuple", "names": "builtins.dict"},
    objects=True,
    iterator=("__iter__", "__next__"),
    iterators_fail=True,
    tests_tell=True,
    private=r"_(?!_.*__$)",
    suspects=True,
)
