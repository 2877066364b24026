"""What annotations promise of a method, as code: callers read it as they read what a body does.

`@Contract("null -> fail")`, `@EnsuresNonNull("field")` and the like. A promise stands in front of the body where it
says what the method does with null, and in place of it where there is none.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from pliant.extractors.ir.operands import OTHER, Constant, Operand, Predicate
from pliant.extractors.java.translation.body import Body
from pliant.extractors.java.translation.frames import Field, Local
from pliant.extractors.java.translation.names import field_base
from pliant.extractors.lowering.source import joined, text

_CLAUSE = re.compile(r"([\w!,\s]*)->\s*(\S+)")
_TEXT = re.compile(r'"([^"]*)"')
_TRUTHS = {"true": True, "false": False}


def promised(body: Body, node: Node) -> None:
    """Add what annotations of a method say; without a body, it comes back then."""
    said = _annotations(node)
    if not said:
        return
    has_body = node.child_by_field_name("body") is not None
    for field in said.get("RequiresNonNull", ()):
        _when_null(body, _read(body, field), None)
    for clause in ";".join(said.get("Contract", ())).split(";"):
        _contract(body, clause)
    if has_body:
        return
    for field in said.get("EnsuresNonNull", ()):
        _set(body, field)
    if "EnsuresNonNullIf" in said:
        _ensures_if(body, said["EnsuresNonNullIf"], "false" not in said["EnsuresNonNullIf result"])


def makes_body(node: Node) -> bool:
    """Whether annotations say what a method without a body does."""
    return not {"Contract", "EnsuresNonNull", "EnsuresNonNullIf"}.isdisjoint(_annotations(node))


def _annotations(node: Node) -> dict[str, list[str]]:
    """The texts that annotations are given, by their simple names; `result` of one beside it."""
    found: dict[str, list[str]] = {}
    modifiers = node.children[0] if node.children and node.children[0].type == "modifiers" else None
    for child in modifiers.named_children if modifiers is not None else ():
        name = child.child_by_field_name("name")
        if child.type == "annotation" and name is not None:
            simple, written = joined(name).rpartition(".")[2], text(child)
            found[simple] = _TEXT.findall(written)
            found[f"{simple} result"] = re.findall(r"result\s*=\s*(\w+)", written)
    return found


def _when_null(body: Body, value: Operand, result: Operand | None) -> None:
    """Where the value is null, the result is returned; without one, that fails."""
    build = body.builder
    null, after = build.block(), build.block()
    build.branch(Predicate("null", (value,)), null, after)
    build.start(null)
    if result is None:
        build.do("raise", build.give("import", "java.lang", "NullPointerException"))
    else:
        build.do("exit", (result,))
    build.start(after)


def _contract(body: Body, clause: str) -> None:
    """A clause with one condition."""
    match = _CLAUSE.search(clause)
    if match is None:
        return
    build = body.builder
    formals = [each for each in body.function.formals if each.kind != "receiver"]
    wanted = [part.strip() for part in match[1].split(",") if part.strip()]
    told = [(formal, want) for formal, want in zip(formals, wanted, strict=False) if want != "_"]
    if len(told) != 1:
        return
    [(formal, want)] = told
    effect = match[2].strip().rstrip('"')
    value = build.get(formal.variable)
    if want == "null" and (effect == "fail" or effect in _TRUTHS):
        _when_null(body, value, Constant("boolean", _TRUTHS[effect]) if effect in _TRUTHS else None)
    elif want in _TRUTHS and effect == "fail":
        fails, after = build.block(), build.block()
        build.branch(Predicate("truth", (value,)), *((fails, after) if _TRUTHS[want] else (after, fails)))
        build.start(fails)
        build.do("raise", build.give("import", "java.lang", "IllegalArgumentException"))
        build.start(after)


def _field(body: Body, written: str) -> tuple[Operand, str] | None:
    """The object and the name of a field of this object or its class."""
    name = written.removeprefix("this.").removeprefix("#")
    meaning = body.meaning(name)
    if meaning is None or isinstance(meaning, Local):
        return None
    class_, known = meaning
    assert isinstance(known, Field)
    return field_base(body, class_, known), name


def _read(body: Body, written: str) -> Operand:
    found = _field(body, written)
    return body.builder.give("load", *found, span=body.function.span) if found is not None else OTHER


def _set(body: Body, written: str) -> None:
    found = _field(body, written)
    if found is not None:
        body.builder.do("store", *found, OTHER, span=body.function.span)


def _ensures_if(body: Body, fields: list[str], outcome: bool) -> None:
    """With that outcome, the fields are not null."""
    build = body.builder
    for field in fields:
        _when_null(body, _read(body, field), Constant("boolean", not outcome))
    yes, no = build.block(), build.block()
    build.choose([yes, no])
    for block, result in ((yes, True), (no, False)):
        build.start(block)
        build.do("exit", (Constant("boolean", result),))
