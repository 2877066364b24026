"""What is known of a file without the instructions of its functions: what these say of each other, and of classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pliant.extractors.ir.operands import Constant, Type
from pliant.extractors.ir.unit import MODULE, Function, Span


@dataclass(slots=True)
class Outline:
    """extents: of the functions, by name. classes: the kind of each, and what its fields are declared to be.

    rebound: variables that another function sets than the one that has them, with that one in front. decorators: how
    many change a function, by its name. defaults: of parameters of functions that are made at one place, as far as they
    are constants. volatile: fields that others may write at any time. annotated: how classes declare fields, as in
    `annotate`. passed: functions that are used otherwise than by calling them, as values; kept: those that are stored
    in a field. read: variables that hold functions of that name and are used so. pointed: variables of the file whose
    address is taken. incomplete: something of the file is
    left out; missing: the functions that are.
    """

    extents: dict[str, Span | None] = field(default_factory=dict)
    classes: dict[str, tuple[str, dict[str, Type]]] = field(default_factory=dict)
    rebound: frozenset[tuple[str, str]] = frozenset()
    decorators: dict[str, int] = field(default_factory=dict)
    defaults: dict[str, dict[str, Constant]] = field(default_factory=dict)
    volatile: frozenset[str] = frozenset()
    annotated: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    passed: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()
    pointed: frozenset[str] = frozenset()
    incomplete: bool = False
    missing: frozenset[str] = frozenset()

    def defaults_of(self, function: str) -> Mapping[str, Constant]:
        return self.defaults.get(function, {})

    def escapes(self, function: Function) -> bool:
        """Whether a function of the file is used otherwise than by calling it, or that is not known. A class gets its
        methods where it is made."""
        name = function.name
        return (
            self.incomplete
            or name in self.passed
            or (name in self.kept and function.owner is None)
            or short_name(name) in self.read
        )


def short_name(function: str) -> str:
    """What a function is called where it stands."""
    return function.partition("#")[0].rpartition(".")[2]


def owner_of(function: Function, variable: str) -> str:
    """The function that a variable which several use belongs to."""
    known = function.variables[variable]
    return {"captured": known.owner, "shared": function.name}.get(known.home, MODULE)
