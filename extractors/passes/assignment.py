"""Which fields of its object a method has assigned wherever it ends: definite assignment, as chapter 16 of The Java
Language Specification has it for variables."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pliant.extractors.ir.graph import edges, reverse_postorder
from pliant.extractors.ir.operands import Constant
from pliant.extractors.ir.unit import Function
from pliant.extractors.passes.index import Index


def null_in_class_bodies(indices: Sequence[Index]) -> frozenset[str]:
    """The attributes that a class body of a file sets to null."""
    found = set[str]()
    for index in indices:
        for each in index.of("store") if index.has("class") else ():
            base, name, value = each.operands
            if isinstance(base, int) and index.numbered[base].op == "class" and _is_null(index, value):
                found.add(name)
    return frozenset(found)


def definitely_assigned(function: Function, index: Index, fields: Collection[str]) -> list[str]:
    """Those of some fields of the receiver that are assigned on each way to an end without an exception."""
    receiver = next((each.variable for each in function.formals if each.kind == "receiver"), None)
    # What a context manager may suppress has no edges.
    if receiver is None or index.has("leave") or any(each.operands[0] == receiver for each in index.of("set")):
        return []
    own = {each.number for each in index.of("get") if each.operands[0] == receiver}
    stores = [each for each in index.of("store") if each.operands[0] in own and each.operands[1] in fields]
    bits: dict[str, int] = {}  # of the fields in sets
    by_number = {each.number: bits.setdefault(each.operands[1], 1 << len(bits)) for each in stores}
    every = (1 << len(bits)) - 1
    if not every:
        return []
    graph = edges(function.blocks)
    order = reverse_postorder(graph.__getitem__)
    made = [0] * len(function.blocks)
    for each in stores:
        made[index.block_of(each.number)] |= by_number[each.number]
    assigned = [every] * len(function.blocks)  # where blocks begin, as far as is known
    assigned[0] = 0
    changed = True
    while changed:
        changed = False
        for number in order:
            known = assigned[number]
            for target in graph[number]:
                # An exception comes before any of them is assigned.
                raised = target == function.blocks[number].handler
                now = assigned[target] & (known if raised else known | made[number])
                changed |= now != assigned[target]
                assigned[target] = now
    left = every
    for number in order:
        if function.blocks[number].instructions[-1].op == "exit":
            left &= assigned[number] | made[number]
    return [name for name, bit in bits.items() if left & bit]


def _is_null(index: Index, value: object) -> bool:
    if isinstance(value, Constant):
        return value.kind == "null"
    made = index.numbered[value] if isinstance(value, int) else None
    return made is not None and made.op == "const" and made.operands[0].kind == "null"
