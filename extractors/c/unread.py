"""Results of calls that nothing reads: dropped, or stored in a local variable of which no later code reads them.

A variable that is followed as SSA values is read where one of its values is: what is read of a join is read of all that
it joins, and what `x++` has made of a value is read of that value, if anything reads it. Of one in memory, any mention
but as the target of an assignment is a read.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from pliant.extractors.c.declarations import CType
from pliant.extractors.c.entities import Variable
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.c.places import operator_of, renamed, stripped
from pliant.extractors.lowering.ranges import single
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import UNDEFINED, Value

_VOID = CType("void")
_SPLIT_ELSE = re.compile(rb"^[ \t]*#.*\n\s*+\}?\s*+else\b|\belse\s*\n[ \t]*#", re.M)  # not read as what it is
_READ_OTHERWISE = re.compile(rb"cleanup|unused|volatile", re.I)  # at the end of the scope, or not, on purpose


def dropped(lo: Lowering, node: Node, call: Value) -> None:
    """A statement is the call `node` and nothing else; one that is written in a macro is not told."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if call not in lo.call_results or lo.frame is not None or function is None or arguments is None:
        return
    function = stripped(function)
    name = renamed(lo, text(function)) if function.type == "identifier" else ""
    declared = lo.functions.get(name, lo.prototypes.get(name))
    if declared is not None and lo.types.resolve(declared) == _VOID:
        return
    group = lo.models.results.get(name) if lo.variable(name) is None else None
    if group is not None:
        if lo.models.last_resort.isdisjoint(text(argument) for argument in elements(arguments)):
            lo.emit("unread", call, group)
    elif name and name not in lo.models.names:
        lo.emit("unread", call, "dropped")


def stored(lo: Lowering, node: Node) -> None:
    """A statement is an assignment: note it, if it is one of what a call gives to a local variable."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if operator_of(node) == "=" and left is not None and right is not None and left.type == "identifier":
        variable = lo.variable(text(left))
        if variable is not None:
            kept(lo, variable, right)


def read_otherwise(declaration: Node) -> int:
    """Behind which byte of the file the variables of a declaration may be read where no code says so."""
    found = _READ_OTHERWISE.search(declaration.text or b"")
    return declaration.start_byte + found.end() if found is not None else declaration.end_byte


def initialized(lo: Lowering, variable: Variable, node: Node, otherwise: int) -> None:
    """The same of a variable that is declared with an initialiser. otherwise: of its declaration."""
    if variable.node is not None and variable.node.start_byte < otherwise:
        kept(lo, variable, node)


def kept(lo: Lowering, variable: Variable, node: Node) -> None:
    node = stripped(node)
    while node.type == "cast_expression" and (inner := node.child_by_field_name("value")) is not None:
        node = stripped(inner)
    call, arguments = lo.call_at.get(node.id, UNDEFINED), node.child_by_field_name("arguments")
    if arguments is not None and re.search(rf"\b{variable.name}\b", text(arguments)):
        return  # it is brought up to date, for whoever reads it next
    if (
        call in lo.call_results
        and lo.fn.reachable()
        and lo.frame is None
        and not variable.cell
        and not variable.function
    ):
        lo.kept_results[call] = variable


def tell(lo: Lowering, body: Node, unmodelled: int) -> None:
    """At the end of the function: emit what is stored and not read, and whether it gives a value and does nothing else.
    unmodelled: how many constructs of the file were not understood before."""
    source = body.text or b""
    understood = not body.has_error and lo.writer.unmodelled_so_far() == unmodelled and not _SPLIT_ELSE.search(source)
    given = {left.given for left in lo.exits}
    constant = len(given) == 1 and (only := given.pop()) is not None and single(only) is not None
    if lo.gives and not constant and lo.types.resolve(lo.returns) != _VOID:
        lo.emit("valued", lo.symbol)
        if understood and not lo.effects and b"volatile" not in source:
            lo.emit("pure", lo.symbol)
    if not lo.kept_results or not understood:
        return
    read = _read(lo)
    for call, variable in lo.kept_results.items():
        if variable.key not in lo.mentioned and (variable.address is not None or call not in read):
            lo.emit("unread", call, "stored")


def _read(lo: Lowering) -> set[Value]:
    fn = lo.fn
    found: set[Value] = set()
    todo = [*lo.looked_at]
    while todo:
        value = fn.resolve(todo.pop())
        if value in found or value == UNDEFINED:
            continue
        found.add(value)
        todo.extend(fn.operands(value) or ())
        todo.append(fn.roots[value])
        if value in lo.made_from:
            todo.append(lo.made_from[value])
        if value in lo.objects:
            todo.append(lo.objects[value])
    return found
