"""Loops over elements: `for` and comprehensions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tree_sitter import Node

from pliant.extractors.lowering import control
from pliant.extractors.lowering.literals import integer
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.python.conditions import branch
from pliant.extractors.python.expressions import handles, keys_of, pair
from pliant.extractors.python.lowering import Lowering
from pliant.extractors.python.targets import bind_target
from pliant.extractors.ssa import Key, Value


def for_each(
    lo: Lowering,
    loop: Node,
    target: Node,
    source: Value,
    source_node: Node,
    keys: Iterable[Key],
    body: Callable[[], None],
    otherwise: Callable[[], None] | None = None,
) -> None:
    """Run `body` with `target` bound to each element of `source`; all of it lies in `loop`."""
    lo.dereference(source, "for", "iteration", source_node, keys)
    iterator = None
    if _may_be_own(source_node):
        iterator = lo.call_method("iter", source_node, lo.live(), source, "__iter__")

    def bind() -> None:
        item = lo.value("item", target)
        lo.emit("iterate", item, source)
        if iterator is not None:
            following = lo.call_method("next", target, lo.live(), iterator, "__next__")
            lo.emit("assign_object", item, following)
        bind_target(lo, target, item)

    control.each(lo, bind, body, otherwise=otherwise, not_empty=_not_empty(source_node), kept=lo.unwritten(loop))


# Calls that give iterators of the library.
_OF_THE_LIBRARY = frozenset(
    ("range", "enumerate", "zip", "sorted", "reversed", "items", "keys", "values", "split", "splitlines")
)


def _may_be_own(source: Node) -> bool:
    """Whether a loop may call `__iter__` of a class of the program."""
    if source.type == "call":
        function = source.child_by_field_name("function")
        return function is not None and text(function).rsplit(".", 1)[-1] not in _OF_THE_LIBRARY
    return source.type in ("identifier", "attribute", "subscript")


def _not_empty(source: Node) -> bool:
    """Whether a loop over `source` runs at least once, as the source says."""
    if source.type in ("tuple", "list", "set"):
        return any(child.type != "list_splat" for child in elements(source))
    arguments = source.child_by_field_name("arguments") if source.type == "call" else None
    if arguments is None or text(source).partition("(")[0] != "range":
        return False
    numbers = [text(child) for child in elements(arguments)]
    return len(numbers) == 1 and (integer(numbers[0]) or 0) > 0


@handles("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
def comprehension(lo: Lowering, node: Node) -> Value:
    """A loop of its own scope, lowered in line."""
    kind = {"list_comprehension": "list", "set_comprehension": "set", "dictionary_comprehension": "dict"}.get(node.type)
    value = lo.value(f"{kind or 'generator'} comprehension", node)
    lo.container(value, f"builtins.{kind}" if kind else "typing.Generator")
    outer = lo.scope
    clauses = [child for child in elements(node) if child.type in ("for_in_clause", "if_clause")]
    body = [child for child in elements(node) if child.type not in ("for_in_clause", "if_clause")]

    def inner(rest: list[Node]) -> None:
        if not rest:
            for child in body:
                if child.type == "pair":
                    pair(lo, value, child)
                else:
                    lo.emit("store", value, "[]", lo.expression(child))
            return
        clause = rest[0]
        if clause.type == "if_clause":
            end = lo.fn.new_block()
            for condition in elements(clause)[:1]:
                yes, no = branch(lo, condition)
                lo.fn.edge(no, end)
                lo.fn.block = yes
                inner(rest[1:])
            lo.fn.jump(end)
            lo.fn.start(end)
            return
        left, right = clause.child_by_field_name("left"), clause.child_by_field_name("right")
        if left is None or right is None:
            return
        if clause is clauses[0]:
            lo.scope = outer
        source = lo.expression(right)
        keys = keys_of(lo, right)
        lo.scope = lo.scopes.of.get(node.id, outer)
        for_each(lo, node, left, source, right, keys, lambda: inner(rest[1:]))

    inner(clauses)
    lo.scope = outer
    return value
