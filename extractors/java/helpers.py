"""What a call of a helper shows: `ensure(found)` that throws for null, `if (isThere(found))`, `check(found != null)`.

The ways out of a function say which parameters are not null there and which are true or false, and whether its result
is true (1) or false (0); rules match them with calls. A method's `@Contract` says it in their place. What the results
of a method show of fields of its object is written as `implies`; annotations (`@EnsuresNonNull`) say that, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.java.declarations import Method, modifiers_node
from pliant.extractors.lowering import exits
from pliant.extractors.lowering.base import SHOWN, TRUTH, Tests
from pliant.extractors.lowering.passed_conditions import after_calls
from pliant.extractors.lowering.source import text
from pliant.extractors.ssa import UNDEFINED, Path, Value

if TYPE_CHECKING:
    from pliant.extractors.java.lowering import Lowering

_FOLLOWED = frozenset(("identifier", "field_access", "method_invocation"))
_CLAUSE = re.compile(r"([\w!,\s]*)->\s*(\S+)")


def note_return(lo: Lowering, node: Node | None, value: Value | None) -> None:
    """Control is about to leave the function with the value of `node`; with None where there is no node."""
    if not lo.fn.reachable():
        return
    truth = node.type == "true" if node is not None and node.type in ("true", "false") else None
    tests: Tests = ([], [])
    if truth is None and node is not None and value is not None and lo.return_type == "boolean":
        tests = lo.tests_of(node, value)
    lo.exits += exits.ways_out(lo, truth, tests)


def write_exits(lo: Lowering) -> None:
    """Write how the function is left, as far as that tells callers something."""
    if lo.contract:
        _write_contract(lo)
    elif lo.exits:
        tested = [formal for formal in lo.fn.formals if formal in lo.tested_roots]
        exits.write_shown(lo, lo.exits, [exits.shown_at(lo, left, tested) for left in lo.exits])
        _write_truths(lo)
    if lo.return_type == "boolean" and lo.exits and not lo.promised:
        _write_implications(lo)


def _write_truths(lo: Lowering) -> None:
    """Parameters that are true, or false, wherever the function is left."""
    fn = lo.fn
    for formal in fn.formals:
        truths = {lo.truths.get(fn.content((formal, TRUTH), left.block)) for left in lo.exits}
        if len(truths) == 1 and (truth := truths.pop()) in ("true", "false"):
            lo.emit("left_only", formal, truth)


def _write_implications(lo: Lowering) -> None:
    """Fields of the object that are not null wherever the result is true, or false."""
    fn = lo.fn
    own = lo.class_value(lo.class_) if lo.class_ is not None else UNDEFINED
    roots = [root for root in (lo.this_value, own) if root != UNDEFINED]
    fields = dict.fromkeys(field for root in roots for field in fn.fields_of.get(root, ()))
    fields |= dict.fromkeys(key[1] for left in lo.exits for key, _, _ in left.shown if isinstance(key, tuple))
    wrote = False
    for status, outcome in ((exits.TRUE, "true"), (exits.FALSE, "false")):
        ways = [left for left in lo.exits if left.status in (status, None)]
        for field in fields:
            if (
                field[:1] not in "$=.["
                and ways
                and any(all(_holds(lo, (root, field), w) for w in ways) for root in roots)
            ):
                lo.emit("implies", lo.symbol, outcome, field)
                wrote = True
    if wrote:
        lo.emit("result", lo.symbol, lo.value("result"))


def _holds(lo: Lowering, path: Path, left: exits.Exit) -> bool:
    """Whether a path is not null at an exit."""
    if any(key == path and nonnull for key, _, nonnull in left.shown):
        return True
    content = lo.fn.content(path, left.block)
    return content != UNDEFINED and (content in lo.fn.nonnull or _shown_content(lo, content, left))


def _shown_content(lo: Lowering, content: Value, left: exits.Exit) -> bool:
    return lo.fn.on_every_way(lo.fn.content((lo.fn.root(content), SHOWN), left.block))


# What annotations say.


def annotated(node: Node | None, name: str) -> list[str]:
    """The texts that an annotation of that name is given."""
    modifiers = modifiers_node(node)
    for child in modifiers.named_children if modifiers is not None else ():
        name_node = child.child_by_field_name("name")
        if child.type == "annotation" and name_node is not None and text(name_node).rsplit(".", 1)[-1] == name:
            return [part.strip('"') for part in re.findall(r'"[^"]*"', text(child))]
    return []


def promises(lo: Lowering, method: Method) -> None:
    """What annotations say of the fields that a method tests, in place of its body."""
    lo.contract = " ".join(annotated(method.node, "Contract"))
    not_null(lo, annotated(method.node, "RequiresNonNull"))
    told = _ensured_if(method)
    for outcome, field in told:
        lo.emit("implies", lo.symbol, outcome, field)
    lo.promised = bool(told)
    if told:
        lo.emit("result", lo.symbol, lo.value("result"))


def _ensured_if(method: Method) -> list[tuple[str, str]]:
    """(outcome, field) of `@EnsuresNonNullIf(value = "field", result = outcome)`."""
    fields = annotated(method.node, "EnsuresNonNullIf")
    modifiers = modifiers_node(method.node)
    if not fields or modifiers is None:
        return []
    outcome = "false" if re.search(r"result\s*=\s*false", text(modifiers)) else "true"
    return [(outcome, field.removeprefix("this.").removeprefix("#")) for field in fields]


def _write_contract(lo: Lowering) -> None:
    formals = [formal for formal in lo.fn.formals if formal != lo.this_value]
    for clause in lo.contract.split(";"):
        match = _CLAUSE.search(clause)
        if match is None:
            continue
        wanted = [part.strip() for part in match[1].split(",") if part.strip()]
        told = [(formal, want) for formal, want in zip(formals, wanted, strict=False) if want != "_"]
        effect = match[2].strip()
        if len(told) != 1:
            continue
        formal, want = told[0]
        live = lo.symbol
        if want == "null" and effect == "fail":
            exits.write_exit(lo, live, None, {formal}, {formal})
        elif want == "null" and effect in ("true", "false"):
            exits.write_exit(lo, live, int(effect == "false"), {formal}, {formal})
            exits.write_exit(lo, live, int(effect == "true"), set(), {formal})
        elif want in ("true", "false") and effect == "fail":
            lo.emit("left_only", formal, "false" if want == "true" else "true")


# Calls.


def came_back(lo: Lowering, call: Value, outcome: bool | None = None) -> None:
    """Variables that were passed to `call` are what they are once it has come back, with that outcome."""
    fn = lo.fn
    low, high = (exits.FALSE, exits.TRUE) if outcome is None else (int(outcome), int(outcome))
    _, given, passed = lo.calls_made[call]
    for argument, value in zip(given, passed, strict=True):
        value = fn.resolve(value)
        if (
            argument.type not in _FOLLOWED
            or value in fn.nonnull
            or value in (UNDEFINED, fn.unknown)
            or not fn.names[value]
        ):
            continue
        for key in lo.keys_of(argument):
            current = fn.read(key) if isinstance(key, str) else fn.content(key)
            if current in fn.nonnull or (current != UNDEFINED and fn.root(current) != fn.root(value)):
                continue
            after = after_calls(lo, key, value)
            fn.define(after, "shown", after, call, value, low, high)
            fn.write(key, after)


def ensured(lo: Lowering, name: str, count: int) -> None:
    """A method of this object was called, and has set the fields that its `@EnsuresNonNull` names."""
    for class_ in lo.class_.chain() if lo.class_ is not None else ():
        for method in class_.methods.get(name, ()):
            if f"{name}/{count}" in method.keys:
                not_null(lo, annotated(method.node, "EnsuresNonNull"))
        if name in class_.methods:
            return


def not_null(lo: Lowering, fields: list[str]) -> None:
    """Fields of this object, or its class, are not null here."""
    for written in fields:
        owner = lo.field_owner(written.removeprefix("this.").removeprefix("#"))
        path = lo.fn.path(lo.field_base(*owner), owner[1].name) if owner is not None else None
        if path is not None:
            lo.fn.write(path, lo.fn.unnamed())
