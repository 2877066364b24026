"""What calls of methods of this file give, by what is passed: told as far as `evaluation` can say.

A method that may be overridden may do something else: then it is said for which method it holds (`evaluated_for`), and
rules look whether the call runs another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from pliant.extractors.java import kept, numbers
from pliant.extractors.java.declarations import Class, Method
from pliant.extractors.java.evaluation import Way, value_made, ways
from pliant.extractors.java.expressions import names_type
from pliant.extractors.java.known_values import NULL, UNKNOWN, Spec, Thing
from pliant.extractors.java.lowering import Lowering
from pliant.extractors.java.members import candidates, cannot_be_overridden, derived, inherited
from pliant.extractors.java.paths import value_of
from pliant.extractors.java.types import is_primitive
from pliant.extractors.lowering.source import is_small, text
from pliant.extractors.ssa import UNDEFINED, Value

_NOTHING: Spec = ("unknown",)
_SOME: Spec = ("some",)


Assumed = tuple[Value, str]  # a call and the method that it runs, if it runs no other one


@dataclass(frozen=True, slots=True)
class Exact:
    """The class of an object. class_: None for one that is not of this file."""

    name: str
    class_: Class | None
    assumed: Assumed | None


def note(
    lo: Lowering,
    base: Node | None,
    name: str,
    type_name: str,
    receiver: Value,
    given: list[Node],
    passed: list[Value],
    call: Value,
) -> None:
    """A call was lowered: tell what it gives. base: what it is a call of; type_name: that of the class whose method it
    names, if it names one."""
    found = _method(lo, base, type_name, name, receiver, len(given), call)
    if found is None:
        return
    class_, method, this, assumed = found
    can_run, writes_null = _small(lo, method)
    if not can_run or method.type_name == "void":
        return
    specs = [_spec(lo, argument, value) for argument, value in zip(given, passed, strict=True)]
    if this == _NOTHING and all(spec in (_NOTHING, _SOME) for spec in specs):
        return
    number = is_primitive(method.type_name)
    objects = any(spec[0] in ("new", "made") for spec in (this, *specs))
    if not number and not objects and not writes_null:
        return
    found_ways = _ways(lo, class_, method, this, specs)
    results = [way.result for way in found_ways if way.result is not None]
    if not results:
        return
    if number:
        numbers_given = {result for result in results if isinstance(result, int)}
        if len(numbers_given) == 1 and all(isinstance(result, int) for result in results):
            lo.evaluated[call] = numbers_given.pop(), assumed
    elif not any(result in (NULL, UNKNOWN) for result in results):
        lo.emit("evaluated_not_null", call)
        _assume(lo, call, assumed)
    else:
        reached = frozenset(way.place for way in found_ways)
        lo.ruled_out.append((lo.fn.names[call] or "", method.symbol, reached))
        _assume(lo, call, assumed)


def _small(lo: Lowering, method: Method) -> tuple[bool, bool]:
    """Whether a method has a body that is small enough to be run, and whether that has a null in it."""
    known = lo.small_methods.get(method.symbol)
    if known is None:
        body = method.node.child_by_field_name("body") if method.node is not None else None
        small = body is not None and method.node is not None and is_small(method.node)
        known = small, small and body is not None and b"null" in (body.text or b"")
        lo.small_methods[method.symbol] = known
    return known


def _assume(lo: Lowering, value: Value, assumed: Assumed | None) -> None:
    if assumed is not None:
        lo.emit("evaluated_for", value, *assumed)


def _method(
    lo: Lowering, base: Node | None, type_name: str, name: str, receiver: Value, count: int, call: Value
) -> tuple[Class, Method, Spec, Assumed | None] | None:
    """The method of this file that a call runs, and on what."""
    if base is None or base.type == "this":
        for class_ in lo.class_.chain() if lo.class_ is not None else ():
            if name in class_.methods:
                return _own(class_, candidates(class_, name, count), call)
        return None
    if type_name:
        class_of = lo.find_class(type_name)
        return _own(class_of, candidates(class_of, name, count), call) if class_of is not None else None
    root = lo.fn.root(receiver)
    if root not in lo.made and root not in lo.invoked and (base.type != "field_access" or not lo.created):
        return None
    exact = class_of_value(lo, receiver, f"{name}/{count}") or _class_of_field(lo, base, f"{name}/{count}")
    if exact is None or exact.class_ is None:
        return None
    found = inherited(lo.classes, exact.class_, name, count)
    return (*found, ("made", exact.class_), exact.assumed) if found is not None else None


def _own(class_: Class, found: list[Method], call: Value) -> tuple[Class, Method, Spec, Assumed | None] | None:
    if len(found) != 1:
        return None
    assumed = None if cannot_be_overridden(class_, found[0]) else (call, found[0].symbol)
    return class_, found[0], _NOTHING, assumed


def class_of_value(lo: Lowering, value: Value, member: str = "") -> Exact | None:
    """The class that an object is of, by the `new` that made it, here or in a method that was called. member: only if
    classes of this file have different ones of it."""
    root = lo.fn.root(value)
    name = lo.made.get(root)
    if name is not None:
        return Exact(name, lo.find_class(name), None)
    if root not in lo.invoked or (member and member not in _different(lo)):
        return None
    node, given = lo.invoked[root]
    name_node, base = node.child_by_field_name("name"), node.child_by_field_name("object")
    type_name = names_type(lo, base) if base is not None else ""
    if name_node is None or (base is not None and base.type != "this" and not type_name):
        return None
    found = _method(lo, base, type_name, text(name_node), UNDEFINED, given, root)
    if found is None or not _small(lo, found[1])[0]:
        return None
    class_, method, this, assumed = found
    results = [way.result for way in _ways(lo, class_, method, this, [_NOTHING] * given) if way.result is not None]
    kinds = {(each.kind, each.class_) if isinstance(each, Thing) else ("", None) for each in results}
    if len(kinds) != 1:
        return None
    kind, of = kinds.pop()
    return Exact(kind, of, assumed) if kind else None


def _class_of_field(lo: Lowering, node: Node, member: str) -> Exact | None:
    """The class of what a field of a new object holds, of which its constructor alone has done something."""
    of, name = node.child_by_field_name("object"), node.child_by_field_name("field")
    if node.type != "field_access" or of is None or name is None or of.type != "identifier" or lo.jumps:
        return None
    root = lo.fn.root(value_of(lo, of))
    if root not in lo.created or root not in lo.fresh or root in lo.fn.leaked or root in lo.stored:
        return None
    if member not in _different(lo):
        return None
    class_, _, passed = lo.created[root]
    found = value_made(lo.classes, ("new", class_, *(_spec_of_value(lo, value) for value in passed), root))
    held = found.fields.get(text(name)) if isinstance(found, Thing) else None
    return Exact(held.kind, held.class_, None) if isinstance(held, Thing) and held.kind else None


def _different(lo: Lowering) -> frozenset[str]:
    """The methods, as `name/count`, of which several classes of this file have one."""
    if lo.members_twice is None:
        seen: set[str] = set()
        twice: set[str] = set()
        todo = list(lo.classes.values())
        while todo:
            class_ = todo.pop()
            todo += class_.inner.values()
            members = {key for some in class_.methods.values() for method in some for key in method.keys}
            twice |= members & seen
            seen |= members
        lo.members_twice = frozenset(twice)
    return lo.members_twice


def _spec(lo: Lowering, node: Node, value: Value) -> Spec:
    """What is known of an argument."""
    fn = lo.fn
    value = fn.resolve(value)
    if node.type == "string_literal":
        return "is", text(node)
    if lo.is_literal_null(value) or value in lo.known_null:
        return ("null",)
    known = numbers.form(lo, node)
    if known is not None and not known.factor:
        return "is", known.constant
    if value in lo.created and node.type == "object_creation_expression":
        class_, given, passed = lo.created[value]
        inside = [_spec(lo, each, inner) for each, inner in zip(given, passed, strict=True)]
        return ("new", class_, *inside, value)
    empty = kept.is_empty(lo, value)
    if empty is not None:
        return "empty", empty, fn.root(value)
    return _spec_of_value(lo, value)


def _spec_of_value(lo: Lowering, value: Value) -> Spec:
    """The same, whatever has been done to it since it was made."""
    root = lo.fn.root(value)
    if root in lo.made:
        name = lo.made[root]
        return "made", lo.find_class(name) or name, root
    return _SOME if lo.fn.resolve(value) in lo.fn.nonnull else _NOTHING


def _ways(lo: Lowering, class_: Class, method: Method, this: Spec, given: Sequence[Spec]) -> list[Way]:
    key = (method.symbol, this, *given)
    if key not in lo.ways:
        lo.ways[key] = ways(lo.classes, class_, method, this, given, lo.fn.spend)
    return lo.ways[key]


# Conditions.


def number(lo: Lowering, value: Value) -> Value | None:
    """What stands in facts for the number that a call gives, if that is known."""
    call = lo.fn.resolve(value)
    if call not in lo.evaluated:
        return None
    known, assumed = lo.evaluated[call]
    if call not in lo.told:
        lo.told.add(call)
        lo.emit("evaluated_number", call, known)
        _assume(lo, call, assumed)
    return call


def instance(lo: Lowering, node: Node, result: Value) -> Value | None:
    """What stands in facts for an `instanceof` of an object whose class is known."""
    left = node.child_by_field_name("left")
    tested = lo.instances.get(result)
    if left is None or tested is None or tested.outcome is not None:
        return None
    exact = class_of_value(lo, tested.root)
    outcome = None if exact is None else True if exact.name == tested.name else None
    if exact is not None and outcome is None and exact.class_ is not None:
        outcome = derived(lo.classes, exact.class_, tested.name)
    if exact is None or outcome is None:
        return None
    value = lo.value("instanceof", node)
    lo.emit("evaluated_number", value, int(outcome))
    _assume(lo, value, exact.assumed)
    return value


def write_ruled_out(lo: Lowering) -> None:
    """Write which nulls calls do not get, now that those have names."""
    for call, symbol, reached in lo.ruled_out:
        for place, null in lo.return_nulls.get(symbol, {}).items():
            if place not in reached:
                lo.writer.row("rules_out", lo.writer.symbol(call), lo.writer.symbol(null))
    lo.ruled_out = []
