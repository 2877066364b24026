"""What is known of the class of a value: what `new` has made it, and what `instanceof` has shown of it before.

A test that can have one outcome only is decided by that. Of a class of another file no more is known than its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.java.declarations import Class
from pliant.extractors.java.types import erased
from pliant.extractors.ssa import UNDEFINED, Value

if TYPE_CHECKING:
    from pliant.extractors.java.lowering import Lowering

_KIND = "$kind"  # the field under which it is followed what tests have shown of the class of a value


@dataclass(frozen=True, slots=True)
class Shown:
    """Names of classes that a value is an instance of, and of those that it is none of."""

    of: frozenset[str] = frozenset()
    not_of: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Test:
    """An `instanceof` of the value `root`. outcome: the one that it must have; None if it may have both."""

    root: Value
    name: str
    outcome: bool | None


def test(lo: Lowering, subject: Node, value: Value, declared: Node | None) -> Test | None:
    """The test whether `value`, lowered from `subject`, is of the declared class."""
    name = erased(declared) if declared is not None else ""
    value = lo.fn.resolve(value)
    if not name or value in (UNDEFINED, lo.fn.opaque) or lo.is_type_parameter(name):
        return None
    return Test(lo.fn.root(value), name, _outcome(lo, subject, value, name))


def always(lo: Lowering, subject: Node, name: str) -> bool:
    """Whether what `subject` is declared to hold is of the class `name` wherever it is not null."""
    kind = lo.static_type(subject)
    return bool(kind) and kind != "var" and name in _above(lo, kind)[0]


def note(lo: Lowering, tested: Test, outcome: bool) -> None:
    """Note that here the test has that outcome."""
    before = _shown(lo, tested.root)
    token = lo.fn.unnamed()
    name = frozenset((tested.name,))
    lo.kinds[token] = Shown(before.of | name, before.not_of) if outcome else Shown(before.of, before.not_of | name)
    lo.fn.write((tested.root, _KIND), token)


def _shown(lo: Lowering, root: Value) -> Shown:
    return lo.kinds.get(lo.fn.content((root, _KIND)), Shown())


def _outcome(lo: Lowering, subject: Node, value: Value, name: str) -> bool | None:
    if lo.is_literal_null(value) or value in lo.known_null:
        return False
    made = lo.made.get(value)
    if made is not None:
        above, whole = _above(lo, made)
        return True if name in above else False if whole else None
    shown = _shown(lo, lo.fn.root(value))
    for known in shown.of:
        if name in _above(lo, known)[0]:
            return True
        if _apart(lo, known, name):
            return False
    if any(known in _above(lo, name)[0] for known in shown.not_of):
        return False
    return True if value in lo.fn.nonnull and always(lo, subject, name) else None


def _apart(lo: Lowering, one: str, other: str) -> bool:
    """Whether nothing can be of both classes: neither is derived from the other, and both have one base."""
    first, second = lo.find_class(one), lo.find_class(other)
    if first is None or second is None or "interface" in (first.kind, second.kind):
        return False
    above, whole = _above(lo, one)
    beyond, rest = _above(lo, other)
    return whole and rest and other not in above and one not in beyond


def _above(lo: Lowering, name: str) -> tuple[set[str], bool]:
    """The names of a class and of what it is derived from, and whether these are all."""
    names, whole = {name, "Object"}, True
    todo, seen = [lo.find_class(name)], set[int]()
    while todo:
        class_: Class | None = todo.pop()
        if class_ is None:
            whole = False
        elif id(class_) not in seen:
            seen.add(id(class_))
            for base in class_.bases:
                names.add(erased(base))
                todo.append(lo.find_class(erased(base)))
    return names, whole
